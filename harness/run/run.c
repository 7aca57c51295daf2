/* The parent's side of a test: request, child, record. */
#include "harness/run/run.h"

#include "base/date.h"
#include "base/hash.h"
#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"
#include "harness/device/host/host.h"
#include "harness/device/host/placement.h"
#include "harness/run/identity.h"
#include "inputs/formats/formats.h"
#include "variants/launch/opencl.h"

#include <stdio.h>
#include <string.h>

struct mu_value mu_test_value(const struct mu_test *test, enum mu_test_option setting)
{
    struct mu_value value = mu_option_get(&mu_test_options[setting], &test->options);
    value.from = test->from[setting];
    return value;
}

void mu_test_set(struct mu_test *test, enum mu_test_option setting, uint64_t number, enum mu_origin from)
{
    const struct mu_value value = {.from = from, .number = number};
    mu_option_put(&mu_test_options[setting], &value, &test->options);
    test->from[setting] = from;
}

/* ---- Values in JSON ---- */

static void add_value(const struct mu_option *row, const struct mu_value *value, struct mu_json *values,
                      struct mu_json *origins)
{
    mu_json_set(values, row->name, mu_option_to_json(row, value));
    mu_json_set_text(origins, row->name, mu_origin_names[value->from]);
}

/* Adds the values of all options, of app and framework; for a record only those that this test has and that were
 * decided. */
static void add_values(const struct mu_test *test, bool all, struct mu_json *values, struct mu_json *origins)
{
    for (size_t i = 0; test->app->options[i].name != NULL; i++)
        add_value(&test->app->options[i], &test->app_values[i], values, origins);
    for (int i = 0; i < MU_TEST_OPTION_COUNT; i++) {
        const struct mu_value value = mu_test_value(test, (enum mu_test_option)i);
        if (all || (mu_test_option_applies(&mu_test_options[i], test->variant) && value.from != MU_FROM_NOBODY))
            add_value(&mu_test_options[i], &value, values, origins);
    }
}

static enum mu_origin origin_of(const json_t *origins, const char *name)
{
    int origin = MU_ORIGINS - 1;
    while (origin > 0 && !mu_json_is(origins, name, mu_origin_names[origin])) origin--;
    return (enum mu_origin)origin;
}

static int read_value(const struct mu_option *row, const json_t *values, const json_t *origins, struct mu_value *value,
                      struct mu_error *err)
{
    const json_t *json = json_object_get(values, row->name);
    if (json == NULL) return mu_fail(err, MU_USAGE, "a request without %s", row->name);
    if (mu_option_from_json(row, json, value, err) == MU_OK) value->from = origin_of(origins, row->name);
    return err->status;
}

struct mu_reading mu_test_reading(const struct mu_test *test)
{
    return (struct mu_reading){
        .seed = test->seed,
        .format = test->input_format == MU_FORMAT_AUTO ? NULL : mu_formats[test->input_format],
        .weights = test->weights,
    };
}

json_t *mu_test_request(const struct mu_test *test)
{
    struct mu_json object = mu_json_object(), values = mu_json_object(), origins = mu_json_object();
    char name[128];
    snprintf(name, sizeof name, "%s/%s", test->app->suite, test->app->name);
    mu_json_set_text(&object, "app", name);
    mu_json_set_text(&object, "input", test->input);
    mu_json_set_text(&object, "kernel_dir", test->kernel_dir);
    mu_json_set_text(&object, "output", test->output);
    mu_json_set_number(&object, "resident", test->resident);
    add_values(test, true, &values, &origins);
    mu_json_set_part(&object, "values", &values);
    mu_json_set_part(&object, "from", &origins);
    return mu_json_take(&object, "a request", NULL);
}

int mu_test_read(const json_t *request, struct mu_test *test, struct mu_error *err)
{
    const json_t *values = json_object_get(request, "values"), *origins = json_object_get(request, "from");
    memset(test, 0, sizeof *test);
    test->app = mu_app_find(mu_json_text(request, "app"), err);
    test->input = mu_json_text_or(request, "input", NULL);
    test->kernel_dir = mu_json_text_or(request, "kernel_dir", NULL);
    test->output = mu_json_text_or(request, "output", NULL);
    test->resident = mu_json_count(request, "resident");
    for (size_t i = 0; test->app != NULL && err->status == MU_OK && test->app->options[i].name != NULL; i++)
        read_value(&test->app->options[i], values, origins, &test->app_values[i], err);
    for (int i = 0; i < MU_TEST_OPTION_COUNT && err->status == MU_OK; i++) {
        struct mu_value value;
        if (read_value(&mu_test_options[i], values, origins, &value, err) != MU_OK) break;
        mu_option_put(&mu_test_options[i], &value, &test->options);
        test->from[i] = value.from;
    }
    return err->status;
}

/* ---- The record ---- */

/* Adds the options that are members of the record, too, beside its configuration. */
static void add_fields(const struct mu_test *test, const json_t *values, struct mu_json *record)
{
    const struct mu_option *const tables[] = {test->app->options, mu_test_options};
    for (size_t i = 0; i < 2; i++)
        for (const struct mu_option *row = tables[i]; row->name != NULL; row++) {
            const json_t *value = json_object_get(values, row->name);
            if ((row->is & MU_OPTION_FIELD) != 0 && value != NULL)
                mu_json_set(record, row->name, json_copy((json_t *)value));
        }
}

void mu_test_describe(const struct mu_test *test, struct mu_json *object)
{
    struct mu_json values = mu_json_object(), origins = mu_json_object();
    add_values(test, false, &values, &origins);
    struct mu_json fields = mu_json_object();
    add_fields(test, values.value, &fields);
    mu_json_set_part(object, "configuration", &values);
    mu_json_set_part(object, "configuration_from", &origins);
    mu_json_update(object, fields.value);
    object->lost = object->lost || fields.lost;
    mu_json_release(&fields);
}

static void add_provenance(struct mu_json *record, const struct mu_device_info *info)
{
    char date[MU_DATE_TEXT];
    mu_date_now(date);
    mu_json_set_number(record, "schema", MU_RECORD_SCHEMA);
    mu_json_set_text(record, "kind", "run");
    mu_json_set_text(record, "clock", MU_CLOCK);
    mu_json_set_text(record, "date", date);
    mu_json_set_text(record, "version", PACKAGE_VERSION);
    mu_json_set_text(record, "commit", mu_commit);
    if (mu_program[0] != '\0') mu_json_set_text(record, "program_hash", mu_program);
    mu_json_set_text(record, "chip", info->chip);
    mu_json_set(record, "device", mu_device_record(info));
    mu_json_set_text(record, "platform", info->platform_version);
    mu_json_set_text(record, "driver", info->driver);
}

/* Adds the test's identity, as the key has it. */
static void add_identity(struct mu_json *record, const struct mu_test *test)
{
    struct mu_error unknown = {0};
    uint64_t configuration, kernels;
    char *comparison = mu_comparison_text(test, &unknown);
    mu_json_set_text(record, "comparison", comparison);
    mu_free(comparison);
    if (mu_configuration_hash(test, &configuration, &unknown) == MU_OK)
        mu_json_set_hash(record, "configuration_hash", configuration);
    if (mu_kernel_hash(test, &kernels, &unknown) == MU_OK) mu_json_set_hash(record, "kernel_hash", kernels);
}

struct mu_json mu_test_record(const struct mu_test *test, const struct mu_device_info *info, const json_t *response,
                              const struct mu_error *outcome)
{
    struct mu_json record = mu_json_object();
    char name[128];
    snprintf(name, sizeof name, "%s/%s", test->app->suite, test->app->name);
    mu_json_set_text(&record, "app", name);
    mu_json_set_text(&record, "input", test->input);
    mu_test_describe(test, &record);
    if (test->team_limit != MU_AUTO && test->team_limit != MU_TEAM_BOUND)
        mu_json_set_number(&record, "team_limit", test->team_limit);
    add_identity(&record, test);
    add_provenance(&record, info);
    mu_json_set(&record, "driver_settings", mu_settings_to_json(&test->driver));
    mu_child_add_outcome(&record, outcome);
    mu_json_update(&record, response);
    mu_host_add(&record, json_object_get(response, "environment"));
    return record;
}

static int perform(const struct mu_test *test, const struct mu_device_info *info, bool corrupt, struct mu_json *record,
                   struct mu_error *err)
{
    json_t *response = NULL;
    char placement[MU_PLACEMENT_BYTES] = "";
    const uint64_t start = mu_now_ns();
    if (err->status == MU_OK) {
        const bool place = mu_placement_allow(test->placement, info, placement);
        json_t *request = json_pack("{s:s, s:o, s:o, s:b, s:b}", "kind", "test", "test", mu_test_request(test),
                                    "device", mu_device_to_json(info), "place", place, "corrupt", corrupt);
        const struct mu_child_environment environment = {.icd = info->icd, .settings = &test->driver};
        mu_child_call(request, &environment, test->deadline, &response, err);
        json_decref(request);
    }
    *record = mu_test_record(test, info, response, err);
    if (placement[0] != '\0') mu_json_set_text(record, "placement", placement);
    mu_json_set_number(record, "wall_ns", mu_now_ns() - start);
    json_decref(response);
    return err->status;
}

int mu_test_perform(const struct mu_test *test, const struct mu_device_info *info, struct mu_json *record,
                    struct mu_error *err)
{
    return perform(test, info, false, record, err);
}

int mu_test_perform_corrupting(const struct mu_test *test, const struct mu_device_info *info, struct mu_json *record,
                               struct mu_error *err)
{
    return perform(test, info, true, record, err);
}
