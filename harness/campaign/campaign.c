#include "harness/campaign/campaign.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"
#include "harness/device/trust/selftest.h"
#include "records/results.h"
#include "variants/launch/opencl.h"

#include <limits.h>
#include <string.h>

/* What a run, and each try of a tuning, may take on a machine of which nothing is known. */
#define GUESS_RUN_S 1.5
#define GUESS_TRY_S 0.5

/* ---- Stores ---- */

static int open_store(const struct mu_campaign *campaign, const char *name, struct mu_store *store,
                      struct mu_error *err)
{
    char path[PATH_MAX];
    if (mu_results_records_path(campaign->info->chip, campaign->info->tag, name, path, sizeof path, err) != MU_OK ||
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

/* Records that another build of muster made stay, but a person should know. */
static void note_other_commits(const struct mu_store *store)
{
    const char *key;
    json_t *record;
    size_t others = 0;
    json_object_foreach (store->by_key, key, record) {
        const char *commit = json_string_value(json_object_get(record, "commit"));
        others += commit != NULL && strcmp(commit, mu_commit) != 0;
    }
    if (others != 0)
        fprintf(stderr,
                "muster: %zu of %zu records in %s are of another build of muster (this is %s); --restart sets "
                "them aside\n",
                others, json_object_size(store->by_key), store->path, mu_commit);
}

/* A device that is not trusted has nothing to record. */
static int check_trust(const struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_selftest selftest;
    if (mu_selftest_get(campaign->info, true, &selftest, err) != MU_OK || selftest.trust != MU_REFUSED)
        return err->status;
    return mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", campaign->info->name, selftest.reason);
}

/* The tries first: they are shared by all campaigns on a device, so their lock keeps a second campaign out. */
int mu_campaign_open(struct mu_campaign *campaign, struct mu_error *err)
{
    if (check_trust(campaign, err) != MU_OK || mu_results_make(campaign->info->chip, err) != MU_OK ||
        open_store(campaign, "tune", &campaign->tries, err) != MU_OK)
        return err->status;
    if (campaign->run_count == 0) return MU_OK; /* muster tune */
    if (open_store(campaign, campaign->set, &campaign->runs, err) != MU_OK) return err->status;
    if (campaign->options->restart) return set_aside(&campaign->runs, err);
    note_other_commits(&campaign->runs);
    return MU_OK;
}

/* ---- Progress ---- */

/* "lonestar/bfs road:60 portable 2/5" */
static void describe_step(const struct mu_campaign *campaign, const struct mu_step *step, char *text, size_t bytes)
{
    const struct mu_comparison *comparison = &campaign->comparisons[step->comparison];
    const struct mu_slot *slot = &campaign->slots[step->slot];
    const int used = snprintf(text, bytes, "%s/%s %s%s %s", comparison->asked.app->suite, comparison->asked.app->name,
                              comparison->input, comparison->point, mu_variants[slot->variant].name);
    if (used < 0 || (size_t)used >= bytes) return;
    if (step->tunes)
        snprintf(text + used, bytes - (size_t)used, "%s%s, tuning", slot->label[0] != '\0' ? " " : "", slot->label);
    else
        snprintf(text + used, bytes - (size_t)used, "%s%s %u/%u", slot->label[0] != '\0' ? " " : "", slot->label,
                 step->repeat + 1, campaign->options->repeats);
}

/* The names of the groups of runs whose cost is alike, from the widest to the narrowest. */
struct groups {
    char app[128], comparison[PATH_MAX + 128];
    const char *names[4];
};

static void find_groups(const char *kind, const char *app, const char *comparison, struct groups *groups)
{
    snprintf(groups->app, sizeof groups->app, "%s %s", kind, app);
    snprintf(groups->comparison, sizeof groups->comparison, "%s %s", kind, comparison);
    groups->names[0] = kind;
    groups->names[1] = groups->app;
    groups->names[2] = groups->comparison;
    groups->names[3] = NULL;
}

static double expect_step(const struct mu_campaign *campaign, const struct mu_step *step)
{
    struct groups groups;
    char app[96];
    const struct mu_comparison *comparison = &campaign->comparisons[step->comparison];
    snprintf(app, sizeof app, "%s/%s", comparison->asked.app->suite, comparison->asked.app->name);
    find_groups(step->tunes ? "tune" : "measure", app, comparison->text, &groups);
    if (!step->tunes) return mu_meter_expect(&campaign->meter, groups.names, GUESS_RUN_S);
    const uint32_t tries =
        mu_tune_most_tries(campaign->slots[step->slot].variant, campaign->info, &campaign->options->tune);
    return mu_meter_expect(&campaign->meter, groups.names, GUESS_TRY_S) * tries;
}

static double to_go(const struct mu_campaign *campaign, const struct mu_step *from)
{
    double seconds = 0;
    for (const struct mu_step *step = from; step < campaign->steps + campaign->step_count; step++)
        if (step->tunes || !campaign->comparisons[step->comparison].failed[step->slot])
            seconds += expect_step(campaign, step);
    return seconds;
}

/* Learns what a record's run cost; compiling, which the next run of its kind need not do, is not counted. */
static void learn(struct mu_campaign *campaign, const json_t *record)
{
    struct groups groups;
    const char *kind = json_string_value(json_object_get(record, "kind"));
    const char *app = json_string_value(json_object_get(record, "app"));
    const char *comparison = json_string_value(json_object_get(record, "comparison"));
    json_int_t ns = json_integer_value(json_object_get(record, "wall_ns"));
    if (json_is_false(json_object_get(record, "build_cached")))
        ns -= json_integer_value(json_object_get(record, "build_ns"));
    if (kind == NULL || app == NULL || comparison == NULL || ns <= 0) return;
    find_groups(kind, app, comparison, &groups);
    mu_meter_learn(&campaign->meter, groups.names, (double)ns * 1e-9);
}

static void learn_store(struct mu_campaign *campaign, const struct mu_store *store)
{
    const char *key;
    json_t *record;
    if (store->by_key == NULL) return;
    json_object_foreach (store->by_key, key, record) learn(campaign, record);
}

/* ---- Steps ---- */

/* After a hang or a crash: a device that fails its self-test in a fresh process ends the campaign. */
static int check_health(const struct mu_campaign *campaign, int status, struct mu_error *err)
{
    struct mu_selftest selftest;
    if (status != MU_DEADLINE && status != MU_CRASH && status != MU_DEVICE) return MU_OK;
    if (mu_selftest_get(campaign->info, false, &selftest, err) != MU_OK) return err->status;
    if (selftest.trust != MU_REFUSED) return MU_OK;
    return mu_fail(err, MU_DEVICE,
                   "device '%s' no longer works after a test that ended by %s: %s; once it does, the same command goes "
                   "on from here",
                   campaign->info->name, mu_status_text(status), selftest.reason);
}

/* A step that has an outcome, be it fresh or the store's. */
static void settle(struct mu_campaign *campaign, const struct mu_step *step, int status)
{
    campaign->worst = mu_status_worse(status, campaign->worst);
    if (status == MU_OK || step->tunes) return;
    campaign->comparisons[step->comparison].failed[step->slot] = true;
    campaign->failed++;
}

static int run_tuning(struct mu_campaign *campaign, const struct mu_step *step, struct mu_error *err)
{
    char what[256];
    const struct mu_asked asked = mu_campaign_asked(campaign, step);
    struct mu_tuned *tuned = &campaign->comparisons[step->comparison].tuned[step->slot];
    const size_t before = json_object_size(campaign->tries.by_key);
    describe_step(campaign, step, what, sizeof what);
    if (!mu_tune_begun(&asked, campaign->info, &campaign->options->tune, &campaign->tries) ||
        campaign->options->tune.again)
        mu_meter_show(&campaign->meter, what, to_go(campaign, step));
    if (mu_tune(&asked, campaign->info, &campaign->options->tune, &campaign->tries, tuned, err) != MU_OK)
        return err->status;
    settle(campaign, step, tuned->failure);
    size_t i = 0;
    const char *key;
    json_t *record;
    json_object_foreach (campaign->tries.by_key, key, record)
        if (i++ >= before) learn(campaign, record);
    if (tuned->fresh == 0)
        campaign->meter.done++;
    else
        mu_meter_done(&campaign->meter, 1, what, mu_status_outcome(tuned->failure), to_go(campaign, step + 1));
    return check_health(campaign, tuned->harm, err);
}

/* What a campaign knows of a run, added to its record. */
static void add_place(const struct mu_campaign *campaign, const struct mu_step *step, const char *key,
                      struct mu_json *record)
{
    const struct mu_slot *slot = &campaign->slots[step->slot];
    char rng[64];
    snprintf(rng, sizeof rng, "splitmix64, seed %llu", (unsigned long long)campaign->options->order_seed);
    mu_json_set_text(record, "kind", "measure");
    mu_json_set_text(record, "key", key);
    mu_json_set_text(record, "suite", campaign->options->input_count != 0 ? "custom" : campaign->options->suite->name);
    mu_json_set_text(record, "set", campaign->set);
    if (slot->label[0] != '\0') mu_json_set_text(record, "label", slot->label);
    mu_json_set_number(record, "repeat", step->repeat);
    mu_json_set_number(record, "order", step->order);
    mu_json_set_text(record, "rng", rng);
    mu_json_set_flag(record, "tuned", campaign->options->tuned);
}

/* Runs a test, or records why it was refused. */
static int run_fresh(struct mu_campaign *campaign, const struct mu_step *step, const struct mu_test *test,
                     const struct mu_error *refused, struct mu_error *err)
{
    char what[256];
    struct mu_error failure = *refused;
    struct mu_json built = {0};
    json_t *record = NULL;
    describe_step(campaign, step, what, sizeof what);
    mu_meter_show(&campaign->meter, what, to_go(campaign, step));
    mu_test_perform(test, campaign->info, &built, &failure);
    if (failure.status == MU_INTERRUPTED)
        mu_fail(err, MU_INTERRUPTED, "interrupted");
    else {
        char *key = mu_campaign_key(campaign, step, test, err);
        add_place(campaign, step, key, &built);
        mu_free(key);
        record = mu_json_take(&built, "the record of a run", err);
        if (record != NULL) mu_store_append(&campaign->runs, record, err);
    }
    if (err->status == MU_OK) {
        learn(campaign, record);
        settle(campaign, step, failure.status);
        mu_meter_done(&campaign->meter, 1, what, mu_status_outcome(failure.status), to_go(campaign, step + 1));
        if (failure.status != MU_OK) fprintf(stderr, "    %s\n", failure.message);
    }
    json_decref(record);
    mu_json_release(&built);
    if (err->status != MU_OK) return err->status;
    return check_health(campaign, failure.status, err);
}

static int run_step(struct mu_campaign *campaign, const struct mu_step *step, struct mu_error *err)
{
    if (mu_interrupted()) return mu_fail(err, MU_INTERRUPTED, "interrupted");
    if (step->tunes) return run_tuning(campaign, step, err);
    if (campaign->comparisons[step->comparison].failed[step->slot]) {
        campaign->meter.planned--;
        return MU_OK;
    }
    struct mu_test test;
    struct mu_error refused = {0};
    const struct mu_asked asked = mu_campaign_asked(campaign, step);
    mu_resolve(&asked, campaign->info, &test, &refused);
    char *key = refused.status == MU_INTERRUPTED ? NULL : mu_campaign_key(campaign, step, &test, err);
    if (key == NULL) return mu_fail(err, MU_INTERRUPTED, "interrupted");
    const json_t *record = mu_store_find(&campaign->runs, key);
    mu_free(key);
    if (record == NULL) return run_fresh(campaign, step, &test, &refused, err);
    campaign->meter.done++;
    settle(campaign, step, mu_outcome_status(mu_json_text(record, "outcome")));
    return MU_OK;
}

int mu_campaign_run(struct mu_campaign *campaign, struct mu_error *err)
{
    mu_meter_start(&campaign->meter, campaign->step_count);
    learn_store(campaign, &campaign->tries);
    learn_store(campaign, &campaign->runs);
    for (uint32_t i = 0; i < campaign->step_count && err->status == MU_OK; i++)
        run_step(campaign, &campaign->steps[i], err);
    if (err->status == MU_INTERRUPTED)
        snprintf(err->message, sizeof err->message,
                 "interrupted: %u of %u steps are done; the same command goes on from here", campaign->meter.done,
                 campaign->meter.planned);
    mu_meter_end(&campaign->meter);
    return err->status;
}

/* ---- A dry run ---- */

/* What earlier campaigns cost here; nothing where there were none. */
static int learn_earlier(struct mu_campaign *campaign, struct mu_error *err)
{
    const char *const names[] = {"tune", campaign->set};
    struct mu_store *const stores[] = {&campaign->tries, &campaign->runs};
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        if (mu_results_records_path(campaign->info->chip, campaign->info->tag, names[i], path, sizeof path, err) !=
            MU_OK)
            return err->status;
        FILE *there = fopen(path, "r");
        if (there == NULL) continue;
        fclose(there);
        if (open_store(campaign, names[i], stores[i], err) != MU_OK) return err->status;
        learn_store(campaign, stores[i]);
    }
    return MU_OK;
}

int mu_campaign_list(struct mu_campaign *campaign, FILE *to, struct mu_error *err)
{
    char what[256], duration[24];
    double seconds = 0;
    mu_meter_start(&campaign->meter, campaign->step_count);
    if (learn_earlier(campaign, err) == MU_OK) {
        const bool known = json_object_size(campaign->meter.costs.value) != 0;
        for (uint32_t i = 0; i < campaign->step_count; i++) {
            describe_step(campaign, &campaign->steps[i], what, sizeof what);
            fprintf(to, "%s\n", what);
            seconds += expect_step(campaign, &campaign->steps[i]);
        }
        mu_meter_duration(seconds, duration, sizeof duration);
        fprintf(to, "%u runs and %u tunings, about %s in all (%s); %zu records are there\n", campaign->run_count,
                campaign->step_count - campaign->run_count, duration,
                known ? "by what earlier runs took" : "a guess: nothing ran here before",
                campaign->runs.by_key != NULL ? json_object_size(campaign->runs.by_key) : 0);
    }
    mu_meter_end(&campaign->meter);
    return err->status;
}
