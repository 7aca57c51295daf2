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

/* Compares as strcmp does. Equal texts of one study are one text, which saves most comparisons. */
int mu_compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

int mu_compare_benchmarks(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = mu_compare_texts(a->app, b->app);
    if (order == 0) order = mu_compare_texts(a->input, b->input);
    return order != 0 ? order : mu_compare_texts(a->options, b->options);
}

int mu_compare_places(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = mu_compare_texts(a->chip, b->chip);
    if (order == 0) order = mu_compare_texts(a->set, b->set);
    return order != 0 ? order : mu_compare_texts(a->clock, b->clock);
}

int mu_compare_tests(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = mu_compare_texts(a->chip, b->chip);
    if (order == 0) order = mu_compare_texts(a->driver, b->driver);
    if (order == 0) order = mu_compare_texts(a->set, b->set);
    if (order == 0) order = mu_compare_texts(a->clock, b->clock);
    if (order == 0) order = mu_compare_benchmarks(a, b);
    return order != 0 ? order : mu_compare_texts(a->variant, b->variant);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_configurations(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = mu_compare_tests(a, b);
    if (order == 0) order = mu_compare_texts(a->kind, b->kind);
    if (order == 0) order = compare_numbers(a->tuning, b->tuning);
    if (order == 0) order = compare_numbers(a->workgroup, b->workgroup);
    if (order == 0) order = compare_numbers(a->team_limit, b->team_limit);
    return order != 0 ? order : mu_compare_texts(a->config, b->config);
}

/* Compares two records, by time among equals: their order is that of time. */
static int compare_stably(const void *left, const void *right)
{
    const struct mu_measurement *a = left, *b = right;
    const int order = compare_configurations(a, b);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/* Compares, as strcmp, the measurements that two records are of. */
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

/* Takes over what a record lacks. A process that failed may not have got as far as telling what it ran on. */
static void take_words(struct mu_measurement *to, const struct mu_measurement *from)
{
    if (to->process_count != 0 || from->process_count == 0) return;
    to->options = from->options;
    to->shown = from->shown;
    to->config = from->config;
}

void mu_measurement_add_core_latency(struct mu_measurement *measurement, double ns)
{
    if (ns > 0 && (measurement->core_latency_low == 0 || ns < measurement->core_latency_low))
        measurement->core_latency_low = ns;
    if (ns > measurement->core_latency_high) measurement->core_latency_high = ns;
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
    to->watched += from->watched;
    to->watched_ns += from->watched_ns;
    to->others_ns += from->others_ns;
    to->idle_ns += from->idle_ns;
    to->steal_ns += from->steal_ns;
    mu_measurement_add_core_latency(to, from->core_latency_low);
    mu_measurement_add_core_latency(to, from->core_latency_high);
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

/* Returns true for runs whose times are not those of the variant: those of a cooperative plan that share the device
 * with a load, or whose team gets random sizes, which have tables of their own (analysis/cooperative/); and those with
 * random waits, of which failures count. */
static bool is_no_time(const json_t *record)
{
    const json_t *configuration = json_object_get(record, "configuration");
    const char *load = mu_json_text(configuration, "load");
    return (load[0] != '\0' && strcmp(load, "none") != 0) || json_is_number(json_object_get(configuration, "stress")) ||
           (json_is_number(json_object_get(configuration, "perturb")) && mu_json_is(record, "outcome", "ok"));
}

static bool is_wanted(const json_t *record, unsigned kinds)
{
    const bool tuned = strcmp(mu_record_kind(record), "tune") == 0;
    return (kinds & (tuned ? MU_STUDY_TUNED : MU_STUDY_MEASURED)) != 0 && !is_no_time(record);
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

/* Copies a measurement of one record, with its lists but not its texts. */
static int copy_record(const struct mu_measurement *from, struct mu_measurement *to, struct mu_error *err)
{
    double *values = NULL;
    *to = *from;
    to->processes = NULL;
    to->every = mu_calloc(1, sizeof *to->every, "processes", err);
    if (to->every != NULL) to->every[0] = from->every[0];
    if (from->processes == NULL || to->every == NULL) return err->status;
    to->processes = mu_calloc(1, sizeof *to->processes, "processes", err);
    if (to->processes != NULL) values = mu_malloc(from->processes[0].count, sizeof *values, "samples", err);
    if (values == NULL) return err->status;
    to->processes[0] = from->processes[0];
    to->processes[0].values = memcpy(values, from->processes[0].values, from->processes[0].count * sizeof *values);
    return MU_OK;
}

int mu_study_draft_copy(const struct mu_study_draft *from,
                        bool (*wants)(const struct mu_measurement *record, const void *context), const void *context,
                        struct mu_study_draft *to, struct mu_error *err)
{
    for (size_t i = 0; i < from->count && err->status == MU_OK; i++) {
        const struct mu_measurement *record = &from->places[i];
        if (record->record_count == 0 || !wants(record, context)) continue;
        if (reach(to, to->count, err) == MU_OK) copy_record(record, &to->places[to->count - 1], err);
    }
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

/* The numbers of names, in the order in which they come, and the name that came last. */
struct numbers {
    json_t *known;
    const char *last;
    uint32_t number;
};

static int find_number(struct numbers *numbers, const char *name, struct mu_error *err)
{
    if (name == numbers->last) return MU_OK;
    const json_t *known = json_object_get(numbers->known, name);
    numbers->number = known != NULL ? (uint32_t)json_integer_value(known) : (uint32_t)json_object_size(numbers->known);
    numbers->last = name;
    if (known == NULL && json_object_set_new(numbers->known, name, json_integer(numbers->number)) != 0)
        return mu_fail(err, MU_NO_MEMORY, "out of memory for devices");
    return MU_OK;
}

/* Numbers the devices. Records that do not tell theirs are all of one. */
static int number_devices(struct mu_study *study, json_t *devices, struct mu_error *err)
{
    struct numbers device = {.known = devices};
    for (size_t i = 0; i < study->count; i++) {
        struct mu_measurement *measurement = &study->measurements[i];
        if (measurement->process_count == 0) continue;
        if (find_number(&device, measurement->device, err) != MU_OK) return err->status;
        measurement->processes[0].device = device.number;
    }
    return MU_OK;
}

/* Moves into the study what is left of the draft without the places that have no record. */
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

static bool is_of_one_comparison(const struct mu_measurement *a, const struct mu_measurement *b)
{
    return strcmp(a->comparison, b->comparison) == 0 && strcmp(a->chip, b->chip) == 0 && strcmp(a->set, b->set) == 0 &&
           strcmp(a->clock, b->clock) == 0;
}

/* Gives a measurement of which no process ended well the words of another form of its comparison, so that both are in
 * one row. It keeps its own where other forms ran on different inputs. */
static void borrow_words(const struct mu_study *study, struct mu_measurement *to)
{
    const struct mu_measurement *lender = NULL;
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *from = &study->measurements[i];
        if (from->process_count == 0 || !is_of_one_comparison(from, to)) continue;
        if (lender != NULL && strcmp(lender->options, from->options) != 0) return;
        lender = from;
    }
    if (lender == NULL) return;
    to->options = lender->options;
    to->shown = lender->shown;
}

static int put_together(struct mu_study *study, struct mu_error *err)
{
    if (study->count == 0) return MU_OK;
    qsort(study->measurements, study->count, sizeof *study->measurements, compare_for_merging);
    if (merge_all(study, err) != MU_OK) return err->status;
    for (size_t i = 0; i < study->count; i++) {
        struct mu_measurement *measurement = &study->measurements[i];
        if (measurement->process_count == 0 && measurement->comparison[0] != '\0') borrow_words(study, measurement);
    }
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
    json_t *own = sessions != NULL ? json_incref(sessions) : json_object(), *devices = json_object();
    take_places(draft, study);
    if (own == NULL || devices == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for sessions");
    if (err->status == MU_OK && mu_study_number_sessions(study, own, err) == MU_OK &&
        number_devices(study, devices, err) == MU_OK && put_together(study, err) == MU_OK)
        mu_study_name_files(study, err);
    json_decref(own);
    json_decref(devices);
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
