#include "harness/campaign/tune.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/engine/batch.h"
#include "harness/run/identity.h"
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
    double median_ns;         /* 0 unless it went well */
    struct mu_test test;      /* resolved for these sizes */
};

struct tuning {
    struct mu_asked asked;
    const struct mu_device_info *info;
    const struct mu_tune_options *options;
    struct mu_engine *engine;
    struct mu_store *store;
    struct mu_tuned *tuned;
    uint32_t generation;
    struct try tries[MAX_TRIES];
    struct mu_point points[MAX_TRIES]; /* of the tries, in the same order */
    size_t count;
};

/* ---- Which tries ---- */

/* Fills sizes[MAX_SIZES] with the workgroup sizes to try. Returns their number. */
static size_t list_sizes(const struct mu_device_info *info, const struct mu_tune_options *options, uint32_t *sizes)
{
    size_t count = 0;
    const uint32_t most =
        options->most != 0 && options->most < info->max_workgroup ? options->most : info->max_workgroup;
    for (uint32_t size = options->quick ? MU_TUNE_QUICK : options->least; size <= most && count < MAX_SIZES;
         size *= options->quick ? 4 : 2)
        sizes[count++] = size;
    /* A device of tiny workgroups: its largest size. */
    if (count != 0) return count;
    sizes[0] = 1;
    while (sizes[0] * 2 <= most) sizes[0] *= 2;
    return 1;
}

/* Returns true if smaller teams are tried: not where nothing may be known of the team, or where it must be the whole
 * bound. */
static bool tries_teams(const struct mu_asked *asked, const struct mu_device_info *info,
                        const struct mu_tune_options *tune)
{
    const struct mu_value *options = asked->options;
    const bool has_team =
        options[MU_TEST_variant].number != MU_MULTI_KERNEL || options[MU_TEST_grid].number == MU_GRID_FIXED;
    return has_team && !tune->quick && !info->cpu && options[MU_TEST_condition].number == MU_WARM &&
           options[MU_TEST_team_limit].number != MU_TEAM_BOUND;
}

uint32_t mu_tune_most_tries(const struct mu_asked *asked, const struct mu_device_info *info,
                            const struct mu_tune_options *options)
{
    uint32_t sizes[MAX_SIZES];
    const uint32_t count = (uint32_t)list_sizes(info, options, sizes);
    return count + (tries_teams(asked, info, options) ? (count > 1 ? 2u : 1u) * TEAMS : 0);
}

/* Makes the key of a resolved try of a generation. */
static int try_key(const struct tuning *tuning, const struct try *try, uint32_t generation, char key[MU_KEY_BYTES],
                   struct mu_error *err)
{
    char *text = mu_test_text(&try->test, tuning->info, err);
    char *whole = text != NULL ? mu_format(err, "tune %s tuning=%" PRIu32, text, generation) : NULL;
    if (whole != NULL) mu_key_of(whole, key);
    mu_free(whole);
    mu_free(text);
    return err->status;
}

/* Adds a try. Each is resolved for itself, since defaults may depend on its sizes. */
static int add_try(struct tuning *tuning, uint32_t workgroup, uint32_t team, struct mu_error *err)
{
    const struct mu_engine_environment *environment = &tuning->engine->environment;
    struct mu_asked asked = tuning->asked;
    struct try *try = &tuning->tries[tuning->count];
    struct mu_point *point = &tuning->points[tuning->count];
    if (tuning->count >= MAX_TRIES) return MU_OK;
    *try = (struct try){.workgroup = workgroup, .team = team};
    *point = (struct mu_point){0};
    mu_ask(&asked, MU_TEST_workgroup, workgroup, MU_FROM_TUNING);
    mu_ask(&asked, MU_TEST_team_limit, team, MU_FROM_TUNING);
    environment->resolve(environment->context, &asked, &try->test, &point->refused);
    if (point->refused.status == MU_INTERRUPTED) return mu_fail(err, MU_INTERRUPTED, "%s", point->refused.message);
    tuning->count++;
    return MU_OK;
}

/* Returns true if the store has a try of the first sweep of this generation. */
static bool has_generation(const struct tuning *tuning, uint32_t generation, struct mu_error *err)
{
    bool found = false;
    for (size_t i = 0; i < tuning->count && !found && err->status == MU_OK; i++) {
        char key[MU_KEY_BYTES];
        found = try_key(tuning, &tuning->tries[i], generation, key, err) == MU_OK && mu_store_has(tuning->store, key);
    }
    return found;
}

/* Adds the tries of the first sweep. */
static int begin(struct tuning *tuning, struct mu_error *err)
{
    uint32_t sizes[MAX_SIZES];
    const size_t count = list_sizes(tuning->info, tuning->options, sizes);
    for (size_t i = 0; i < count && err->status == MU_OK; i++) add_try(tuning, sizes[i], 0, err);
    return err->status;
}

static void find_generation(struct tuning *tuning, struct mu_error *err)
{
    tuning->generation = 0;
    while (has_generation(tuning, tuning->generation + 1, err)) tuning->generation++;
    if (tuning->options->again && has_generation(tuning, tuning->generation, err)) tuning->generation++;
}

/* ---- Running tries ---- */

/* Makes the record of a try; for struct mu_batch. */
static int record_try(void *context, size_t which, const struct mu_answer *answer, struct mu_json *records,
                      struct mu_error *err)
{
    const struct tuning *tuning = context;
    struct mu_json record = mu_test_record(&tuning->tries[which].test, tuning->info, answer->response, answer->outcome);
    mu_json_set_text(&record, "kind", "tune");
    mu_json_set_text(&record, "key", tuning->points[which].key);
    mu_json_set_number(&record, "tuning", tuning->generation);
    mu_json_append_part(records, &record);
    return err->status;
}

/* Makes the request of a child that tries several sizes, and gives up those that are hopeless beside the best so far;
 * for struct mu_batch. */
static int call_tries(void *context, const size_t *which, size_t count, struct mu_call *call, struct mu_error *err)
{
    const struct tuning *tuning = context;
    const struct mu_test *first = &tuning->tries[which[0]].test;
    struct mu_json tries = mu_json_array();
    double best = 0;
    for (size_t i = 0; i < tuning->count; i++)
        if (tuning->tries[i].median_ns > 0 && (best <= 0 || tuning->tries[i].median_ns < best))
            best = tuning->tries[i].median_ns;
    for (size_t i = 0; i < count; i++) mu_json_append(&tries, mu_test_request(&tuning->tries[which[i]].test));
    *call = (struct mu_call){.deadline_s = first->deadline, .settings = first->driver, .placement = first->placement};
    call->request = json_pack("{s:s, s:o, s:o, s:o, s:I}", "kind", "tests", "test", mu_test_request(first), "device",
                              mu_device_to_json(tuning->info), "tests", mu_json_take(&tries, "tries", NULL), "best_ns",
                              (json_int_t)best);
    return call->request != NULL ? MU_OK : mu_fail(err, MU_NO_MEMORY, "out of memory: tries");
}

/* Reads the median of a try from its record. */
static int read_median(struct tuning *tuning, size_t which, struct mu_error *err)
{
    struct mu_summary summary;
    size_t count = 0;
    const json_t *record = tuning->points[which].record;
    if (!mu_json_is(record, "outcome", mu_status_outcome(MU_OK))) return MU_OK;
    double *values = mu_json_numbers(json_object_get(record, "samples_ns"), &count, err);
    if (values != NULL && mu_summarise(values, count, &summary, err) == MU_OK)
        tuning->tries[which].median_ns = summary.median;
    mu_free(values);
    return err->status;
}

/* Runs the tries from `first` on that the store does not have. */
static int run_tries(struct tuning *tuning, size_t first, struct mu_error *err)
{
    struct mu_batch batch = {.store = tuning->store,
                             .points = tuning->points,
                             .count = tuning->count,
                             .context = tuning,
                             .call = call_tries,
                             .record = record_try};
    for (size_t i = first; i < tuning->count && err->status == MU_OK; i++)
        try_key(tuning, &tuning->tries[i], tuning->generation, tuning->points[i].key, err);
    if (err->status == MU_OK) mu_batch_run(&batch, tuning->engine, first, err);
    for (size_t i = first; i < tuning->count && err->status == MU_OK; i++) read_median(tuning, i, err);
    tuning->tuned->fresh += batch.fresh;
    if (batch.harm != MU_OK) tuning->tuned->harm = batch.harm;
    return err->status;
}

/* ---- Choosing ---- */

/* Returns the best try other than `not_this`; NULL when none went well. */
static const struct try *best_try(const struct tuning *tuning, const struct try *not_this)
{
    const struct try *best = NULL;
    for (size_t i = 0; i < tuning->count; i++) {
        const struct try *try = &tuning->tries[i];
        if (try != not_this && try->median_ns > 0 && (best == NULL || try->median_ns < best->median_ns)) best = try;
    }
    return best;
}

/* Returns the team of a try; for multi-kernel, the workgroups of each step. */
static uint64_t team_of(const struct tuning *tuning, const struct try *try)
{
    const json_t *record = tuning->points[try - tuning->tries].record;
    const uint64_t team = mu_json_number(record, "team");
    return team != 0 ? team : mu_json_number(record, "groups_launched");
}

/* Adds the tries of the second sweep: smaller teams at the two best workgroup sizes. */
static int add_teams(struct tuning *tuning, struct mu_error *err)
{
    const struct try *best = best_try(tuning, NULL);
    const struct try *const bases[] = {best, best != NULL ? best_try(tuning, best) : NULL};
    for (size_t i = 0; i < 2 && bases[i] != NULL; i++) {
        const uint64_t full = team_of(tuning, bases[i]);
        for (size_t j = 0; j < TEAMS; j++) {
            const uint64_t team = (uint64_t)mu_device_units(tuning->info) * per_unit[j];
            if (team == 0 || team >= full) continue;
            if (add_try(tuning, bases[i]->workgroup, (uint32_t)team, err) != MU_OK) return err->status;
        }
    }
    return MU_OK;
}

static void choose(struct tuning *tuning)
{
    const struct try *best = best_try(tuning, NULL);
    for (size_t i = 0; i < tuning->count; i++) {
        const int status = mu_point_status(&tuning->points[i]);
        if (status != MU_UNSUPPORTED) tuning->tuned->failure = mu_status_worse(status, tuning->tuned->failure);
    }
    tuning->tuned->tries = (uint32_t)tuning->count;
    tuning->tuned->found = best != NULL;
    if (best == NULL) return;
    tuning->tuned->workgroup = best->workgroup;
    tuning->tuned->team = best->team;
    tuning->tuned->found_team = (uint32_t)team_of(tuning, best);
    tuning->tuned->median_ns = best->median_ns;
}

static int tune(struct tuning *tuning, struct mu_error *err)
{
    if (begin(tuning, err) != MU_OK) return err->status;
    find_generation(tuning, err);
    if (err->status != MU_OK || run_tries(tuning, 0, err) != MU_OK) return err->status;
    if (tries_teams(&tuning->asked, tuning->info, tuning->options)) {
        const size_t first = tuning->count;
        if (add_teams(tuning, err) != MU_OK || run_tries(tuning, first, err) != MU_OK) return err->status;
    }
    choose(tuning);
    return MU_OK;
}

int mu_tune(const struct mu_tune_place *place, const struct mu_asked *asked, const struct mu_tune_options *options,
            struct mu_tuned *tuned, struct mu_error *err)
{
    struct tuning *tuning = mu_calloc(1, sizeof *tuning, "a tuning", err);
    if (tuning == NULL) return err->status;
    *tuning = (struct tuning){.asked = *asked,
                              .info = place->info,
                              .options = options,
                              .engine = place->engine,
                              .store = place->store,
                              .tuned = tuned};
    memset(tuned, 0, sizeof *tuned);
    mu_ask(&tuning->asked, MU_TEST_samples, MU_TUNE_SAMPLES, MU_FROM_TUNING);
    mu_ask(&tuning->asked, MU_TEST_min_samples, 0, MU_FROM_TUNING);
    mu_ask_real(&tuning->asked, MU_TEST_max_time_s, options->max_time_s, MU_FROM_TUNING);
    tuning->asked.output = NULL;
    tune(tuning, err);
    mu_points_release(tuning->points, tuning->count);
    mu_free(tuning);
    return err->status;
}
