/* A test, resolved: one app on one input in one variant on one chip, with nothing left open but what the run itself
 * finds out. It travels to a child process as JSON, and into the record.
 *
 * Its way: asked (harness/run/asked.h) → resolved (harness/run/resolve.h makes this struct) → request → child
 * (harness/run/process.h) → record. */
#ifndef MU_HARNESS_RUN_RUN_H
#define MU_HARNESS_RUN_RUN_H

#include "apps/app.h"
#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/device/settings.h"
#include "harness/run/asked.h"
#include "harness/run/options.h"
#include "inputs/file_hash.h"
#include "records/schema.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct mu_test {
    const struct mu_app *app;
    const char *input, *kernel_dir, *output; /* as in struct mu_asked */
    struct mu_file_hash file_hash;
    union { /* the settings: by name, and as a whole for their table */
        struct {
            MU_TEST_OPTIONS(MU_OPTION_MEMBER)
        };
        struct mu_test_options options;
    };
    enum mu_origin from[MU_TEST_OPTION_COUNT]; /* MU_FROM_NOBODY: the test was refused before this was decided */
    struct mu_value app_values[MU_MAX_APP_OPTIONS];
    struct mu_settings driver; /* what the device's self-test needed */
    uint32_t resident;         /* mu_device_info.resident, by the self-test */
    enum mu_load_clock load_clock;
    uint32_t units;      /* those that a user says; 0: nobody does */
    uint64_t abandon_ns; /* tuning: three samples all slower than this end a run; 0: none */
};

/* Return a setting of the test as a value, and set it. */
struct mu_value mu_test_value(const struct mu_test *test, enum mu_test_option setting);
void mu_test_set(struct mu_test *test, enum mu_test_option setting, uint64_t number, enum mu_origin from);

/* Returns how the test reads a graph. */
struct mu_reading mu_test_reading(const struct mu_test *test);

/* Returns the workgroups that a test launches with this workgroup size and team (MU_AUTO: what fits). */
uint32_t mu_test_groups(const struct mu_device_info *info, uint32_t workgroup, uint32_t team);

/* Convert the test to a request for a child and back; a test that was read borrows texts of the request. */
json_t *mu_test_request(const struct mu_test *test); /* NULL when memory runs out */
int mu_test_read(const json_t *request, struct mu_test *test, struct mu_error *err);

/* Describes the configuration for the record: "configuration", every option of app and framework that this test has,
 * with its value; and "configuration_from", who decided each. */
void mu_test_describe(const struct mu_test *test, struct mu_json *object);

/* Runs the test in a child with its deadline, unless err says already why it was refused. *record is the caller's:
 * always an object with "outcome" and the test's description, also when the child crashed or was killed; whoever takes
 * it sees whether a part of it was lost. The status is the outcome's. */
int mu_test_perform(const struct mu_test *test, const struct mu_device_info *info, struct mu_json *record,
                    struct mu_error *err);

/* Does the same; the child then corrupts the right answers for the app's check: mu_try_checker
 * (harness/run/process.h). */
int mu_test_perform_corrupting(const struct mu_test *test, const struct mu_device_info *info, struct mu_json *record,
                               struct mu_error *err);

/* Makes the record of a test from the outcome and the child's response, which may be NULL. */
struct mu_json mu_test_record(const struct mu_test *test, const struct mu_device_info *info, const json_t *response,
                              const struct mu_error *outcome);

#endif
