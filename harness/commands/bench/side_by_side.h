/* Several devices of this host at once: a campaign on each, side by side, with one progress.
 *
 * Each campaign is a process of its own, `muster bench` with the same words and another device; so each has its lock,
 * its records and its deadlines, and what happens to one leaves the others alone. Devices of one chip can share the
 * work of one campaign as its parts (harness/campaign/shard.h), or each do all of it. Where no device is the host's own
 * processor, each campaign gets as many cores as the others, so that threads that wait for their device do not wait for
 * each other. */
#ifndef MU_HARNESS_COMMANDS_BENCH_SIDE_BY_SIDE_H
#define MU_HARNESS_COMMANDS_BENCH_SIDE_BY_SIDE_H

#include "harness/campaign/campaign.h"
#include "harness/device/device_list.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum { MU_SIDES = 64 };

/* A device and its campaign. */
struct mu_side {
    const struct mu_device_info *info;
    struct mu_shard shard; /* count 0: all of the campaign */
    char costs[PATH_MAX];  /* of its parts */
    char path[PATH_MAX];   /* of its records */
    pid_t pid;             /* 0: has ended */
    int told;              /* what it tells comes from here */
    char line[2048];       /* what it has told of a line */
    size_t used;
    uint32_t done, planned;
    double to_go_s;
    int exit_code;
};

struct mu_sides {
    struct mu_side side[MU_SIDES];
    size_t count;
    bool printing; /* what they print is printed; else it is left out */
};

/* Whether a --device names several: "all", or a list with commas. */
bool mu_sides_are_named(const char *wanted);

/* The devices of a list, in its order; of "all", all GPUs and accelerators, or where there is none, all but simulators.
 * MU_USAGE for one that is named twice, or several that match a name; MU_DEVICE for one that is not there. */
int mu_sides_choose(const struct mu_device_list *list, const char *wanted, struct mu_sides *sides,
                    struct mu_error *err);

/* Makes the devices of each chip share one campaign, where there are several. What comparisons cost is kept in a file
 * beside the records when parts are dealt first, so that every later call deals the same. MU_USAGE, MU_IO,
 * MU_INPUT, MU_NO_MEMORY. */
int mu_sides_split(struct mu_sides *sides, const struct mu_campaign_options *options, const char *set,
                   struct mu_error *err);

/* Runs them all to their ends: `muster bench` with argv's words from argv[1] on. Each side has its exit code then, and
 * the path of its records. MU_INTERRUPTED after a signal, which all of them got; MU_IO, MU_NO_MEMORY. */
int mu_sides_run(struct mu_sides *sides, const struct mu_campaign *campaign, int argc, char *const *argv,
                 struct mu_error *err);

/* The same for `--dry-run`, which prints one after the other. */
int mu_sides_list(struct mu_sides *sides, int argc, char *const *argv, struct mu_error *err);

/* What became of the campaigns: MU_OK, or the worst of their ends, naming its device. */
int mu_sides_judge(const struct mu_sides *sides, struct mu_error *err);

#endif
