/* The file of a chip's measurements: JSON Lines, appended experiment by experiment. */
#include "harness/probe.h"

#include "base/memory.h"
#include "base/stream.h"
#include "records/key.h"
#include "records/lines.h"
#include "records/schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Reading ---- */

struct reader {
    const struct mu_device_info *info; /* NULL: measurements of all drivers */
    struct mu_json measurements;
};

static bool is_of(const json_t *measurement, const struct mu_device_info *info)
{
    return info == NULL ||
           (mu_json_is(measurement, "device", info->name) && mu_json_is(measurement, "driver", info->driver) &&
            mu_json_is(measurement, "platform", info->platform_version));
}

/* For mu_line_reader. */
static int take(void *context, json_t *object, const struct mu_line *line, struct mu_error *err)
{
    struct reader *reader = context;
    const json_int_t schema = json_integer_value(json_object_get(object, "schema"));
    if (!json_is_object(json_object_get(object, "parameters")))
        return mu_fail(err, MU_INPUT, "%s:%zu: not a measurement", line->path, line->number);
    if (schema < 1 || schema > MU_PROBE_SCHEMA)
        return mu_fail(err, MU_INPUT, "%s:%zu: schema %lld; this program reads 1 to %d", line->path, line->number,
                       (long long)schema, MU_PROBE_SCHEMA);
    if (is_of(object, reader->info)) mu_json_append(&reader->measurements, json_incref(object));
    return MU_OK;
}

int mu_probe_load(const char *path, const struct mu_device_info *info, json_t **measurements, struct mu_error *err)
{
    struct mu_source source = {0};
    struct reader reader = {.info = info, .measurements = mu_json_array()};
    struct mu_line_reader lines = {.path = path, .take = take, .context = &reader, .notes = stderr};
    const bool missing = access(path, F_OK) != 0 && errno == ENOENT;
    if (!missing && mu_source_read(path, &source, err) == MU_OK)
        mu_lines_read(&lines, (const char *)source.bytes, source.size, err);
    mu_source_release(&source);
    *measurements = mu_json_take(&reader.measurements, "measurements", err);
    return err->status;
}

int mu_probe_open(const char *path, const struct mu_device_info *info, struct mu_store *store, json_t **measurements,
                  struct mu_error *err)
{
    if (mu_store_open(path, store, err) != MU_OK) return err->status;
    store->digits = 6;
    if (store->note[0] != '\0') fprintf(stderr, "muster: %s\n", store->note);
    return mu_probe_load(path, info, measurements, err);
}

/* How many of the measurements are of this part of the experiment. */
static size_t count_tries(const json_t *measurements, const json_t *parameters, size_t part)
{
    size_t i, tries = 0;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        tries += mu_json_number(measurement, "part") == part &&
                 json_equal(json_object_get(measurement, "parameters"), parameters);
    return tries;
}

int mu_probe_key(const struct mu_device_info *info, const json_t *measurements, const json_t *parameters, size_t part,
                 char key[MU_KEY_BYTES], struct mu_error *err)
{
    char *what = json_dumps(parameters, JSON_COMPACT | JSON_SORT_KEYS);
    char *text = what == NULL
                     ? NULL
                     : mu_format(err, "probe %s\n%s\n%s\n%s part=%zu try=%zu", info->name, info->platform_version,
                                 info->driver, what, part, count_tries(measurements, parameters, part));
    if (text != NULL)
        mu_key_of(text, key);
    else
        mu_fail(err, MU_NO_MEMORY, "out of memory: the key of a measurement");
    mu_free(text);
    free(what);
    return err->status;
}

/* ---- What holds ---- */

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

json_t *mu_probe_current(const json_t *measurements)
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

bool mu_probe_is_done(const json_t *measurements, const json_t *parameters)
{
    size_t i;
    json_t *measurement;
    json_int_t found = 0, parts = 1;
    bool failed_to_verify = false;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!json_equal(json_object_get(measurement, "parameters"), parameters)) continue;
        parts = json_integer_value(json_object_get(measurement, "parts"));
        failed_to_verify = json_is_false(json_object_get(measurement, "full"));
        found++;
    }
    if (mu_json_is(parameters, "experiment", "verify") && failed_to_verify) return found >= MU_VERIFY_TRIES;
    return found > 0 && found >= parts;
}
