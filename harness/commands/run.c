/* muster run */
#include "analysis/show.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sink.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/device/child.h"
#include "harness/device/device_list.h"
#include "harness/run/option_line.h"
#include "harness/run/resolve.h"
#include "inputs/generators/generators.h"
#include "inputs/input.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum option_key { KEY_INPUT = 256, KEY_DEVICE, KEY_KERNEL_DIR, KEY_OUTPUT, KEY_JSON, KEY_UNITS };

/* Options besides those of a test, which come from their tables. */
static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is run:", MU_GROUP_WHAT},
    {"input", KEY_INPUT, "INPUT", 0,
     "A file or a generator, see muster list (default: road:300; mesh:5000 for an app on meshes)", MU_GROUP_WHAT},
    {0, 0, 0, 0, "Where:", MU_GROUP_WHERE},
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)",
     MU_GROUP_WHERE},
    MU_UNITS_OPTION(KEY_UNITS, MU_GROUP_WHERE),
    {0, 0, 0, 0, "How workgroups synchronise:", MU_GROUP_HOW},
    {0, 0, 0, 0, "How it is measured:", MU_GROUP_MEASURE},
    {"kernel-dir", KEY_KERNEL_DIR, "FOLDER", 0,
     "Kernel sources, laid out like the source tree (default: those inside the program)", MU_GROUP_MEASURE},
    {0, 0, 0, 0, "What comes out:", MU_GROUP_OUTPUT},
    {"json", KEY_JSON, 0, 0, "One line of JSON (default: text)", MU_GROUP_OUTPUT},
    {"output", KEY_OUTPUT, "FILE", 0,
     "Write the result: as text, one value per vertex; of dmr, the mesh as FILE.node, FILE.ele and FILE.poly (default: "
     "none)",
     MU_GROUP_OUTPUT},
    {0, 0, 0, 0, "Options of single apps:", MU_GROUP_APPS},
    {0},
};

struct arguments {
    struct mu_asked asked;
    struct mu_option_line *line;
    const char *app, *device;
    uint32_t units;
    bool json;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {{KEY_INPUT, &arguments->asked.input, NULL},
                                               {KEY_DEVICE, &arguments->device, NULL},
                                               {KEY_KERNEL_DIR, &arguments->asked.kernel_dir, NULL},
                                               {KEY_OUTPUT, &arguments->asked.output, NULL},
                                               {KEY_JSON, NULL, &arguments->json},
                                               {0}};
    if (key == ARGP_KEY_INIT) state->child_inputs[0] = arguments->line;
    if (key == KEY_UNITS) mu_arguments_units(text, &arguments->units, &arguments->err);
    if (key == KEY_INPUT) mu_arguments_input(text, true, &arguments->err);
    if (key == KEY_UNITS || mu_arguments_store(places, key, text) == 0) return 0;
    return mu_arguments_app(&arguments->app, key, text, state);
}

/* Refuses an input that does not exist before a device is looked for. With --json the run goes on, so that a program
 * gets a record with the outcome. */
static int check_input(const struct arguments *arguments, struct mu_error *err)
{
    const struct mu_asked *asked = &arguments->asked;
    if (arguments->json || asked->input == NULL || !mu_json_can_hold(asked->input)) return MU_OK;
    return mu_input_check(asked->input, asked->app->kind == MU_KIND_MESH ? MU_OF_MESHES : MU_OF_GRAPHS, err);
}

/* Returns true if the run was refused because of its input; then the error alone is printed. */
static bool is_refused(const json_t *record, int status)
{
    return (status == MU_USAGE || status == MU_INPUT || status == MU_IO) &&
           json_array_size(json_object_get(record, "samples_ns")) == 0;
}

/* Checks before the run that its result can be written. For a mesh, only the first of its files is checked. */
static int check_output(const struct mu_asked *asked, struct mu_error *err)
{
    if (asked->output == NULL) return MU_OK;
    char *path = mu_format(err, "%s%s", asked->output, asked->app->kind == MU_KIND_MESH ? ".node" : "");
    if (path != NULL) mu_sink_check(path, err);
    mu_free(path);
    return err->status;
}

/* Warns about options that the variant ignores. */
static void tell_useless(const struct arguments *arguments)
{
    const struct mu_value *asked = &arguments->asked.options[MU_TEST_variant];
    const uint32_t variant = asked->from == MU_FROM_NOBODY ? MU_PORTABLE : (uint32_t)asked->number;
    for (size_t i = 0; i < arguments->line->given_count; i++) {
        char name[40];
        const int setting = arguments->line->given[i].setting;
        const struct mu_option *row = setting >= 0 ? &mu_test_options[setting] : NULL;
        if (row == NULL || mu_test_option_applies(row, variant)) continue;
        mu_option_spell(row, name, sizeof name);
        mu_note(stderr, "--%s changes nothing in variant %s", name, mu_variants[variant].name);
    }
}

static void run(struct arguments *arguments)
{
    struct mu_error *err = &arguments->err;
    struct mu_device_info info;
    uint32_t devices = 0;
    struct mu_json built = {0};
    struct mu_test test;
    if (mu_device_choose(arguments->device, &info, &devices, err) != MU_OK) return;
    if (arguments->device == NULL && devices > 1) fprintf(stderr, "muster: no --device: using 0, %s\n", info.chip);
    if (arguments->units != 0) info.resident = arguments->units;
    mu_resolve(&arguments->asked, &info, &test, err);
    mu_test_perform(&test, &info, &built, err);
    json_t *record = mu_json_take(&built, "the record of a run", err);
    if (arguments->json && record != NULL && json_dumpf(record, stdout, JSON_COMPACT) == 0)
        putchar('\n');
    else if (!arguments->json && record != NULL && !is_refused(record, err->status))
        mu_show_record(record, stdout);
    json_decref(record);
}

int mu_cmd_run(int argc, char **argv)
{
    struct mu_option_line line;
    const struct argp_child children[] = {{&line.argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "APP",
                              .doc = "Runs APP (\"suite/app\", or \"app\" where that is unique) on one input in one "
                                     "variant, checks every result, and prints min, median with its interval, max, "
                                     "team, launches, read-backs and barriers. The run is a process of its own, with a "
                                     "deadline.",
                              .children = children};
    struct arguments arguments = {.line = &line};
    struct mu_error *err = &arguments.err;
    mu_option_line_make(&line, false);
    mu_arguments_parse(&argp, argc, argv, &arguments, err);
    if (err->status == MU_OK) arguments.asked.app = mu_app_find(arguments.app, err);
    if (err->status == MU_OK && mu_option_line_ask(&line, &arguments.asked, err) == MU_OK &&
        check_input(&arguments, err) == MU_OK && check_output(&arguments.asked, err) == MU_OK) {
        tell_useless(&arguments);
        run(&arguments);
    }
    mu_finish_output(err);
    return mu_report(err);
}
