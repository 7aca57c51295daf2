/* muster probe */
#include "harness/probe/probe.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/probe/watchdog.h"
#include "harness/commands/text/field.h"
#include "harness/commands/text/probe_answers.h"
#include "harness/commands/text/terms.h"
#include "harness/device/child.h"
#include "harness/device/device_list.h"
#include "harness/run/options.h"
#include "records/results.h"

#include "apps/app.h"
#include "base/units.h"
#include "inputs/formats/formats.h"
#include "inputs/generators/generators.h"
#include "inputs/input.h"

#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum option_key {
    KEY_DEVICE = 256,
    KEY_FINE,
    KEY_QUICK,
    KEY_THESIS,
    KEY_RESTART,
    KEY_APP,
    KEY_INPUT,
    KEY_INPUT_FORMAT,
    KEY_WORKGROUP,
    KEY_UNITS,
    KEY_WATCHDOG,
    KEY_KEYS,
    KEY_JSON
};

static const struct argp_option options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)", 0},
    MU_UNITS_OPTION(KEY_UNITS, 0),
    {"fine", KEY_FINE, 0, 0,
     "Also time roll calls at workgroups of every multiple of eight, which takes minutes more (default: powers of two)",
     0},
    {"quick", KEY_QUICK, 0, 0, "Fewer runs and sizes: about a minute instead of several (default: all)", 0},
    {"thesis", KEY_THESIS, 0, 0,
     "Also measure figure 4.7 and table 4.6 of the thesis by its own 10 000 launches and 20 000 additions, which "
     "takes a minute or two more (default: fewer launches, more additions)",
     0},
    {"restart", KEY_RESTART, 0, 0,
     "Measure everything anew; the old file is kept as probe.jsonl.old (default: what was measured with this driver "
     "stays)",
     0},
    {"app", KEY_APP, "APP", 0, "Instead, find the occupancy bound of this app's kernel (default: none)", 0},
    {"input", KEY_INPUT, "INPUT", 0,
     "With --app: what it runs on, see muster run (default: road:30; mesh:500 for an app on meshes)", 0},
    {"input-format", KEY_INPUT_FORMAT, "NAME", 0,
     "With --app: the format of the input's file, see muster list formats (default: by content)", 0},
    {"workgroup", KEY_WORKGROUP, "SIZE", 0,
     "With --app: this workgroup size alone (default: 32 to 1024; the usual one on a CPU)", 0},
    {"watchdog", KEY_WATCHDOG, "TIME", 0,
     "Instead, run kernels of doubling time, up to this one, such as 20s, until the system ends one; a display stands "
     "still meanwhile (default: none)",
     0},
    {"keys", KEY_KEYS, 0, 0, "Print the keys of a profile as a table and do nothing else (default: probe)", 0},
    {"json", KEY_JSON, 0, 0, "JSON, for programs (default: text)", MU_GROUP_OUTPUT},
    {0},
};

struct arguments {
    struct mu_probe_options probe;
    const char *device;
    uint32_t units;
    double watchdog_s;
    bool keys, json;
    struct mu_error err;
};

static const struct mu_field_look look = {0, 16};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct mu_probe_options *probe = &arguments->probe;
    const struct mu_argument_place places[] = {{KEY_DEVICE, &arguments->device, NULL},
                                               {KEY_FINE, NULL, &probe->fine},
                                               {KEY_QUICK, NULL, &probe->quick},
                                               {KEY_THESIS, NULL, &probe->thesis},
                                               {KEY_RESTART, NULL, &probe->restart},
                                               {KEY_APP, &probe->app, NULL},
                                               {KEY_INPUT, &probe->input, NULL},
                                               {KEY_JSON, NULL, &arguments->json},
                                               {KEY_KEYS, NULL, &arguments->keys},
                                               {KEY_INPUT_FORMAT, &probe->input_format, NULL},
                                               {0}};
    uint64_t number = 0;
    if (key == KEY_UNITS) return mu_arguments_units(text, &arguments->units, &arguments->err), 0;
    if (key == KEY_WATCHDOG) return mu_parse_duration("watchdog", text, &arguments->watchdog_s, &arguments->err), 0;
    if (key == KEY_INPUT) mu_arguments_input(text, false, &arguments->err);
    if (key != KEY_WORKGROUP) return mu_arguments_options(places, key, text, state, &arguments->err);
    if (mu_parse_number("workgroup", text, 1, 65536, &number, &arguments->err) == MU_OK)
        probe->workgroup = (uint32_t)number;
    return 0;
}

/* Finds the format in which the input is to be read. */
static int check_format(struct mu_probe_options *probe, const struct mu_format **format, struct mu_error *err)
{
    struct mu_value value = {0};
    *format = NULL;
    if (probe->input_format == NULL) return MU_OK;
    if (mu_option_parse(&mu_test_options[MU_TEST_input_format], probe->input_format, &value, err) != MU_OK)
        return err->status;
    if (value.number == MU_FORMAT_AUTO)
        probe->input_format = NULL;
    else
        *format = mu_formats[value.number];
    return MU_OK;
}

static int check_watchdog(struct arguments *arguments)
{
    const struct mu_probe_options *probe = &arguments->probe;
    const double ms = arguments->watchdog_s * 1e3;
    if (ms <= 0) return MU_OK;
    if (ms < MU_WATCHDOG_FIRST_MS || ms > MU_WATCHDOG_MOST_MS)
        return mu_fail(&arguments->err, MU_USAGE, "--watchdog: from %.2f to %.0f s", MU_WATCHDOG_FIRST_MS / 1e3,
                       MU_WATCHDOG_MOST_MS / 1e3);
    if (probe->app != NULL || probe->fine || probe->quick || probe->thesis || arguments->json)
        return mu_fail(&arguments->err, MU_USAGE, "--watchdog goes with --device, --units and --restart alone");
    return MU_OK;
}

/* Replaces the app by its full name, so that the same experiment always has the same identity. */
static int check_app(struct arguments *arguments, char *name, size_t bytes)
{
    struct mu_probe_options *probe = &arguments->probe;
    const struct mu_format *format;
    if (probe->app == NULL && (probe->input != NULL || probe->input_format != NULL || probe->workgroup != 0))
        return mu_fail(&arguments->err, MU_USAGE, "--input, --input-format and --workgroup go with --app");
    if (check_format(probe, &format, &arguments->err) != MU_OK) return arguments->err.status;
    if (probe->app == NULL) return MU_OK;
    if (probe->fine || probe->quick || probe->thesis)
        return mu_fail(&arguments->err, MU_USAGE,
                       "--fine, --quick and --thesis are of the chip's experiments, not of --app's");
    const struct mu_app *app = mu_app_find(probe->app, &arguments->err);
    if (app == NULL) return arguments->err.status;
    snprintf(name, bytes, "%s/%s", app->suite, app->name);
    probe->app = name;
    if (probe->input == NULL) probe->input = app->kind == MU_KIND_MESH ? "mesh:500" : "road:30";
    if (mu_input_try(probe->input, app->kind == MU_KIND_MESH ? MU_OF_MESHES : MU_OF_GRAPHS, format, &arguments->err) !=
        MU_OK)
        return arguments->err.status;
    if ((probe->workgroup & (probe->workgroup - 1)) != 0)
        return mu_fail(&arguments->err, MU_USAGE, "--workgroup=%u is not a power of two", probe->workgroup);
    return MU_OK;
}

static void print_launches(const struct mu_profile *profile)
{
    char pipelined[32], blocking[32], word[32];
    if (profile->launch_blocking_ns <= 0) return;
    mu_show_time(profile->launch_pipelined_ns, pipelined, sizeof pipelined);
    mu_show_time(profile->launch_blocking_ns, blocking, sizeof blocking);
    mu_show_time(profile->launch_word_ns, word, sizeof word);
    mu_field(&look, "launch", "of a kernel: %s in a row of them; %s where the host reads a word back behind each",
             pipelined, blocking);
    if (profile->launch_word_ns > 0) mu_field(&look, "", "%s where it watches a word of pinned memory instead", word);
}

static void print_bounds(const struct mu_profile *profile)
{
    char text[1024] = "";
    size_t used = 0;
    for (int i = 0; i < MU_PROFILE_SIZES && used < sizeof text; i++)
        if (profile->bound[i] != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u of %u", used != 0 ? ", " : "",
                                     profile->bound[i], 1u << i);
    mu_field(&look, "bound", "workgroups that are on the device at a time, by their work-items: %s", text);
    if (profile->bound_local_all_workgroup_one != 0)
        mu_field(&look, "", "with all local memory: %u of 1, %u of the largest workgroup",
                 profile->bound_local_all_workgroup_one, profile->bound_local_all_workgroup_max);
    if (profile->bound_disagreements != 0)
        mu_field(&look, "", "%u repeated verdicts disagreed", profile->bound_disagreements);
}

static void print_roll_call(const struct mu_profile *profile)
{
    char cost[32], known[32];
    if (profile->rollcall_patience == 0) return;
    mu_field(&look, "roll call",
             "closes after %u reads without a newcomer (patience); 4 × %u of %u runs found everything",
             profile->rollcall_patience, profile->rollcall_recall_runs, profile->rollcall_recall_runs);
    if (profile->rollcall_cost_ns <= 0) return;
    mu_show_time(profile->rollcall_cost_ns, cost, sizeof cost);
    mu_show_time(profile->rollcall_expected_cost_ns, known, sizeof known);
    if (profile->rollcall_expected_cost_ns > 0)
        mu_field(&look, "", "takes %s, and %s once the size of the team is known", cost, known);
    else
        mu_field(&look, "", "takes %s", cost);
}

static void print_barrier(const struct mu_profile *profile)
{
    char cost[32], tree[64] = "";
    if (profile->barrier_cost_ns <= 0) return;
    mu_show_time(profile->barrier_cost_ns, cost, sizeof cost);
    if (profile->barrier_tree_from != UINT32_MAX)
        snprintf(tree, sizeof tree, ", from %u workgroups on tree", profile->barrier_tree_from);
    mu_field(&look, "barrier", "counter%s; %s with as many workgroups as fit", tree, cost);
}

static void print_profile_json(const struct mu_device_info *info, const char *path, const struct mu_profile *profile,
                               struct mu_error *err)
{
    struct mu_json all = mu_json_object(), part = mu_profile_to_json(profile);
    mu_json_set_text(&all, "chip", info->chip);
    mu_json_set_text(&all, "file", path);
    mu_json_set_part(&all, "profile", &part);
    mu_print_built(&all, 9, err);
}

static void print_profile(const struct mu_device_info *info, bool json, const json_t *measurements,
                          struct mu_error *err)
{
    struct mu_profile profile;
    char path[PATH_MAX];
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK ||
        mu_profile_read(path, &profile, err) != MU_OK)
        return;
    if (json) {
        print_profile_json(info, path, &profile, err);
        return;
    }
    printf("%s: %s\n", path, profile.chip_device);
    mu_field(&look, "self-test", "%s: %s", profile.selftest_trust, profile.selftest_reason);
    mu_field(&look, "variants", "%s",
             strcmp(profile.selftest_variants, mu_profile_variants[MU_PROFILE_MULTI_KERNEL_ONLY].name) == 0 &&
                     info->simulator
                 ? MU_SIMULATOR_REASON
                 : profile.selftest_variants);
    print_launches(&profile);
    if (profile.bound[0] != 0) print_bounds(&profile);
    print_roll_call(&profile);
    print_barrier(&profile);
    if (profile.progress_obe[0] != '\0')
        mu_field(&look, "progress",
                 "which scheduler models the device agrees with: HSA %s, OBE %s, HSA+OBE %s, LOBE %s",
                 profile.progress_hsa, profile.progress_obe, profile.progress_hsa_obe, profile.progress_lobe);
    putchar('\n');
    mu_probe_answer(info, &profile, measurements);
    puts("\n" MU_TERMS_HINT);
}

/* Returns true if a measurement is of the app, input and workgroup that were asked for. */
static bool is_asked_for(const json_t *measurement, const struct mu_probe_options *asked)
{
    const json_t *of = json_object_get(measurement, "parameters");
    const json_int_t workgroup = json_integer_value(json_object_get(of, "workgroup"));
    return strcmp(mu_json_text(of, "app"), asked->app) == 0 && strcmp(mu_json_text(of, "input"), asked->input) == 0 &&
           strcmp(mu_json_text(of, "input_format"), asked->input_format != NULL ? asked->input_format : "") == 0 &&
           (asked->workgroup == 0 || workgroup == asked->workgroup);
}

static void print_bound(const json_t *measurement, const struct mu_probe_options *asked)
{
    const json_int_t workgroup =
        json_integer_value(json_object_get(json_object_get(measurement, "parameters"), "workgroup"));
    printf("%s %s, workgroup %lld: ", asked->app, asked->input, (long long)workgroup);
    if (json_object_get(measurement, "bound") == NULL)
        printf("%s\n", mu_json_text(measurement, "outcome"));
    else
        printf("bound %lld%s, %lld found by roll calls\n",
               (long long)json_integer_value(json_object_get(measurement, "bound")),
               json_is_true(json_object_get(measurement, "open")) ? " or more" : "",
               (long long)json_integer_value(json_object_get(measurement, "team")));
}

/* Returns true if a later measurement repeats the one at this place. */
static bool is_taken_again(const json_t *measurements, size_t place)
{
    const json_t *parameters = json_object_get(json_array_get(measurements, place), "parameters");
    for (size_t i = place + 1; i < json_array_size(measurements); i++)
        if (json_equal(json_object_get(json_array_get(measurements, i), "parameters"), parameters)) return true;
    return false;
}

static void print_app(const json_t *measurements, const struct arguments *arguments, struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    struct mu_json all = mu_json_object(), found = mu_json_array();
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!is_asked_for(measurement, &arguments->probe) || is_taken_again(measurements, i)) continue;
        mu_json_append(&found, json_incref(measurement));
        if (!arguments->json) print_bound(measurement, &arguments->probe);
    }
    mu_json_set_part(&all, "measurements", &found);
    if (arguments->json) mu_print_built(&all, 9, err);
    mu_json_release(&all);
}

static void run(struct arguments *arguments)
{
    struct mu_error *err = &arguments->err;
    struct mu_error outcome = {0};
    struct mu_device_info info;
    json_t *measurements = NULL;
    if (mu_device_choose(arguments->device, &info, NULL, err) != MU_OK) return;
    if (arguments->units != 0) info.resident = arguments->units;
    if (arguments->watchdog_s > 0) {
        mu_probe_watchdog_find(&info, &arguments->probe, (uint32_t)(arguments->watchdog_s * 1e3), err);
        return;
    }
    mu_probe_chip(&info, &arguments->probe, &measurements, &outcome);
    if (arguments->probe.app == NULL && (outcome.status == MU_OK || outcome.status == MU_UNSUPPORTED))
        print_profile(&info, arguments->json, measurements, err);
    if (arguments->probe.app != NULL && measurements != NULL && outcome.status != MU_INTERRUPTED)
        print_app(measurements, arguments, err);
    mu_pass_error(&outcome, err);
    json_decref(measurements);
}

int mu_cmd_probe(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     NULL,
                                     "Measures everything about a chip that synchronisation depends on: occupancy "
                                     "bounds, recall and cost of roll calls, cost of barriers and of launches. The "
                                     "measurements go into mine/<chip>/probe.jsonl, the profile, which runs use "
                                     "from then on, into mine/<chip>/chip.ini. Every experiment is a process of its "
                                     "own, with a deadline; a probe that was stopped goes on where it was.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct arguments arguments = {0};
    char app[128];
    mu_arguments_parse(&argp, argc, argv, &arguments, &arguments.err);
    if (arguments.keys && arguments.json)
        mu_fail(&arguments.err, MU_USAGE, "--keys prints a table in Markdown: --json does not go with it");
    if (arguments.err.status == MU_OK && arguments.keys)
        mu_profile_print_keys(stdout);
    else if (arguments.err.status == MU_OK && check_watchdog(&arguments) == MU_OK &&
             check_app(&arguments, app, sizeof app) == MU_OK)
        run(&arguments);
    mu_finish_output(&arguments.err);
    return mu_report(&arguments.err);
}
