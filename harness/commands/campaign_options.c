#include "harness/commands/campaign_options.h"

#include "base/json.h"
#include "base/plain.h"
#include "base/user/nearest.h"
#include "harness/commands/arguments.h"
#include "harness/commands/bench/side_by_side.h"
#include "harness/commands/command.h"
#include "harness/commands/study.h"
#include "harness/device/trust/selftest.h"

#include <stdio.h>
#include <string.h>

enum option_key {
    KEY_DEVICE = 256,
    KEY_SUITE,
    KEY_INPUT,
    KEY_INPUTS,
    KEY_VARIANTS,
    KEY_SWEEP,
    KEY_KERNEL_DIR,
    KEY_QUIET,
    KEY_VERBOSE,
    KEY_UNITS
};

/* Options besides those of a test, which come from their tables; here each of those takes a list. */
static const struct argp_option options[] = {
    {0, 0, 0, 0,
     "What is run (options of a test take lists, with commas, of values that are compared):", MU_GROUP_WHAT},
    {"suite", KEY_SUITE, "NAME", 0,
     "smoke (under 3 minutes on two cores), paper, goals, full, cooperative or irgl; or a study: persistent, "
     "persistent-2012, persistent-small, stealing, stealing-small or stealing-seeds, see muster list (default: smoke)",
     MU_GROUP_WHAT},
    {"input", KEY_INPUT, "INPUT", 0,
     "Run the apps on this input instead of the suite's: those on graphs or those on meshes, as it is; may be given "
     "several times (default: the suite's)",
     MU_GROUP_WHAT},
    {"inputs", KEY_INPUTS, "FOLDER", 0,
     "Folder with the graphs of the literature, found by name; those that are missing are replaced by generators of "
     "the same kind (default: generators)",
     MU_GROUP_WHAT},
    {"variants", KEY_VARIANTS, "LIST", 0,
     "The variants that are compared, separated by commas: those of muster run, and their forms (under a condition, "
     "with a fixed grid, at a proven bound), see muster list; one named twice is compared with itself, under the "
     "labels a and b (default: the suite's)",
     MU_GROUP_WHAT},
    {"sweep", KEY_SWEEP, "NAME", 0, "NAME=LIST: the same as --NAME=LIST (default: none)", MU_GROUP_WHAT},
    {0, 0, 0, 0, "Where:", MU_GROUP_WHERE},
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)",
     MU_GROUP_WHERE},
    MU_UNITS_OPTION(KEY_UNITS, MU_GROUP_WHERE),
    {0, 0, 0, 0, "How workgroups synchronise:", MU_GROUP_HOW},
    {"kernel-dir", KEY_KERNEL_DIR, "FOLDER", 0,
     "Kernel sources, laid out like the source tree (default: those inside the program)", MU_GROUP_MEASURE},
    {"quiet", KEY_QUIET, 0, 0, "Print only the result and what fails (default: progress, too)", MU_GROUP_OUTPUT},
    {"verbose", KEY_VERBOSE, 0, 0, "Print a line for each run, even on a terminal (default: one line that changes)",
     MU_GROUP_OUTPUT},
    {0, 0, 0, 0, "Options of single apps:", MU_GROUP_APPS},
    {0},
};

static int add_name(const char **names, size_t *count, const char *name, struct mu_error *err)
{
    if (*count >= MU_CAMPAIGN_LIST) return mu_fail(err, MU_USAGE, "%s: more than %d", name, MU_CAMPAIGN_LIST);
    names[(*count)++] = name;
    return MU_OK;
}

/* Adds an input. Refuses a pipe, which only the first of a campaign's processes could read. */
static int add_input(struct mu_campaign_options *campaign, const char *text, struct mu_error *err)
{
    if (text[0] == '\0') return mu_fail(err, MU_USAGE, "--input= names no input");
    if (!mu_json_can_hold(text))
        return mu_fail(err, MU_USAGE, "--input=%s: the name is not UTF-8, and records can hold no other", text);
    if (mu_arguments_input(text, false, err) != MU_OK) return err->status;
    return add_name(campaign->inputs, &campaign->input_count, text, err);
}

static int add_app(const char *name, struct mu_campaign_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->campaign;
    const struct mu_app *app = mu_app_find(name, &arguments->err);
    if (app == NULL) return arguments->err.status;
    if (campaign->app_count >= MU_CAMPAIGN_LIST)
        return mu_fail(&arguments->err, MU_USAGE, "%s: more than %d apps", name, MU_CAMPAIGN_LIST);
    campaign->apps[campaign->app_count++] = app;
    return MU_OK;
}

static void add_suite(const char *name, char *names, size_t bytes, struct mu_nearest *nearest)
{
    const size_t used = strlen(names);
    snprintf(names + used, bytes - used, "%s%s", used != 0 ? ", " : "", name);
    mu_nearest_try(nearest, name);
}

int mu_named_suite_find(const char *name, struct mu_named_suite *suite, struct mu_error *err)
{
    char names[256] = "", hint[MU_HINT_BYTES];
    struct mu_nearest nearest = {.word = name};
    *suite = (struct mu_named_suite){mu_suite_find(name), mu_study_suite_find(name)};
    if (suite->apps != NULL || suite->study != NULL) return MU_OK;
    for (const struct mu_suite *other = mu_suites; other->experiment.name != NULL; other++)
        add_suite(other->experiment.name, names, sizeof names, &nearest);
    for (size_t i = 0; mu_study_suite_at(i) != NULL; i++)
        add_suite(mu_study_suite_at(i)->name, names, sizeof names, &nearest);
    return mu_fail(err, MU_USAGE, "--suite=%s: no such choice%s; there are: %s", name,
                   mu_nearest_hint(&nearest, hint, sizeof hint), names);
}

static void take_suite(const char *name, struct mu_campaign_arguments *arguments)
{
    struct mu_named_suite suite;
    if (mu_named_suite_find(name, &suite, &arguments->err) != MU_OK) return;
    arguments->study = suite.study;
    if (suite.apps != NULL) arguments->campaign.suite = suite.apps;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mu_campaign_arguments *arguments = state->input;
    struct mu_campaign_options *campaign = &arguments->campaign;
    switch (key) {
    case KEY_DEVICE:
        arguments->device = text;
        arguments->several = arguments->several || mu_sides_are_named(text);
        return 0;
    case KEY_UNITS:
        mu_arguments_units(text, &arguments->units, &arguments->err);
        return 0;
    case KEY_SUITE:
        take_suite(text, arguments);
        return 0;
    case KEY_INPUT:
        add_input(campaign, text, &arguments->err);
        return 0;
    case KEY_INPUTS:
        campaign->originals = text;
        return 0;
    case KEY_VARIANTS:
        mu_form_list_read(text, &campaign->forms, &arguments->err);
        return 0;
    case KEY_SWEEP:
        mu_option_line_give(&campaign->line, "sweep", text, &arguments->err);
        return 0;
    case KEY_QUIET:
        campaign->verbosity = MU_QUIET;
        return 0;
    case KEY_VERBOSE:
        campaign->verbosity = MU_VERBOSE;
        return 0;
    case KEY_KERNEL_DIR:
        campaign->base.kernel_dir = text;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &campaign->line;
        return 0;
    case ARGP_KEY_ARG:
        add_app(text, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void mu_campaign_arguments_default(struct mu_campaign_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->campaign;
    memset(arguments, 0, sizeof *arguments);
    mu_option_line_make(&campaign->line, true);
    arguments->children[0] = (struct argp_child){&campaign->line.argp, 0, NULL, 0};
    arguments->argp =
        (struct argp){.options = options, .parser = parse, .args_doc = "[APP...]", .children = arguments->children};
    campaign->suite = &mu_suites[0];
    campaign->order_seed = 1;
    campaign->tuned = true;
}

/* Prints which forms a campaign leaves out on a device that is right in single steps alone. */
static void tell_left_out(const struct mu_form_list *all, const struct mu_device_info *info, const char *reason)
{
    char names[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < all->count && used < sizeof names; i++)
        if (all->forms[i]->variant != MU_MULTI_KERNEL)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%s", used != 0 ? ", " : "", all->forms[i]->name);
    mu_note(stderr,
            "barriers on device '%s' are not trusted: %s; launches of single steps are right, so %s runs, and these "
            "are left out: %s",
            info->name, reason, mu_variants[MU_MULTI_KERNEL].name, names);
}

/* Leaves out the forms that need barriers between workgroups, on a device that is right in single steps alone. If
 * nothing else was asked for, it changes nothing, and the campaign is refused later. */
static int leave_out_barriers(struct mu_campaign_options *campaign, const struct mu_device_info *info,
                              struct mu_error *err)
{
    struct mu_selftest selftest;
    struct mu_form_list all = campaign->forms, right = {0};
    if (mu_selftest_get(info, true, 0, &selftest, err) != MU_OK) return err->status;
    if (selftest.trust != MU_REFUSED || !selftest.steps) return MU_OK;
    if (all.count == 0 && mu_form_list_read(campaign->suite->forms, &all, err) != MU_OK) return err->status;
    for (size_t i = 0; i < all.count; i++)
        if (all.forms[i]->variant == MU_MULTI_KERNEL) right.forms[right.count++] = all.forms[i];
    if (right.count == 0) return MU_OK;
    if (right.count < all.count) tell_left_out(&all, info, selftest.reason);
    campaign->forms = right;
    return MU_OK;
}

int mu_campaign_prepare(struct mu_campaign_arguments *arguments, struct mu_device_info *info,
                        struct mu_campaign *campaign, struct mu_error *err)
{
    if (arguments->study != NULL)
        return mu_fail(err, MU_USAGE, "--suite=%s is a study, for which nothing is tuned", arguments->study->name);
    if (mu_campaign_try_inputs(&arguments->campaign, err) != MU_OK) return err->status;
    if (mu_device_choose(arguments->device, info, NULL, err) != MU_OK) return err->status;
    if (leave_out_barriers(&arguments->campaign, info, err) != MU_OK) return err->status;
    if (arguments->units != 0) info->resident = arguments->units;
    struct mu_engine_environment environment = mu_engine_environment_of(info);
    environment.verbosity = arguments->campaign.verbosity;
    return mu_campaign_plan(&arguments->campaign, info, &environment, campaign, err);
}
