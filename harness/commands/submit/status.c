#include "harness/commands/submit/status.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "harness/commands/submit/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *const mu_part_states[] = {"done", "running", "waiting", "failed", "lost"};

/* ---- What is in the files ---- */

static bool is_there(const struct mu_job *job, uint32_t part, const char *ending, struct mu_error *err)
{
    char path[PATH_MAX];
    return mu_job_part_path(job, part, ending, path, err) == MU_OK && access(path, F_OK) == 0;
}

/* Reads the last line of a file, without its newline. Returns false if there is none. */
static bool last_line(const struct mu_job *job, uint32_t part, const char *ending, char *line, size_t bytes)
{
    char path[PATH_MAX];
    struct mu_error ignored = {0};
    if (mu_job_part_path(job, part, ending, path, &ignored) != MU_OK) return false;
    FILE *file = mu_job_read(path);
    if (file == NULL) return false;
    line[0] = '\0';
    while (fgets(line, (int)bytes, file) != NULL)
        ;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Counts the records of a file. Unless `locked` is NULL, finds out whether a campaign holds its lock. */
static void look_at_records(const char *path, struct mu_part *part, bool *locked)
{
    char bytes[1 << 16];
    ssize_t got;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* as mu_job_read does */
    if (fd < 0) return;
    part->has_file = true;
    while ((got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t i = 0; i < got; i++) part->records += bytes[i] == '\n';
    if (locked != NULL && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) *locked = true;
    close(fd);
}

/* Does the same for the part's files of all chips, since a part may have continued on another chip. */
static int look_at_chips(const struct mu_job *job, uint32_t number, struct mu_part *part, bool *locked,
                         struct mu_error *err)
{
    const char *root = mu_json_text(job->about, "results");
    const struct dirent *chip;
    DIR *folder = opendir(root);
    if (folder == NULL) return MU_OK; /* no part was begun */
    while ((chip = readdir(folder)) != NULL && err->status == MU_OK) {
        if (chip->d_name[0] == '.') continue;
        char *path = mu_format(err, "%s/%s/%s.%u-of-%u.jsonl", root, chip->d_name, mu_json_text(job->about, "set"),
                               number, mu_job_parts(job));
        if (path != NULL) look_at_records(path, part, locked);
        mu_free(path);
    }
    closedir(folder);
    return err->status;
}

/* ---- What that means ---- */

/* A part that was done is lost if somebody has removed its file of records. */
static enum mu_part_state judge(bool done, bool ended, bool started, bool has_file, enum mu_queued queued)
{
    if (done && has_file) return MU_PART_DONE;
    if (queued == MU_QUEUED_RUNNING) return MU_PART_RUNNING;
    if (queued == MU_QUEUED_WAITING) return MU_PART_WAITING;
    if (ended && !done) return MU_PART_FAILED;
    return started ? MU_PART_LOST : MU_PART_WAITING;
}

static int look_at_part(const struct mu_job *job, uint32_t number, enum mu_queued queued, struct mu_part *part,
                        struct mu_error *err)
{
    char line[128], code[16] = "";
    bool locked = false;
    uint64_t exit_code = 0;
    const bool slurm = mu_json_is(job->about, "engine", "slurm");
    *part = (struct mu_part){0};
    if (look_at_chips(job, number, part, slurm ? NULL : &locked, err) != MU_OK) return err->status;
    if (locked) queued = MU_QUEUED_RUNNING;
    bool started = last_line(job, number, "started", line, sizeof line);
    const bool ended = last_line(job, number, "ended", code, sizeof code);
    if (started && strchr(line, ' ') != NULL) snprintf(part->where, sizeof part->where, "%s", strchr(line, ' ') + 1);
    /* A part that was submitted and is no longer in Slurm's queue will not begin. */
    started = started || (slurm && json_array_size(json_object_get(job->about, "numbers")) != 0);
    part->state = judge(is_there(job, number, "stamp", err), ended, started, part->has_file, queued);
    if (part->state == MU_PART_FAILED && mu_number_whole(code, 0, 255, &exit_code)) part->exit_code = (int)exit_code;
    return err->status;
}

int mu_job_look(const struct mu_job *job, struct mu_part *parts, struct mu_error *err)
{
    const uint32_t count = mu_job_parts(job);
    enum mu_queued *queued = mu_calloc(count, sizeof *queued, "the parts of a job", err);
    if (queued == NULL) return err->status;
    if (mu_json_is(job->about, "engine", "slurm") && json_array_size(json_object_get(job->about, "numbers")) != 0)
        mu_slurm_look(job, queued, err);
    for (uint32_t i = 0; i < count && err->status == MU_OK; i++) look_at_part(job, i + 1, queued[i], &parts[i], err);
    mu_free(queued);
    return err->status;
}

/* ---- For people ---- */

static void add_part(struct mu_grid *grid, const json_t *planned, uint32_t number, const struct mu_part *part)
{
    mu_grid_row(grid);
    mu_grid_number(grid, number, 0);
    mu_grid_text(grid, "%s", mu_part_states[part->state]);
    if (part->state == MU_PART_FAILED) mu_grid_mark(grid, " (exit code %d)", part->exit_code);
    if (part->state == MU_PART_DONE) mu_grid_tone(grid, MU_TONE_GOOD);
    if (part->state == MU_PART_FAILED || part->state == MU_PART_LOST) mu_grid_tone(grid, MU_TONE_BAD);
    mu_grid_number(grid, (double)part->records, 0);
    mu_grid_number(grid, mu_json_real(planned, "runs"), 0);
    mu_grid_number(grid, mu_json_real(planned, "comparisons"), 0);
    mu_grid_time(grid, 1e9 * mu_json_real(planned, "seconds"));
    if (part->where[0] != '\0')
        mu_grid_text(grid, "%s", part->where);
    else
        mu_grid_empty(grid);
}

static void count_states(const struct mu_job *job, const struct mu_part *parts, struct mu_grid *grid)
{
    uint32_t counts[MU_PART_LOST + 1] = {0};
    for (uint32_t i = 0; i < mu_job_parts(job); i++) counts[parts[i].state]++;
    mu_grid_note(grid, "%u done, %u running, %u waiting, %u failed, %u lost.", counts[MU_PART_DONE],
                 counts[MU_PART_RUNNING], counts[MU_PART_WAITING], counts[MU_PART_FAILED], counts[MU_PART_LOST]);
    if (counts[MU_PART_FAILED] + counts[MU_PART_LOST] != 0)
        mu_grid_note(grid, "The same muster submit as before submits what failed or was lost again, which goes on.");
}

int mu_job_show(const struct mu_job *job, const struct mu_part *parts, const struct mu_output *output,
                struct mu_error *err)
{
    struct mu_grids grids = {.err = err};
    struct mu_grid *grid = mu_grids_add(&grids, "parts", "Parts of %s", mu_json_text(job->about, "set"));
    mu_grid_column(grid, "part", "part", 0);
    mu_grid_column(grid, "state", "state", MU_COLUMN_LEFT);
    mu_grid_column(grid, "records", "records", 0);
    mu_grid_column(grid, "runs", "of runs", 0);
    mu_grid_column(grid, "comparisons", "comparisons", MU_COLUMN_MINOR);
    mu_grid_column(grid, "expected_ns", "expected", 0);
    mu_grid_column(grid, "host", "begun on", MU_COLUMN_LEFT);
    for (uint32_t i = 0; i < mu_job_parts(job); i++)
        add_part(grid, json_array_get(json_object_get(job->about, "parts"), i), i + 1, &parts[i]);
    count_states(job, parts, grid);
    mu_output_print(output, &grids);
    mu_grids_release(&grids);
    return err->status;
}
