/* muster devices */
#include "base/units.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/text/field.h"
#include "harness/commands/text/terms.h"
#include "harness/device/device_list.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/trust/selftest.h"
#include "harness/run/resolve.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_key { KEY_DEVICE = 256, KEY_UNITS };

struct arguments {
    const char *device; /* only the device of this name; NULL: all */
    uint32_t units;
    bool json, no_cache;
    struct mu_error err;
};

static const struct argp_option options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "Only this one: index, part of the name, or uuid (default: all)", 0},
    MU_UNITS_OPTION(KEY_UNITS, 0),
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {"no-cache", 'n', NULL, 0,
     "Query and test all devices again (default: use the verdict of an earlier self-test, and leave out devices that "
     "hung)",
     0},
    {0},
};

static const struct mu_field_look look = {3, 14};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {
        {KEY_DEVICE, &arguments->device, NULL}, {'j', NULL, &arguments->json}, {'n', NULL, &arguments->no_cache}, {0}};
    if (key == KEY_UNITS) return mu_arguments_units(text, &arguments->units, &arguments->err), 0;
    return mu_arguments_options(places, key, text, state, &arguments->err);
}

/* Returns what a class of features (mu_feature_class) has, for people. */
static const char *feature_text(const char *feature_class)
{
    static const struct {
        const char *name, *text;
    } classes[] = {{"1.x", "1.x: no acquire and release between workgroups"},
                   {"2.0", "2.0: acquire and release between workgroups"},
                   {"2.1", "2.1: acquire and release between workgroups, and subgroups"},
                   {"FP", "FP, forward progress: workgroups can wait for each other"}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(classes[i].name, feature_class) == 0) return classes[i].text;
    return feature_class;
}

static const char *trust_text(const struct mu_selftest *selftest)
{
    static const char *const texts[] = {[MU_REFUSED] = "refused, since its results would mean nothing",
                                        [MU_TRUST_ALONE] =
                                            "right, but never more than one workgroup at a time was seen",
                                        [MU_TRUSTED] = "can be trusted"};
    if (selftest->trust == MU_REFUSED && selftest->steps) return "refused; launches of single steps are right";
    return texts[selftest->trust];
}

static void print_hardware(const struct mu_device_info *info)
{
    mu_field(&look, "device", "%s, of %s", info->name, info->vendor);
    mu_field(&look, "uuid", "%s%s%s", info->uuid, info->tag[0] != '\0' ? ", in names of files " : "", info->tag);
    mu_field(&look, "platform", "%s, %s", info->platform, info->platform_version);
    mu_field(&look, "driver", "%s, kernels compiled as %s", info->driver, info->c_standard);
    if (info->resident != 0)
        mu_field(&look, "compute units", "%u, as a user says; the device tells %u", info->resident,
                 info->compute_units);
    else
        mu_field(&look, "compute units", "%u", info->compute_units);
    mu_field(&look, "workgroup", "at most %u work-items", info->max_workgroup);
    mu_field(&look, "memory", "local %llu KiB, global %llu MiB, one buffer %llu MiB",
             (unsigned long long)(info->local_bytes >> 10), (unsigned long long)(info->global_bytes >> 20),
             (unsigned long long)(info->max_allocation_bytes >> 20));
}

/* Fails with the reason why an app cannot run on the device in a variant, by the rules that refuse it before a run. */
static int refuse(const struct mu_facts *facts, const struct mu_app *app, enum mu_variant variant, struct mu_error *why)
{
    struct mu_asked asked = {.app = app};
    struct mu_test test;
    bool untested = false;
    *why = (struct mu_error){0};
    mu_ask(&asked, MU_TEST_variant, variant, MU_FROM_OPTION);
    return mu_resolve_by(&asked, facts, &test, &untested, why);
}

/* Lists the apps and variants that cannot run on the device: an array of objects with `app`, `variant` and `reason`. */
static struct mu_json list_refused(const struct mu_device_info *info, const struct mu_selftest *selftest)
{
    const struct mu_facts facts = {.info = info, .selftest = *selftest};
    struct mu_json all = mu_json_array();
    struct mu_error why;
    for (size_t i = 0; mu_apps[i] != NULL; i++)
        for (int variant = 0; mu_variants[variant].name != NULL; variant++) {
            char app[128];
            struct mu_json refused = mu_json_object();
            snprintf(app, sizeof app, "%s/%s", mu_apps[i]->suite, mu_apps[i]->name);
            mu_json_set_text(&refused, "app", app);
            mu_json_set_text(&refused, "variant", mu_variants[variant].name);
            if (refuse(&facts, mu_apps[i], (enum mu_variant)variant, &why) != MU_OK) {
                mu_json_set_text(&refused, "reason", why.message);
                mu_json_append_part(&all, &refused);
            }
            mu_json_release(&refused);
        }
    return all;
}

/* Prints the variants in which at least one app runs, and each reason why others do not. If the device is refused, no
 * variant runs. */
static void print_variants(const json_t *refused, bool trusted)
{
    size_t i, apps = 0, place;
    json_t *one;
    char text[256] = "";
    struct mu_json told = mu_json_object();
    while (mu_apps[apps] != NULL) apps++;
    for (int variant = 0; mu_variants[variant].name != NULL; variant++) {
        size_t count = 0;
        json_array_foreach ((json_t *)(uintptr_t)refused, i, one)
            count += mu_json_is(one, "variant", mu_variants[variant].name);
        if (count < apps)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] != '\0' ? ", " : "",
                     mu_variants[variant].name);
    }
    mu_field(&look, "variants", "%s", text[0] != '\0' ? text : "none");
    json_array_foreach ((json_t *)(uintptr_t)refused, i, one)
        if (trusted && mu_json_place(&told, json_incref(json_object_get(one, "reason")), &place))
            mu_field(&look, "refused", "%s", mu_json_text(one, "reason"));
    mu_json_release(&told);
}

static const char *const clock_purposes[] = {
    [MU_LOAD_CLOCK_PROCESSOR] = "the processor's counter",
    [MU_LOAD_CLOCK_GLOBALTIMER] = "Nvidia's timer",
    [MU_LOAD_CLOCK_KERNEL] = "that of cl_khr_kernel_clock; no driver with it was tried",
    [MU_LOAD_CLOCK_WORK] = "kernels have none, so steps of arithmetic are counted, whose length is found out",
};

static void print_device(const struct mu_device_info *info, const struct mu_selftest *selftest, const json_t *refused)
{
    char settings[256];
    const struct mu_choice *atomics = &mu_atomics_paths[info->atomics], *yield = &mu_yields[selftest->yield];
    const struct mu_choice *subgroups = &mu_subgroup_paths[selftest->subgroups];
    mu_settings_text(&selftest->settings, settings, sizeof settings);
    printf("%u  %s\n", info->index, info->chip);
    print_hardware(info);
    mu_field(&look, "atomics", "%s (%s): %s", atomics->name, atomics->purpose, info->atomics_reason);
    mu_field(&look, "subgroups", "%s (%s), of %u work-item%s: %s", subgroups->name, subgroups->purpose,
             selftest->subgroup_size, mu_plural(selftest->subgroup_size), selftest->subgroups_reason);
    mu_field(&look, "features", "class %s", feature_text(mu_feature_class(info, selftest)));
    mu_field(&look, "waiting", "yield %s (%s): %s", yield->name, yield->purpose, selftest->yield_reason);
    const enum mu_load_clock clock = mu_choose_load_clock(info, info->atomics, selftest->yield);
    mu_field(&look, "clock", "%s (of loads: %s)", mu_load_clock_names[clock], clock_purposes[clock]);
    if (info->watchdog_ms != 0)
        mu_field(&look, "watchdog",
                 "ends kernels after %.1f s (%s): waits end before; a run that is ended takes less on smaller inputs, "
                 "or on a GPU without a display (man muster, devices)",
                 info->watchdog_ms / 1e3, info->watchdog);
    else if (!info->cpu)
        mu_field(&look, "watchdog", "%s",
                 info->watchdog[0] != '\0'
                     ? info->watchdog
                     : "none is told; where a display is on this GPU, muster probe --watchdog=20s finds out");
    mu_field(&look, "barriers", "%s: %s", trust_text(selftest), selftest->reason);
    if (settings[0] != '\0') mu_field(&look, "settings", "%s: refused without", settings);
    print_variants(refused, selftest->trust != MU_REFUSED);
}

/* Reduces the list to the device that is asked for, with the units that the user gives. */
static int choose(struct mu_device_list *list, const struct arguments *arguments, struct mu_error *err)
{
    if (arguments->device == NULL && arguments->units == 0) return MU_OK;
    if (arguments->device == NULL && list->count > 1)
        return mu_fail(err, MU_USAGE, "--units is for one of %u devices: --device says which", list->count);
    const struct mu_device_info *found = mu_device_find(list, arguments->device, err);
    if (found == NULL) return err->status;
    list->devices[0] = *found;
    list->count = 1;
    if (arguments->units != 0) list->devices[0].resident = arguments->units;
    return MU_OK;
}

static int show(const struct mu_device_list *list, const struct arguments *arguments, struct mu_error *err)
{
    struct mu_json devices = mu_json_array(), problems = mu_json_array(), all = mu_json_object();
    for (uint32_t i = 0; i < list->count; i++) {
        struct mu_selftest selftest;
        if (mu_selftest_get(&list->devices[i], !arguments->no_cache, 0, &selftest, err) != MU_OK) break;
        struct mu_json object = {mu_device_to_json(&list->devices[i]), false};
        mu_json_set(&object, "selftest", mu_selftest_to_json(&selftest));
        struct mu_json refused = list_refused(&list->devices[i], &selftest);
        if (!arguments->json) print_device(&list->devices[i], &selftest, refused.value);
        mu_json_set_part(&object, "refused", &refused);
        mu_json_append_part(&devices, &object);
    }
    for (uint32_t i = 0; i < list->problem_count; i++) {
        mu_json_append_text(&problems, list->problems[i]);
        if (!arguments->json) printf("!  %s\n", list->problems[i]);
    }
    if (!arguments->json && list->count != 0 && err->status == MU_OK) puts("\n" MU_TERMS_HINT);
    mu_json_set_part(&all, "devices", &devices);
    mu_json_set_part(&all, "problems", &problems);
    if (arguments->json && err->status == MU_OK) mu_print_built(&all, 17, err);
    mu_json_release(&all);
    if (err->status == MU_OK && list->count == 0) mu_device_find(list, NULL, err);
    return err->status;
}

int mu_cmd_devices(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Lists the OpenCL devices: platform, driver, limits, which atomics path applies and why, and whether global "
        "barriers can be trusted there, by a self-test. Drivers are queried in a process of their own, and one by one "
        "if that fails, so that a broken driver does not stop the command.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.err;
    struct mu_device_list *list = calloc(1, sizeof *list);
    if (list == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory");
    if (list != NULL && mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK &&
        mu_device_list(list, arguments.no_cache, err) == MU_OK && choose(list, &arguments, err) == MU_OK)
        show(list, &arguments, err);
    free(list);
    mu_finish_output(err);
    return mu_report(err);
}
