/* The suites of campaigns: which app runs on which input, and how long it is measured. */
#ifndef MU_HARNESS_CAMPAIGN_SUITES_H
#define MU_HARNESS_CAMPAIGN_SUITES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An app on an input. An app that this program does not have is not in the matrix. */
struct mu_suite_row {
    const char *app;   /* "suite/app" */
    const char *input; /* a generator */
    /* Where the literature has a graph of its own that `input` stands in for: its file's name without suffixes; NULL
     * otherwise. `--inputs=FOLDER` takes it from there, if the folder has it. */
    const char *original;
};

struct mu_suite {
    const char *name, *purpose;
    const struct mu_suite_row *rows; /* ended by a row whose app is NULL */
    const char *forms;               /* what is compared, unless the user says otherwise: mu_form_list_read */
    uint32_t repeats;                /* processes for each test */
    uint32_t together;               /* tests of an app on an input that share a process, at most; 0: none do */
    uint32_t min_samples;            /* of a test, over all its processes */
    uint32_t max_samples;            /* of one process */
    double target_width;             /* relative half-width of the interval of one process */
    double max_time_s;               /* of one process's samples */
    bool tuned;                      /* unless the user says otherwise */
    double tune_time_s;              /* of one try's samples */
};

/* Ended by a row whose name is NULL. */
extern const struct mu_suite mu_suites[];

/* The suite of that name, or NULL. */
const struct mu_suite *mu_suite_find(const char *name);

/* The file in folder that is the row's original: its name, or what follows the last dot of that ("NY" for
 * "USA-road-d.NY"), with one of the suffixes that graphs have (".gr", ".gr.gz", …). Writes its path, or an empty text
 * when the folder has none. MU_LIMIT when a path does not fit; MU_IO when there is no such folder. */
int mu_suite_original(const struct mu_suite_row *row, const char *folder, char *path, size_t bytes,
                      struct mu_error *err);

#endif
