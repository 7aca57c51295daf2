/* The records of a survey's points: writing them, and reading which points are done. */
#include "harness/engine/survey.h"

#include "base/date.h"
#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"
#include "harness/device/host/host.h"
#include "records/measurements.h"
#include "records/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What was measured before ---- */

/* Returns true if a measurement is of this device, driver and platform. For mu_measurements_load. */
static bool is_of(const json_t *measurement, const void *context)
{
    const struct mu_device_info *info = context;
    return mu_device_is_of(info, measurement) && mu_json_is(measurement, "driver", info->driver) &&
           mu_json_is(measurement, "platform", info->platform_version);
}

int mu_survey_load(const char *path, const struct mu_device_info *info, json_t **measurements, struct mu_error *err)
{
    return mu_measurements_load(path, is_of, info, measurements, err);
}

static bool is_at(const json_t *measurement, const json_t *point)
{
    return json_equal(json_object_get(measurement, "parameters"), point) != 0;
}

/* Returns true if a process ended because of what was asked for, such as a missing file. That says nothing about the
 * device. */
static bool is_refusal(const json_t *measurement)
{
    const int status = mu_outcome_status(mu_json_text(measurement, "outcome"));
    return status == MU_USAGE || status == MU_INPUT || status == MU_IO;
}

/* Counts complete processes. Each writes its measurements in order, so the one with the last part number shows that it
 * is complete. */
uint32_t mu_survey_processes(const json_t *measurements, const json_t *point, bool *failed)
{
    size_t i;
    json_t *measurement;
    uint32_t processes = 0;
    *failed = false;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!is_at(measurement, point) || is_refusal(measurement)) continue;
        if (mu_json_number(measurement, "part") + 1 < mu_json_number(measurement, "parts")) continue;
        *failed = !mu_json_is(measurement, "outcome", mu_status_outcome(MU_OK));
        processes++;
    }
    return processes;
}

bool mu_survey_is_done(const struct mu_experiment *experiment, const json_t *measurements, const json_t *point,
                       uint32_t processes)
{
    bool failed;
    if (experiment->is_done != NULL) return experiment->is_done(measurements, point);
    const uint32_t there = mu_survey_processes(measurements, point, &failed);
    return there >= processes || (there > 0 && failed);
}

/* ---- What is measured now ---- */

int mu_survey_key(const struct mu_survey *survey, const json_t *point, size_t part, char key[MU_KEY_BYTES],
                  struct mu_error *err)
{
    size_t i, tries = 0;
    json_t *measurement;
    const struct mu_device_info *info = survey->of.info;
    json_array_foreach (survey->measurements, i, measurement)
        tries += mu_json_number(measurement, "part") == part && is_at(measurement, point);
    char *what = json_dumps(point, JSON_COMPACT | JSON_SORT_KEYS), units[32] = "";
    if (info->resident != 0) snprintf(units, sizeof units, " units=%u", info->resident);
    char *text = what == NULL ? NULL
                              : mu_format(err, "%s %s\n%s\n%s\n%u%s\n%s\n%s\n%s part=%zu try=%zu", survey->kind->kind,
                                          info->vendor, info->name, info->platform, info->compute_units, units,
                                          info->platform_version, info->driver, what, part, tries);
    if (text != NULL)
        mu_key_of(text, key);
    else
        mu_fail(err, MU_NO_MEMORY, "out of memory: the key of a measurement");
    mu_free(text);
    free(what);
    return err->status;
}

/* Adds the point's identity and provenance to a measurement. */
static void add_identity(const struct mu_measured *measured, struct mu_json *measurement)
{
    const struct mu_survey *survey = measured->survey;
    const struct mu_device_info *info = survey->of.info;
    char date[MU_DATE_TEXT];
    mu_date_now(date);
    mu_json_set_number(measurement, "schema", MU_RECORD_SCHEMA);
    mu_json_set_text(measurement, "kind", survey->kind->kind);
    mu_json_set(measurement, "parameters", json_incref((json_t *)measured->point));
    mu_json_set_text(measurement, "chip", info->chip);
    mu_json_set(measurement, "device", mu_device_record(info));
    mu_json_set_number(measurement, "compute_units", info->compute_units);
    mu_json_set_text(measurement, "platform", info->platform_version);
    mu_json_set_text(measurement, "driver", info->driver);
    mu_json_set_text(measurement, "commit", mu_commit);
    mu_json_set_text(measurement, "date", date);
    mu_json_set_real(measurement, "seconds", measured->seconds);
    mu_host_add(measurement, NULL);
    mu_json_set(measurement, "driver_settings", mu_settings_to_json(&survey->of.selftest->settings));
}

/* Finds the outcome of a point: that of its answer, or else that of its process. */
static void find_outcome(const struct mu_measured *measured, struct mu_error *outcome)
{
    const char *told = mu_json_text_or(measured->answer, "outcome", NULL);
    *outcome = *measured->outcome;
    if (told == NULL || outcome->status != MU_OK || mu_outcome_status(told) == MU_OK) return;
    mu_fail(outcome, mu_outcome_status(told), "%s", mu_json_text(measured->answer, "message"));
}

int mu_survey_record(const struct mu_measured *measured, struct mu_json *records, struct mu_error *err)
{
    struct mu_error outcome;
    find_outcome(measured, &outcome);
    const json_t *found = outcome.status == MU_OK ? json_object_get(measured->answer, "measurements") : NULL;
    const size_t count = json_array_size(found), parts = count != 0 ? count : 1;
    for (size_t i = 0; i < parts; i++) {
        char key[MU_KEY_BYTES] = "";
        struct mu_json measurement = mu_json_object();
        if (count != 0) mu_json_update(&measurement, json_array_get(found, i));
        add_identity(measured, &measurement);
        mu_child_add_outcome(&measurement, &outcome);
        mu_json_set_number(&measurement, "part", i);
        mu_json_set_number(&measurement, "parts", parts);
        if (measured->repeat != 0) mu_json_set_number(&measurement, "repeat", measured->repeat);
        mu_survey_key(measured->survey, measured->point, i, key, err);
        mu_json_set_text(&measurement, "key", key);
        mu_json_append_part(records, &measurement);
    }
    return err->status;
}
