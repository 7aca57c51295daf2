#include "harness/campaign/tune.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/placement.h"
#include "harness/run/identity.h"
#include "harness/run/resolve.h"
#include "records/key.h"
#include "statistics/statistics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_SIZES 16
#define MAX_TRIES (MAX_SIZES + 2 * 3)

/* Groups for each compute unit in the smaller teams that are tried. */
static const uint32_t per_unit[] = {1, 2, 4};
enum { TEAMS = sizeof per_unit / sizeof per_unit[0] };

struct
try {
    uint32_t workgroup, team; /* team 0: full */
    const json_t *record;     /* the store's; NULL until it has one */
    double median_ns;         /* 0 unless it went well */
    struct mu_test test;      /* resolved for these sizes; `refused` tells whether it can run */
    struct mu_error refused;
};

struct tuning {
    struct mu_asked asked;
    const struct mu_device_info *info;
    const struct mu_tune_options *options;
    struct mu_store *store;
    struct mu_tuned *tuned;
    uint32_t generation;
    struct try tries[MAX_TRIES];
    size_t count;
};

/* ---- Which tries ---- */

/* The workgroup sizes into sizes (MAX_SIZES of them); how many. */
static size_t list_sizes(const struct mu_device_info *info, const struct mu_tune_options *options, uint32_t *sizes)
{
    size_t count = 0;
    const uint32_t most =
        options->most != 0 && options->most < info->max_workgroup ? options->most : info->max_workgroup;
    for (uint32_t size = options->least; size <= most && count < MAX_SIZES; size *= 2) sizes[count++] = size;
    /* A device with tiny workgroups: its largest. */
    if (count != 0) return count;
    sizes[0] = 1;
    while (sizes[0] * 2 <= most) sizes[0] *= 2;
    return 1;
}

static bool tries_teams(enum mu_variant variant, const struct mu_device_info *info)
{
    return variant != MU_MULTI_KERNEL && !info->cpu;
}

uint32_t mu_tune_most_tries(enum mu_variant variant, const struct mu_device_info *info,
                            const struct mu_tune_options *options)
{
    uint32_t sizes[MAX_SIZES];
    const uint32_t count = (uint32_t)list_sizes(info, options, sizes);
    return count + (tries_teams(variant, info) ? (count > 1 ? 2u : 1u) * TEAMS : 0);
}

/* What is left to the harness may depend on the sizes: every try is resolved for itself. */
static int resolve_try(const struct tuning *tuning, struct try *try, struct mu_error *err)
{
    struct mu_asked asked = tuning->asked;
    mu_ask(&asked, MU_TEST_workgroup, try->workgroup, MU_FROM_TUNING);
    mu_ask(&asked, MU_TEST_team_limit, try->team, MU_FROM_TUNING);
    memset(&try->refused, 0, sizeof try->refused);
    mu_resolve(&asked, tuning->info, &try->test, &try->refused);
    if (try->refused.status != MU_INTERRUPTED) return MU_OK;
    return mu_fail(err, MU_INTERRUPTED, "%s", try->refused.message);
}

/* The key of a try, which is resolved. */
static char *try_key(const struct tuning *tuning, const struct try *try, struct mu_error *err)
{
    char *text = mu_test_text(&try->test, tuning->info, err);
    char *whole = text != NULL ? mu_format(err, "tune %s tuning=%" PRIu32, text, tuning->generation) : NULL;
    char *key = mu_key_new(whole, err);
    mu_free(whole);
    mu_free(text);
    return key;
}

/* Is any try of the first sweep of this generation in the store? */
static bool has_generation(const struct tuning *tuning, uint32_t generation, struct mu_error *err)
{
    struct tuning other = *tuning;
    bool found = false;
    other.generation = generation;
    for (size_t i = 0; i < tuning->count && !found && err->status == MU_OK; i++) {
        char *key = try_key(&other, &tuning->tries[i], err);
        found = key != NULL && mu_store_find(tuning->store, key) != NULL;
        mu_free(key);
    }
    return found;
}

/* The tries of the first sweep. */
static int begin(struct tuning *tuning, struct mu_error *err)
{
    uint32_t sizes[MAX_SIZES];
    tuning->count = list_sizes(tuning->info, tuning->options, sizes);
    for (size_t i = 0; i < tuning->count && err->status == MU_OK; i++) {
        tuning->tries[i] = (struct try){.workgroup = sizes[i]};
        resolve_try(tuning, &tuning->tries[i], err);
    }
    return err->status;
}

static void find_generation(struct tuning *tuning, struct mu_error *err)
{
    tuning->generation = 0;
    while (has_generation(tuning, tuning->generation + 1, err)) tuning->generation++;
    if (tuning->options->again && has_generation(tuning, tuning->generation, err)) tuning->generation++;
}

bool mu_tune_begun(const struct mu_asked *asked, const struct mu_device_info *info,
                   const struct mu_tune_options *options, const struct mu_store *store)
{
    struct mu_error err = {0};
    struct tuning tuning = {.asked = *asked, .info = info, .options = options, .store = (struct mu_store *)store};
    return begin(&tuning, &err) == MU_OK && has_generation(&tuning, 0, &err);
}

/* ---- Running tries ---- */

/* Takes what the store has of a try. */
static int look_up(struct tuning *tuning, struct try *try, struct mu_error *err)
{
    struct mu_summary summary;
    size_t count = 0;
    char *key = try_key(tuning, try, err);
    if (key == NULL) return err->status;
    try->record = mu_store_find(tuning->store, key);
    mu_free(key);
    const char *outcome = json_string_value(json_object_get(try->record, "outcome"));
    if (outcome == NULL || strcmp(outcome, "ok") != 0) return MU_OK;
    double *values = mu_json_numbers(json_object_get(try->record, "samples_ns"), &count, err);
    if (values != NULL && mu_summarise(values, count, &summary, err) == MU_OK) try->median_ns = summary.median;
    mu_free(values);
    return err->status;
}

/* Makes the record of a try from its response (NULL: the process gave none), and stores it. */
static int keep(struct tuning *tuning, struct try *try, json_t *response, const struct mu_error *outcome,
                struct mu_error *err)
{
    char *key = try_key(tuning, try, err);
    struct mu_json built = mu_test_record(&try->test, tuning->info, response, outcome);
    mu_json_set_text(&built, "kind", "tune");
    mu_json_set_text(&built, "key", key);
    mu_json_set_number(&built, "tuning", tuning->generation);
    json_t *record = mu_json_take(&built, "the record of a try", err);
    if (err->status == MU_OK) {
        if (mu_store_append(tuning->store, record, err) == MU_OK) look_up(tuning, try, err);
        tuning->tuned->fresh++;
    }
    const int status = mu_outcome_status(json_string_value(json_object_get(record, "outcome")));
    if (status == MU_CRASH || status == MU_DEADLINE || status == MU_DEVICE) tuning->tuned->harm = status;
    json_decref(record);
    mu_free(key);
    return err->status;
}

static json_t *make_request(const struct tuning *tuning, struct try *const *pending, size_t count)
{
    struct mu_json tries = mu_json_array();
    double best = 0;
    for (size_t i = 0; i < tuning->count; i++)
        if (tuning->tries[i].median_ns > 0 && (best <= 0 || tuning->tries[i].median_ns < best))
            best = tuning->tries[i].median_ns;
    for (size_t i = 0; i < count; i++) mu_json_append(&tries, mu_test_request(&pending[i]->test));
    char refusal[MU_PLACEMENT_BYTES];
    const bool place = mu_placement_allow(pending[0]->test.placement, tuning->info, refusal);
    return json_pack("{s:s, s:o, s:o, s:o, s:I, s:b}", "kind", "tune", "test", mu_test_request(&pending[0]->test),
                     "device", mu_device_to_json(tuning->info), "tries", mu_json_take(&tries, "tries", NULL), "best_ns",
                     (json_int_t)best, "place", place);
}

/* Runs the tries in one process. *kept gets how many have a record now. A process that dies or hangs says nothing about
 * which of several tries is to blame: then none is kept. What else goes wrong before the first try (a bad input, no
 * memory) is the outcome of all. */
static int run_together(struct tuning *tuning, struct try **pending, size_t count, size_t *kept, struct mu_error *err)
{
    struct mu_error outcome = {0};
    json_t *response = NULL;
    json_t *request = make_request(tuning, pending, count);
    const struct mu_child_environment environment = {tuning->info->icd, &pending[0]->test.driver};
    mu_child_call(request, &environment, pending[0]->test.deadline * (count > 1 ? 2 : 1), &response, &outcome);
    json_decref(request);
    const json_t *served = json_object_get(response, "tries");
    const bool unclear = outcome.status == MU_CRASH || outcome.status == MU_DEADLINE;
    *kept = 0;
    if (outcome.status == MU_INTERRUPTED)
        mu_fail(err, MU_INTERRUPTED, "%s", outcome.message);
    else if (json_array_size(served) != 0)
        for (; *kept < count && *kept < json_array_size(served); ++*kept) {
            if (keep(tuning, pending[*kept], json_array_get(served, *kept), &outcome, err) != MU_OK) break;
        }
    else if (!unclear || count == 1)
        for (; *kept < count; ++*kept)
            if (keep(tuning, pending[*kept], NULL, &outcome, err) != MU_OK) break;
    json_decref(response);
    return err->status;
}

/* Runs the tries from `first` on that the store does not have. */
static int run_tries(struct tuning *tuning, size_t first, struct mu_error *err)
{
    struct try *pending[MAX_TRIES];
    size_t count = 0, kept = 0;
    for (size_t i = first; i < tuning->count; i++) {
        struct try *try = &tuning->tries[i];
        if (look_up(tuning, try, err) != MU_OK) return err->status;
        if (try->record != NULL) continue;
        if (try->refused.status == MU_OK)
            pending[count++] = try;
        else if (keep(tuning, try, NULL, &try->refused, err) != MU_OK)
            return err->status;
    }
    bool together = true;
    for (size_t done = 0; done < count && err->status == MU_OK; done += kept) {
        run_together(tuning, pending + done, together ? count - done : 1, &kept, err);
        together = together && kept != 0;
    }
    return err->status;
}

/* ---- Choosing ---- */

/* The best try but `not_this`; NULL when none went well. */
static const struct try *best_try(const struct tuning *tuning, const struct try *not_this)
{
    const struct try *best = NULL;
    for (size_t i = 0; i < tuning->count; i++) {
        const struct try *try = &tuning->tries[i];
        if (try != not_this && try->median_ns > 0 && (best == NULL || try->median_ns < best->median_ns)) best = try;
    }
    return best;
}

/* The second sweep: smaller teams at the two best workgroup sizes. */
static int add_teams(struct tuning *tuning, struct mu_error *err)
{
    const struct try *best = best_try(tuning, NULL);
    const struct try *const bases[] = {best, best != NULL ? best_try(tuning, best) : NULL};
    for (size_t i = 0; i < 2 && bases[i] != NULL; i++) {
        const json_int_t full = json_integer_value(json_object_get(bases[i]->record, "team"));
        for (size_t j = 0; j < TEAMS; j++) {
            const uint64_t team = (uint64_t)tuning->info->compute_units * per_unit[j];
            if (team == 0 || (json_int_t)team >= full || tuning->count >= MAX_TRIES) continue;
            struct try *added = &tuning->tries[tuning->count++];
            *added = (struct try){.workgroup = bases[i]->workgroup, .team = (uint32_t)team};
            if (resolve_try(tuning, added, err) != MU_OK) return err->status;
        }
    }
    return MU_OK;
}

static void choose(struct tuning *tuning)
{
    const struct try *best = best_try(tuning, NULL);
    for (size_t i = 0; i < tuning->count; i++) {
        const json_t *outcome = json_object_get(tuning->tries[i].record, "outcome");
        const int status = mu_outcome_status(json_string_value(outcome));
        if (status != MU_UNSUPPORTED) tuning->tuned->failure = mu_status_worse(status, tuning->tuned->failure);
    }
    tuning->tuned->tries = (uint32_t)tuning->count;
    tuning->tuned->found = best != NULL;
    if (best == NULL) return;
    tuning->tuned->workgroup = best->workgroup;
    tuning->tuned->team = best->team;
    tuning->tuned->median_ns = best->median_ns;
}

static int tune(struct tuning *tuning, enum mu_variant variant, struct mu_error *err)
{
    if (begin(tuning, err) != MU_OK) return err->status;
    find_generation(tuning, err);
    if (err->status != MU_OK || run_tries(tuning, 0, err) != MU_OK) return err->status;
    if (tries_teams(variant, tuning->info)) {
        const size_t first = tuning->count;
        if (add_teams(tuning, err) != MU_OK || run_tries(tuning, first, err) != MU_OK) return err->status;
    }
    choose(tuning);
    return MU_OK;
}

int mu_tune(const struct mu_asked *asked, const struct mu_device_info *info, const struct mu_tune_options *options,
            struct mu_store *store, struct mu_tuned *tuned, struct mu_error *err)
{
    struct tuning tuning = {.asked = *asked, .info = info, .options = options, .store = store, .tuned = tuned};
    memset(tuned, 0, sizeof *tuned);
    mu_ask(&tuning.asked, MU_TEST_samples, MU_TUNE_SAMPLES, MU_FROM_TUNING);
    mu_ask(&tuning.asked, MU_TEST_min_samples, 0, MU_FROM_TUNING);
    mu_ask_real(&tuning.asked, MU_TEST_max_time_s, options->max_time_s, MU_FROM_TUNING);
    tuning.asked.output = NULL;
    return tune(&tuning, (enum mu_variant)asked->options[MU_TEST_variant].number, err);
}
