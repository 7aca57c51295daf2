#include "analysis/peers/times.h"

#include "analysis/tables/common.h"
#include "analysis/tables/probe_results.h"
#include "base/json.h"
#include "base/memory.h"
#include "records/schema.h"

#include <stdlib.h>
#include <string.h>

/* ---- One record ---- */

/* Fills in the time of a record, which is one process: all its samples, or the median where it has no more. */
static int read_samples(const json_t *record, struct mu_samples *samples, struct mu_error *err)
{
    const json_t *list = json_object_get(record, "samples_ns");
    const double median = mu_json_real(record, "median_ns");
    double *values = NULL;
    *samples = (struct mu_samples){0};
    if (list != NULL)
        values = mu_json_numbers(list, &samples->count, err);
    else if (median > 0 && (values = mu_malloc(1, sizeof *values, "a median", err)) != NULL)
        values[samples->count++] = median;
    samples->values = values;
    for (size_t i = 0; i < samples->count; i++)
        if (!(values[i] > 0))
            return mu_fail(err, MU_INPUT, "a record of %s has a time that is not positive",
                           mu_json_text(record, "program"));
    return err->status;
}

static struct mu_peer_time describe(const json_t *record)
{
    return (struct mu_peer_time){
        .chip = mu_json_text(record, "chip"),
        .app = mu_json_text(record, "app"),
        .input = mu_json_text(record, "input"),
        .program = mu_json_text(record, "program"),
        .clock = mu_json_text(record, "clock"),
        .parameter = mu_json_text(record, "parameter"),
        .hash = mu_json_text(record, "input_hash"),
        .order = mu_json_text(record, "order"),
        .vertices = mu_json_real(record, "vertices"),
        .edges = mu_json_real(record, "edges"),
        .sources = mu_json_real(record, "sources"),
        .outcome = mu_json_text(record, "outcome"),
        .check = mu_json_text(record, "check"),
        .note = mu_json_text(record, "note"),
    };
}

/* ---- Order ---- */

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* Compares, as strcmp, the rows of the table that two times are of. */
static int compare_rows(const struct mu_peer_time *a, const struct mu_peer_time *b)
{
    int order = strcmp(a->chip, b->chip);
    if (order == 0) order = strcmp(a->app, b->app);
    if (order == 0) order = strcmp(a->input, b->input);
    if (order == 0) order = compare_numbers(a->vertices, b->vertices);
    if (order == 0) order = compare_numbers(a->edges, b->edges);
    if (order == 0) order = compare_numbers(a->sources, b->sources);
    if (order == 0) order = strcmp(a->hash, b->hash);
    if (order == 0) order = strcmp(a->program, b->program);
    return order != 0 ? order : strcmp(a->clock, b->clock);
}

/* Compares, as strcmp, parameter, condition and outcome of two times. */
static int compare_settings(const struct mu_peer_time *a, const struct mu_peer_time *b)
{
    int order = compare_rows(a, b);
    if (order == 0) order = strcmp(a->parameter, b->parameter);
    if (order == 0) order = strcmp(a->note, b->note);
    if (order == 0) order = strcmp(a->outcome, b->outcome);
    return order != 0 ? order : strcmp(a->check, b->check);
}

static int compare_records(const void *left, const void *right)
{
    const struct mu_peer_time a = describe(*(json_t *const *)left), b = describe(*(json_t *const *)right);
    return compare_settings(&a, &b);
}

/* ---- Putting together ---- */

/* Returns the place of the first record of the same session, which here is a day. */
static uint32_t session_of(json_t *const *records, size_t record)
{
    size_t first = 0;
    while (strcmp(mu_json_text(records[first], "day"), mu_json_text(records[record], "day")) != 0) first++;
    return (uint32_t)(first % MU_SESSIONS_MAX);
}

/* Fills in the level of the records, which are processes with one parameter. */
static int take_level(json_t *const *records, size_t count, struct mu_peer_time *time, struct mu_error *err)
{
    struct mu_samples *processes = mu_calloc(count, sizeof *processes, "processes", err);
    size_t used = 0;
    for (size_t i = 0; processes != NULL && i < count && err->status == MU_OK; i++) {
        read_samples(records[i], &processes[used], err);
        processes[used].session = session_of(records, i);
        used += processes[used].values != NULL;
    }
    time->has_level = used > 0 && err->status == MU_OK;
    if (time->has_level) mu_level_of(processes, used, &time->level, err);
    for (size_t i = 0; i < used; i++) mu_free((void *)processes[i].values);
    mu_free(processes);
    return err->status;
}

/* Returns true if a is to stand in the table rather than b: what ended well first, then the faster. */
static bool is_better(const struct mu_peer_time *a, const struct mu_peer_time *b)
{
    const bool a_ok = strcmp(a->outcome, "ok") == 0 && a->has_level,
               b_ok = strcmp(b->outcome, "ok") == 0 && b->has_level;
    if (a_ok != b_ok) return a_ok;
    return a_ok && a->level.log_value < b->level.log_value;
}

/* Adds the time of one setting, where its row has no better one. */
static void add(struct mu_peer_times *peers, struct mu_peer_time *time, bool is_other_parameter)
{
    struct mu_peer_time *last = peers->count > 0 ? &peers->times[peers->count - 1] : NULL;
    if (last == NULL || compare_rows(last, time) != 0) {
        time->tried = 1;
        peers->times[peers->count++] = *time;
        return;
    }
    time->tried = last->tried + is_other_parameter;
    if (is_better(time, last))
        *last = *time;
    else
        last->tried = time->tried;
}

static int put_together(struct mu_peer_times *peers, struct mu_error *err)
{
    const size_t count = json_array_size(peers->records);
    json_t **records = mu_malloc(count + 1, sizeof *records, "times of other programs", err);
    peers->times = mu_malloc(count + 1, sizeof *peers->times, "times of other programs", err);
    if (records != NULL && peers->times != NULL) {
        for (size_t i = 0; i < count; i++) records[i] = json_array_get(peers->records, i);
        qsort(records, count, sizeof *records, compare_records);
        for (size_t i = 0, end; i < count && err->status == MU_OK; i = end) {
            struct mu_peer_time time = describe(records[i]);
            for (end = i + 1; end < count && compare_records(&records[i], &records[end]) == 0;) end++;
            const bool is_other = i == 0 || strcmp(mu_json_text(records[i - 1], "parameter"), time.parameter) != 0;
            if (take_level(&records[i], end - i, &time, err) == MU_OK) add(peers, &time, is_other);
        }
    }
    mu_free(records);
    return err->status;
}

/* Returns true if the request's filters let the record through. */
static bool is_wanted(const struct mu_table_request *request, const json_t *record)
{
    const struct mu_measurement like = {.plain_chip = mu_json_text(record, "chip"),
                                        .app = mu_json_text(record, "app"),
                                        .input = mu_json_text(record, "input"),
                                        .plain_variant = request->variant};
    return mu_json_is(record, "kind", "peer") && mu_table_wants(request, &like);
}

int mu_peer_times_load(const struct mu_table_request *request, struct mu_peer_times *peers, struct mu_error *err)
{
    json_t *chips = NULL, *of, *record;
    const char *chip;
    size_t i;
    *peers = (struct mu_peer_times){.records = json_array()};
    if (peers->records == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for times of other programs");
    if (mu_survey_results_load(request, MU_PEER_FILE, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, of)
            json_array_foreach (of, i, record)
                if (is_wanted(request, record) && json_array_append(peers->records, record) != 0)
                    mu_fail(err, MU_NO_MEMORY, "out of memory for times of other programs");
    }
    json_decref(chips);
    return err->status == MU_OK ? put_together(peers, err) : err->status;
}

void mu_peer_times_release(struct mu_peer_times *peers)
{
    mu_free(peers->times);
    json_decref(peers->records);
    *peers = (struct mu_peer_times){0};
}

/* ---- Side by side ---- */

bool mu_peer_same_work(const struct mu_peer_time *own, const struct mu_peer_time *peer)
{
    const bool hashed = own->hash[0] != '\0' && peer->hash[0] != '\0';
    return own->vertices > 0 && own->edges > 0 && compare_numbers(own->vertices, peer->vertices) == 0 &&
           compare_numbers(own->edges, peer->edges) == 0 && compare_numbers(own->sources, peer->sources) == 0 &&
           (peer->order[0] == '\0' || strcmp(own->order, peer->order) == 0) &&
           (hashed ? strcmp(own->hash, peer->hash) == 0 : strcmp(own->input, peer->input) == 0);
}

/* Copies what a measurement's options say behind `name`, up to a blank: "… input_hash=0123456789abcdef …". */
static const char *option_of(const struct mu_measurement *measurement, const char *name, char text[32])
{
    const char *at = strstr(measurement->options, name);
    if (at != NULL) at += strlen(name);
    snprintf(text, 32, "%.*s", at != NULL ? (int)strcspn(at, " ") : 0, at != NULL ? at : "");
    return text;
}

static bool is_beside(const struct mu_measurement *measurement, const struct mu_peer_time *peer)
{
    const char *name = strchr(measurement->app, '/');
    char hash[32], order[32];
    if (!mu_table_counts(measurement) || measurement->record_count == 0 || name == NULL ||
        strcmp(name + 1, peer->app) != 0 || strcmp(measurement->plain_chip, peer->chip) != 0)
        return false;
    const struct mu_peer_time own = {.input = measurement->input,
                                     .hash = option_of(measurement, "input_hash=", hash),
                                     .order = option_of(measurement, "order=", order),
                                     .vertices = measurement->every[0].vertices,
                                     .edges = measurement->every[0].edges,
                                     .sources = measurement->every[0].sources};
    return mu_peer_same_work(&own, peer);
}

const struct mu_measurement *mu_peer_beside(const struct mu_study *study, const struct mu_peer_time *peer)
{
    const struct mu_measurement *best = NULL;
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *next = &study->measurements[i];
        if (!is_beside(next, peer)) continue;
        const bool present = strcmp(next->clock, MU_CLOCK) == 0;
        const bool best_present = best != NULL && strcmp(best->clock, MU_CLOCK) == 0;
        if (best == NULL || (present && !best_present) ||
            (present == best_present && next->level.log_value < best->level.log_value))
            best = next;
    }
    return best;
}
