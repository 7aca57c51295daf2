/* A campaign: every test of a suite on one device, tuned, repeated in several processes, interleaved, recorded.
 *
 * The plan is made before anything runs, and the same command makes the same plan. It has a tuning of each variant for
 * each app and input, then `repeats` rounds in which each variant runs once, in random order. Where tests share
 * processes, a round has all values of the app's options, too. What the store holds already is not run again, so a
 * campaign that ended for whatever reason continues where it was. */
#ifndef MU_HARNESS_CAMPAIGN_CAMPAIGN_H
#define MU_HARNESS_CAMPAIGN_CAMPAIGN_H

#include "base/error.h"
#include "harness/campaign/forms.h"
#include "harness/campaign/shard.h"
#include "harness/campaign/suites.h"
#include "harness/campaign/tune.h"
#include "harness/engine/engine.h"
#include "harness/engine/experiment.h"
#include "harness/run/option_line.h"
#include "harness/run/resolve.h"
#include "harness/run/run.h"
#include "records/key.h"
#include "records/store.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MU_CAMPAIGN_LIST      64 /* apps, or inputs, that a command line names */
#define MU_MAX_CONFIGURATIONS 96 /* variants of a comparison, each at every point of the sweeps */

/* The options of the command line. */
struct mu_campaign_options {
    struct mu_asked base;       /* samples and rules of a process, the folder of kernels */
    struct mu_option_line line; /* options of the tests: each may be a list, which is swept */
    const struct mu_suite *suite;
    const struct mu_app *apps[MU_CAMPAIGN_LIST]; /* none: all that the suite has */
    size_t app_count;
    const char *inputs[MU_CAMPAIGN_LIST]; /* none: the suite's; else each app on each of them */
    size_t input_count;
    const char *originals;     /* a folder of the literature's graphs, or NULL */
    struct mu_form_list forms; /* none: the suite's */
    const char *label, *set;   /* NULL: no label; the suite's name */
    uint32_t repeats;
    uint32_t together; /* at most so many tests of an app on an input share a process; 0: none do */
    uint64_t order_seed;
    struct mu_tune_options tune;
    int verbosity;   /* harness/engine/environment.h */
    double budget_s; /* 0: none (harness/engine/budget.h) */
    bool tuned;      /* workgroup and team come from a tuning */
    bool restart;    /* set the records of an earlier campaign aside */
    struct mu_shard shard;

    /* Above repeats: a test has at most so many processes, and those that its interval needs to have this relative
     * half-width. */
    uint32_t most_repeats;
    double test_width;
};

/* An app on an input, with its options. */
struct mu_comparison {
    struct mu_asked asked; /* app, input, the hash of its files when the plan was made; seed and app's options */
    char point[128];       /* the values of swept options, for people: " delta=4" */
    char *input, *text;    /* text: mu_comparison_text */
    struct mu_tuned tuned[MU_MAX_CONFIGURATIONS]; /* by configuration */
};

/* A variant of each comparison, at one point of the sweeps. It has a label where it is compared with itself or with
 * another point. */
struct mu_configuration {
    const struct mu_form *form;
    struct mu_value options[MU_TEST_OPTION_COUNT]; /* those that the point names */
    uint32_t tuned_as; /* whose tuning counts: the first of this point with this form, or with that which it follows */
    char label[200];
};

struct mu_campaign {
    const struct mu_campaign_options *options;
    const struct mu_device_info *info;
    char set[64];
    struct mu_comparison *comparisons;
    uint32_t comparison_count, own_comparisons; /* those of its part */
    struct mu_form_list forms;                  /* that are compared */
    struct mu_configuration configurations[MU_MAX_CONFIGURATIONS];
    uint32_t configuration_count;
    json_t *points;          /* of the suite's experiment, owned: which configuration, of which comparison */
    struct mu_engine engine; /* its plan; a test of it is a point */
    uint32_t run_count;      /* steps that are runs, the others being tunings; not all may be needed */
    bool marked;             /* the file that says that it is not finished was written */
    uint32_t others;         /* runs that share the process of the current step */
    /* <set>.jsonl and tune.jsonl; of a part, <set>.3-of-8.jsonl and tune.<set>-3-of-8.jsonl. */
    struct mu_store runs, tries;
};

/* Refuses inputs that the user names and no app can run on, and reads their files, so that an unreadable one ends the
 * campaign before anything is measured. MU_USAGE, MU_INPUT, MU_IO, MU_LIMIT, MU_NO_MEMORY. */
int mu_campaign_try_inputs(const struct mu_campaign_options *options, struct mu_error *err);

/* Makes the plan for this environment: comparisons, configurations, steps. The campaign must be zeros before. It is the
 * caller's afterwards, also after a failure (mu_campaign_free). MU_USAGE, MU_IO (the folder of originals),
 * MU_NO_MEMORY. */
int mu_campaign_plan(const struct mu_campaign_options *options, const struct mu_device_info *info,
                     const struct mu_engine_environment *environment, struct mu_campaign *campaign,
                     struct mu_error *err);
void mu_campaign_free(struct mu_campaign *campaign);

/* Writes the path of the campaign's runs, or of its tries. The files of a part are named after the part, not after the
 * device: it finds its records wherever it continues. MU_LIMIT, MU_NO_MEMORY. */
int mu_campaign_path(const struct mu_campaign *campaign, const struct mu_device_info *info, bool tries, char *path,
                     size_t bytes, struct mu_error *err);

/* Learns costs from the stores of earlier campaigns, where there are any, and leaves them open. MU_IO, MU_INPUT. */
int mu_campaign_learn(struct mu_campaign *campaign, struct mu_error *err);

/* Opens the stores, which keeps every other campaign away from this device. MU_UNSUPPORTED for a device that is not
 * trusted; MU_IO, MU_INPUT. */
int mu_campaign_open(struct mu_campaign *campaign, struct mu_error *err);

/* Runs what the open stores do not hold. Tests that fail are records: MU_OK means that every step was done. After
 * MU_INTERRUPTED, MU_IO (a store) or MU_DEVICE (the device does not work any more), a later call continues from
 * there. */
int mu_campaign_run(struct mu_campaign *campaign, struct mu_error *err);

/* Lists the steps that are left, with their number and expected duration, and counts those that the stores have. Writes
 * no record and runs no test. MU_INTERRUPTED, MU_IO, MU_INPUT. */
int mu_campaign_list(struct mu_campaign *campaign, FILE *to, struct mu_error *err);

/* Counts the comparisons that the budget has left out so far; mu_campaign_tell_left prints them, and how many others
 * have fewer processes than they should. */
uint32_t mu_campaign_left(const struct mu_campaign *campaign);
void mu_campaign_tell_left(const struct mu_campaign *campaign, FILE *to);

/* The axes of every suite's experiment: the campaign's configurations, and its comparisons. */
extern const struct mu_axis *const mu_campaign_families[];

/* Does the work of a run (run_work.c); for struct mu_work's `run`. */
int mu_campaign_run_tests(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending,
                          struct mu_error *err);

/* The kinds of work of a campaign's steps. */
extern const struct mu_work mu_campaign_run_work, mu_campaign_tuning_work;

/* Writes the file that says how far the campaign has come, or removes it. The stores must be open. MU_IO,
 * MU_NO_MEMORY. */
int mu_campaign_mark(struct mu_campaign *campaign, struct mu_error *err);
int mu_campaign_unmark(struct mu_campaign *campaign, struct mu_error *err);

/* Returns the comparison and the configuration of a step. */
struct mu_comparison *mu_step_comparison(const struct mu_campaign *campaign, const struct mu_step *step);
uint32_t mu_step_configuration(const struct mu_campaign *campaign, const struct mu_step *step);

/* Returns what a step asks for, with the choices of its tuning. Once that is resolved, mu_campaign_key makes the key of
 * its record: MU_NO_MEMORY, or MU_IO for a folder of kernels that cannot be read. */
struct mu_asked mu_campaign_asked(const struct mu_campaign *campaign, const struct mu_step *step);
int mu_campaign_key(const struct mu_campaign *campaign, const struct mu_step *step, const struct mu_test *test,
                    char key[MU_KEY_BYTES], struct mu_error *err);

#endif
