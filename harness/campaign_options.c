#include "harness/campaign_options.h"

#include "harness/command.h"

#include <stdlib.h>
#include <string.h>

enum option_key {
    KEY_DEVICE = 256,
    KEY_SUITE,
    KEY_INPUT,
    KEY_INPUTS,
    KEY_VARIANTS,
    KEY_SEED,
    KEY_ROLLCALL,
    KEY_BARRIER,
    KEY_YIELD,
    KEY_SPIN_LIMIT,
    KEY_DEADLINE,
    KEY_KERNEL_DIR
};

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is run:", 1},
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, or part of the name, see muster devices (default: 0)", 1},
    {"suite", KEY_SUITE, "NAME", 0, "smoke (under 3 minutes on two cores), paper or full (default: smoke)", 1},
    {"input", KEY_INPUT, "INPUT", 0,
     "Run every app on this input instead of the suite's; may be given several times (default: the suite's)", 1},
    {"inputs", KEY_INPUTS, "FOLDER", 0,
     "Take the graphs of the literature from here, where they are there by name (default: generators of their kind)",
     1},
    {"variants", KEY_VARIANTS, "LIST", 0,
     "The variants that are compared, with commas; one named twice is compared with itself, under the labels a and b "
     "(default: multi-kernel,portable,specialised)",
     1},
    {"seed", KEY_SEED, "NUMBER", 0, "Seed of generators and sampling (default: 1)", 1},
    {0, 0, 0, 0, "How workgroups synchronise:", 2},
    {"rollcall", KEY_ROLLCALL, "NAME", 0, "As for muster run", 2},
    {"barrier", KEY_BARRIER, "NAME", 0, "As for muster run", 2},
    {"yield", KEY_YIELD, "NAME", 0, "As for muster run", 2},
    {"spin-limit", KEY_SPIN_LIMIT, "POLLS", 0, "As for muster run", 2},
    {"kernel-dir", KEY_KERNEL_DIR, "FOLDER", 0, "As for muster run", 2},
    {"deadline", KEY_DEADLINE, "SECONDS", 0, "Time after which a process is killed (default: 120)", 3},
    {0},
};

static int add_name(const char **names, size_t *count, const char *name, struct mu_error *err)
{
    if (*count >= MU_CAMPAIGN_LIST) return mu_fail(err, MU_USAGE, "%s: more than %d", name, MU_CAMPAIGN_LIST);
    names[(*count)++] = name;
    return MU_OK;
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

static int parse_variants(char *text, struct mu_campaign_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->campaign;
    char *rest = text;
    campaign->variant_count = 0;
    for (char *name; (name = strsep(&rest, ",")) != NULL && arguments->err.status == MU_OK;) {
        int index = 0;
        if (campaign->variant_count >= MU_MAX_SLOTS)
            return mu_fail(&arguments->err, MU_USAGE, "--variants: more than %d", MU_MAX_SLOTS);
        if (mu_choice_find(mu_variants, "variants", name, &index, &arguments->err) == MU_OK)
            campaign->variants[campaign->variant_count++] = (enum mu_variant)index;
    }
    return arguments->err.status;
}

static error_t parse_how(int key, const char *text, struct mu_campaign_arguments *arguments)
{
    struct mu_test *test = &arguments->campaign.base;
    uint64_t number = 0;
    int index = 0;
    switch (key) {
    case KEY_SPIN_LIMIT:
        if (mu_parse_number("spin-limit", text, 1, UINT32_MAX, &number, &arguments->err) == MU_OK)
            test->spin_limit = (uint32_t)number;
        return 0;
    case KEY_YIELD:
        mu_yield_find(text, &test->yield, &arguments->err);
        return 0;
    case KEY_ROLLCALL:
        if (mu_choice_find(mu_rollcalls, "rollcall", text, &index, &arguments->err) == MU_OK)
            test->rollcall = (enum mu_rollcall)index;
        test->rollcall_open = false;
        return 0;
    case KEY_BARRIER:
        if (mu_choice_find(mu_barriers, "barrier", text, &index, &arguments->err) == MU_OK)
            test->barrier = (enum mu_barrier)index;
        return 0;
    case KEY_DEADLINE:
        mu_parse_seconds("deadline", text, &test->deadline_s, &arguments->err);
        return 0;
    case KEY_KERNEL_DIR:
        test->kernel_dir = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mu_campaign_arguments *arguments = state->input;
    struct mu_campaign_options *campaign = &arguments->campaign;
    switch (key) {
    case KEY_DEVICE:
        arguments->device = text;
        return 0;
    case KEY_SUITE:
        mu_suite_find(text, &campaign->suite, &arguments->err);
        return 0;
    case KEY_INPUT:
        add_name(campaign->inputs, &campaign->input_count, text, &arguments->err);
        return 0;
    case KEY_INPUTS:
        campaign->originals = text;
        return 0;
    case KEY_VARIANTS:
        parse_variants(text, arguments);
        return 0;
    case KEY_SEED:
        mu_parse_number("seed", text, 0, UINT64_MAX >> 1, &campaign->base.options.seed, &arguments->err);
        return 0;
    case ARGP_KEY_ARG:
        add_app(text, arguments);
        return 0;
    default:
        return parse_how(key, text, arguments);
    }
}

const struct argp mu_campaign_argp = {options, parse, "[APP...]", NULL, NULL, NULL, NULL};

void mu_campaign_arguments_default(struct mu_campaign_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->campaign;
    memset(arguments, 0, sizeof *arguments);
    mu_test_defaults(&campaign->base);
    campaign->suite = &mu_suites[0];
    campaign->order_seed = 1;
    campaign->tuned = true;
    for (int variant = MU_MULTI_KERNEL; variant <= MU_SPECIALISED; variant++)
        campaign->variants[campaign->variant_count++] = (enum mu_variant)variant;
}

int mu_campaign_prepare(struct mu_campaign_arguments *arguments, struct mu_device_list **list,
                        struct mu_campaign *campaign, struct mu_error *err)
{
    *list = calloc(1, sizeof **list);
    if (*list == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory");
    if (mu_device_list(*list, err) != MU_OK) return err->status;
    const struct mu_device_info *info = mu_device_find(*list, arguments->device, err);
    if (info == NULL) return err->status;
    return mu_campaign_plan(&arguments->campaign, info, campaign, err);
}
