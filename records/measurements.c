#include "records/measurements.h"

#include "base/files/stream.h"
#include "records/lines.h"
#include "records/schema.h"

#include <errno.h>
#include <unistd.h>

struct reader {
    mu_measurement_filter wanted; /* NULL: all of them */
    const void *context;
    struct mu_json measurements;
};

/* For mu_line_reader. */
static int take(void *context, json_t *object, const struct mu_line *line, struct mu_error *err)
{
    struct reader *reader = context;
    const json_int_t schema = json_integer_value(json_object_get(object, "schema"));
    if (!json_is_object(json_object_get(object, "parameters")))
        return mu_fail(err, MU_INPUT, "%s:%zu: not a measurement", line->path, line->number);
    if (schema < 1 || schema > MU_RECORD_SCHEMA)
        return mu_fail(err, MU_INPUT, "%s:%zu: schema %lld; this program reads 1 to %d", line->path, line->number,
                       (long long)schema, MU_RECORD_SCHEMA);
    if (reader->wanted == NULL || reader->wanted(object, reader->context))
        mu_json_append(&reader->measurements, json_incref(object));
    return MU_OK;
}

int mu_measurements_load(const char *path, mu_measurement_filter wanted, const void *context, json_t **measurements,
                         struct mu_error *err)
{
    struct mu_source source = {0};
    struct reader reader = {.wanted = wanted, .context = context, .measurements = mu_json_array()};
    struct mu_line_reader lines = {.path = path, .take = take, .context = &reader, .notes = stderr};
    const bool missing = access(path, F_OK) != 0 && errno == ENOENT;
    if (!missing && mu_source_read(path, &source, err) == MU_OK)
        mu_lines_read(&lines, (const char *)source.bytes, source.size, err);
    mu_source_release(&source);
    *measurements = mu_json_take(&reader.measurements, "measurements", err);
    return err->status;
}

/* How often an experiment did what it did. */
static uint32_t runs_of(const json_t *measurement)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    return mu_json_count(parameters, "runs") + mu_json_count(parameters, "launches");
}

/* The same parameters, but for the number of runs or launches. */
static bool is_same_experiment(const json_t *a, const json_t *b)
{
    static const char *const names[] = {"experiment", "workgroup", "local_bytes", "app", "input"};
    const json_t *of_a = json_object_get(a, "parameters"), *of_b = json_object_get(b, "parameters");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const json_t *value_a = json_object_get(of_a, names[i]), *value_b = json_object_get(of_b, names[i]);
        if (value_a != value_b && !json_equal(value_a, value_b)) return false;
    }
    return true;
}

static bool is_superseded(const json_t *measurements, const json_t *measurement)
{
    size_t i;
    json_t *other;
    json_array_foreach ((json_t *)measurements, i, other)
        if (runs_of(other) > runs_of(measurement) && is_same_experiment(other, measurement)) return true;
    return false;
}

json_t *mu_measurements_current(const json_t *measurements)
{
    struct mu_json current = mu_json_array();
    json_t *measurement;
    const json_t *last = json_array_get(measurements, json_array_size(measurements) - 1);
    size_t i;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (json_equal(json_object_get(last, "driver"), json_object_get(measurement, "driver")) &&
            !is_superseded(measurements, measurement))
            mu_json_append(&current, json_incref(measurement));
    return mu_json_take(&current, "measurements", NULL);
}
