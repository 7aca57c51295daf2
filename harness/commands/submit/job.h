/* A campaign that a scheduler runs in parts: what is kept of it in a folder that all machines see.
 *
 * job.json        what is run, in how many parts, and under which numbers the scheduler knows it
 * costs.json      what comparisons cost, by which every part is dealt alike; never changed once it is there
 * task.sh         runs a part: a task of the scheduler's array
 * run.sh          runs all parts in turn, where there is no scheduler
 * merge.sh        puts the records together and prints tables
 * part-3.started  a line for each time that the third part was begun: when and where
 * part-3.ended    the exit code of the last time, unless that was killed
 * part-3.stamp    is there once all of it was run
 * part-3.out      what it printed */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_JOB_H
#define MU_HARNESS_COMMANDS_SUBMIT_JOB_H

#include "base/error.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct mu_job {
    char folder[PATH_MAX]; /* absolute path of the job's folder */
    json_t *about;         /* owned: the content of job.json, with the members below */
    /* "set", "results" (the root), "here" (where bench runs), "program", "engine" ("slurm", "script"): texts
     * "words" (bench's), "scheduler" (options of sbatch), "numbers" (of its array jobs): arrays of texts
     * "parts": an array of objects of "comparisons", "runs" and "seconds" */
};

/* Writes the path of one of the job's files: job.json, or part-3.ended for "ended" and part 3. Fails with MU_LIMIT. */
int mu_job_path(const struct mu_job *job, const char *file, char path[PATH_MAX], struct mu_error *err);
int mu_job_part_path(const struct mu_job *job, uint32_t part, const char *ending, char path[PATH_MAX],
                     struct mu_error *err);

/* Opens one of the job's files for reading. Does not block on a FIFO that another user may have put there. NULL with
 * errno. */
FILE *mu_job_read(const char *path);

/* Opens the folder. job->about is NULL if it holds no job. Fails with MU_IO or MU_INPUT. */
int mu_job_open(const char *folder, struct mu_job *job, struct mu_error *err);

/* Writes job.json. Fails with MU_IO or MU_NO_MEMORY. */
int mu_job_write(const struct mu_job *job, struct mu_error *err);

/* Writes task.sh, run.sh and merge.sh. Fails with MU_IO or MU_NO_MEMORY. */
int mu_job_write_scripts(const struct mu_job *job, struct mu_error *err);

uint32_t mu_job_parts(const struct mu_job *job);

/* Releases the job; accepts zeros. */
void mu_job_close(struct mu_job *job);

#endif
