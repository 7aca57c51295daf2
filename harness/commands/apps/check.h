/* muster check-app: tests an app as the project's tests do its own apps. It runs a list of configurations on several
 * inputs, each in a child with a deadline, and collects what it finds. */
#ifndef MU_HARNESS_COMMANDS_APPS_CHECK_H
#define MU_HARNESS_COMMANDS_APPS_CHECK_H

#include "apps/corrupt.h"
#include "harness/device/device_list.h"
#include "harness/run/option_line.h"
#include "harness/run/run.h"
#include "variants/launch/execution.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of PoCL's worker threads, which may exceed the machine's cores: as many as by default, and more than fit. */
#define MU_WORKERS_USUAL 0u
#define MU_WORKERS_MORE  UINT32_MAX

/* One configuration. Those that find most mistakes soonest come first. */
struct mu_check_row {
    enum mu_variant variant;
    uint32_t workers;    /* number of PoCL's workers; other drivers ignore it */
    const char *options; /* words such as "team=3 workgroup=16", at most MU_CHECK_OPTIONS bytes */
};
#define MU_CHECK_OPTIONS 128
extern const struct mu_check_row mu_check_rows[];
extern const size_t mu_check_row_count;

/* Returns the inputs that are tried by default, ended by NULL. They have few vertices, so that many runs fit into a
 * minute, and cases that apps get wrong: one vertex, vertices without arcs, loops, hubs. */
const char *const *mu_check_inputs(enum mu_kind kind);

/* A finding: what went wrong, once for each message. */
#define MU_MOST_FINDINGS  16
#define MU_CHECK_VARIANTS (MU_COOPERATIVE + 1)
#define MU_CHECK_DEVICES  8
#define MU_CHECK_OCLGRIND (-1)
#define MU_CHECK_CHECKER  (-2)
struct mu_finding {
    int status;
    uint32_t count;             /* number of runs that had it */
    bool in[MU_CHECK_VARIANTS]; /* the variants that had it */
    bool by_oclgrind, by_checker;
    char *message, *command; /* owned: command that repeats the first such run */
};

/* Corruption of one result buffer: on how many inputs each corruption changed it, and on how many of those the app's
 * check accepted it. */
struct mu_corrupted {
    uint32_t tried[MU_CORRUPTIONS], accepted[MU_CORRUPTIONS];
};

struct mu_check {
    const struct mu_app *app;
    const char *device, *kernel_dir;
    const char *const *inputs;  /* ended by NULL */
    struct mu_option_line line; /* options of every run */
    char *own_text;             /* the same as text for a command line */
    double deadline_s, budget_s;
    bool first;    /* end at the first finding */
    bool corrupts; /* the runs that follow also corrupt their answers */
    uint64_t start_ns;

    /* Devices by the number of workers; each is looked up once. */
    uint32_t workers[MU_CHECK_DEVICES];
    struct mu_device_info infos[MU_CHECK_DEVICES];
    size_t info_count;
    uint32_t units; /* compute units of the device that was used last */

    uint32_t runs, left_out, unsupported;
    char unsupported_reason[2048];
    uint32_t right[MU_CHECK_VARIANTS];             /* runs with a right answer */
    bool hung[MU_CHECK_VARIANTS];                  /* variants that passed a deadline and are not run again */
    struct mu_corrupted corrupted[MU_MAX_BUFFERS]; /* by the app's buffers */
    uint32_t teams[16];                            /* sizes of teams that occurred */
    size_t team_count;
    struct mu_finding findings[MU_MOST_FINDINGS];
    size_t finding_count, more_findings;
};

/* Notes how a run of a variant, a run under Oclgrind, or a test of the app's check ended. `command` repeats it. Fails
 * with MU_NO_MEMORY. */
int mu_check_note(struct mu_check *check, int variant, const struct mu_error *outcome, const char *command,
                  struct mu_error *err);

/* Runs one configuration on all inputs. Failures of runs become findings; errors that end everything are
 * MU_INTERRUPTED, MU_USAGE and MU_NO_MEMORY. */
int mu_check_run_row(struct mu_check *check, const struct mu_check_row *row, struct mu_error *err);

/* Runs the steps under Oclgrind, which finds races within a launch and accesses beyond a buffer. *found gets whether
 * Oclgrind is installed. */
int mu_check_oclgrind(struct mu_check *check, bool *found, struct mu_error *err);

/* Adds the "refusals" of a run's record: which corrupted answers the app's check refused. */
void mu_check_add_refusals(struct mu_check *check, const json_t *refusals);

/* Prints how the app's check did with corrupted answers, and adds a finding if it judges nothing. Fails with
 * MU_NO_MEMORY. */
int mu_check_judge_checker(struct mu_check *check, struct mu_error *err);

/* Returns true if the variant is among those to test. */
bool mu_check_wants(const struct mu_check *check, enum mu_variant variant);

/* Returns true if the budget of time is used up. */
bool mu_check_is_late(const struct mu_check *check);

/* Prints the findings. */
void mu_check_tell(const struct mu_check *check);
void mu_check_free(struct mu_check *check);

#endif
