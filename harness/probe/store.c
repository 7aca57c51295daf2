/* The store of a probe, to which it appends measurements, experiment by experiment. */
#include "harness/probe/probe.h"

#include "base/memory.h"
#include "records/key.h"
#include "records/measurements.h"
#include "records/schema.h"

#include <stdlib.h>
#include <string.h>

/* For mu_measurements_load. */
static bool is_of(const json_t *measurement, const void *context)
{
    const struct mu_device_info *info = context;
    return strcmp(mu_record_device(measurement), info->name) == 0 && mu_json_is(measurement, "driver", info->driver) &&
           mu_json_is(measurement, "platform", info->platform_version);
}

int mu_probe_open(const char *path, const struct mu_device_info *info, struct mu_store *store, json_t **measurements,
                  struct mu_error *err)
{
    if (mu_store_open(path, store, err) != MU_OK) return err->status;
    store->digits = 6;
    if (store->note[0] != '\0') fprintf(stderr, "muster: %s\n", store->note);
    return mu_measurements_load(path, is_of, info, measurements, err);
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
