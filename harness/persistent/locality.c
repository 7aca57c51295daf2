/* Use case 3, producer-consumer locality: a reduction in several launches against one barrier, and work in two stages.
 */
#include "harness/persistent/persistent.h"

#include "base/memory.h"
#include "harness/engine/workbench.h"

enum { REDUCE_ARGUMENTS = 3, STAGES_ARGUMENTS = 6 };

/* What no item that goes on comes to. */
#define UNTOUCHED 0xffffffffu

struct locality {
    struct mu_workbench bench;
    cl_kernel kernels[4]; /* reduce: level, all; stages: one, pack, consume, all */
    cl_mem from, to, packed, count;
    cl_uint items, blocks, keep, fmas;
    cl_float one;
    uint32_t team;
    uint32_t *host;
};

static int open_locality(struct locality *locality, struct mu_trial *trial, uint32_t most_team, struct mu_error *err)
{
    *locality = (struct locality){.blocks = mu_trial_number(trial, "blocks"),
                                  .keep = mu_trial_number(trial, "keep"),
                                  .fmas = mu_trial_number(trial, "fmas"),
                                  .team = mu_trial_number(trial, "team"),
                                  .one = 1};
    if (locality->team > locality->blocks) locality->team = locality->blocks;
    if (locality->team > most_team) locality->team = most_team;
    locality->items = locality->blocks * MU_WORKBENCH_BLOCK;
    const struct mu_workbench_program program = {"harness/persistent/locality.cl", -1, locality->team, NULL, false};
    if (mu_workbench_open(&locality->bench, trial, &program, err) != MU_OK) return err->status;
    locality->host = mu_malloc(locality->items, sizeof *locality->host, "a result of the study", err);
    if (err->status == MU_OK) mu_workbench_buffer(&locality->bench, locality->items, &locality->from, err);
    if (err->status == MU_OK) mu_workbench_buffer(&locality->bench, locality->items + 1, &locality->to, err);
    if (err->status == MU_OK)
        mu_workbench_buffer(&locality->bench, 2 * (size_t)locality->items, &locality->packed, err);
    if (err->status == MU_OK) mu_workbench_buffer(&locality->bench, 1, &locality->count, err);
    return err->status;
}

static void close_locality(struct locality *locality)
{
    for (size_t i = 0; i < sizeof locality->kernels / sizeof locality->kernels[0]; i++)
        mu_workbench_release_kernel(locality->kernels[i]);
    mu_workbench_release_buffer(locality->from);
    mu_workbench_release_buffer(locality->to);
    mu_workbench_release_buffer(locality->packed);
    mu_workbench_release_buffer(locality->count);
    mu_free(locality->host);
    mu_workbench_close(&locality->bench);
}

static int make_kernels(struct locality *locality, const char *const *names, size_t count, struct mu_error *err)
{
    for (size_t i = 0; i < count && err->status == MU_OK; i++)
        mu_workbench_kernel(&locality->bench, names[i], &locality->kernels[i], err);
    return err->status;
}

/* ---- Reduction ---- */

/* Writes zeros and ones in turn: all partial sums are whole numbers below 2^24, which floats hold. */
static int fill_floats(struct locality *locality, struct mu_error *err)
{
    float *values = (float *)(void *)locality->host;
    for (uint32_t i = 0; i < locality->items; i++) values[i] = (float)(i % 2);
    return mu_workbench_write(&locality->bench, locality->from, locality->host, locality->items, err);
}

static int check_sum(struct locality *locality, cl_mem sum, struct mu_error *err)
{
    const uint32_t ones = locality->items / 2;
    float value = 0;
    if (mu_workbench_read(&locality->bench, sum, (uint32_t *)(void *)&value, 1, err) != MU_OK) return err->status;
    if (value == (float)ones) return MU_OK;
    return mu_fail(err, MU_WRONG, "%u floats sum up to %g, and not to %u", locality->items, (double)value, ones);
}

/* Launches until one float is left: each launch makes one of a block's. */
static int reduce_launches(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct locality *locality = implementation->context;
    cl_mem from = locality->from, to = locality->to, next = locality->packed;
    cl_uint count = locality->items;
    if (mu_workbench_finish(&locality->bench, err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    while (count > 1 && err->status == MU_OK) {
        const cl_uint blocks = (count + MU_WORKBENCH_BLOCK - 1) / MU_WORKBENCH_BLOCK;
        const struct mu_workbench_argument arguments[] = {MU_WORKBENCH_ARGUMENT(from), MU_WORKBENCH_ARGUMENT(to),
                                                          MU_WORKBENCH_ARGUMENT(count)};
        if (mu_workbench_set(locality->kernels[0], arguments, REDUCE_ARGUMENTS, err) == MU_OK)
            mu_workbench_launch(&locality->bench, locality->kernels[0], blocks, err);
        from = to;
        to = next;
        next = from;
        count = blocks;
    }
    mu_workbench_finish(&locality->bench, err);
    *ns = (double)(mu_now_ns() - start);
    return err->status == MU_OK ? check_sum(locality, from, err) : err->status;
}

static int reduce_team(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct locality *locality = implementation->context;
    const struct mu_team_kernel kernel = {locality->kernels[1], REDUCE_ARGUMENTS, "reduce_all"};
    const struct mu_workbench_argument arguments[] = {MU_WORKBENCH_ARGUMENT(locality->from),
                                                      MU_WORKBENCH_ARGUMENT(locality->to),
                                                      MU_WORKBENCH_ARGUMENT(locality->items)};
    if (mu_workbench_set(kernel.kernel, arguments, REDUCE_ARGUMENTS, err) != MU_OK ||
        mu_workbench_run_team(&locality->bench, &kernel, implementation->count, ns, err) != MU_OK)
        return err->status;
    return check_sum(locality, locality->to, err);
}

int mu_persistent_reduce(struct mu_trial *trial, struct mu_error *err)
{
    static const char *const names[] = {"reduce_level", "reduce_all"};
    struct locality locality;
    if (open_locality(&locality, trial, MU_WORKBENCH_BLOCK, err) == MU_OK &&
        make_kernels(&locality, names, 2, err) == MU_OK && fill_floats(&locality, err) == MU_OK) {
        const struct mu_workbench_implementation implementations[] = {
            {"launches", NULL, 0, reduce_launches, &locality},
            {"barrier", "groups", locality.team, reduce_team, &locality}};
        mu_workbench_measure(trial, implementations, 2, err);
    }
    close_locality(&locality);
    return err->status;
}

/* ---- Two stages ---- */

static int clear_result(struct locality *locality, struct mu_error *err)
{
    static const cl_uint untouched = UNTOUCHED;
    const cl_int status = clEnqueueFillBuffer(locality->bench.trial->target.queue, locality->to, &untouched,
                                              sizeof untouched, 0, locality->items * sizeof untouched, 0, NULL, NULL);
    if (mu_cl_check(status, "clearing a result", err) == MU_OK)
        mu_workbench_zero(&locality->bench, locality->count, 1, err);
    return err->status == MU_OK ? mu_workbench_finish(&locality->bench, err) : err->status;
}

/* Checks that an item that goes on has the multiply-adds of both stages, and any other nothing. */
static int check_stages(struct locality *locality, struct mu_error *err)
{
    if (mu_workbench_read(&locality->bench, locality->to, locality->host, locality->items, err) != MU_OK)
        return err->status;
    for (uint32_t item = 0; item < locality->items; item++) {
        const uint32_t block = item / MU_WORKBENCH_BLOCK, lid = item % MU_WORKBENCH_BLOCK;
        const bool goes_on = (lid * 37 + block) % MU_WORKBENCH_BLOCK < locality->keep;
        const uint32_t wanted = goes_on ? item % 2 + 2 * locality->fmas : UNTOUCHED;
        if (locality->host[item] != wanted)
            return mu_fail(err, MU_WRONG, "item %u came to %u, and not to %u", item, locality->host[item], wanted);
    }
    return MU_OK;
}

static int stages_one(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct locality *locality = implementation->context;
    const struct mu_workbench_argument arguments[] = {
        MU_WORKBENCH_ARGUMENT(locality->from), MU_WORKBENCH_ARGUMENT(locality->to),
        MU_WORKBENCH_ARGUMENT(locality->keep), MU_WORKBENCH_ARGUMENT(locality->fmas),
        MU_WORKBENCH_ARGUMENT(locality->one)};
    if (mu_workbench_set(locality->kernels[0], arguments, 5, err) != MU_OK || clear_result(locality, err) != MU_OK)
        return err->status;
    const uint64_t start = mu_now_ns();
    if (mu_workbench_launch(&locality->bench, locality->kernels[0], locality->blocks, err) == MU_OK)
        mu_workbench_finish(&locality->bench, err);
    *ns = (double)(mu_now_ns() - start);
    return err->status == MU_OK ? check_stages(locality, err) : err->status;
}

/* Launches both stages. The second has as many blocks as items go on: a known number, so that nothing is read back. */
static int stages_two(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct locality *locality = implementation->context;
    const cl_uint count = locality->blocks * locality->keep, room = locality->items;
    const struct mu_workbench_argument pack[] = {
        MU_WORKBENCH_ARGUMENT(locality->from),  MU_WORKBENCH_ARGUMENT(locality->packed),
        MU_WORKBENCH_ARGUMENT(locality->count), MU_WORKBENCH_ARGUMENT(room),
        MU_WORKBENCH_ARGUMENT(locality->keep),  MU_WORKBENCH_ARGUMENT(locality->fmas),
        MU_WORKBENCH_ARGUMENT(locality->one)};
    const struct mu_workbench_argument consume[] = {MU_WORKBENCH_ARGUMENT(locality->packed),
                                                    MU_WORKBENCH_ARGUMENT(locality->to),
                                                    MU_WORKBENCH_ARGUMENT(count),
                                                    MU_WORKBENCH_ARGUMENT(room),
                                                    MU_WORKBENCH_ARGUMENT(locality->fmas),
                                                    MU_WORKBENCH_ARGUMENT(locality->one)};
    if (mu_workbench_set(locality->kernels[1], pack, 7, err) != MU_OK ||
        mu_workbench_set(locality->kernels[2], consume, 6, err) != MU_OK || clear_result(locality, err) != MU_OK)
        return err->status;
    const uint64_t start = mu_now_ns();
    mu_workbench_launch(&locality->bench, locality->kernels[1], locality->blocks, err);
    if (err->status == MU_OK && count != 0)
        mu_workbench_launch(&locality->bench, locality->kernels[2],
                            (count + MU_WORKBENCH_BLOCK - 1) / MU_WORKBENCH_BLOCK, err);
    mu_workbench_finish(&locality->bench, err);
    *ns = (double)(mu_now_ns() - start);
    return err->status == MU_OK ? check_stages(locality, err) : err->status;
}

static int stages_team(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct locality *locality = implementation->context;
    const struct mu_team_kernel kernel = {locality->kernels[3], STAGES_ARGUMENTS, "stages_all"};
    const struct mu_workbench_argument arguments[] = {
        MU_WORKBENCH_ARGUMENT(locality->from),   MU_WORKBENCH_ARGUMENT(locality->to),
        MU_WORKBENCH_ARGUMENT(locality->blocks), MU_WORKBENCH_ARGUMENT(locality->keep),
        MU_WORKBENCH_ARGUMENT(locality->fmas),   MU_WORKBENCH_ARGUMENT(locality->one)};
    if (mu_workbench_set(kernel.kernel, arguments, STAGES_ARGUMENTS, err) != MU_OK ||
        clear_result(locality, err) != MU_OK ||
        mu_workbench_run_team(&locality->bench, &kernel, implementation->count, ns, err) != MU_OK)
        return err->status;
    return check_stages(locality, err);
}

int mu_persistent_stages(struct mu_trial *trial, struct mu_error *err)
{
    static const char *const names[] = {"stages_one", "stages_pack", "stages_consume", "stages_all"};
    struct locality locality;
    if (open_locality(&locality, trial, UINT32_MAX, err) == MU_OK && make_kernels(&locality, names, 4, err) == MU_OK) {
        const struct mu_workbench_implementation implementations[] = {
            {"one", NULL, 0, stages_one, &locality},
            {"two", NULL, 0, stages_two, &locality},
            {"local", "groups", locality.team, stages_team, &locality}};
        for (uint32_t i = 0; i < locality.items; i++) locality.host[i] = i % 2;
        if (mu_workbench_write(&locality.bench, locality.from, locality.host, locality.items, err) == MU_OK)
            mu_workbench_measure(trial, implementations, 3, err);
    }
    close_locality(&locality);
    return err->status;
}
