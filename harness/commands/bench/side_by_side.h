/* Several devices of this host at once: a campaign on each, side by side, with one progress.
 *
 * Each campaign is a process of its own: `muster bench` with the same words and another device. So each has its own
 * lock, records and deadlines, and a failure of one does not disturb the others. Devices of one chip can share the work
 * of one campaign as its parts (harness/campaign/shard.h), or each do all of it.
 *
 * If no device is the host's own processor, the cores are divided equally among the campaigns, so that host threads do
 * not wait for each other. */
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
    struct mu_shard shard; /* part of the campaign; count 0: all of it */
    char costs[PATH_MAX];  /* path of the costs by which parts are divided */
    char path[PATH_MAX];   /* path of its records */
    pid_t pid;             /* 0: it has ended */
    int told;              /* descriptor from which its output is read */
    char line[2048];       /* beginning of a line that is not complete yet */
    size_t used;
    uint32_t done, planned;
    double to_go_s;
    int exit_code;
};

struct mu_sides {
    struct mu_side side[MU_SIDES];
    size_t count;
    bool printing; /* print what the campaigns print */
};

/* Returns true if the value of --device names several devices: "all", or a list with commas. */
bool mu_sides_are_named(const char *wanted);

/* Finds the devices of a list, in its order. "all" means all GPUs and accelerators or, if there are none, all devices
 * but simulators. Fails with MU_USAGE for a device that is named twice or a name that fits several, and with MU_DEVICE
 * for one that is not there. */
int mu_sides_choose(const struct mu_device_list *list, const char *wanted, struct mu_sides *sides,
                    struct mu_error *err);

/* Lets equal devices share one campaign. The costs of comparisons at the first division are stored beside the records,
 * so that every later call divides alike. Fails with MU_USAGE, MU_IO, MU_INPUT or MU_NO_MEMORY. */
int mu_sides_split(struct mu_sides *sides, const struct mu_campaign_options *options, const char *set,
                   struct mu_error *err);

/* Runs all campaigns to their ends: `muster bench` with argv's words from argv[1] on. Each side gets its exit code and
 * the path of its records. Fails with MU_INTERRUPTED after a signal, which all campaigns got, MU_IO or MU_NO_MEMORY. */
int mu_sides_run(struct mu_sides *sides, const struct mu_campaign *campaign, int argc, char *const *argv,
                 struct mu_error *err);

/* Runs them one after the other for `--dry-run`, which prints. */
int mu_sides_list(struct mu_sides *sides, int argc, char *const *argv, struct mu_error *err);

/* Returns MU_OK, or the worst exit of a campaign, naming its device. */
int mu_sides_judge(const struct mu_sides *sides, struct mu_error *err);

#endif
