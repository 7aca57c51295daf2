#include "harness/commands/chip/chip.h"

#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/device/child.h"

#include <argp.h>
#include <string.h>

#define BUDGET_S 600.0

enum option_key { KEY_DEVICE = 256, KEY_SUITE, KEY_BUDGET, KEY_CHIP, KEY_OUTPUT, KEY_UNITS };

static const struct argp_option options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "add: index, part of the name, or uuid, see muster devices (default: 0)", 0},
    {"suite", KEY_SUITE, "NAME", 0, "add: what is measured, see muster list suites (default: smoke)", 0},
    {"budget", KEY_BUDGET, "TIME", 0,
     "add: how long this call may take, such as 90s, 10m or 2h; the next call continues (default: 10m)", 0},
    {"chip", KEY_CHIP, "NAME", 0,
     "add: the chip's short name for all later commands, stored in aliases.json (default: made from the device's own "
     "name); import: its name here (default: that in the pack)",
     0},
    {"units", KEY_UNITS, "N", 0,
     "add: the chip's number of compute units for all later commands, if its driver reports it wrongly (default: as "
     "reported; if that is one, as found)",
     0},
    {"output", KEY_OUTPUT, "FILE", 0,
     "pack: the file (default: CHIP.pack.jsonl.xz); import: the folder of results (default: results)", 0},
    {0},
};

static const struct work {
    const char *name;
    int (*run)(const struct mu_chip_arguments *arguments, struct mu_error *err);
    bool needs_subject;
} works[] = {{"add", mu_chip_add, false}, {"pack", mu_chip_pack, false}, {"import", mu_chip_import, true}};

enum { WORKS = sizeof works / sizeof works[0] };

struct arguments {
    const struct work *work;
    struct mu_chip_arguments of;
};

static int take_word(struct arguments *arguments, const char *word, bool is_first)
{
    struct mu_chip_arguments *of = &arguments->of;
    for (size_t i = 0; i < WORKS && is_first; i++)
        if (strcmp(works[i].name, word) == 0) arguments->work = &works[i];
    if (is_first && arguments->work == NULL)
        return mu_fail(&of->err, MU_USAGE, "'%s': what to do with a chip is add, pack or import", word);
    if (is_first) return MU_OK;
    if (arguments->work != NULL && arguments->work->run == mu_chip_add) {
        if (of->app_count == MU_CHIP_APPS) return mu_fail(&of->err, MU_LIMIT, "more than %d apps", MU_CHIP_APPS);
        of->apps[of->app_count++] = word;
        return MU_OK;
    }
    if (of->subject != NULL) return mu_fail(&of->err, MU_USAGE, "'%s' is too much", word);
    of->subject = word;
    return MU_OK;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct mu_chip_arguments *of = &arguments->of;
    const struct mu_argument_place places[] = {{KEY_DEVICE, &of->device, NULL},
                                               {KEY_SUITE, &of->suite, NULL},
                                               {KEY_CHIP, &of->chip, NULL},
                                               {KEY_OUTPUT, &of->output, NULL},
                                               {0}};
    switch (key) {
    case KEY_BUDGET:
        mu_parse_duration("budget", text, &of->budget_s, &of->err);
        return 0;
    case KEY_UNITS:
        mu_arguments_units(text, &of->units, &of->err);
        return 0;
    case ARGP_KEY_ARG:
        take_word(arguments, text, state->arg_num == 0);
        return 0;
    case ARGP_KEY_NO_ARGS:
        mu_fail(&of->err, MU_USAGE, "what to do with a chip? muster chip add, pack or import");
        return 0;
    default:
        return mu_arguments_store(places, key, text);
    }
}

/* Refuses options that belong to another subcommand. */
static int check(const struct arguments *arguments, struct mu_error *err)
{
    const struct mu_chip_arguments *of = &arguments->of;
    const bool adds = arguments->work->run == mu_chip_add;
    if (!adds && (of->device != NULL || of->suite != NULL || of->budget_s > 0 || of->units != 0))
        return mu_fail(err, MU_USAGE, "--device, --suite, --budget and --units go with add");
    if (adds && of->output != NULL)
        return mu_fail(err, MU_USAGE, "--output goes with pack and import; MUSTER_RESULTS names the folder of add");
    if (of->chip != NULL && arguments->work->run == mu_chip_pack)
        return mu_fail(err, MU_USAGE, "--chip goes with add and import");
    if (arguments->work->needs_subject && of->subject == NULL)
        return mu_fail(err, MU_USAGE, "which pack? muster chip import FILE");
    return MU_OK;
}

int mu_cmd_chip(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "add [APP...]\npack [CHIP]\nimport FILE",
        "Adds a chip to the results. `add` measures a device: tests it, probes it, tunes it unless it is a CPU, and "
        "runs a suite, or the APPs of it. Results go into the user's own folder, with a page; the same command "
        "continues where the last one ended. `pack` packs a chip of that folder into one file for sending. It has no "
        "names of hosts and folders, has a checksum, and is a file of records like any other. `import` adds such a "
        "file to a checkout: the chip's new records, its profile and its page; then it makes checksums and pages anew. "
        "Everything in the file is checked, and another device of the same name is refused.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.of.err;
    if (mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK && check(&arguments, err) == MU_OK) {
        if (arguments.of.budget_s <= 0) arguments.of.budget_s = BUDGET_S;
        if (arguments.of.suite == NULL) arguments.of.suite = "smoke";
        arguments.work->run(&arguments.of, err);
    }
    mu_finish_output(err);
    return mu_report(err);
}
