/* muster check-app: what the project's tests do to its own apps, for anyone's. A list of configurations, each run on
 * each of some inputs, in a child with a deadline; and what was found. */
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

/* Workers of PoCL, which makes a device of any size: as many as there are without muster, and more than that. */
#define MU_WORKERS_USUAL 0u
#define MU_WORKERS_MORE  UINT32_MAX

/* One configuration. Sorted by what finds most soonest. */
struct mu_check_row {
    enum mu_variant variant;
    uint32_t workers;    /* of PoCL; of no meaning elsewhere */
    const char *options; /* as "team=3 workgroup=16", at most MU_CHECK_OPTIONS bytes */
};
#define MU_CHECK_OPTIONS 128
extern const struct mu_check_row mu_check_rows[];
extern const size_t mu_check_row_count;

/* The inputs that are tried where none is named, ended by NULL: with few vertices, so that many runs fit into a minute,
 * and with what apps trip over: one vertex, vertices without an arc, loops, hubs. */
const char *const *mu_check_inputs(enum mu_kind kind);

/* What went wrong, once for each message. */
#define MU_MOST_FINDINGS  16
#define MU_CHECK_VARIANTS (MU_COOPERATIVE + 1)
#define MU_CHECK_DEVICES  8
#define MU_CHECK_OCLGRIND (-1)
#define MU_CHECK_CHECKER  (-2)
struct mu_finding {
    int status;
    uint32_t count;             /* runs */
    bool in[MU_CHECK_VARIANTS]; /* which variants had it */
    bool by_oclgrind, by_checker;
    char *message, *command; /* of the first run; freed by mu_check_free */
};

/* One result of an app: on how many inputs each corruption changed it, and on how many the app's check accepted that.
 */
struct mu_corrupted {
    uint32_t tried[MU_CORRUPTIONS], accepted[MU_CORRUPTIONS];
};

struct mu_check {
    const struct mu_app *app;
    const char *device, *kernel_dir;
    const char *const *inputs;  /* ended by NULL */
    struct mu_option_line line; /* what every run has */
    char *own_text;             /* the same, as a command line has it */
    double deadline_s, budget_s;
    bool first;    /* end at the first finding */
    bool corrupts; /* the runs of now corrupt their answers, too */
    uint64_t start_ns;

    /* Devices by the number of workers, each looked up once. */
    uint32_t workers[MU_CHECK_DEVICES];
    struct mu_device_info infos[MU_CHECK_DEVICES];
    size_t info_count;
    uint32_t units; /* compute units of the last one that was used */

    uint32_t runs, left_out, unsupported;
    char unsupported_reason[2048];
    uint32_t right[MU_CHECK_VARIANTS];             /* runs with a right answer */
    bool hung[MU_CHECK_VARIANTS];                  /* passed a deadline: no more runs of it */
    struct mu_corrupted corrupted[MU_MAX_BUFFERS]; /* by the app's buffers */
    uint32_t teams[16];                            /* the sizes of teams that were seen */
    size_t team_count;
    struct mu_finding findings[MU_MOST_FINDINGS];
    size_t finding_count, more_findings;
};

/* Notes how a run of a variant, or under Oclgrind, or a try of the checker, ended; `command` would repeat it.
 * MU_NO_MEMORY. */
int mu_check_note(struct mu_check *check, int variant, const struct mu_error *outcome, const char *command,
                  struct mu_error *err);

/* Runs one configuration on all inputs. Failures of runs are findings; err is for what ends the whole: MU_INTERRUPTED,
 * MU_USAGE, MU_NO_MEMORY. */
int mu_check_run_row(struct mu_check *check, const struct mu_check_row *row, struct mu_error *err);

/* Runs the steps under Oclgrind, which finds races within a launch and accesses beyond a buffer. *found says whether
 * there is such a program. */
int mu_check_oclgrind(struct mu_check *check, bool *found, struct mu_error *err);

/* Adds what a run says of corrupted answers: the "refusals" of its record. */
void mu_check_add_refusals(struct mu_check *check, const json_t *refusals);

/* Prints the row of the app's check, and notes where it is none. MU_NO_MEMORY. */
int mu_check_judge_checker(struct mu_check *check, struct mu_error *err);

/* Whether the user has left the variant in. */
bool mu_check_wants(const struct mu_check *check, enum mu_variant variant);

/* Whether the time is up. */
bool mu_check_is_late(const struct mu_check *check);

/* Prints what was found. */
void mu_check_tell(const struct mu_check *check);
void mu_check_free(struct mu_check *check);

#endif
