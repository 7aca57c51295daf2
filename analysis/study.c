#include "analysis/study.h"

#include "analysis/study_private.h"
#include "base/memory.h"
#include "records/schema.h"

#include <stdlib.h>
#include <string.h>

void mu_measurement_free(struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->process_count; i++) mu_free((void *)measurement->processes[i].values);
    mu_free(measurement->processes);
    mu_free((void *)measurement->records);
    mu_free(measurement->owned_chip);
    mu_free(measurement->owned_options);
    mu_free(measurement->owned_shown);
    mu_free(measurement->owned_config);
    mu_free(measurement->owned_identity);
}

void mu_study_release(struct mu_study *study)
{
    for (size_t i = 0; i < study->count; i++) mu_measurement_free(&study->measurements[i]);
    mu_free(study->measurements);
    *study = (struct mu_study){0};
}

/* ---- Order ---- */

int mu_compare_benchmarks(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = strcmp(a->app, b->app);
    if (order == 0) order = strcmp(a->input, b->input);
    return order != 0 ? order : strcmp(a->options, b->options);
}

int mu_compare_places(const struct mu_measurement *a, const struct mu_measurement *b)
{
    const int order = strcmp(a->chip, b->chip);
    return order != 0 ? order : strcmp(a->set, b->set);
}

static int compare_tests(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = strcmp(a->chip, b->chip);
    if (order == 0) order = strcmp(a->driver, b->driver);
    if (order == 0) order = strcmp(a->set, b->set);
    if (order == 0) order = mu_compare_benchmarks(a, b);
    return order != 0 ? order : strcmp(a->variant, b->variant);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_configurations(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = compare_tests(a, b);
    if (order == 0) order = strcmp(a->kind, b->kind);
    if (order == 0) order = compare_numbers(a->tuning, b->tuning);
    if (order == 0) order = compare_numbers(a->workgroup, b->workgroup);
    if (order == 0) order = compare_numbers(a->team_limit, b->team_limit);
    return order != 0 ? order : strcmp(a->config, b->config);
}

/* The order of the records is the order of time. */
static int compare_stably(const void *left, const void *right)
{
    const struct mu_measurement *a = left, *b = right;
    const int order = compare_configurations(a, b);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/* Whether two records are of the same measurement. */
static int compare_identities(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = strcmp(a->chip, b->chip);
    if (order == 0) order = strcmp(a->driver, b->driver);
    return order != 0 ? order : strcmp(a->identity, b->identity);
}

static int compare_for_merging(const void *left, const void *right)
{
    const struct mu_measurement *a = left, *b = right;
    const int order = compare_identities(a, b);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/* ---- Putting together ---- */

/* A process that failed may not have got as far as telling what it ran on: then another one's words count. */
static void take_words(struct mu_measurement *to, struct mu_measurement *from)
{
    if (to->process_count != 0 || from->process_count == 0) return;
    char *const options = to->owned_options, *const shown = to->owned_shown, *const config = to->owned_config;
    to->options = to->owned_options = from->owned_options;
    to->shown = to->owned_shown = from->owned_shown;
    to->config = to->owned_config = from->owned_config;
    from->owned_options = options;
    from->owned_shown = shown;
    from->owned_config = config;
}

static int merge(struct mu_measurement *to, struct mu_measurement *from, struct mu_error *err)
{
    const size_t processes = to->process_count + from->process_count;
    const size_t records = to->record_count + from->record_count;
    if (mu_resize((void **)&to->records, records, sizeof *to->records, "records", err) != MU_OK ||
        (processes > 0 &&
         mu_resize((void **)&to->processes, processes, sizeof *to->processes, "processes", err) != MU_OK))
        return err->status;
    take_words(to, from);
    for (size_t i = 0; i < from->record_count; i++) to->records[to->record_count++] = from->records[i];
    for (size_t i = 0; i < from->process_count; i++) to->processes[to->process_count++] = from->processes[i];
    to->sample_count += from->sample_count;
    to->preempted += from->preempted;
    if (to->failed == 0) to->outcome = from->outcome;
    to->failed += from->failed;
    if (strcmp(from->last_date, to->last_date) > 0) to->last_date = from->last_date;
    from->process_count = 0; /* its samples have moved */
    if (from->team > to->team) to->team = from->team;
    mu_measurement_free(from);
    return MU_OK;
}

static int merge_all(struct mu_study *study, struct mu_error *err)
{
    size_t kept = 0, next = 0;
    for (; next < study->count && err->status == MU_OK; next++) {
        if (kept > 0 && compare_identities(&study->measurements[kept - 1], &study->measurements[next]) == 0) {
            if (merge(&study->measurements[kept - 1], &study->measurements[next], err) != MU_OK) break;
        } else {
            study->measurements[kept++] = study->measurements[next];
        }
    }
    while (next < study->count) study->measurements[kept++] = study->measurements[next++];
    study->count = kept;
    return err->status;
}

static bool is_wanted(const json_t *record, unsigned kinds)
{
    const bool tuned = strcmp(mu_record_kind(record), "tune") == 0;
    return (kinds & (tuned ? MU_STUDY_TUNED : MU_STUDY_MEASURED)) != 0;
}

/* The place of a record's session in `sessions`, where it is appended if it is new. Records that do not tell their
 * session are all of one. */
static size_t number_session(const json_t *record, json_t *sessions, struct mu_error *err)
{
    json_t *session = json_object_get(record, "session");
    size_t number = 0;
    if (session == NULL) session = json_null();
    while (number < json_array_size(sessions) && !json_equal(session, json_array_get(sessions, number))) number++;
    if (number == json_array_size(sessions) && json_array_append(sessions, session) != 0)
        mu_fail(err, MU_NO_MEMORY, "out of memory");
    return number;
}

int mu_study_make_with(const json_t *records, unsigned kinds, json_t *sessions, struct mu_study *study,
                       struct mu_error *err)
{
    size_t i;
    json_t *record;
    *study = (struct mu_study){0};
    study->measurements = mu_malloc(json_array_size(records), sizeof *study->measurements, "measurements", err);
    if (study->measurements == NULL) return MU_NO_MEMORY;
    json_array_foreach (records, i, record) {
        if (err->status != MU_OK || !is_wanted(record, kinds)) continue;
        struct mu_measurement *measurement = &study->measurements[study->count++];
        if (mu_measurement_read(record, measurement, err) == MU_OK && measurement->process_count > 0)
            measurement->processes[0].session = (uint32_t)number_session(record, sessions, err);
        measurement->order = i;
    }
    if (err->status == MU_OK && study->count > 0) {
        qsort(study->measurements, study->count, sizeof *study->measurements, compare_for_merging);
        if (merge_all(study, err) == MU_OK)
            qsort(study->measurements, study->count, sizeof *study->measurements, compare_stably);
    }
    for (i = 0; i < study->count && err->status == MU_OK; i++) {
        struct mu_measurement *measurement = &study->measurements[i];
        measurement->has_level = measurement->process_count > 0;
        if (measurement->has_level)
            mu_level_of(measurement->processes, measurement->process_count, &measurement->level, err);
    }
    if (err->status != MU_OK) mu_study_release(study);
    return err->status;
}

int mu_study_make(const json_t *records, unsigned kinds, struct mu_study *study, struct mu_error *err)
{
    json_t *sessions = json_array();
    *study = (struct mu_study){0};
    if (sessions == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory");
    mu_study_make_with(records, kinds, sessions, study, err);
    json_decref(sessions);
    return err->status;
}

/* ---- Choosing ---- */

/* The end of the measurements that follow `start` with its chip and, if asked for, its driver; *newest is their newest
 * date. */
static size_t end_of_chip(const struct mu_study *study, size_t start, bool with_driver, const char **newest)
{
    const struct mu_measurement *first = &study->measurements[start];
    size_t end = start;
    *newest = "";
    for (; end < study->count; end++) {
        const struct mu_measurement *next = &study->measurements[end];
        if (strcmp(next->chip, first->chip) != 0 || (with_driver && strcmp(next->driver, first->driver) != 0)) break;
        if (strcmp(next->last_date, *newest) > 0) *newest = next->last_date;
    }
    return end;
}

void mu_study_drop_old_drivers(struct mu_study *study)
{
    size_t kept = 0;
    for (size_t chip = 0, chip_end; chip < study->count; chip = chip_end) {
        const char *newest = NULL, *own = NULL;
        bool found = false;
        chip_end = end_of_chip(study, chip, false, &newest);
        for (size_t i = chip, end; i < chip_end; i = end) {
            end = end_of_chip(study, i, true, &own);
            const bool keep = !found && strcmp(own, newest) == 0;
            found = found || keep;
            for (size_t j = i; j < end; j++)
                if (keep)
                    study->measurements[kept++] = study->measurements[j];
                else
                    mu_measurement_free(&study->measurements[j]);
        }
    }
    study->count = kept;
}

/* Whether a is to stay rather than b, which is of the same test. */
static bool is_better(const struct mu_measurement *a, const struct mu_measurement *b)
{
    const bool campaign_a = strcmp(a->kind, "measure") == 0, campaign_b = strcmp(b->kind, "measure") == 0;
    if (campaign_a != campaign_b) return campaign_a;
    if (campaign_a) return strcmp(a->last_date, b->last_date) > 0;
    if (a->has_level != b->has_level) return a->has_level;
    if (a->has_level && a->level.log_value < b->level.log_value) return true;
    return !a->has_level && strcmp(a->last_date, b->last_date) > 0;
}

/* Whether one of the measurements from `start` on is a campaign's of the test of `run`, on its chip. */
static bool has_campaign(const struct mu_study *study, size_t start, const struct mu_measurement *run)
{
    for (size_t i = start; i < study->count && strcmp(study->measurements[i].chip, run->chip) == 0; i++) {
        const struct mu_measurement *other = &study->measurements[i];
        if (strcmp(other->kind, "measure") == 0 && mu_compare_benchmarks(other, run) == 0 &&
            strcmp(other->variant, run->variant) == 0)
            return true;
    }
    return false;
}

/* Drops single runs of tests that a campaign has. They have no set, so that campaigns come behind them. */
static void drop_single_runs(struct mu_study *study)
{
    size_t kept = 0;
    for (size_t i = 0; i < study->count; i++) {
        struct mu_measurement *next = &study->measurements[i];
        if (next->set[0] == '\0' && strcmp(next->kind, "measure") != 0 && has_campaign(study, i + 1, next))
            mu_measurement_free(next);
        else
            study->measurements[kept++] = *next;
    }
    study->count = kept;
}

void mu_study_choose(struct mu_study *study)
{
    size_t kept = 0;
    mu_study_drop_old_drivers(study);
    drop_single_runs(study);
    for (size_t i = 0; i < study->count; i++) {
        struct mu_measurement next = study->measurements[i];
        struct mu_measurement *last = kept > 0 ? &study->measurements[kept - 1] : NULL;
        if (last == NULL || compare_tests(last, &next) != 0) {
            study->measurements[kept++] = next;
            continue;
        }
        if (is_better(&next, last)) {
            struct mu_measurement worse = *last;
            *last = next;
            next = worse;
        }
        mu_measurement_free(&next);
    }
    study->count = kept;
}

const struct mu_measurement *mu_study_find(const struct mu_study *study, const struct mu_measurement *place,
                                           const struct mu_measurement *benchmark, const char *variant)
{
    size_t low = 0, high = study->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct mu_measurement *there = &study->measurements[middle];
        int order = mu_compare_places(there, place);
        if (order == 0) order = mu_compare_benchmarks(there, benchmark);
        if (order == 0) order = strcmp(there->variant, variant);
        if (order == 0) return there;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
