#include "analysis/study.h"

#include "base/memory.h"
#include "records/schema.h"

#include <stdlib.h>
#include <string.h>

/* What distinguishes tests beside app, input and variant, and what configurations beside workgroup size and team. */
static const char *const option_names[] = {"source", "sources", "delta", "min_angle", "seed", "input_hash", NULL};
static const char *const config_names[] = {"rollcall", "barrier", "atomics", NULL};

/* Members that are not shown while they have their usual value, or ever (NULL). */
static const struct {
    const char *name, *usual;
} quiet[] = {{"input_hash", NULL}, {"seed", "1"}, {"source", "0"}, {"sources", "0"}, {"delta", "0"}};

static bool is_quiet(const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++)
        if (strcmp(quiet[i].name, name) == 0) return quiet[i].usual == NULL || strcmp(quiet[i].usual, value) == 0;
    return false;
}

/* Appends " name=value" for those members that the record has, perhaps without the quiet ones. Frees text; the caller
 * frees what comes back, which is NULL when memory runs out. */
static char *join_members(char *text, const json_t *record, const char *const *names, bool all, struct mu_error *err)
{
    for (; text != NULL && *names != NULL; names++) {
        const json_t *member = json_object_get(record, *names);
        char number[32];
        const char *value = json_string_value(member);
        snprintf(number, sizeof number, "%.10g", json_number_value(member));
        if (json_is_number(member)) value = number;
        if (value == NULL || (!all && is_quiet(*names, value))) continue;
        char *longer = mu_format(err, "%s%s%s=%s", text, text[0] != '\0' ? " " : "", *names, value);
        mu_free(text);
        text = longer;
    }
    return text;
}

/* ---- One record as a measurement of its own ---- */

static uint32_t read_team_limit(const json_t *record)
{
    if (mu_json_count(record, "schema") >= 2) return mu_json_count(record, "team_limit");
    return mu_json_count(record, mu_json_count(record, "groups_launched") != 0 ? "groups_launched" : "team");
}

static int set_samples(struct mu_measurement *measurement, const json_t *record, struct mu_error *err)
{
    const json_t *samples = json_object_get(record, "samples_ns");
    json_t *sample;
    size_t i;
    const size_t count = json_array_size(samples);
    measurement->processes = mu_calloc(1, sizeof *measurement->processes, "processes", err);
    double *values = mu_malloc(count, sizeof *values, "samples", err);
    if (measurement->processes == NULL || values == NULL) {
        mu_free(values);
        return MU_NO_MEMORY;
    }
    json_array_foreach (samples, i, sample) values[i] = json_number_value(sample);
    json_array_foreach (json_object_get(record, "preempted"), i, sample)
        measurement->preempted += i < count && json_integer_value(sample) > 0;
    measurement->processes[0] = (struct mu_samples){values, count};
    measurement->process_count = 1;
    measurement->sample_count = count;
    return MU_OK;
}

static int read_record(struct mu_measurement *measurement, const json_t *record, struct mu_error *err)
{
    const char *label = mu_json_text(record, "label");
    *measurement = (struct mu_measurement){
        .driver = mu_json_text(record, "driver"),
        .app = mu_json_text(record, "app"),
        .input = mu_json_text(record, "input"),
        .variant = mu_json_text(record, "variant"),
        .kind = mu_record_kind(record),
        .outcome = mu_json_text(record, "outcome"),
        .last_date = mu_json_text(record, "date"),
        .workgroup = mu_json_count(record, "workgroup"),
        .team_limit = read_team_limit(record),
        .team = mu_json_count(record, "team"),
        .tuning = mu_json_count(record, "tuning"),
        .record_count = 1,
        .owned_chip = mu_format(err, "%s%s%s", mu_json_text(record, "chip"), label[0] != '\0' ? "@" : "", label),
        .owned_options = join_members(mu_strdup("", err), record, option_names, true, err),
        .owned_shown = join_members(mu_strdup(mu_json_text(record, "input"), err), record, option_names, false, err),
        .owned_config = join_members(mu_strdup("", err), record, config_names, true, err),
        .records = mu_malloc(1, sizeof *measurement->records, "records", err),
    };
    measurement->chip = measurement->owned_chip;
    measurement->options = measurement->owned_options;
    measurement->shown = measurement->owned_shown;
    measurement->config = measurement->owned_config;
    if (measurement->chip == NULL || measurement->options == NULL || measurement->shown == NULL ||
        measurement->config == NULL || measurement->records == NULL)
        return MU_NO_MEMORY;
    measurement->records[0] = record;
    /* The samples of a process that failed later are of no use: they may be of wrong results. */
    if (strcmp(measurement->outcome, "ok") == 0 && json_array_size(json_object_get(record, "samples_ns")) > 0)
        return set_samples(measurement, record, err);
    measurement->failed = 1;
    if (strcmp(measurement->outcome, "ok") == 0) measurement->outcome = "no-samples";
    return MU_OK;
}

static void free_measurement(struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->process_count; i++) mu_free((void *)measurement->processes[i].values);
    mu_free(measurement->processes);
    mu_free((void *)measurement->records);
    mu_free(measurement->owned_chip);
    mu_free(measurement->owned_options);
    mu_free(measurement->owned_shown);
    mu_free(measurement->owned_config);
}

void mu_study_release(struct mu_study *study)
{
    for (size_t i = 0; i < study->count; i++) free_measurement(&study->measurements[i]);
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

static int compare_tests(const struct mu_measurement *a, const struct mu_measurement *b)
{
    int order = strcmp(a->chip, b->chip);
    if (order == 0) order = strcmp(a->driver, b->driver);
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

/* ---- Putting together ---- */

static int merge(struct mu_measurement *to, struct mu_measurement *from, struct mu_error *err)
{
    const size_t processes = to->process_count + from->process_count;
    const size_t records = to->record_count + from->record_count;
    if (mu_resize((void **)&to->records, records, sizeof *to->records, "records", err) != MU_OK ||
        (processes > 0 &&
         mu_resize((void **)&to->processes, processes, sizeof *to->processes, "processes", err) != MU_OK))
        return err->status;
    for (size_t i = 0; i < from->record_count; i++) to->records[to->record_count++] = from->records[i];
    for (size_t i = 0; i < from->process_count; i++) to->processes[to->process_count++] = from->processes[i];
    to->sample_count += from->sample_count;
    to->preempted += from->preempted;
    if (to->failed == 0) to->outcome = from->outcome;
    to->failed += from->failed;
    if (strcmp(from->last_date, to->last_date) > 0) to->last_date = from->last_date;
    from->process_count = 0; /* its samples have moved */
    if (from->team > to->team) to->team = from->team;
    free_measurement(from);
    return MU_OK;
}

static int merge_all(struct mu_study *study, struct mu_error *err)
{
    size_t kept = 0, next = 0;
    for (; next < study->count && err->status == MU_OK; next++) {
        if (kept > 0 && compare_configurations(&study->measurements[kept - 1], &study->measurements[next]) == 0) {
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

int mu_study_make(const json_t *records, unsigned kinds, struct mu_study *study, struct mu_error *err)
{
    size_t i;
    json_t *record;
    *study = (struct mu_study){0};
    study->measurements = mu_malloc(json_array_size(records), sizeof *study->measurements, "measurements", err);
    if (study->measurements == NULL) return MU_NO_MEMORY;
    json_array_foreach (records, i, record) {
        if (err->status != MU_OK || !is_wanted(record, kinds)) continue;
        read_record(&study->measurements[study->count], record, err);
        study->measurements[study->count++].order = i;
    }
    if (err->status == MU_OK && study->count > 0) {
        qsort(study->measurements, study->count, sizeof *study->measurements, compare_stably);
        merge_all(study, err);
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

/* Leaves the measurements of each chip's newest driver. */
static void drop_old_drivers(struct mu_study *study)
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
                    free_measurement(&study->measurements[j]);
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

void mu_study_choose(struct mu_study *study)
{
    size_t kept = 0;
    drop_old_drivers(study);
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
        free_measurement(&next);
    }
    study->count = kept;
}

const struct mu_measurement *mu_study_find(const struct mu_study *study, const char *chip,
                                           const struct mu_measurement *benchmark, const char *variant)
{
    size_t low = 0, high = study->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct mu_measurement *there = &study->measurements[middle];
        int order = strcmp(there->chip, chip);
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
