/* muster litmus */
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "harness/device/device_list.h"
#include "harness/litmus/reduce.h"

#include <argp.h>
#include <limits.h>

enum option_key {
    KEY_DEVICE = 256,
    KEY_QUICK,
    KEY_RESTART,
    KEY_SEARCH,
    KEY_IDIOMS,
    KEY_REDUCED,
    KEY_TEST,
    KEY_ATOMICS,
    KEY_FORM
};

#define MOST_SEARCH_S 30 /* a process gets twice that time as its deadline */

static const struct argp_option options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)", 0},
    {"quick", KEY_QUICK, 0, 0, "A tenth of the instances (default: all)", 0},
    {"restart", KEY_RESTART, 0, 0,
     "Measure everything anew; the old file is kept as litmus.jsonl.old (default: what was measured with this driver "
     "stays)",
     0},
    {"search", KEY_SEARCH, "SECONDS", 0,
     "For each atomics path, search this long (1 to 30) for the stress by other workgroups that shows most weak "
     "outcomes, and repeat the tests under it (default: no search)",
     0},
    {"idioms", KEY_IDIOMS, 0, 0, "Run only the blocking idioms, and print their table (default: everything)", 0},
    {"reduced", KEY_REDUCED, "FOLDER", 0,
     "Test nothing. Write each test whose forbidden outcome was seen on this chip as a program that needs nothing of "
     "muster: FOLDER/TEST-PATH-FORM gets a kernel and a host program",
     0},
    {"test", KEY_TEST, "TEST", 0, "With --reduced: this test, seen or not: MP, SB, LB, CoRR, WRC, ISA2 or IRIW", 0},
    {"atomics", KEY_ATOMICS, "PATH", 0,
     "With --reduced: through this atomics path (default: what was seen; with --test the device's own)", 0},
    {"form", KEY_FORM, "FORM", 0, "With --reduced: ordered or relaxed (default: what was seen; with --test ordered)",
     0},
    {0},
};

struct arguments {
    struct mu_litmus_options litmus;
    struct mu_litmus_asked reduced;
    struct mu_output output;
    const char *device;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct mu_litmus_options *litmus = &arguments->litmus;
    struct mu_litmus_asked *reduced = &arguments->reduced;
    const struct mu_argument_place places[] = {{KEY_DEVICE, &arguments->device, NULL},
                                               {KEY_QUICK, NULL, &litmus->quick},
                                               {KEY_RESTART, NULL, &litmus->restart},
                                               {KEY_IDIOMS, NULL, &litmus->idioms},
                                               {KEY_REDUCED, &reduced->folder, NULL},
                                               {KEY_TEST, &reduced->test, NULL},
                                               {KEY_ATOMICS, &reduced->atomics, NULL},
                                               {KEY_FORM, &reduced->form, NULL},
                                               {0}};
    uint64_t number = 0;
    if (key == ARGP_KEY_INIT) state->child_inputs[0] = &arguments->output;
    if (key != KEY_SEARCH) return mu_arguments_options(places, key, text, state, &arguments->err);
    if (mu_parse_number("search", text, 1, MOST_SEARCH_S, &number, &arguments->err) == MU_OK)
        litmus->search_s = (uint32_t)number;
    return 0;
}

/* Refuses options that do not go together. */
static int check_options(const struct mu_litmus_options *litmus, const struct mu_litmus_asked *reduced,
                         struct mu_error *err)
{
    const char *alone = reduced->test != NULL      ? "--test"
                        : reduced->atomics != NULL ? "--atomics"
                        : reduced->form != NULL    ? "--form"
                                                   : NULL;
    const bool tests = litmus->quick || litmus->restart || litmus->idioms || litmus->search_s != 0;
    if (reduced->folder == NULL && alone != NULL) return mu_fail(err, MU_USAGE, "%s is for --reduced=FOLDER", alone);
    if (reduced->folder != NULL && reduced->folder[0] == '\0')
        return mu_fail(err, MU_USAGE, "--reduced=: the name of a folder is missing");
    if (reduced->folder != NULL && tests)
        return mu_fail(err, MU_USAGE,
                       "--reduced tests nothing: --quick, --restart, --idioms and --search are not for it");
    return MU_OK;
}

static void run(const struct arguments *arguments, struct mu_error *err)
{
    char path[PATH_MAX] = "";
    struct mu_error outcome = {0};
    struct mu_device_info info;
    if (mu_device_choose(arguments->device, &info, NULL, err) != MU_OK) return;
    if (arguments->reduced.folder != NULL) {
        mu_litmus_reduce(&info, &arguments->reduced, stdout, err);
        return;
    }
    mu_litmus_run(&info, &arguments->litmus, path, sizeof path, &outcome);
    if (path[0] != '\0') mu_output_table(&arguments->output, arguments->litmus.idioms ? "idioms" : "litmus", path, err);
    mu_pass_error(&outcome, err);
}

int mu_cmd_litmus(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_format_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Runs litmus tests of the memory accesses that barriers, roll calls and mutexes rely on, through each of the "
        "device's atomics paths. As a control, runs the same accesses without their order. Also finds out which "
        "blocking idioms, whose workgroups wait for others, end. The counts go into mine/<chip>/litmus.jsonl. Every "
        "experiment is a process of its own, with a deadline.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {0};
    if (mu_arguments_parse(&argp, argc, argv, &arguments, &arguments.err) == MU_OK &&
        arguments.output.err.status != MU_OK)
        mu_pass_error(&arguments.output.err, &arguments.err);
    if (arguments.err.status == MU_OK) check_options(&arguments.litmus, &arguments.reduced, &arguments.err);
    if (arguments.err.status == MU_OK) run(&arguments, &arguments.err);
    mu_finish_output(&arguments.err);
    return mu_report(&arguments.err);
}
