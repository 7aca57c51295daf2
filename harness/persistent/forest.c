/* Use case 2, load balancing: a launch for each level against work queues. */
#include "harness/persistent/persistent.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/engine/workbench.h"
#include "variants/queues/layout.clh"

#include <stdio.h>
#include <string.h>

#include "harness/persistent/forest.clh"

#define PAIRS       64u /* FOREST_PAIRS */
#define TALLY_WORDS (PAIRS * 32 + 1)
#define TALLY_WRONG (TALLY_WORDS - 1) /* the word that counts them */
#define MAX_KINDS   3
#define MAX_TEAMS   3
#define MOST_WIDTH  (UINT32_C(1) << MU_FOREST_LEVEL_BIT)

/* How often launches are read back, in levels: never for complete trees, whose depth the host knows. */
static const uint32_t tilted_every[] = {1, 10};

/* A kind of queue with its program. */
struct kind {
    struct mu_workbench bench;
    cl_kernel grow;
};

struct forest {
    struct mu_forest of;
    cl_uint fmas;
    cl_float one;
    uint32_t team;
    struct kind kinds[MAX_KINDS];
    cl_kernel level; /* of the first kind's program, which has no use for its queue */
    cl_mem lists[2], counts, tally, queue;
    size_t queue_words;  /* that the buffer has room for */
    uint32_t *inputs;    /* the items of level 0 */
    uint32_t items, sum; /* of all levels */
};

/* Returns the items of the widest level. Of a tilted forest the first may have one more than the others. */
static uint32_t widest_of(struct mu_forest of)
{
    return mu_forest_width(of, of.shape == MU_FOREST_TILTED ? 0 : of.depth - 1);
}

/* ---- What is to come out ---- */

static void foresee(struct forest *forest)
{
    forest->items = forest->sum = 0;
    for (uint32_t level = 0; level < forest->of.depth; level++) {
        const uint32_t width = mu_forest_width(forest->of, level);
        forest->items += width;
        for (uint32_t i = 0; i < width; i++) forest->sum += MU_FOREST_ITEM(level, i);
    }
}

static int check(const struct forest *forest, struct mu_error *err)
{
    uint32_t tally[TALLY_WORDS] = {0}, items = 0, sum = 0;
    if (mu_workbench_read(&forest->kinds[0].bench, forest->tally, tally, TALLY_WORDS, err) != MU_OK) return err->status;
    for (size_t i = 0; i < PAIRS; i++) {
        items += tally[i * 32];
        sum += tally[i * 32 + 1];
    }
    if (tally[TALLY_WRONG] != 0)
        return mu_fail(err, MU_WRONG, "%u work-items did another number of multiply-adds", tally[TALLY_WRONG]);
    if (items == forest->items && sum == forest->sum) return MU_OK;
    return mu_fail(err, MU_WRONG, "%u items were done, which sum up to %u; there are %u, which sum up to %u", items,
                   sum, forest->items, forest->sum);
}

/* ---- Launches ---- */

static int set_level(const struct forest *forest, cl_uint level, struct mu_error *err)
{
    const struct mu_workbench_argument arguments[] = {MU_WORKBENCH_ARGUMENT(forest->lists[level % 2]),
                                                      MU_WORKBENCH_ARGUMENT(forest->lists[(level + 1) % 2]),
                                                      MU_WORKBENCH_ARGUMENT(forest->counts),
                                                      MU_WORKBENCH_ARGUMENT(level),
                                                      MU_WORKBENCH_ARGUMENT(forest->of.shape),
                                                      MU_WORKBENCH_ARGUMENT(forest->of.depth),
                                                      MU_WORKBENCH_ARGUMENT(forest->of.inputs),
                                                      MU_WORKBENCH_ARGUMENT(forest->fmas),
                                                      MU_WORKBENCH_ARGUMENT(forest->one),
                                                      MU_WORKBENCH_ARGUMENT(forest->tally)};
    return mu_workbench_set(forest->level, arguments, sizeof arguments / sizeof arguments[0], err);
}

/* Writes the lists and counts of level 0, and an empty tally. */
static int prepare_levels(const struct forest *forest, struct mu_error *err)
{
    const struct mu_workbench *bench = &forest->kinds[0].bench;
    mu_workbench_zero(bench, forest->tally, TALLY_WORDS, err);
    if (err->status == MU_OK) mu_workbench_zero(bench, forest->counts, forest->of.depth + 1, err);
    if (err->status == MU_OK) mu_workbench_write(bench, forest->counts, &forest->of.inputs, 1, err);
    if (err->status == MU_OK) mu_workbench_write(bench, forest->lists[0], forest->inputs, forest->of.inputs, err);
    return err->status == MU_OK ? mu_workbench_finish(bench, err) : err->status;
}

/* Launches level by level, with as many blocks as a level may have items. With read-backs the host does not know how
 * deep the trees are. It goes on, `every` levels at a time, until a level has no items. */
static int run_launches(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    const struct forest *forest = implementation->context;
    const struct mu_workbench *bench = &forest->kinds[0].bench;
    const uint32_t every = implementation->count, depth = forest->of.depth;
    if (prepare_levels(forest, err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    for (uint32_t level = 0; level < depth && err->status == MU_OK; level++) {
        cl_uint left = 1;
        if (set_level(forest, level, err) == MU_OK)
            mu_workbench_launch(bench, forest->level, mu_forest_width(forest->of, level), err);
        if (every == 0 || (level + 1) % every != 0 || err->status != MU_OK) continue;
        mu_cl_check(clEnqueueReadBuffer(bench->trial->target.queue, forest->counts, CL_TRUE, (level + 1) * sizeof left,
                                        sizeof left, &left, 0, NULL, NULL),
                    "reading a level's items", err);
        if (left == 0) break;
    }
    mu_workbench_finish(bench, err);
    *ns = (double)(mu_now_ns() - start);
    return err->status == MU_OK ? check(forest, err) : err->status;
}

/* ---- Queues ---- */

/* Returns the rings of a queue. The study's queue and `ring` have one, with room for two levels. Those of `steal` hold
 * what one group may have found before others come to steal. */
static struct mu_queue_shape shape_of(const struct forest *forest, enum mu_queue_kind kind, uint32_t groups)
{
    const uint64_t widest = widest_of(forest->of);
    if (kind != MU_QUEUE_STEAL) return (struct mu_queue_shape){1, mu_queue_slots(2 * widest)};
    const uint64_t share = 8 * widest / groups + 4096;
    return (struct mu_queue_shape){groups, mu_queue_slots(share < 2 * widest ? share : 2 * widest)};
}

/* Fills a queue with the inputs. */
static int prepare_queue(struct forest *forest, const struct mu_queue_shape *shape, struct mu_error *err)
{
    const struct mu_workbench *bench = &forest->kinds[0].bench;
    size_t words = 0;
    uint32_t *content = mu_queue_words(shape, forest->inputs, forest->of.inputs, &words, err);
    if (content != NULL && words > forest->queue_words) {
        mu_workbench_release_buffer(forest->queue);
        forest->queue_words = mu_workbench_buffer(bench, words, &forest->queue, err) == MU_OK ? words : 0;
    }
    if (err->status == MU_OK) mu_workbench_write(bench, forest->queue, content, words, err);
    if (err->status == MU_OK) mu_workbench_zero(bench, forest->tally, TALLY_WORDS, err);
    mu_free(content);
    return err->status;
}

static int run_queue(const struct mu_workbench_implementation *implementation, enum mu_queue_kind queue, double *ns,
                     struct mu_error *err)
{
    struct forest *forest = implementation->context;
    struct kind *kind = &forest->kinds[queue];
    const struct mu_queue_shape shape = shape_of(forest, queue, implementation->count);
    const cl_uint rings = shape.rings, slots = shape.slots;
    if (prepare_queue(forest, &shape, err) != MU_OK) return err->status;
    const struct mu_workbench_argument arguments[] = {MU_WORKBENCH_ARGUMENT(forest->queue),
                                                      MU_WORKBENCH_ARGUMENT(rings),
                                                      MU_WORKBENCH_ARGUMENT(slots),
                                                      MU_WORKBENCH_ARGUMENT(forest->of.shape),
                                                      MU_WORKBENCH_ARGUMENT(forest->of.depth),
                                                      MU_WORKBENCH_ARGUMENT(forest->of.inputs),
                                                      MU_WORKBENCH_ARGUMENT(forest->fmas),
                                                      MU_WORKBENCH_ARGUMENT(forest->one),
                                                      MU_WORKBENCH_ARGUMENT(forest->tally)};
    const cl_uint count = sizeof arguments / sizeof arguments[0];
    const struct mu_team_kernel kernel = {kind->grow, count, "forest_grow"};
    if (mu_workbench_set(kind->grow, arguments, count, err) != MU_OK ||
        mu_workbench_run_team(&kind->bench, &kernel, implementation->count, ns, err) != MU_OK)
        return err->status;
    return check(forest, err);
}

static int run_locked(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    return run_queue(implementation, MU_QUEUE_LOCKED, ns, err);
}

static int run_ring(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    return run_queue(implementation, MU_QUEUE_RING, ns, err);
}

static int run_steal(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    return run_queue(implementation, MU_QUEUE_STEAL, ns, err);
}

/* ---- A point ---- */

static int open_programs(struct forest *forest, struct mu_trial *trial, struct mu_error *err)
{
    for (int kind = 0; kind < MAX_KINDS && err->status == MU_OK; kind++) {
        struct kind *to = &forest->kinds[kind];
        const struct mu_workbench_program program = {"harness/persistent/forest.cl", kind, forest->team, NULL, false};
        if (mu_workbench_open(&to->bench, trial, &program, err) == MU_OK)
            mu_workbench_kernel(&to->bench, "forest_grow", &to->grow, err);
    }
    return err->status == MU_OK ? mu_workbench_kernel(&forest->kinds[0].bench, "forest_level", &forest->level, err)
                                : err->status;
}

/* Returns whether levels and places fit into the word of an item. */
static bool fits(struct mu_forest of)
{
    const uint32_t most = of.shape == MU_FOREST_TILTED ? 1000 : MU_FOREST_LEVEL_BIT;
    const uint32_t growth = of.shape == MU_FOREST_TILTED || of.depth == 0 ? 0 : of.depth - 1;
    return of.depth > 0 && of.depth <= most && of.inputs > 0 && of.inputs <= MOST_WIDTH >> growth;
}

static int open_forest(struct forest *forest, struct mu_trial *trial, struct mu_error *err)
{
    const char *shape = mu_trial_text(trial, "shape");
    *forest =
        (struct forest){.of = {shape != NULL && strcmp(shape, "tilted") == 0 ? MU_FOREST_TILTED : MU_FOREST_COMPLETE,
                               mu_trial_number(trial, "depth"), mu_trial_number(trial, "inputs")},
                        .fmas = mu_trial_number(trial, "fmas"),
                        .one = 1,
                        .team = mu_trial_number(trial, "team")};
    if (!fits(forest->of))
        return mu_fail(err, MU_USAGE, "a forest of %u trees of %u levels is not of this study's sizes",
                       forest->of.inputs, forest->of.depth);
    const uint32_t widest = widest_of(forest->of);
    foresee(forest);
    forest->inputs = mu_malloc(forest->of.inputs, sizeof *forest->inputs, "the roots of a forest", err);
    for (uint32_t i = 0; forest->inputs != NULL && i < forest->of.inputs; i++)
        forest->inputs[i] = MU_FOREST_ITEM(0u, i);
    if (err->status == MU_OK) open_programs(forest, trial, err);
    const struct mu_workbench *bench = &forest->kinds[0].bench;
    for (int i = 0; i < 2 && err->status == MU_OK; i++) mu_workbench_buffer(bench, widest, &forest->lists[i], err);
    if (err->status == MU_OK) mu_workbench_buffer(bench, forest->of.depth + 1, &forest->counts, err);
    return err->status == MU_OK ? mu_workbench_buffer(bench, TALLY_WORDS, &forest->tally, err) : err->status;
}

static void close_forest(struct forest *forest)
{
    for (int i = 0; i < 2; i++) mu_workbench_release_buffer(forest->lists[i]);
    mu_workbench_release_buffer(forest->counts);
    mu_workbench_release_buffer(forest->tally);
    mu_workbench_release_buffer(forest->queue);
    mu_workbench_release_kernel(forest->level);
    for (int kind = 0; kind < MAX_KINDS; kind++) {
        mu_workbench_release_kernel(forest->kinds[kind].grow);
        mu_workbench_close(&forest->kinds[kind].bench);
    }
    mu_free(forest->inputs);
}

/* Lists teams: one group for each compute unit, four, and as many as fit. */
static uint32_t list_teams(const struct forest *forest, uint32_t units, uint32_t teams[MAX_TEAMS])
{
    uint32_t count = 0;
    const uint32_t wanted[] = {units, 4 * units, forest->team};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (wanted[i] != 0 && wanted[i] <= forest->team && (count == 0 || wanted[i] > teams[count - 1]))
            teams[count++] = wanted[i];
    return count;
}

static size_t list_implementations(struct forest *forest, struct mu_workbench_implementation *implementations)
{
    int (*const runs[])(const struct mu_workbench_implementation *, double *,
                        struct mu_error *) = {run_locked, run_ring, run_steal};
    uint32_t teams[MAX_TEAMS];
    size_t count = 0;
    const uint32_t team_count = list_teams(forest, mu_device_units(&forest->kinds[0].bench.trial->info), teams);
    if (forest->of.shape == MU_FOREST_COMPLETE)
        implementations[count++] = (struct mu_workbench_implementation){"launches", "every", 0, run_launches, forest};
    for (size_t i = 0; forest->of.shape == MU_FOREST_TILTED && i < sizeof tilted_every / sizeof tilted_every[0]; i++)
        implementations[count++] =
            (struct mu_workbench_implementation){"launches", "every", tilted_every[i], run_launches, forest};
    for (int kind = 0; kind < MAX_KINDS; kind++)
        for (uint32_t i = 0; i < team_count; i++)
            implementations[count++] =
                (struct mu_workbench_implementation){mu_queue_kinds[kind].name, "groups", teams[i], runs[kind], forest};
    return count;
}

int mu_persistent_forest(struct mu_trial *trial, struct mu_error *err)
{
    struct forest forest;
    struct mu_workbench_implementation implementations[2 + MAX_KINDS * MAX_TEAMS];
    if (open_forest(&forest, trial, err) == MU_OK)
        mu_workbench_measure(trial, implementations, list_implementations(&forest, implementations), err);
    close_forest(&forest);
    return err->status;
}
