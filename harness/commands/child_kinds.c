/* The kinds of request that a child process serves. */
#include "harness/commands/command.h"

#include "harness/campaign/suites.h"
#include "harness/conform/conform.h"
#include "harness/cooperative/stealing.h"
#include "harness/device/device_list.h"
#include "harness/device/trust/forward_progress.h"
#include "harness/device/trust/selftest.h"
#include "harness/litmus/litmus.h"
#include "harness/persistent/persistent.h"
#include "harness/probe/probe.h"
#include "harness/run/process.h"

static int selftest_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_device_info info;
    struct mu_selftest result;
    struct mu_target target = {0};
    mu_child_phase("test");
    if (mu_device_from_json(json_object_get(request, "device"), &info, err) == MU_OK &&
        mu_device_open(&info, false, &target, err) == MU_OK &&
        mu_selftest_run(&target, &info, json_is_true(json_object_get(request, "only_steps")), &result, err) == MU_OK)
        mu_json_set(response, "selftest", mu_selftest_to_json(&result));
    mu_device_close(&target);
    return err->status;
}

/* Tries whether waiting workgroups can give their core away. This runs in a child of its own, since some compilers
 * crash on inline assembly. */
static int yield_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    (void)response; /* the outcome is the answer */
    struct mu_device_info info;
    struct mu_target target = {0};
    mu_child_phase("test");
    if (mu_device_from_json(json_object_get(request, "device"), &info, err) == MU_OK &&
        mu_device_open(&info, false, &target, err) == MU_OK)
        mu_yield_try(&target, &info, MU_YIELD_SYSCALL, err);
    mu_device_close(&target);
    return err->status;
}

static int subgroups_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    const char *name = json_string_value(json_object_get(request, "path"));
    struct mu_device_info info;
    struct mu_target target = {0};
    int path = 0;
    uint32_t size = 0;
    if (mu_choice_find(mu_subgroup_paths, "subgroups", name != NULL ? name : "", &path, err) == MU_OK &&
        mu_device_from_json(json_object_get(request, "device"), &info, err) == MU_OK &&
        mu_device_open(&info, false, &target, err) == MU_OK)
        mu_subgroups_try(&target, &info, (enum mu_subgroups)path, &size, err);
    mu_json_set_number(response, "size", size);
    mu_device_close(&target);
    return err->status;
}

const struct mu_child_kind mu_child_kinds[] = {
    {"yield", yield_serve},          {"subgroups", subgroups_serve},      {"platforms", mu_platforms_serve},
    {"devices", mu_devices_serve},   {"selftest", selftest_serve},        {"progress", mu_forward_progress_serve},
    {"test", mu_test_serve},         {"tests", mu_tests_serve},           {"suite", mu_suite_serve},
    {"probe", mu_probe_serve},       {"persistent", mu_persistent_serve}, {"litmus", mu_litmus_serve},
    {"stealing", mu_stealing_serve}, {"conform", mu_conform_serve},       {NULL, NULL},
};
