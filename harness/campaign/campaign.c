#include "harness/campaign/campaign.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/units.h"
#include "harness/device/commit.h"
#include "harness/engine/cost.h"
#include "records/results.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Guesses of what a run and a try of a tuning take, for a machine of which nothing is known. */
#define GUESS_RUN_S 1.5
#define GUESS_TRY_S 0.5

/* ---- Stores ---- */

int mu_campaign_path(const struct mu_campaign *campaign, const struct mu_device_info *info, bool tries, char *path,
                     size_t bytes, struct mu_error *err)
{
    const struct mu_shard *shard = &campaign->options->shard;
    char part[128];
    snprintf(part, sizeof part, "%s%s%u-of-%u", tries ? campaign->set : "", tries ? "-" : "", shard->number,
             shard->count);
    return mu_results_records_path(info->chip, shard->count != 0 ? part : info->tag, tries ? "tune" : campaign->set,
                                   path, bytes, err);
}

static int open_store(const struct mu_campaign *campaign, bool tries, struct mu_store *store, struct mu_error *err)
{
    char path[PATH_MAX];
    if (mu_campaign_path(campaign, campaign->info, tries, path, sizeof path, err) != MU_OK ||
        mu_store_open(path, store, err) != MU_OK)
        return err->status;
    if (store->note[0] != '\0') fprintf(stderr, "muster: %s\n", store->note);
    return MU_OK;
}

static int set_aside(struct mu_store *store, struct mu_error *err)
{
    char moved[PATH_MAX];
    if (mu_store_set_aside(store, moved, err) != MU_OK) return err->status;
    if (moved[0] != '\0') fprintf(stderr, "muster: the records of an earlier campaign are now in %s\n", moved);
    return MU_OK;
}

/* Says that the folder also has a packed file of the set, such as a published one: readers take both. */
static void note_packed(const struct mu_store *store)
{
    static const char *const endings[] = {".xz", ".gz"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[PATH_MAX];
        const int length = snprintf(path, sizeof path, "%s%s", store->path, endings[i]);
        if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0) continue;
        mu_note(stderr,
                "%s has records of this set, too: tables put those of the same build together with yours, and show the "
                "newer of two builds; --set=NAME or MUSTER_RESULTS=FOLDER keeps yours apart",
                path);
    }
}

/* Refuses a device that is not trusted, with MU_UNSUPPORTED. */
static int check_trust(const struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_selftest selftest;
    const struct mu_engine_environment *environment = &campaign->engine.environment;
    if (environment->check(environment->context, false, &selftest, err) != MU_OK ||
        mu_engine_trusts(&campaign->engine, &selftest))
        return err->status;
    return mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", campaign->info->name, selftest.reason);
}

/* Opens the tries first: all campaigns on a device share them, so their lock keeps a second campaign out. */
int mu_campaign_open(struct mu_campaign *campaign, struct mu_error *err)
{
    if (check_trust(campaign, err) != MU_OK || mu_results_make(campaign->info->chip, err) != MU_OK ||
        open_store(campaign, true, &campaign->tries, err) != MU_OK)
        return err->status;
    if (campaign->run_count == 0) return MU_OK; /* muster tune */
    if (open_store(campaign, false, &campaign->runs, err) != MU_OK) return err->status;
    note_packed(&campaign->runs);
    return campaign->options->restart ? set_aside(&campaign->runs, err) : MU_OK;
}

/* ---- Steps ---- */

/* Writes "lonestar/bfs road:60 portable", and the label behind it. Returns the number of characters, at most
 * `bytes`. */
static int describe_test(const struct mu_campaign *campaign, const struct mu_step *step, char *text, size_t bytes)
{
    const struct mu_comparison *comparison = mu_step_comparison(campaign, step);
    const struct mu_configuration *configuration = &campaign->configurations[mu_step_configuration(campaign, step)];
    const int used = snprintf(
        text, bytes, "%s/%s %s%s %s%s%s", comparison->asked.app->suite, comparison->asked.app->name, comparison->input,
        comparison->point, configuration->form->name, configuration->label[0] != '\0' ? " " : "", configuration->label);
    return used < 0 || (size_t)used >= bytes ? (int)bytes : used;
}

/* Writes "lonestar/bfs road:60 portable 2/5". */
static void describe_run(const struct mu_engine *engine, const struct mu_step *step, char *text, size_t bytes)
{
    const size_t used = (size_t)describe_test(engine->context, step, text, bytes);
    const uint32_t needed = engine->tests[step->test].needed;
    const uint32_t others = ((const struct mu_campaign *)engine->context)->others;
    const int more = snprintf(text + used, bytes - used, " %u/%u", step->repeat + 1,
                              needed > step->repeat ? needed : step->repeat + 1);
    if (others != 0 && more > 0 && used + (size_t)more < bytes)
        snprintf(text + used + more, bytes - used - (size_t)more, ", and %u more", others);
}

static void describe_tuning(const struct mu_engine *engine, const struct mu_step *step, char *text, size_t bytes)
{
    const size_t used = (size_t)describe_test(engine->context, step, text, bytes);
    snprintf(text + used, bytes - used, ", tuning");
}

static void find_cost(const struct mu_engine *engine, const struct mu_step *step, struct mu_cost *cost)
{
    char app[96];
    const struct mu_comparison *comparison = mu_step_comparison(engine->context, step);
    snprintf(app, sizeof app, "%s/%s", comparison->asked.app->suite, comparison->asked.app->name);
    mu_cost_of(step->work->name, app, comparison->text, cost);
}

static bool is_known(const struct mu_engine *engine, const struct mu_step *step)
{
    struct mu_cost cost;
    find_cost(engine, step, &cost);
    return mu_cost_is_known(&engine->progress, &cost);
}

/* Returns the seconds that a process of the step's test will take, by what is known of others of its kind. */
static double expect_process(const struct mu_engine *engine, const struct mu_step *step, double guess_s)
{
    struct mu_cost cost;
    find_cost(engine, step, &cost);
    return mu_cost_expect(&engine->progress, &cost, guess_s);
}

static double expect_run(const struct mu_engine *engine, const struct mu_step *step)
{
    return expect_process(engine, step, GUESS_RUN_S);
}

static double expect_tuning(const struct mu_engine *engine, const struct mu_step *step)
{
    const struct mu_campaign *campaign = engine->context;
    const struct mu_asked asked = mu_campaign_asked(campaign, step);
    return expect_process(engine, step, GUESS_TRY_S) *
           mu_tune_most_tries(&asked, campaign->info, &campaign->options->tune);
}

static int run_tuning(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending,
                      struct mu_error *err)
{
    struct mu_campaign *campaign = engine->context;
    const struct mu_tune_place place = {campaign->info, engine, &campaign->tries};
    const struct mu_asked asked = mu_campaign_asked(campaign, step);
    struct mu_tuned *tuned = &mu_step_comparison(campaign, step)->tuned[mu_step_configuration(campaign, step)];
    mu_tune(&place, &asked, &campaign->options->tune, tuned, err);
    *ending = (struct mu_ending){.fresh = tuned->fresh != 0, .status = tuned->failure, .harm = tuned->harm};
    return err->status;
}

/* Work is named as the kind of its records. */
const struct mu_work mu_campaign_run_work = {.name = "measure",
                                             .is_test = true,
                                             .describe = describe_run,
                                             .expect = expect_run,
                                             .is_known = is_known,
                                             .run = mu_campaign_run_tests};
const struct mu_work mu_campaign_tuning_work = {
    .name = "tune", .describe = describe_tuning, .expect = expect_tuning, .is_known = is_known, .run = run_tuning};

/* What the records of earlier runs tell. */
struct learning {
    struct mu_progress *progress;
    size_t others; /* those of another build */
};

/* Learns from one record; for mu_store_each. */
static int learn_run(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct learning *learning = context;
    (void)line;
    mu_cost_learn(learning->progress, record);
    learning->others += strcmp(mu_json_text_or(record, "commit", mu_commit), mu_commit) != 0;
    return err->status;
}

/* Learns from the runs in the store. Tells the user how many of them another build of muster made. */
static int learn_runs(struct mu_campaign *campaign, struct mu_error *err)
{
    static const char *const members[] = {MU_COST_MEMBERS, "commit", NULL};
    const struct mu_store *runs = &campaign->runs;
    struct learning learning = {.progress = &campaign->engine.progress};
    if (mu_store_each(runs, members, learn_run, &learning, err) == MU_OK && learning.others != 0)
        fprintf(stderr,
                "muster: %zu of %zu records in %s are of another build of muster (this is %s); --restart sets "
                "them aside\n",
                learning.others, mu_store_count(runs), runs->path, mu_commit);
    return err->status;
}

int mu_campaign_run(struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_progress *progress = &campaign->engine.progress;
    mu_progress_start(progress, &campaign->engine.environment, campaign->engine.step_count);
    if (mu_cost_learn_all(progress, &campaign->tries, err) != MU_OK || learn_runs(campaign, err) != MU_OK) {
        mu_progress_end(progress);
        return err->status;
    }
    if (campaign->engine.budget.seconds > 0 && mu_store_count(&campaign->runs) == 0) {
        mu_budget_forecast(&campaign->engine);
        mu_campaign_tell_left(campaign, stderr);
        mu_budget_reset(&campaign->engine);
    }
    mu_engine_run(&campaign->engine, err);
    mu_progress_end(progress);
    if (campaign->run_count == 0) return err->status; /* muster tune */
    struct mu_error silent = {0};
    if (err->status == MU_OK)
        mu_campaign_unmark(campaign, err);
    else if (campaign->marked)
        mu_campaign_mark(campaign, &silent); /* what ended it has been said */
    return err->status;
}

/* ---- A dry run ---- */

int mu_campaign_learn(struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_store *const stores[] = {&campaign->tries, &campaign->runs};
    for (int i = 0; i < 2; i++) {
        const bool tries = i == 0;
        char path[PATH_MAX];
        if (mu_campaign_path(campaign, campaign->info, tries, path, sizeof path, err) != MU_OK) return err->status;
        FILE *there = fopen(path, "r");
        if (there == NULL) continue;
        fclose(there);
        if (open_store(campaign, tries, stores[i], err) != MU_OK ||
            mu_cost_learn_all(&campaign->engine.progress, stores[i], err) != MU_OK)
            return err->status;
    }
    return MU_OK;
}

int mu_campaign_list(struct mu_campaign *campaign, FILE *to, struct mu_error *err)
{
    char duration[24];
    struct mu_listing listing;
    struct mu_engine *engine = &campaign->engine;
    mu_progress_start(&engine->progress, &engine->environment, engine->step_count);
    if (mu_campaign_learn(campaign, err) == MU_OK) {
        const bool known = json_object_size(engine->progress.costs.value) != 0;
        engine->only_looks =
            !campaign->options->restart && mu_store_count(&campaign->runs) + mu_store_count(&campaign->tries) != 0;
        if (mu_engine_list(engine, to, &listing, err) == MU_OK) {
            const uint32_t tunings = listing.steps - listing.tests, done_tunings = listing.done - listing.done_tests;
            mu_progress_duration(listing.seconds, duration, sizeof duration);
            fprintf(to,
                    "%u run%s and %u tuning%s, about %s in all (%s); %u run%s and %u tuning%s are there, and are not "
                    "made again\n",
                    listing.tests, mu_plural(listing.tests), tunings, mu_plural(tunings), duration,
                    known ? "by what earlier runs took" : "a guess: nothing ran here before", listing.done_tests,
                    mu_plural(listing.done_tests), done_tunings, mu_plural(done_tunings));
            mu_campaign_tell_left(campaign, to);
        }
    }
    mu_progress_end(&engine->progress);
    return err->status;
}
