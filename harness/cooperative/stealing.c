#include "harness/cooperative/stealing.h"

#include "base/memory.h"
#include "variants/cooperative/offers_layout.clh"
#include "variants/queues/layout.clh"

#define COMMON_ARGUMENTS 4

#define ORIGINAL    "steal_original"
#define COOPERATIVE "steal_cooperative"

/* ---- The bench ---- */

int mu_stealing_build(const struct mu_stealing *stealing, struct mu_trial *trial, bool load, struct mu_workbench *bench,
                      struct mu_error *err)
{
    static const char *const shared[] = {"apps/priority.clh", "variants/cooperative/offers_layout.clh",
                                         "variants/cooperative/offers.clh", "harness/cooperative/stealing.clh", NULL};
    const struct mu_workbench_program program = {.source = stealing->source,
                                                 .queue = MU_QUEUE_STEAL,
                                                 .team = mu_trial_number(trial, "team"),
                                                 .shared = shared,
                                                 .load = load};
    if (program.team == 0) return mu_fail(err, MU_USAGE, "a team of no workgroups");
    return mu_workbench_open(bench, trial, &program, err);
}

int mu_stealing_open(struct mu_stealing *stealing, struct mu_trial *trial, const char *source, struct mu_error *err)
{
    *stealing = (struct mu_stealing){.source = source};
    if (mu_stealing_build(stealing, trial, false, &stealing->bench, err) != MU_OK ||
        mu_workbench_kernel(&stealing->bench, ORIGINAL, &stealing->original, err) != MU_OK ||
        mu_workbench_kernel(&stealing->bench, COOPERATIVE, &stealing->cooperative, err) != MU_OK)
        return err->status;
    return mu_workbench_buffer(&stealing->bench, MU_OFFERS_WORDS, &stealing->offers, err);
}

void mu_stealing_close(struct mu_stealing *stealing)
{
    mu_workbench_release_buffer(stealing->queue);
    mu_workbench_release_buffer(stealing->offers);
    mu_workbench_release_kernel(stealing->original);
    mu_workbench_release_kernel(stealing->cooperative);
    mu_workbench_close(&stealing->bench);
}

/* ---- A run ---- */

/* Returns rings that never overflow: each has room for as many items as a run can have in all rings at once. Any ring
 * may get them all, since a schedule may leave the team to one group, and a suspended group's neighbours take its
 * items.
 *
 * There are never more items in rings than the run has leaves, which are items without children. An item is pushed when
 * its parent is done. So of two items in rings neither descends from the other, and the leaves below one are not below
 * the other: each item has a leaf of its own. There can be almost as many: a ring is first in, first out. One group
 * alone therefore visits a tree depth by depth, and has all leaves in its ring before it takes the first. */
static struct mu_queue_shape shape_of(const struct mu_stealing *stealing, uint32_t groups)
{
    return (struct mu_queue_shape){groups, mu_queue_slots(stealing->leaves)};
}

/* Replaces the buffer by a larger one where it is too small. */
static int make_room(struct mu_stealing *stealing, const struct mu_queue_shape *shape, struct mu_error *err)
{
    const uint64_t ring_words = MU_RING_WORDS((uint64_t)shape->slots);
    if (shape->rings == 0 || ring_words > (SIZE_MAX / sizeof(cl_uint) - MU_QUEUE_LINE) / shape->rings)
        return mu_fail(err, MU_LIMIT, "%u rings of %u slots are too large", shape->rings, shape->slots);
    const size_t words = MU_QUEUE_WORDS(shape->rings, shape->slots);
    if (words <= stealing->queue_words) return MU_OK;
    mu_workbench_release_buffer(stealing->queue);
    stealing->queue = NULL;
    stealing->queue_words = 0;
    if (mu_workbench_buffer(&stealing->bench, words, &stealing->queue, err) == MU_OK) stealing->queue_words = words;
    return err->status;
}

/* Puts item 0 into the first ring, and empties all others. Only the heads of the rings are written: empty slots are not
 * read, and may be many. */
static int prepare_queue(struct mu_stealing *stealing, const struct mu_queue_shape *shape, struct mu_error *err)
{
    enum { HEAD_WORDS = MU_RING_ITEMS + 1 };
    const uint32_t open = 1;
    const struct mu_workbench_rows rows = {.first = MU_QUEUE_RING(0, shape->slots),
                                           .apart = MU_RING_WORDS(shape->slots),
                                           .words = HEAD_WORDS,
                                           .count = shape->rings};
    if (make_room(stealing, shape, err) != MU_OK) return err->status;
    uint32_t *heads = mu_calloc(shape->rings, HEAD_WORDS * sizeof *heads, "a work queue", err);
    if (heads == NULL) return err->status;
    heads[MU_RING_TAIL] = 1;
    if (mu_workbench_write(&stealing->bench, stealing->queue, &open, 1, err) == MU_OK)
        mu_workbench_write_rows(&stealing->bench, stealing->queue, heads, &rows, err);
    mu_free(heads);
    return err->status;
}

static int prepare_offers(const struct mu_stealing *stealing, uint32_t groups, uint32_t seed, struct mu_error *err)
{
    uint32_t words[MU_OFFERS_WORDS] = {0};
    words[MU_OFFERS_SIZE] = words[MU_OFFERS_WANT] = words[MU_OFFERS_LEAST] = groups;
    words[MU_OFFERS_SEED] = seed;
    return mu_workbench_write(&stealing->bench, stealing->offers, words, MU_OFFERS_WORDS, err);
}

static int set_arguments(const struct mu_stealing *stealing, cl_kernel kernel, const struct mu_queue_shape *shape,
                         struct mu_error *err)
{
    const cl_uint rings = shape->rings, slots = shape->slots;
    struct mu_workbench_argument arguments[COMMON_ARGUMENTS + MU_STEALING_ARGUMENTS] = {
        MU_WORKBENCH_ARGUMENT(stealing->queue), MU_WORKBENCH_ARGUMENT(rings), MU_WORKBENCH_ARGUMENT(slots),
        MU_WORKBENCH_ARGUMENT(stealing->offers)};
    for (cl_uint i = 0; i < stealing->own_count; i++) arguments[COMMON_ARGUMENTS + i] = stealing->own[i];
    return mu_workbench_set(kernel, arguments, COMMON_ARGUMENTS + stealing->own_count, err);
}

int mu_stealing_run(struct mu_stealing *stealing, const struct mu_stealing_run *run, double *ns, struct mu_error *err)
{
    const uint32_t launched = run->groups + (run->bench->team.load ? 1 : 0);
    const struct mu_queue_shape shape = shape_of(stealing, launched);
    if (prepare_queue(stealing, &shape, err) != MU_OK ||
        prepare_offers(stealing, run->groups, run->seed, err) != MU_OK ||
        stealing->prepare(stealing->app, err) != MU_OK ||
        set_arguments(stealing, run->kernel.kernel, &shape, err) != MU_OK)
        return err->status;
    return mu_workbench_run_team(run->bench, &run->kernel, launched, ns, err);
}

struct mu_team_kernel mu_stealing_kernel(const struct mu_stealing *stealing, cl_kernel kernel, const char *name)
{
    return (struct mu_team_kernel){kernel, COMMON_ARGUMENTS + stealing->own_count, name};
}

static int run_checked(struct mu_stealing *stealing, bool cooperative, uint32_t groups, uint32_t seed, double *ns,
                       struct mu_error *err)
{
    const struct mu_stealing_run run = {.bench = &stealing->bench,
                                        .kernel = cooperative
                                                      ? mu_stealing_kernel(stealing, stealing->cooperative, COOPERATIVE)
                                                      : mu_stealing_kernel(stealing, stealing->original, ORIGINAL),
                                        .groups = groups,
                                        .seed = seed};
    if (mu_stealing_run(stealing, &run, ns, err) != MU_OK) return err->status;
    return stealing->check(stealing->app, err);
}

static int run_original(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    return run_checked(implementation->context, false, implementation->count, 0, ns, err);
}

static int run_cooperative(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    return run_checked(implementation->context, true, implementation->count, 0, ns, err);
}

/* ---- Random schedules ---- */

/* How the team changed, over all schedules. */
struct stressed {
    uint64_t left, came;
    uint32_t least;
};

static int add_counts(const struct mu_stealing *stealing, struct stressed *stressed, struct mu_error *err)
{
    uint32_t words[MU_OFFERS_WORDS];
    if (mu_workbench_read(&stealing->bench, stealing->offers, words, MU_OFFERS_WORDS, err) != MU_OK) return err->status;
    stressed->left += words[MU_OFFERS_LEFT];
    stressed->came += words[MU_OFFERS_CAME];
    if (words[MU_OFFERS_LEAST] < stressed->least) stressed->least = words[MU_OFFERS_LEAST];
    return MU_OK;
}

static int stress(struct mu_stealing *stealing, struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t team = mu_trial_number(trial, "team"), seeds = mu_trial_number(trial, "seeds");
    const uint32_t first = mu_trial_number(trial, "first_seed");
    struct stressed stressed = {.least = team};
    struct mu_json times = mu_json_array(), object = mu_json_object();
    for (uint32_t seed = first; seed - first < seeds && err->status == MU_OK; seed++) {
        struct mu_error failure = {0};
        double ns = 0;
        if (run_checked(stealing, true, team, seed, &ns, &failure) != MU_OK)
            mu_fail(err, failure.status, "with seed %u: %s", seed, failure.message);
        else if (add_counts(stealing, &stressed, err) == MU_OK)
            mu_json_append_real(&times, ns);
    }
    mu_json_set_text(&object, "implementation", "stress");
    mu_json_set_number(&object, "groups", team);
    mu_json_set_part(&object, "ns", &times);
    mu_json_set_number(&object, "right", seeds);
    mu_json_set_number(&object, "left", stressed.left);
    mu_json_set_number(&object, "came", stressed.came);
    mu_json_set_number(&object, "least_team", stressed.least);
    if (err->status == MU_OK) return mu_trial_add(trial, mu_json_take(&object, "a measurement", NULL), err);
    mu_json_release(&object);
    return err->status;
}

int mu_stealing_measure(struct mu_stealing *stealing, struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t team = mu_trial_number(trial, "team");
    const struct mu_workbench_implementation implementations[] = {
        {"cooperative", "groups", team, run_cooperative, stealing},
        {"original", "groups", team, run_original, stealing}};
    if (mu_trial_text(trial, "load") != NULL) return mu_stealing_load(stealing, trial, err);
    return mu_workbench_measure(trial, implementations, 2, err) == MU_OK ? stress(stealing, trial, err) : err->status;
}
