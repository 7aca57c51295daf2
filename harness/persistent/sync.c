/* Use case 4, global synchronisation: launches in one queue, nothing read back, against the global barrier. */
#include "harness/persistent/persistent.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/engine/workbench.h"

enum { ROUNDS_ARGUMENTS = 6 };

struct sync {
    struct mu_workbench bench;
    cl_kernel round[2], rounds; /* of rounds with an even number and an odd one */
    cl_mem words[2];
    uint32_t *host;
    cl_uint blocks, fmas, turns; /* turns: the rounds */
    cl_float one;
    uint32_t team;
};

static uint32_t items_of(const struct sync *sync)
{
    return sync->blocks * MU_WORKBENCH_BLOCK;
}

static int open_sync(struct sync *sync, struct mu_trial *trial, struct mu_error *err)
{
    *sync = (struct sync){.blocks = mu_trial_number(trial, "blocks"),
                          .fmas = mu_trial_number(trial, "fmas"),
                          .turns = mu_trial_number(trial, "rounds"),
                          .one = 1,
                          .team = mu_trial_number(trial, "team")};
    if (sync->team > sync->blocks) sync->team = sync->blocks;
    const struct mu_workbench_program program = {"harness/persistent/sync.cl", -1, sync->team, NULL, false};
    if (mu_workbench_open(&sync->bench, trial, &program, err) != MU_OK) return err->status;
    sync->host = mu_malloc(items_of(sync), sizeof *sync->host, "a result of the study", err);
    for (int i = 0; i < 2 && err->status == MU_OK; i++) {
        mu_workbench_buffer(&sync->bench, items_of(sync), &sync->words[i], err);
        if (err->status == MU_OK) mu_workbench_kernel(&sync->bench, "sync_round", &sync->round[i], err);
    }
    if (err->status != MU_OK || mu_workbench_kernel(&sync->bench, "sync_rounds", &sync->rounds, err) != MU_OK)
        return err->status;
    for (int i = 0; i < 3 && err->status == MU_OK; i++) {
        const struct mu_workbench_argument arguments[] = {
            MU_WORKBENCH_ARGUMENT(sync->words[i % 2]), MU_WORKBENCH_ARGUMENT(sync->words[(i + 1) % 2]),
            MU_WORKBENCH_ARGUMENT(sync->blocks),       MU_WORKBENCH_ARGUMENT(sync->fmas),
            MU_WORKBENCH_ARGUMENT(sync->one),          MU_WORKBENCH_ARGUMENT(sync->turns)};
        if (i < 2)
            mu_workbench_set(sync->round[i], arguments, ROUNDS_ARGUMENTS - 1, err);
        else
            mu_workbench_set(sync->rounds, arguments, ROUNDS_ARGUMENTS, err);
    }
    return err->status;
}

static void close_sync(struct sync *sync)
{
    for (int i = 0; i < 2; i++) {
        mu_workbench_release_buffer(sync->words[i]);
        mu_workbench_release_kernel(sync->round[i]);
    }
    mu_workbench_release_kernel(sync->rounds);
    mu_free(sync->host);
    mu_workbench_close(&sync->bench);
}

/* Writes into each word its own number. */
static int prepare(struct sync *sync, struct mu_error *err)
{
    for (uint32_t i = 0; i < items_of(sync); i++) sync->host[i] = i;
    return mu_workbench_write(&sync->bench, sync->words[0], sync->host, items_of(sync), err);
}

/* Checks that a word holds the number of the word that lies as many blocks ahead as there were rounds, plus all
 * multiply-adds. */
static int check(struct sync *sync, struct mu_error *err)
{
    const uint32_t items = items_of(sync), shift = sync->turns % sync->blocks * MU_WORKBENCH_BLOCK;
    if (mu_workbench_read(&sync->bench, sync->words[sync->turns % 2], sync->host, items, err) != MU_OK)
        return err->status;
    for (uint32_t i = 0; i < items; i++) {
        const uint32_t wanted = (i + shift) % items + sync->turns * sync->fmas;
        if (sync->host[i] != wanted)
            return mu_fail(err, MU_WRONG, "item %u is %u behind %u rounds, and not %u", i, sync->host[i], sync->turns,
                           wanted);
    }
    return MU_OK;
}

static int run_launches(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct sync *sync = implementation->context;
    if (prepare(sync, err) != MU_OK || mu_workbench_finish(&sync->bench, err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    for (uint32_t round = 0; round < sync->turns && err->status == MU_OK; round++)
        mu_workbench_launch(&sync->bench, sync->round[round % 2], sync->blocks, err);
    mu_workbench_finish(&sync->bench, err);
    *ns = (double)(mu_now_ns() - start);
    return err->status == MU_OK ? check(sync, err) : err->status;
}

static int run_barrier(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct sync *sync = implementation->context;
    const struct mu_team_kernel kernel = {sync->rounds, ROUNDS_ARGUMENTS, "sync_rounds"};
    if (prepare(sync, err) != MU_OK ||
        mu_workbench_run_team(&sync->bench, &kernel, implementation->count, ns, err) != MU_OK)
        return err->status;
    return check(sync, err);
}

/* Teams that were found to be too large, by a deadlock in an earlier point of this process: so many groups and more are
 * not tried again. */
static uint32_t too_many = UINT32_MAX;

static int try_barrier(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    if (implementation->count >= too_many)
        return mu_fail(err, MU_DEADLOCK, "%u groups of this kernel do not fit at once, as another point has shown",
                       too_many);
    if (run_barrier(implementation, ns, err) == MU_DEADLOCK) too_many = implementation->count;
    return err->status;
}

/* Lists implementations: launches, and teams of one group for each compute unit, of four, and of as many as fit; never
 * more than there are blocks. */
static size_t list_implementations(struct sync *sync, struct mu_workbench_implementation implementations[4])
{
    const uint32_t units = mu_device_units(&sync->bench.trial->info), wanted[] = {units, 4 * units, sync->team};
    size_t count = 0;
    uint32_t last = 0;
    implementations[count++] =
        (struct mu_workbench_implementation){.name = "launches", .run = run_launches, .context = sync};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (wanted[i] <= last || wanted[i] > sync->team) continue;
        last = wanted[i];
        implementations[count++] = (struct mu_workbench_implementation){"barrier", "groups", last, try_barrier, sync};
    }
    return count;
}

int mu_persistent_sync(struct mu_trial *trial, struct mu_error *err)
{
    struct sync sync;
    struct mu_workbench_implementation implementations[4];
    if (open_sync(&sync, trial, err) == MU_OK)
        mu_workbench_measure(trial, implementations, list_implementations(&sync, implementations), err);
    close_sync(&sync);
    return err->status;
}
