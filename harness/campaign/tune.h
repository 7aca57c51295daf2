/* Tuning: which workgroup size, and which team, a test is fastest with.
 *
 * As in the paper (section 5.2), power-of-two workgroup sizes are tried, from 32 up to what the kernel can run with,
 * ten samples each. For the persistent variants the team is chosen too, since a barrier's cost grows with it: at the
 * two best workgroup sizes, teams of one, two and four groups for each compute unit are tried where these are smaller
 * than the full occupancy. A CPU runs a group on each of its threads, so there the full team is the only one worth
 * trying.
 *
 * A quick tuning tries every second size, from 64 on, and only the full team. A later one adds the tries that are
 * missing.
 *
 * Tries share a process as long as none fails, so that the input is read and checked once. A try whose first three
 * samples all take more than three times the best median so far is given up. Every try is a record in the store; a
 * tuning that was interrupted goes on with the tries that are missing. */
#ifndef MU_HARNESS_CAMPAIGN_TUNE_H
#define MU_HARNESS_CAMPAIGN_TUNE_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/engine/engine.h"
#include "harness/run/run.h"
#include "records/store.h"

#include <stdbool.h>
#include <stdint.h>

#define MU_TUNE_SAMPLES 10
#define MU_TUNE_LEAST   32
#define MU_TUNE_QUICK   64 /* the least size of a quick tuning */

struct mu_tune_options {
    uint32_t least, most; /* workgroup sizes; most 0: what the device has */
    double max_time_s;    /* of a try's samples */
    bool again;           /* begin anew, even if tries are in the store */
    bool quick;           /* fewer tries */
};

struct mu_tuned {
    bool found;               /* false when no try went well */
    uint32_t workgroup, team; /* the choice; team 0: full occupancy */
    uint32_t found_team;      /* the team that the choice had */
    double median_ns;         /* the choice's */
    uint32_t tries, fresh;    /* all tries of this tuning, and those run by this call */
    int failure;              /* the worst outcome of all tries, but for MU_UNSUPPORTED: that is what sizes beyond a
                                 kernel's limit are */
    int harm;                 /* the status of a fresh try that may have harmed the device (MU_CRASH, MU_DEADLINE,
                                 MU_DEVICE), else MU_OK */
};

/* The device, the engine and the store of a tuning. */
struct mu_tune_place {
    const struct mu_device_info *info;
    struct mu_engine *engine;
    struct mu_store *store;
};

/* Tunes what is asked, whose workgroup, team and samples do not count. Tries that fail are records, not errors. Errors:
 * MU_INTERRUPTED; MU_IO from the store; MU_NO_MEMORY. */
int mu_tune(const struct mu_tune_place *place, const struct mu_asked *asked, const struct mu_tune_options *options,
            struct mu_tuned *tuned, struct mu_error *err);

/* Returns the largest number of tries, for plans and progress. */
uint32_t mu_tune_most_tries(const struct mu_asked *asked, const struct mu_device_info *info,
                            const struct mu_tune_options *options);

#endif
