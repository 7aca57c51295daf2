/* A campaign: every test of a suite on one device, tuned, repeated in several processes, interleaved, recorded.
 *
 * The plan is made before anything runs, and the same command makes the same plan: for each app and input, a tuning of
 * each variant, then `repeats` rounds in which each variant runs once, in random order. What the store holds already is
 * not run again, so a campaign that ended for whatever reason goes on where it was. */
#ifndef MU_HARNESS_CAMPAIGN_CAMPAIGN_H
#define MU_HARNESS_CAMPAIGN_CAMPAIGN_H

#include "base/error.h"
#include "harness/campaign/meter.h"
#include "harness/campaign/suites.h"
#include "harness/campaign/tune.h"
#include "harness/run/option_line.h"
#include "harness/run/resolve.h"
#include "harness/run/run.h"
#include "records/key.h"
#include "records/store.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MU_CAMPAIGN_LIST 64 /* apps, or inputs, that a command line names */
#define MU_MAX_VARIANTS  12 /* that a command line names, those named twice counted twice */
#define MU_MAX_SLOTS     96 /* variants of a comparison, each at every point of the sweeps */

/* What the user says. */
struct mu_campaign_options {
    struct mu_asked base;       /* samples and rules of a process, the folder of kernels */
    struct mu_option_line line; /* options of the tests: each may be a list, which is swept */
    const struct mu_suite *suite;
    const struct mu_app *apps[MU_CAMPAIGN_LIST]; /* none: all that the suite has */
    size_t app_count;
    const char *inputs[MU_CAMPAIGN_LIST]; /* none: the suite's; else each app on each of them */
    size_t input_count;
    const char *originals; /* a folder of the literature's graphs, or NULL */
    enum mu_variant variants[MU_MAX_VARIANTS];
    size_t variant_count;
    const char *label, *set; /* NULL: no label; the suite's name */
    uint32_t repeats;
    uint64_t order_seed;
    struct mu_tune_options tune;
    bool tuned;   /* workgroup and team come from a tuning */
    bool restart; /* set the records of an earlier campaign aside */
};

/* An app on an input, with its options. */
struct mu_comparison {
    struct mu_asked asked; /* app, input, the hash of its files when the plan was made; seed and app's options */
    char point[128];       /* the values of swept options, for people: " delta=4" */
    char *input, *text;    /* text: mu_comparison_text */
    struct mu_tuned tuned[MU_MAX_SLOTS]; /* by slot */
    bool failed[MU_MAX_SLOTS];           /* by slot: one repeat did not end well, and stands for the test */
};

/* A variant of each comparison, at one point of the sweeps; with a label where that is compared with itself or
 * with another point. */
struct mu_slot {
    enum mu_variant variant;
    struct mu_value options[MU_TEST_OPTION_COUNT]; /* those that the point names */
    uint32_t tuned_as; /* the first slot of this variant and point, which is the one tuned */
    char label[200];
};

struct mu_step {
    bool tunes; /* a tuning, else a run */
    uint32_t comparison, slot, repeat;
    uint32_t order;
};

struct mu_campaign {
    const struct mu_campaign_options *options;
    const struct mu_device_info *info;
    char set[64];
    struct mu_comparison *comparisons;
    uint32_t comparison_count;
    struct mu_slot slots[MU_MAX_SLOTS];
    uint32_t slot_count;
    struct mu_step *steps;
    uint32_t step_count, run_count; /* run_count: steps that are runs */
    struct mu_store runs, tries;    /* <set>.jsonl and tune.jsonl */
    struct mu_meter meter;
    uint32_t failed; /* tests that did not end well */
    int worst;
};

/* Makes the plan: comparisons, slots, steps. MU_USAGE, MU_IO (the folder of originals), MU_NO_MEMORY. The campaign must
 * be zeros before and is the caller's afterwards, also after a failure: mu_campaign_free. */
int mu_campaign_plan(const struct mu_campaign_options *options, const struct mu_device_info *info,
                     struct mu_campaign *campaign, struct mu_error *err);
void mu_campaign_free(struct mu_campaign *campaign);

/* Opens the stores, which keeps every other campaign away from this device. MU_UNSUPPORTED for a
 * device that is not trusted; MU_IO, MU_INPUT. */
int mu_campaign_open(struct mu_campaign *campaign, struct mu_error *err);

/* Runs what the stores, which are open, do not hold. Tests that fail are records; MU_OK says that every step was done.
 * MU_INTERRUPTED, MU_IO (a store), MU_DEVICE (the device does not work any more): a later call goes on from there. */
int mu_campaign_run(struct mu_campaign *campaign, struct mu_error *err);

/* Lists the steps, their number and how long they may take. Opens no store for writing, runs nothing. */
int mu_campaign_list(struct mu_campaign *campaign, FILE *to, struct mu_error *err);

/* What a step asks for, with the choices of its tuning; and the key of its record, once that is resolved (mu_free; NULL
 * with MU_NO_MEMORY, or MU_IO for a folder of kernels that cannot be read). */
struct mu_asked mu_campaign_asked(const struct mu_campaign *campaign, const struct mu_step *step);
char *mu_campaign_key(const struct mu_campaign *campaign, const struct mu_step *step, const struct mu_test *test,
                      struct mu_error *err);

#endif
