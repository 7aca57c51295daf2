/* The parent's side of a test: request, child, record. */
#include "harness/test.h"

#include "base/date.h"
#include "harness/child.h"
#include "harness/commit.h"
#include "harness/forward_progress.h"
#include "harness/launch_defaults.h"
#include "harness/profile_use.h"
#include "harness/selftest.h"
#include "variants/opencl.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_SAMPLES    10
#define DEFAULT_DEADLINE_S 120.0

void mu_test_defaults(struct mu_test *test)
{
    memset(test, 0, sizeof *test);
    test->variant = MU_PORTABLE;
    test->rollcall_open = true;
    test->atomics = -1;
    test->yield = -1;
    test->readback = -1;
    test->options.seed = 1;
    test->options.source = MU_SOURCE_AUTO;
    test->samples = DEFAULT_SAMPLES;
    test->warmup = MU_WARMUP_AUTO;
    test->check = true;
    test->cache = true;
    test->deadline_s = DEFAULT_DEADLINE_S;
}

const char *mu_default_input(const struct mu_app *app)
{
    return app->kind == MU_KIND_MESH ? "mesh:5000" : "road:300";
}

/* The description of the test: the request's "test", and the part of the record that says what was asked. */
static struct mu_json describe(const struct mu_test *test)
{
    struct mu_json object = mu_json_object();
    char name[128];
    snprintf(name, sizeof name, "%s/%s", test->app->suite, test->app->name);
    mu_json_set_text(&object, "app", name);
    mu_json_set_text(&object, "input", test->input);
    if (test->app->needs & MU_NEEDS_SOURCE) mu_json_set_number(&object, "source", test->options.source);
    mu_json_set_number(&object, "seed", test->options.seed);
    if (test->app->needs & MU_TAKES_DELTA) mu_json_set_number(&object, "delta", test->options.delta);
    if (test->app->needs & MU_TAKES_SOURCES) mu_json_set_number(&object, "sources", test->options.sources);
    if (test->app->needs & MU_TAKES_ANGLE) mu_json_set_real(&object, "min_angle", test->options.min_angle);
    if (test->app->needs & MU_TAKES_ROOM) mu_json_set_number(&object, "room", test->options.room);
    mu_json_set_text(&object, "variant", mu_variants[test->variant].name);
    if (test->variant == MU_PORTABLE) mu_json_set_text(&object, "rollcall", mu_rollcalls[test->rollcall].name);
    if (test->variant == MU_PORTABLE && test->rollcall != MU_ROLLCALL_ATOMIC)
        mu_json_set_number(&object, "rollcall_delay", test->delay);
    if (test->variant != MU_MULTI_KERNEL) mu_json_set_text(&object, "barrier", mu_barriers[test->barrier].name);
    mu_json_set_text(&object, "atomics", mu_atomics_paths[test->atomics].name);
    if (test->variant != MU_MULTI_KERNEL && test->yield >= 0)
        mu_json_set_text(&object, "yield", mu_yields[test->yield].name);
    if (test->variant != MU_MULTI_KERNEL && test->yield > 0)
        mu_json_set_number(&object, "yield_polls", test->yield_polls);
    mu_json_set_text(&object, "c_standard", test->c_standard);
    mu_json_set_number(&object, "workgroup", test->workgroup);
    return object;
}

json_t *mu_test_request(const struct mu_test *test)
{
    struct mu_json object = describe(test);
    mu_json_set_number(&object, "team_limit", test->team);
    mu_json_set_number(&object, "groups", test->groups);
    mu_json_set_flag(&object, "groups_open", test->groups_open);
    mu_json_set_number(&object, "expected", test->expected);
    mu_json_set_flag(&object, "expected_is_hint", test->expected_is_hint);
    mu_json_set_number(&object, "patience", test->patience);
    mu_json_set_number(&object, "rollcall_delay", test->delay);
    mu_json_set_number(&object, "tree_from", test->barrier_choice.tree_from);
    mu_json_set_number(&object, "spin_limit", test->spin_limit);
    mu_json_set(&object, "readback_choice", json_integer(test->readback));
    mu_json_set_number(&object, "samples", test->samples);
    mu_json_set_number(&object, "warmup", test->warmup);
    mu_json_set_number(&object, "min_samples", test->min_samples);
    mu_json_set_real(&object, "target_width", test->target_width);
    mu_json_set_real(&object, "max_time_s", test->max_time_s);
    mu_json_set_number(&object, "abandon_ns", test->abandon_ns);
    mu_json_set_flag(&object, "check", test->check);
    mu_json_set_flag(&object, "cache", test->cache);
    mu_json_set_text(&object, "kernel_dir", test->kernel_dir);
    mu_json_set_text(&object, "output", test->output);
    return mu_json_take(&object, "a request", NULL);
}

/* Names travel to the child, and into the record, as JSON. */
static int check_names(const struct mu_test *test, struct mu_error *err)
{
    const struct {
        const char *option, *name;
    } names[] = {{"input", test->input}, {"kernel-dir", test->kernel_dir}, {"output", test->output}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *text = names[i].name != NULL ? json_string(names[i].name) : json_null();
        if (text == NULL)
            return mu_fail(err, MU_USAGE, "--%s=%s: the name is not UTF-8", names[i].option, names[i].name);
        json_decref(text);
    }
    return MU_OK;
}

uint32_t mu_test_groups(const struct mu_device_info *info, uint32_t workgroup, uint32_t team)
{
    return team != 0 ? team : mu_default_groups(info, workgroup);
}

/* Refuses variants and roll calls that need more than the device promises. Forward-progress tests, which run for a roll
 * call that the profile does not speak of, or speaks of with other atomics, are of the device as it is used. */
static int check_promises(const struct mu_test *test, const struct mu_device_info *as_used, bool usual_atomics,
                          const struct mu_selftest *selftest, struct mu_error *err)
{
    if (test->variant != MU_MULTI_KERNEL && as_used->simulator && !test->any_variant)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --variant=%s: %s", as_used->name,
                       mu_variants[test->variant].name, MU_SIMULATOR_REASON);
    if (test->variant != MU_PORTABLE || test->rollcall != MU_ROLLCALL_LOBE) return MU_OK;
    if (test->lobe_offered && usual_atomics) return MU_OK;
    return mu_forward_progress_need_lobe(as_used, selftest, test->cache, err);
}

/* Fills in what the user left open and refuses what the device cannot do. */
static int complete(struct mu_test *test, const struct mu_device_info *info, const struct mu_selftest *selftest,
                    struct mu_error *err)
{
    if (test->atomics < 0) test->atomics = (int)info->atomics;
    if (!info->available[test->atomics])
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --atomics=%s: %s", info->name,
                       mu_atomics_paths[test->atomics].name, info->atomics_reason);
    if (test->c_standard == NULL) test->c_standard = test->atomics == MU_ATOMICS_FENCES ? "CL1.2" : info->c_standard;
    if (test->barrier == MU_BARRIER_SPLIT && test->variant != MU_MULTI_KERNEL && !info->split_barrier)
        return mu_fail(err, MU_UNSUPPORTED,
                       "device '%s' cannot do --barrier=split: it does not report cl_intel_split_work_group_barrier",
                       info->name);
    if (test->yield > (int)selftest->yield)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --yield=%s: %s", info->name,
                       mu_yields[test->yield].name, selftest->yield_reason);
    if (test->yield < 0) test->yield = (int)selftest->yield;
    if (test->yield_polls == 0) test->yield_polls = MU_YIELD_POLLS_DEFAULT;
    if ((test->yield_polls & (test->yield_polls - 1)) != 0)
        return mu_fail(err, MU_USAGE, "--yield-polls=%u is not a power of two", test->yield_polls);
    if (test->workgroup == 0) test->workgroup = mu_default_workgroup(info);
    if ((test->workgroup & (test->workgroup - 1)) != 0)
        return mu_fail(err, MU_USAGE, "--workgroup=%u is not a power of two", test->workgroup);
    if (test->workgroup > info->max_workgroup)
        return mu_fail(err, MU_UNSUPPORTED, "--workgroup=%u: device '%s' has at most %u", test->workgroup, info->name,
                       info->max_workgroup);
    if (test->expected == 0) test->expected = mu_default_expected(info);
    if (test->patience == 0) test->patience = mu_default_patience(info);
    if (test->spin_limit == 0) test->spin_limit = selftest->spin_limit;
    test->groups_open = test->groups == 0 && test->team == 0;
    if (test->groups == 0) test->groups = mu_test_groups(info, test->workgroup, test->team);
    return MU_OK;
}

static void add_provenance(struct mu_json *record, const struct mu_device_info *info)
{
    char date[MU_DATE_TEXT];
    mu_date_now(date);
    mu_json_set_number(record, "schema", MU_RECORD_SCHEMA);
    mu_json_set_text(record, "kind", "run");
    mu_json_set_text(record, "date", date);
    mu_json_set_text(record, "version", PACKAGE_VERSION);
    mu_json_set_text(record, "commit", mu_commit);
    mu_json_set_text(record, "chip", info->chip);
    mu_json_set_text(record, "device", info->name);
    mu_json_set_text(record, "platform", info->platform_version);
    mu_json_set_text(record, "driver", info->driver);
}

/* The chip's profile fills in what the user left open. One that is not used is mentioned once. */
static int use_profile(struct mu_test *test, const struct mu_device_info *info, struct mu_error *err)
{
    static bool mentioned;
    struct mu_profile profile;
    char note[512];
    if (mu_profile_find(info, &profile, note, err) == MU_OK) mu_profile_apply(&profile, info, test, err);
    if (err->status == MU_OK && note[0] != '\0' && !mentioned) fprintf(stderr, "muster: %s\n", note);
    mentioned = mentioned || note[0] != '\0';
    return err->status;
}

int mu_test_complete(struct mu_test *test, const struct mu_device_info *info, struct mu_error *err)
{
    struct mu_selftest selftest = {0};
    struct mu_device_info as_used = *info; /* the self-test must speak of the atomics path that will run */
    if (test->input == NULL) test->input = mu_default_input(test->app);
    if (test->atomics < 0 && info->atomics == MU_ATOMICS_C11 && test->c_standard != NULL &&
        strcmp(test->c_standard, "CL1.2") == 0)
        test->atomics = MU_ATOMICS_FENCES;
    if (test->yield >= 0) as_used.yield = test->yield;
    if (test->atomics >= 0 && info->available[test->atomics]) as_used.atomics = (enum mu_atomics)test->atomics;
    if (check_names(test, err) == MU_OK && mu_selftest_get(&as_used, test->cache, &selftest, err) == MU_OK &&
        selftest.trust == MU_REFUSED)
        mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", info->name, selftest.reason);
    mu_settings_merge(&test->settings, &selftest.settings);
    if (err->status == MU_OK) use_profile(test, info, err);
    if (err->status == MU_OK) complete(test, info, &selftest, err);
    as_used.yield = (int)selftest.yield;
    if (err->status == MU_OK) check_promises(test, &as_used, as_used.atomics == info->atomics, &selftest, err);
    return err->status;
}

struct mu_json mu_test_record(const struct mu_test *test, const struct mu_device_info *info, const json_t *response,
                              const struct mu_error *err)
{
    struct mu_test described = *test;
    if (described.atomics < 0) described.atomics = (int)info->atomics;
    struct mu_json record = describe(&described);
    if (test->from_profile != 0) mu_json_set(&record, "from", mu_profile_from(test->from_profile));
    add_provenance(&record, info);
    mu_json_set(&record, "driver_settings", mu_settings_to_json(&test->settings));
    mu_child_add_outcome(&record, err);
    mu_json_update(&record, response);
    return record;
}

int mu_test_run(const struct mu_test *asked, const struct mu_device_info *info, struct mu_json *record,
                struct mu_error *err)
{
    struct mu_test test = *asked;
    json_t *response = NULL;
    const uint64_t start = mu_now_ns();
    if (mu_test_complete(&test, info, err) == MU_OK) {
        json_t *request = json_pack("{s:s, s:o, s:o}", "kind", "test", "test", mu_test_request(&test), "device",
                                    mu_device_to_json(info));
        const struct mu_child_environment environment = {info->icd, &test.settings};
        mu_child_call(request, &environment, test.deadline_s, &response, err);
        json_decref(request);
    }
    *record = mu_test_record(&test, info, response, err);
    mu_json_set_number(record, "wall_ns", mu_now_ns() - start);
    json_decref(response);
    return err->status;
}
