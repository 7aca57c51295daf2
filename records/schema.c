#include "records/schema.h"

#include <math.h>
#include <string.h>

const char *mu_record_kind(const json_t *record)
{
    return mu_json_text_or(record, "kind", "run");
}

const char *mu_record_device(const json_t *record)
{
    return mu_json_text(json_object_get(record, "device"), "name");
}

bool mu_record_is_run(const json_t *record)
{
    const char *const kind = mu_record_kind(record);
    return strcmp(kind, "run") == 0 || strcmp(kind, "measure") == 0 || strcmp(kind, "tune") == 0;
}

/* Returns what is wrong with the samples; NULL if nothing is, or there are none. */
static const char *fault_of_samples(const json_t *samples)
{
    size_t i;
    json_t *sample;
    if (samples == NULL) return NULL;
    if (!json_is_array(samples)) return "samples_ns is no array";
    json_array_foreach (samples, i, sample)
        if (!json_is_number(sample) || !isfinite(json_number_value(sample)) || json_number_value(sample) <= 0)
            return "samples_ns has an element that is no positive number";
    return NULL;
}

int mu_record_check_schema(const json_t *record, const char *path, size_t line, struct mu_error *err)
{
    const json_t *schema = json_object_get(record, "schema");
    const json_int_t number = json_integer_value(schema);
    if (schema == NULL || number == MU_RECORD_SCHEMA) return MU_OK;
    if (number < 1) return mu_fail(err, MU_INPUT, "%s:%zu: schema is no number from 1", path, line);
    return mu_fail(err, MU_INPUT, "%s:%zu: schema %lld is %s than this muster, which reads %d", path, line,
                   (long long)number, number < MU_RECORD_SCHEMA ? "older" : "newer", MU_RECORD_SCHEMA);
}

int mu_record_check(const json_t *record, const char *path, size_t line, struct mu_error *err)
{
    static const char *const texts[] = {"app", "input", "variant", "chip", "outcome"};
    if (mu_record_check_schema(record, path, line, err) != MU_OK) return err->status;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!json_is_string(json_object_get(record, texts[i])))
            return mu_fail(err, MU_INPUT, "%s:%zu: a record without %s", path, line, texts[i]);
    const char *fault = fault_of_samples(json_object_get(record, "samples_ns"));
    return fault != NULL ? mu_fail(err, MU_INPUT, "%s:%zu: %s", path, line, fault) : MU_OK;
}
