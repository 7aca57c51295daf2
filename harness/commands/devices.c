/* muster devices */
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/device/device_list.h"
#include "harness/device/trust/selftest.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct arguments {
    bool json, no_cache;
    struct mu_error err;
};

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {"no-cache", 'n', NULL, 0, "Test the devices anew (default: use the verdict of an earlier self-test)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'j':
        arguments->json = true;
        return 0;
    case 'n':
        arguments->no_cache = true;
        return 0;
    case ARGP_KEY_ARG:
        mu_arguments_refuse(state, text, &arguments->err);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_device(const struct mu_device_info *info, const struct mu_selftest *selftest)
{
    char settings[256];
    mu_settings_text(&selftest->settings, settings, sizeof settings);
    printf("%u  %s\n", info->index, info->chip);
    printf("   device         %s\n", info->name);
    printf("   uuid           %s%s%s\n", info->uuid, info->tag[0] != '\0' ? ", in names of files " : "", info->tag);
    printf("   platform       %s, %s\n", info->platform, info->platform_version);
    printf("   driver         %s, kernels compiled as %s\n", info->driver, info->c_standard);
    printf("   compute units  %u\n", info->compute_units);
    printf("   workgroup      at most %u work-items\n", info->max_workgroup);
    printf("   memory         local %llu KiB, global %llu MiB, one buffer %llu MiB\n",
           (unsigned long long)(info->local_bytes >> 10), (unsigned long long)(info->global_bytes >> 20),
           (unsigned long long)(info->max_allocation_bytes >> 20));
    printf("   atomics        %s: %s\n", mu_atomics_paths[info->atomics].name, info->atomics_reason);
    printf("   subgroups      %s, of %u: %s\n", mu_subgroup_paths[selftest->subgroups].name, selftest->subgroup_size,
           selftest->subgroups_reason);
    printf("   features       class %s of 1.x, 2.0, 2.1, FP\n", mu_feature_class(info, selftest));
    printf("   waiting        yield %s: %s\n", mu_yields[selftest->yield].name, selftest->yield_reason);
    printf("   barriers       %s: %s\n", mu_trust_text(selftest->trust), selftest->reason);
    if (settings[0] != '\0') printf("   settings       %s: refused without\n", settings);
    printf("   variants       %s\n", selftest->trust == MU_REFUSED ? "none"
                                     : info->simulator             ? MU_SIMULATOR_REASON
                                                                   : "all");
}

static int show(const struct mu_device_list *list, const struct arguments *arguments, struct mu_error *err)
{
    struct mu_json devices = mu_json_array(), problems = mu_json_array(), all = mu_json_object();
    for (uint32_t i = 0; i < list->count; i++) {
        struct mu_selftest selftest;
        if (mu_selftest_get(&list->devices[i], !arguments->no_cache, &selftest, err) != MU_OK) break;
        struct mu_json object = {mu_device_to_json(&list->devices[i]), false};
        mu_json_set(&object, "selftest", mu_selftest_to_json(&selftest));
        mu_json_append_part(&devices, &object);
        if (!arguments->json) print_device(&list->devices[i], &selftest);
    }
    for (uint32_t i = 0; i < list->problem_count; i++) {
        mu_json_append_text(&problems, list->problems[i]);
        if (!arguments->json) printf("!  %s\n", list->problems[i]);
    }
    if (!arguments->json && list->count == 0)
        puts("no OpenCL device here (Debian's package pocl-opencl-icd makes one of the CPU)");
    mu_json_set_part(&all, "devices", &devices);
    mu_json_set_part(&all, "problems", &problems);
    if (arguments->json && err->status == MU_OK) mu_print_built(&all, 17, err);
    mu_json_release(&all);
    return err->status;
}

int mu_cmd_devices(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Lists the OpenCL devices: platform, driver, limits, which atomics path applies and why, and whether global "
        "barriers can be trusted there, by a self-test. Every platform is asked in a process of its own, so that a "
        "broken driver does not take the list down.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.err;
    struct mu_device_list *list = calloc(1, sizeof *list);
    if (list == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory");
    if (list != NULL && mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK &&
        mu_device_list(list, err) == MU_OK)
        show(list, &arguments, err);
    free(list);
    mu_finish_output(err);
    return mu_report(err);
}
