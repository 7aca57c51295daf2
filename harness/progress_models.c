/* What progress tests mean: names, scheduler models, JSON, and how a parent process gets the outcomes. */
#include "harness/launch_defaults.h"
#include "harness/progress.h"

#include "base/memory.h"
#include "harness/cache.h"
#include "harness/child.h"
#include "harness/commit.h"

#include <stdlib.h>
#include <string.h>

/* How long a spin may take before it is starvation, and when a child must have hung. */
#define CPU_SPIN_S   1.0
#define OTHER_SPIN_S 0.25
#define DEADLINE_S   180.0

#define MU_IDIOM_ROW(identifier, name, text) {name, text},
static const struct {
    const char *name, *text;
} idioms[] = {MU_IDIOM_TABLE(MU_IDIOM_ROW)};
#undef MU_IDIOM_ROW

static const char *const order_names[] = {"ascending", "descending"};
static const char *const outcome_names[] = {"completed", "starved", "alone", "wrong"};

/* What each model allows (table 6.2 and section 6.7): idioms in ascending order of ids, and those to which ids are
 * nothing in either. */
#define BIT(idiom)  (1u << MU_IDIOM_##idiom)
#define HSA_IDIOMS  BIT(ONE_WAY)
#define OBE_IDIOMS  (BIT(MUTEX) | BIT(BARRIER_TEAM) | BIT(TWO_WAY_TEAM))
#define LOBE_IDIOMS BIT(BARRIER_LOBE)
static const struct {
    const char *name;
    unsigned ascending, descending;
} schedulers[MU_SCHEDULERS] = {
    [MU_SCHEDULER_HSA] = {"HSA", HSA_IDIOMS, 0},
    [MU_SCHEDULER_OBE] = {"OBE", OBE_IDIOMS, OBE_IDIOMS},
    [MU_SCHEDULER_HSA_OBE] = {"HSA+OBE", HSA_IDIOMS | OBE_IDIOMS, OBE_IDIOMS},
    [MU_SCHEDULER_LOBE] = {"LOBE", HSA_IDIOMS | OBE_IDIOMS | LOBE_IDIOMS, OBE_IDIOMS},
};

const char *mu_idiom_name(enum mu_idiom idiom)
{
    return idioms[idiom].name;
}

const char *mu_idiom_text(enum mu_idiom idiom)
{
    return idioms[idiom].text;
}

const char *mu_id_order_name(enum mu_id_order order)
{
    return order_names[order];
}

const char *mu_progress_outcome_name(enum mu_progress_outcome outcome)
{
    return outcome_names[outcome];
}

const char *mu_scheduler_name(enum mu_scheduler scheduler)
{
    return schedulers[scheduler].name;
}

bool mu_progress_consistent(const struct mu_progress *progress, enum mu_scheduler scheduler, enum mu_idiom *idiom,
                            enum mu_id_order *order)
{
    const unsigned allowed[MU_ID_ORDERS] = {schedulers[scheduler].ascending, schedulers[scheduler].descending};
    for (int o = 0; o < MU_ID_ORDERS; o++)
        for (int i = 0; i < MU_IDIOMS; i++) {
            if ((allowed[o] >> i & 1u) == 0 || progress->outcomes[i][o] == MU_PROGRESS_COMPLETED) continue;
            *idiom = (enum mu_idiom)i;
            *order = (enum mu_id_order)o;
            return false;
        }
    return true;
}

enum mu_verdict mu_progress_verdict(const struct mu_progress *progress, enum mu_scheduler scheduler)
{
    const unsigned allowed[MU_ID_ORDERS] = {schedulers[scheduler].ascending, schedulers[scheduler].descending};
    enum mu_verdict verdict = MU_CONSISTENT;
    for (int o = 0; o < MU_ID_ORDERS; o++)
        for (int i = 0; i < MU_IDIOMS; i++) {
            const enum mu_progress_outcome outcome = progress->outcomes[i][o];
            if ((allowed[o] >> i & 1u) == 0 || outcome == MU_PROGRESS_COMPLETED) continue;
            if (outcome != MU_PROGRESS_ALONE) return MU_INCONSISTENT;
            verdict = MU_NOT_TESTED;
        }
    return verdict;
}

enum mu_verdict mu_progress_measured(const json_t *measurement, enum mu_scheduler scheduler)
{
    struct mu_progress progress;
    if (mu_progress_from_json(json_object_get(measurement, "progress"), &progress, NULL) == MU_OK)
        return mu_progress_verdict(&progress, scheduler);
    return json_is_true(json_object_get(json_object_get(measurement, "consistent"), schedulers[scheduler].name))
               ? MU_CONSISTENT
               : MU_INCONSISTENT;
}

uint32_t mu_progress_least_tries(const struct mu_progress *progress)
{
    uint32_t least = 0;
    for (int i = 0; i < MU_IDIOMS; i++)
        for (int o = 0; o < MU_ID_ORDERS; o++)
            if (progress->outcomes[i][o] == MU_PROGRESS_COMPLETED && (least == 0 || progress->tries[i][o] < least))
                least = progress->tries[i][o];
    return least;
}

uint32_t mu_progress_spin_limit(const struct mu_device_info *info, const struct mu_selftest *selftest)
{
    return mu_polls_in(selftest->poll_ns, (info->cpu ? CPU_SPIN_S : OTHER_SPIN_S) * mu_device_core_share(info));
}

/* Outcomes and tries: an object by idiom of objects by order. */
static void add_outcomes(const struct mu_progress *progress, struct mu_json *object)
{
    struct mu_json outcomes = mu_json_object(), tries = mu_json_object();
    for (int i = 0; i < MU_IDIOMS; i++) {
        struct mu_json row = mu_json_object(), tried = mu_json_object();
        for (int o = 0; o < MU_ID_ORDERS; o++) {
            mu_json_set_text(&row, order_names[o], outcome_names[progress->outcomes[i][o]]);
            mu_json_set_number(&tried, order_names[o], progress->tries[i][o]);
        }
        mu_json_set_part(&outcomes, idioms[i].name, &row);
        mu_json_set_part(&tries, idioms[i].name, &tried);
    }
    mu_json_set_part(object, "outcomes", &outcomes);
    mu_json_set_part(object, "tries", &tries);
}

json_t *mu_progress_to_json(const struct mu_progress *progress)
{
    struct mu_json object = mu_json_object(), models = mu_json_array();
    mu_json_set_number(&object, "groups", progress->groups);
    mu_json_set_number(&object, "workgroup", progress->workgroup);
    mu_json_set_number(&object, "spin_limit", progress->spin_limit);
    mu_json_set_number(&object, "lobe_delay", progress->lobe_delay);
    add_outcomes(progress, &object);
    for (int s = 0; s < MU_SCHEDULERS; s++) {
        enum mu_idiom idiom;
        enum mu_id_order order;
        if (mu_progress_consistent(progress, (enum mu_scheduler)s, &idiom, &order))
            mu_json_append_text(&models, schedulers[s].name);
    }
    mu_json_set_part(&object, "consistent_with", &models);
    return mu_json_take(&object, "the outcomes of progress tests", NULL);
}

static bool outcome_from_json(const json_t *name, enum mu_progress_outcome *outcome)
{
    const char *text = json_string_value(name);
    for (int i = 0; text != NULL && i < MU_PROGRESS_OUTCOMES; i++)
        if (strcmp(outcome_names[i], text) == 0) {
            *outcome = (enum mu_progress_outcome)i;
            return true;
        }
    return false;
}

int mu_progress_from_json(const json_t *object, struct mu_progress *progress, struct mu_error *err)
{
    json_int_t groups = 0, workgroup = 0, spin_limit = 0, lobe_delay = 0;
    json_t *outcomes = NULL, *tries = NULL;
    memset(progress, 0, sizeof *progress);
    if (json_unpack((json_t *)object, "{s:I, s:I, s:I, s:I, s:o, s:o}", "groups", &groups, "workgroup", &workgroup,
                    "spin_limit", &spin_limit, "lobe_delay", &lobe_delay, "outcomes", &outcomes, "tries", &tries) != 0)
        return mu_fail(err, MU_DEVICE, "the outcomes of progress tests are incomplete");
    progress->groups = (uint32_t)groups;
    progress->workgroup = (uint32_t)workgroup;
    progress->spin_limit = (uint32_t)spin_limit;
    progress->lobe_delay = (uint32_t)lobe_delay;
    for (int i = 0; i < MU_IDIOMS; i++)
        for (int o = 0; o < MU_ID_ORDERS; o++) {
            progress->tries[i][o] = mu_json_count(json_object_get(tries, idioms[i].name), order_names[o]);
            if (!outcome_from_json(json_object_get(json_object_get(outcomes, idioms[i].name), order_names[o]),
                                   &progress->outcomes[i][o]))
                return mu_fail(err, MU_DEVICE, "progress tests have no outcome of %s, %s", idioms[i].name,
                               order_names[o]);
        }
    return MU_OK;
}

int mu_progress_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_device_info info;
    struct mu_progress result;
    struct mu_target target = {0};
    const uint32_t spin_limit = mu_json_count(request, "spin_limit");
    if (mu_device_from_json(json_object_get(request, "device"), &info, err) == MU_OK &&
        mu_device_open(&info, false, &target, err) == MU_OK &&
        mu_progress_run(&target, &info, spin_limit, &result, err) == MU_OK)
        mu_json_set(response, "progress", mu_progress_to_json(&result));
    mu_device_close(&target);
    return err->status;
}

static int ask_child(const struct mu_device_info *info, const struct mu_selftest *selftest, struct mu_progress *result,
                     struct mu_error *err)
{
    json_t *response = NULL;
    const struct mu_child_environment environment = {info->icd, &selftest->settings};
    json_t *request = json_pack("{s:s, s:o, s:I}", "kind", "progress", "device", mu_device_to_json(info), "spin_limit",
                                (json_int_t)mu_progress_spin_limit(info, selftest));
    if (mu_child_call(request, &environment, DEADLINE_S, &response, err) == MU_OK)
        mu_progress_from_json(json_object_get(response, "progress"), result, err);
    json_decref(request);
    json_decref(response);
    return err->status;
}

int mu_progress_get(const struct mu_device_info *info, const struct mu_selftest *selftest, bool use_cache,
                    struct mu_progress *result, struct mu_error *err)
{
    size_t bytes = 0;
    char settings[256];
    mu_settings_text(&selftest->settings, settings, sizeof settings);
    char *key = mu_format(err, "%s\n%s\n%s\n%s\n%u\n%d\n%s\n%d\n%s\n%s", info->platform, info->platform_version,
                          info->name, info->driver, info->compute_units, (int)info->atomics, info->c_standard,
                          info->yield, settings, mu_commit);
    if (key == NULL) return err->status;
    char *text = use_cache ? mu_cache_get("progress", key, strlen(key), &bytes) : NULL;
    json_t *cached = text != NULL ? json_loadb(text, bytes, 0, NULL) : NULL;
    const bool usable = cached != NULL && mu_progress_from_json(cached, result, NULL) == MU_OK;
    if (!usable && ask_child(info, selftest, result, err) == MU_OK && use_cache) {
        json_t *object = mu_progress_to_json(result);
        char *fresh = json_dumps(object, JSON_COMPACT);
        if (fresh != NULL) mu_cache_put("progress", key, strlen(key), fresh, strlen(fresh));
        free(fresh);
        json_decref(object);
    }
    json_decref(cached);
    mu_free(text);
    mu_free(key);
    return err->status;
}

int mu_progress_need_lobe(const struct mu_device_info *info, const struct mu_selftest *selftest, bool use_cache,
                          struct mu_error *err)
{
    struct mu_progress progress = {0};
    enum mu_idiom idiom;
    enum mu_id_order order;
    if (mu_progress_get(info, selftest, use_cache, &progress, err) != MU_OK) return err->status;
    if (mu_progress_consistent(&progress, MU_SCHEDULER_LOBE, &idiom, &order)) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED,
                   "device '%s' cannot do --rollcall=lobe: it is not consistent with LOBE scheduling, since of %u "
                   "workgroups the progress test %s (ids %s) was not completed: %s",
                   info->name, progress.groups, mu_idiom_name(idiom), mu_id_order_name(order),
                   mu_progress_outcome_name(progress.outcomes[idiom][order]));
}
