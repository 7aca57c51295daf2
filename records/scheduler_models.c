#include "records/scheduler_models.h"

#include "base/json.h"

#include <string.h>

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

const char *mu_forward_progress_outcome_name(enum mu_forward_progress_outcome outcome)
{
    return outcome_names[outcome];
}

const char *mu_scheduler_name(enum mu_scheduler scheduler)
{
    return schedulers[scheduler].name;
}

bool mu_forward_progress_consistent(const struct mu_forward_progress *progress, enum mu_scheduler scheduler,
                                    enum mu_idiom *idiom, enum mu_id_order *order)
{
    const unsigned allowed[MU_ID_ORDERS] = {schedulers[scheduler].ascending, schedulers[scheduler].descending};
    for (int o = 0; o < MU_ID_ORDERS; o++)
        for (int i = 0; i < MU_IDIOMS; i++) {
            if ((allowed[o] >> i & 1u) == 0 || progress->outcomes[i][o] == MU_FORWARD_COMPLETED) continue;
            *idiom = (enum mu_idiom)i;
            *order = (enum mu_id_order)o;
            return false;
        }
    return true;
}

enum mu_verdict mu_forward_progress_verdict(const struct mu_forward_progress *progress, enum mu_scheduler scheduler)
{
    const unsigned allowed[MU_ID_ORDERS] = {schedulers[scheduler].ascending, schedulers[scheduler].descending};
    enum mu_verdict verdict = MU_CONSISTENT;
    for (int o = 0; o < MU_ID_ORDERS; o++)
        for (int i = 0; i < MU_IDIOMS; i++) {
            const enum mu_forward_progress_outcome outcome = progress->outcomes[i][o];
            if ((allowed[o] >> i & 1u) == 0 || outcome == MU_FORWARD_COMPLETED) continue;
            if (outcome != MU_FORWARD_ALONE) return MU_INCONSISTENT;
            verdict = MU_NOT_TESTED;
        }
    return verdict;
}

enum mu_verdict mu_forward_progress_measured(const json_t *measurement, enum mu_scheduler scheduler)
{
    struct mu_forward_progress progress;
    if (mu_forward_progress_from_json(json_object_get(measurement, "progress"), &progress, NULL) == MU_OK)
        return mu_forward_progress_verdict(&progress, scheduler);
    return json_is_true(json_object_get(json_object_get(measurement, "consistent"), schedulers[scheduler].name))
               ? MU_CONSISTENT
               : MU_INCONSISTENT;
}

uint32_t mu_forward_progress_least_tries(const struct mu_forward_progress *progress)
{
    uint32_t least = 0;
    for (int i = 0; i < MU_IDIOMS; i++)
        for (int o = 0; o < MU_ID_ORDERS; o++)
            if (progress->outcomes[i][o] == MU_FORWARD_COMPLETED && (least == 0 || progress->tries[i][o] < least))
                least = progress->tries[i][o];
    return least;
}

/* Outcomes and tries: an object by idiom of objects by order. */
static void add_outcomes(const struct mu_forward_progress *progress, struct mu_json *object)
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

json_t *mu_forward_progress_to_json(const struct mu_forward_progress *progress)
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
        if (mu_forward_progress_consistent(progress, (enum mu_scheduler)s, &idiom, &order))
            mu_json_append_text(&models, schedulers[s].name);
    }
    mu_json_set_part(&object, "consistent_with", &models);
    return mu_json_take(&object, "the outcomes of forward-progress tests", NULL);
}

static bool outcome_from_json(const json_t *name, enum mu_forward_progress_outcome *outcome)
{
    const char *text = json_string_value(name);
    for (int i = 0; text != NULL && i < MU_FORWARD_OUTCOMES; i++)
        if (strcmp(outcome_names[i], text) == 0) {
            *outcome = (enum mu_forward_progress_outcome)i;
            return true;
        }
    return false;
}

int mu_forward_progress_from_json(const json_t *object, struct mu_forward_progress *progress, struct mu_error *err)
{
    json_int_t groups = 0, workgroup = 0, spin_limit = 0, lobe_delay = 0;
    json_t *outcomes = NULL, *tries = NULL;
    memset(progress, 0, sizeof *progress);
    if (json_unpack((json_t *)object, "{s:I, s:I, s:I, s:I, s:o, s:o}", "groups", &groups, "workgroup", &workgroup,
                    "spin_limit", &spin_limit, "lobe_delay", &lobe_delay, "outcomes", &outcomes, "tries", &tries) != 0)
        return mu_fail(err, MU_DEVICE, "the outcomes of forward-progress tests are incomplete");
    progress->groups = (uint32_t)groups;
    progress->workgroup = (uint32_t)workgroup;
    progress->spin_limit = (uint32_t)spin_limit;
    progress->lobe_delay = (uint32_t)lobe_delay;
    for (int i = 0; i < MU_IDIOMS; i++)
        for (int o = 0; o < MU_ID_ORDERS; o++) {
            progress->tries[i][o] = mu_json_count(json_object_get(tries, idioms[i].name), order_names[o]);
            if (!outcome_from_json(json_object_get(json_object_get(outcomes, idioms[i].name), order_names[o]),
                                   &progress->outcomes[i][o]))
                return mu_fail(err, MU_DEVICE, "forward-progress tests have no outcome of %s, %s", idioms[i].name,
                               order_names[o]);
        }
    return MU_OK;
}
