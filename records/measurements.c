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

/* Takes in one measurement (mu_line_reader). */
static int take(void *context, json_t *object, const struct mu_line *line, struct mu_error *err)
{
    struct reader *reader = context;
    /* Times of other programs, of kind peer, have no experiment of ours. */
    if (!json_is_object(json_object_get(object, "parameters")) && !mu_json_is(object, "kind", "peer"))
        return mu_fail(err, MU_INPUT, "%s:%zu: not a measurement", line->path, line->number);
    if (mu_record_check_schema(object, line->path, line->number, err) != MU_OK) return err->status;
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

/* Returns how many runs a measurement has. */
static uint32_t runs_of(const json_t *measurement)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    return mu_json_count(parameters, "runs") + mu_json_count(parameters, "launches");
}

/* Returns the measurement's parameters but for the number of runs or launches. Two that agree in these are of one
 * experiment. */
static json_t *experiment_of(const json_t *measurement)
{
    static const char *const names[] = {"experiment", "workgroup", "local_bytes", "app", "input"};
    struct mu_json same = mu_json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *value = json_object_get(json_object_get(measurement, "parameters"), names[i]);
        if (value != NULL) mu_json_set(&same, names[i], json_incref(value));
    }
    return mu_json_take(&same, "an experiment", NULL);
}

/* Notes for each experiment the most runs that one of its measurements has. */
static void note_runs(struct mu_json *experiments, struct mu_json *most, const json_t *measurement)
{
    const uint32_t runs = runs_of(measurement);
    size_t place;
    if (mu_json_place(experiments, experiment_of(measurement), &place))
        mu_json_append_number(most, runs);
    else if ((json_int_t)runs > json_integer_value(json_array_get(most->value, place)) &&
             json_array_set_new(most->value, place, json_integer(runs)) != 0)
        most->lost = true;
}

json_t *mu_measurements_current(const json_t *measurements)
{
    struct mu_json current = mu_json_array(), experiments = mu_json_object(), most = mu_json_array();
    const json_t *last = json_array_get(measurements, json_array_size(measurements) - 1);
    const json_t *last_driver = json_object_get(last, "driver");
    json_t *measurement;
    size_t i, place;
    json_array_foreach ((json_t *)measurements, i, measurement) note_runs(&experiments, &most, measurement);
    json_array_foreach ((json_t *)measurements, i, measurement) {
        mu_json_place(&experiments, experiment_of(measurement), &place);
        const json_t *driver = json_object_get(measurement, "driver"); /* NULL: other programs have none */
        if ((driver == last_driver || json_equal(driver, last_driver)) &&
            (json_int_t)runs_of(measurement) >= json_integer_value(json_array_get(most.value, place)))
            mu_json_append(&current, json_incref(measurement));
    }
    current.lost = current.lost || experiments.lost || most.lost;
    mu_json_release(&experiments);
    mu_json_release(&most);
    return mu_json_take(&current, "measurements", NULL);
}
