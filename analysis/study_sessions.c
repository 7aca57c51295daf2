/* Finds which records are of one session. That is one boot of a host on one day, or on past midnight while it measures
 * without a pause of an hour. */
#include "analysis/study_private.h"
#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAUSE_S 3600

/* A session as its records name it, and when they are of. */
struct span {
    const char *text, *first, *last;
    json_t *named;
    uint32_t number;
};

struct spans {
    struct span *span;
    size_t count, capacity, latest; /* `latest`: of the measurement before */
};

static int add_span(struct spans *spans, const struct mu_measurement *measurement, struct mu_error *err)
{
    if (spans->count == spans->capacity) {
        const size_t capacity = 2 * spans->capacity + 8;
        if (mu_resize((void **)&spans->span, capacity, sizeof *spans->span, "sessions", err) != MU_OK)
            return err->status;
        spans->capacity = capacity;
    }
    json_t *named = json_loads(measurement->session, JSON_DECODE_ANY, NULL);
    if (named == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for sessions");
    spans->latest = spans->count;
    spans->span[spans->count++] =
        (struct span){measurement->session, measurement->last_date, measurement->last_date, named, 0};
    return MU_OK;
}

/* Leaves the measurement's session, which consists of one record here, as the latest. Sessions are few, and records of
 * one follow each other. */
static int find_span(struct spans *spans, const struct mu_measurement *measurement, struct mu_error *err)
{
    const char *text = measurement->session;
    if (spans->count != 0 && spans->span[spans->latest].text == text) return MU_OK;
    for (size_t i = 0; i < spans->count; i++)
        if (strcmp(spans->span[i].text, text) == 0) {
            spans->latest = i;
            return MU_OK;
        }
    return add_span(spans, measurement, err);
}

static int collect(const struct mu_study *study, struct spans *spans, struct mu_error *err)
{
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        if (measurement->process_count == 0) continue;
        if (find_span(spans, measurement, err) != MU_OK) return err->status;
        struct span *span = &spans->span[spans->latest];
        if (strcmp(measurement->last_date, span->first) < 0) span->first = measurement->last_date;
        if (strcmp(measurement->last_date, span->last) > 0) span->last = measurement->last_date;
    }
    return MU_OK;
}

static int compare_spans(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    const int order = strcmp(a->first, b->first);
    return order != 0 ? order : strcmp(a->text, b->text);
}

/* Seconds since 1970 of a record's date; false where it is none. */
static bool read_date(const char *text, time_t *seconds)
{
    struct tm tm = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    if (end == NULL || *end != '\0') return false;
    *seconds = timegm(&tm);
    return true;
}

/* Returns true if the later session is the earlier one, past midnight. */
static bool goes_on(const struct span *earlier, const struct span *later)
{
    const char *boot = mu_json_text(later->named, "boot");
    time_t end, begin;
    if (boot[0] == '\0' || strcmp(boot, mu_json_text(earlier->named, "boot")) != 0 ||
        strcmp(mu_json_text(later->named, "host"), mu_json_text(earlier->named, "host")) != 0 ||
        strcmp(mu_json_text(later->named, "date"), mu_json_text(earlier->named, "date")) <= 0)
        return false;
    return read_date(earlier->last, &end) && read_date(later->first, &begin) && begin >= end && begin - end < PAUSE_S;
}

/* Numbers the sessions in the order of time: as another study has, which shares `numbers`, or as the session that went
 * on, or anew. */
static int number_spans(struct spans *spans, json_t *numbers, struct mu_error *err)
{
    if (spans->count != 0) qsort(spans->span, spans->count, sizeof *spans->span, compare_spans);
    for (size_t i = 0; i < spans->count; i++) {
        struct span *span = &spans->span[i];
        const json_t *known = json_object_get(numbers, span->text);
        span->number = known != NULL ? (uint32_t)json_integer_value(known) : (uint32_t)json_object_size(numbers);
        for (size_t j = 0; known == NULL && j < i; j++)
            if (goes_on(&spans->span[j], span)) span->number = spans->span[j].number;
        if (known == NULL && json_object_set_new(numbers, span->text, json_integer(span->number)) != 0)
            return mu_fail(err, MU_NO_MEMORY, "out of memory for sessions");
    }
    spans->latest = 0;
    return MU_OK;
}

int mu_study_number_sessions(struct mu_study *study, json_t *numbers, struct mu_error *err)
{
    struct spans spans = {0};
    if (collect(study, &spans, err) == MU_OK) number_spans(&spans, numbers, err);
    for (size_t i = 0; i < study->count && err->status == MU_OK; i++) {
        struct mu_measurement *measurement = &study->measurements[i];
        if (measurement->process_count == 0 || find_span(&spans, measurement, err) != MU_OK) continue;
        measurement->processes[0].session = spans.span[spans.latest].number;
    }
    for (size_t i = 0; i < spans.count; i++) json_decref(spans.span[i].named);
    mu_free(spans.span);
    return err->status;
}
