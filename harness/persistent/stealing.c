#include "harness/persistent/stealing.h"

#include "base/memory.h"
#include "variants/cooperative/offers_layout.clh"

#define COMMON_ARGUMENTS 4

/* ---- The bench ---- */

int mu_stealing_open(struct mu_stealing *stealing, struct mu_trial *trial, const char *source, struct mu_error *err)
{
    static const char *const shared[] = {"apps/priority.clh", "variants/cooperative/offers_layout.clh",
                                         "variants/cooperative/offers.clh", "harness/persistent/stealing.clh", NULL};
    const struct mu_pt_program program = {source, MU_QUEUE_STEAL, mu_trial_number(trial, "team"), shared};
    *stealing = (struct mu_stealing){.queue = NULL};
    if (program.team == 0) return mu_fail(err, MU_USAGE, "a team of no workgroups");
    if (mu_pt_open(&stealing->bench, trial, &program, err) != MU_OK ||
        mu_pt_kernel(&stealing->bench, "steal_original", &stealing->original, err) != MU_OK ||
        mu_pt_kernel(&stealing->bench, "steal_cooperative", &stealing->cooperative, err) != MU_OK)
        return err->status;
    return mu_pt_buffer(&stealing->bench, MU_OFFERS_WORDS, &stealing->offers, err);
}

void mu_stealing_close(struct mu_stealing *stealing)
{
    mu_pt_release_buffer(stealing->queue);
    mu_pt_release_buffer(stealing->offers);
    mu_pt_release_kernel(stealing->original);
    mu_pt_release_kernel(stealing->cooperative);
    mu_pt_close(&stealing->bench);
}

/* ---- A run ---- */

/* A ring has room for what one group may have found before others come to steal. */
static struct mu_queue_shape shape_of(const struct mu_stealing *stealing, uint32_t groups)
{
    const uint64_t share = 8 * (uint64_t)stealing->items / groups + 4096;
    return (struct mu_queue_shape){groups, mu_queue_slots(share < stealing->items ? share : stealing->items)};
}

static int prepare_queue(struct mu_stealing *stealing, const struct mu_queue_shape *shape, struct mu_error *err)
{
    static const uint32_t first = 0;
    size_t words = 0;
    uint32_t *content = mu_queue_words(shape, &first, 1, &words, err);
    if (content != NULL && words > stealing->queue_words) {
        mu_pt_release_buffer(stealing->queue);
        stealing->queue = NULL;
        stealing->queue_words = mu_pt_buffer(&stealing->bench, words, &stealing->queue, err) == MU_OK ? words : 0;
    }
    if (err->status == MU_OK) mu_pt_write(&stealing->bench, stealing->queue, content, words, err);
    mu_free(content);
    return err->status;
}

static int prepare_offers(const struct mu_stealing *stealing, uint32_t groups, uint32_t seed, struct mu_error *err)
{
    uint32_t words[MU_OFFERS_WORDS] = {0};
    words[MU_OFFERS_SIZE] = words[MU_OFFERS_WANT] = words[MU_OFFERS_LEAST] = groups;
    words[MU_OFFERS_SEED] = seed;
    return mu_pt_write(&stealing->bench, stealing->offers, words, MU_OFFERS_WORDS, err);
}

static int set_arguments(const struct mu_stealing *stealing, cl_kernel kernel, const struct mu_queue_shape *shape,
                         struct mu_error *err)
{
    const cl_uint rings = shape->rings, slots = shape->slots;
    struct mu_pt_argument arguments[COMMON_ARGUMENTS + MU_STEALING_ARGUMENTS] = {
        MU_PT_ARGUMENT(stealing->queue), MU_PT_ARGUMENT(rings), MU_PT_ARGUMENT(slots),
        MU_PT_ARGUMENT(stealing->offers)};
    for (cl_uint i = 0; i < stealing->own_count; i++) arguments[COMMON_ARGUMENTS + i] = stealing->own[i];
    return mu_pt_set(kernel, arguments, COMMON_ARGUMENTS + stealing->own_count, err);
}

static int run(struct mu_stealing *stealing, const struct mu_team_kernel *kernel, uint32_t groups, uint32_t seed,
               double *ns, struct mu_error *err)
{
    const struct mu_queue_shape shape = shape_of(stealing, groups);
    if (prepare_queue(stealing, &shape, err) != MU_OK || prepare_offers(stealing, groups, seed, err) != MU_OK ||
        stealing->prepare(stealing->app, err) != MU_OK ||
        set_arguments(stealing, kernel->kernel, &shape, err) != MU_OK ||
        mu_pt_run_team(&stealing->bench, kernel, groups, ns, err) != MU_OK)
        return err->status;
    return stealing->check(stealing->app, err);
}

static struct mu_team_kernel kernel_of(const struct mu_stealing *stealing, bool cooperative)
{
    return (struct mu_team_kernel){cooperative ? stealing->cooperative : stealing->original,
                                   COMMON_ARGUMENTS + stealing->own_count,
                                   cooperative ? "steal_cooperative" : "steal_original"};
}

static int run_original(const struct mu_pt_way *way, double *ns, struct mu_error *err)
{
    const struct mu_team_kernel kernel = kernel_of(way->context, false);
    return run(way->context, &kernel, way->count, 0, ns, err);
}

static int run_cooperative(const struct mu_pt_way *way, double *ns, struct mu_error *err)
{
    const struct mu_team_kernel kernel = kernel_of(way->context, true);
    return run(way->context, &kernel, way->count, 0, ns, err);
}

/* ---- Random schedules ---- */

/* What became of the team in all of them. */
struct stressed {
    uint64_t left, came;
    uint32_t least;
};

static int add_counts(const struct mu_stealing *stealing, struct stressed *stressed, struct mu_error *err)
{
    uint32_t words[MU_OFFERS_WORDS];
    if (mu_pt_read(&stealing->bench, stealing->offers, words, MU_OFFERS_WORDS, err) != MU_OK) return err->status;
    stressed->left += words[MU_OFFERS_LEFT];
    stressed->came += words[MU_OFFERS_CAME];
    if (words[MU_OFFERS_LEAST] < stressed->least) stressed->least = words[MU_OFFERS_LEAST];
    return MU_OK;
}

static int stress(struct mu_stealing *stealing, struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t team = mu_trial_number(trial, "team"), seeds = mu_trial_number(trial, "seeds");
    const uint32_t first = mu_trial_number(trial, "first_seed");
    const struct mu_team_kernel kernel = kernel_of(stealing, true);
    struct stressed stressed = {.least = team};
    struct mu_json times = mu_json_array(), object = mu_json_object();
    for (uint32_t seed = first; seed - first < seeds && err->status == MU_OK; seed++) {
        struct mu_error failure = {0};
        double ns = 0;
        if (run(stealing, &kernel, team, seed, &ns, &failure) != MU_OK)
            mu_fail(err, failure.status, "with seed %u: %s", seed, failure.message);
        else if (add_counts(stealing, &stressed, err) == MU_OK)
            mu_json_append_real(&times, ns);
    }
    mu_json_set_text(&object, "way", "stress");
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
    const struct mu_pt_way ways[] = {{"original", "groups", team, run_original, stealing},
                                     {"cooperative", "groups", team, run_cooperative, stealing}};
    if (mu_pt_measure(trial, ways, sizeof ways / sizeof ways[0], err) != MU_OK) return err->status;
    return stress(stealing, trial, err);
}
