#include "analysis/study.h"

#include "analysis/study_private.h"
#include "base/memory.h"
#include "records/schema.h"

#include <stdlib.h>
#include <string.h>

void mu_measurement_release(struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->process_count; i++) mu_free((void *)measurement->processes[i].values);
    mu_free(measurement->processes);
    mu_free(measurement->every);
    *measurement = (struct mu_measurement){0};
}

void mu_study_release(struct mu_study *study)
{
    for (size_t i = 0; i < study->count; i++) mu_measurement_release(&study->measurements[i]);
    mu_free(study->measurements);
    mu_words_release(&study->words);
    *study = (struct mu_study){0};
}

void mu_study_draft_release(struct mu_study_draft *draft)
{
    for (size_t i = 0; i < draft->count; i++) mu_measurement_release(&draft->places[i]);
    mu_free(draft->places);
    mu_free(draft->text.bytes);
    mu_words_release(&draft->words);
    json_decref(draft->session);
    *draft = (struct mu_study_draft){.kinds = draft->kinds};
}

/* ---- Order ---- */

/* Equal texts of one study are one text. */
static int compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

int mu_compare_benchmarks(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = compare_texts(a->app, b->app);
    if (order == 0) order = compare_texts(a->input, b->input);
    return order != 0 ? order : compare_texts(a->options, b->options);
}

int mu_compare_places(const struct mu_measurement *a, const struct mu_measurement *b)
{
    const int order = compare_texts(a->chip, b->chip);
    return order != 0 ? order : compare_texts(a->set, b->set);
}

static int compare_tests(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = compare_texts(a->chip, b->chip);
    if (order == 0) order = compare_texts(a->driver, b->driver);
    if (order == 0) order = compare_texts(a->set, b->set);
    if (order == 0) order = mu_compare_benchmarks(a, b);
    return order != 0 ? order : compare_texts(a->variant, b->variant);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_configurations(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = compare_tests(a, b);
    if (order == 0) order = compare_texts(a->kind, b->kind);
    if (order == 0) order = compare_numbers(a->tuning, b->tuning);
    if (order == 0) order = compare_numbers(a->workgroup, b->workgroup);
    if (order == 0) order = compare_numbers(a->team_limit, b->team_limit);
    return order != 0 ? order : compare_texts(a->config, b->config);
}

/* The order of the records is the order of time. */
static int compare_stably(const void *left, const void *right)
{
    const struct mu_measurement *a = left, *b = right;
    const int order = compare_configurations(a, b);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/* As for strcmp: whether two records are of the same measurement. */
static int compare_identities(const struct mu_measurement *a, const struct mu_measurement *b)
{
    return memcmp(a->identity, b->identity, sizeof a->identity);
}

static int compare_for_merging(const void *left, const void *right)
{
    const struct mu_measurement *a = left, *b = right;
    const int order = compare_identities(a, b);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/* ---- Putting together ---- */

/* A process that failed may not have got as far as telling what it ran on: then another one's words count. */
static void take_words(struct mu_measurement *to, const struct mu_measurement *from)
{
    if (to->process_count != 0 || from->process_count == 0) return;
    to->options = from->options;
    to->shown = from->shown;
    to->config = from->config;
}

static int merge(struct mu_measurement *to, struct mu_measurement *from, struct mu_error *err)
{
    const size_t processes = to->process_count + from->process_count;
    const size_t records = to->record_count + from->record_count;
    if (mu_resize((void **)&to->every, records, sizeof *to->every, "processes", err) != MU_OK ||
        (processes > 0 &&
         mu_resize((void **)&to->processes, processes, sizeof *to->processes, "processes", err) != MU_OK))
        return err->status;
    take_words(to, from);
    for (size_t i = 0; i < from->record_count; i++) to->every[to->record_count++] = from->every[i];
    for (size_t i = 0; i < from->process_count; i++) to->processes[to->process_count++] = from->processes[i];
    to->sample_count += from->sample_count;
    to->preempted += from->preempted;
    if (to->failed == 0) to->outcome = from->outcome;
    to->failed += from->failed;
    if (strcmp(from->last_date, to->last_date) > 0) to->last_date = from->last_date;
    from->process_count = 0; /* its samples have moved */
    if (from->team > to->team) to->team = from->team;
    mu_measurement_release(from);
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

/* Makes the place, and those before it. */
static int reach(struct mu_study_draft *draft, size_t place, struct mu_error *err)
{
    if (place >= draft->capacity) {
        const size_t capacity = place < 8 ? 16 : 2 * place;
        if (mu_resize((void **)&draft->places, capacity, sizeof *draft->places, "measurements", err) != MU_OK)
            return err->status;
        draft->capacity = capacity;
    }
    for (; draft->count <= place; draft->count++) draft->places[draft->count] = (struct mu_measurement){0};
    return MU_OK;
}

int mu_study_draft_put(struct mu_study_draft *draft, json_t *record, size_t place, struct mu_error *err)
{
    if (reach(draft, place, err) != MU_OK) return err->status;
    struct mu_measurement *measurement = &draft->places[place];
    mu_measurement_release(measurement);
    if (record == NULL || !is_wanted(record, draft->kinds)) return MU_OK;
    mu_measurement_read(draft, record, measurement, err);
    measurement->order = place;
    return err->status;
}

int mu_study_draft_move(struct mu_study_draft *draft, struct mu_measurement *record, struct mu_error *err)
{
    const size_t place = draft->count;
    if (reach(draft, place, err) != MU_OK) return err->status;
    draft->places[place] = *record;
    *record = (struct mu_measurement){0};
    return MU_OK;
}

/* Numbers the sessions, in the order in which they come. Records that do not tell their session are all of one. */
static int number_sessions(struct mu_study *study, json_t *sessions, struct mu_error *err)
{
    const char *last = NULL;
    uint32_t number = 0;
    for (size_t i = 0; i < study->count; i++) {
        struct mu_measurement *measurement = &study->measurements[i];
        if (measurement->process_count == 0) continue;
        if (measurement->session != last) {
            const json_t *known = json_object_get(sessions, measurement->session);
            number = known != NULL ? (uint32_t)json_integer_value(known) : (uint32_t)json_object_size(sessions);
            last = measurement->session;
            if (known == NULL && json_object_set_new(sessions, last, json_integer(number)) != 0)
                return mu_fail(err, MU_NO_MEMORY, "out of memory for sessions");
        }
        measurement->processes[0].session = number;
    }
    return MU_OK;
}

/* What is left of the draft when places without a record are left out. */
static void take_places(struct mu_study_draft *draft, struct mu_study *study)
{
    *study = (struct mu_study){.measurements = draft->places, .words = draft->words};
    for (size_t i = 0; i < draft->count; i++)
        if (draft->places[i].record_count != 0) study->measurements[study->count++] = draft->places[i];
    draft->words = (struct mu_words){0};
    draft->places = NULL;
    draft->count = draft->capacity = 0;
    mu_study_draft_release(draft);
}

static int put_together(struct mu_study *study, struct mu_error *err)
{
    if (study->count == 0) return MU_OK;
    qsort(study->measurements, study->count, sizeof *study->measurements, compare_for_merging);
    if (merge_all(study, err) != MU_OK) return err->status;
    qsort(study->measurements, study->count, sizeof *study->measurements, compare_stably);
    for (size_t i = 0; i < study->count && err->status == MU_OK; i++) {
        struct mu_measurement *measurement = &study->measurements[i];
        measurement->has_level = measurement->process_count > 0;
        if (measurement->has_level)
            mu_level_of(measurement->processes, measurement->process_count, &measurement->level, err);
    }
    return err->status;
}

int mu_study_finish(struct mu_study_draft *draft, json_t *sessions, struct mu_study *study, struct mu_error *err)
{
    json_t *own = sessions != NULL ? json_incref(sessions) : json_object();
    take_places(draft, study);
    if (own == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for sessions");
    if (err->status == MU_OK && number_sessions(study, own, err) == MU_OK) put_together(study, err);
    json_decref(own);
    if (err->status != MU_OK) mu_study_release(study);
    return err->status;
}

int mu_study_make(const json_t *records, unsigned kinds, struct mu_study *study, struct mu_error *err)
{
    struct mu_study_draft draft = {.kinds = kinds};
    *study = (struct mu_study){0};
    for (size_t i = 0; i < json_array_size(records) && err->status == MU_OK; i++)
        mu_study_draft_put(&draft, json_array_get(records, i), i, err);
    if (err->status == MU_OK) mu_study_finish(&draft, NULL, study, err);
    mu_study_draft_release(&draft);
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
                    mu_measurement_release(&study->measurements[j]);
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

/* The measurement of a variant of a test in a place, among those from `low` to before `high`; NULL: none. */
static const struct mu_measurement *find_between(const struct mu_study *study, size_t low, size_t high,
                                                 const struct mu_measurement *place,
                                                 const struct mu_measurement *benchmark, const char *variant)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct mu_measurement *there = &study->measurements[middle];
        int order = mu_compare_places(there, place);
        if (order == 0) order = mu_compare_benchmarks(there, benchmark);
        if (order == 0) order = compare_texts(there->variant, variant);
        if (order == 0) return there;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Where the measurements of the set of `start` end; all before `high` are of one chip. */
static size_t end_of_set(const struct mu_study *study, size_t start, size_t high)
{
    size_t low = start + 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_texts(study->measurements[middle].set, study->measurements[start].set) == 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether one of the measurements from `start` to before `end`, which have sets and the chip of `run`, is of its test.
 */
static bool has_campaign(const struct mu_study *study, size_t start, size_t end, const struct mu_measurement *run)
{
    for (size_t next; start < end; start = next) {
        next = end_of_set(study, start, end);
        if (find_between(study, start, next, &study->measurements[start], run, run->variant) != NULL) return true;
    }
    return false;
}

/* Drops single runs of tests that a campaign has. They have no set, so that campaigns come behind them. */
static void drop_single_runs(struct mu_study *study)
{
    size_t kept = 0;
    for (size_t chip = 0, end; chip < study->count; chip = end) {
        const char *newest = NULL;
        size_t sets = chip;
        end = end_of_chip(study, chip, false, &newest);
        while (sets < end && study->measurements[sets].set[0] == '\0') sets++;
        for (size_t i = chip; i < end; i++) {
            struct mu_measurement *next = &study->measurements[i];
            if (i < sets && strcmp(next->kind, "measure") != 0 && has_campaign(study, sets, end, next))
                mu_measurement_release(next);
            else
                study->measurements[kept++] = *next;
        }
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
        mu_measurement_release(&next);
    }
    study->count = kept;
}

const struct mu_measurement *mu_study_find(const struct mu_study *study, const struct mu_measurement *place,
                                           const struct mu_measurement *benchmark, const char *variant)
{
    return find_between(study, 0, study->count, place, benchmark, variant);
}
