/* muster tune */
#include "base/units.h"
#include "harness/commands/arguments.h"
#include "harness/commands/campaign_options.h"
#include "harness/commands/command.h"

#include <stdlib.h>

enum option_key { KEY_RETUNE = MU_CAMPAIGN_OWN_KEYS };

static const struct argp_option options[] = {
    {"retune", KEY_RETUNE, 0, 0, "Tune anew (default: only what was not tuned before)", MU_GROUP_MEASURE},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mu_campaign_arguments *arguments = state->input;
    (void)text;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = arguments;
        return 0;
    case KEY_RETUNE:
        arguments->campaign.tune.again = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_choices(const struct mu_campaign *campaign)
{
    printf("%-15s %-20s %-13s %9s %6s %10s %6s\n", "app", "input", "variant", "workgroup", "team", "median", "tries");
    for (uint32_t i = 0; i < campaign->engine.step_count; i++) {
        const struct mu_step *step = &campaign->engine.steps[i];
        const struct mu_comparison *comparison = mu_step_comparison(campaign, step);
        const struct mu_slot *slot = &campaign->slots[mu_step_slot(campaign, step)];
        const enum mu_variant variant = slot->variant;
        const struct mu_tuned *tuned = &comparison->tuned[mu_step_slot(campaign, step)];
        char input[200], name[96], team[16] = "full", time[24];
        snprintf(name, sizeof name, "%s/%s", comparison->asked.app->suite, comparison->asked.app->name);
        snprintf(input, sizeof input, "%s%s%s%s", comparison->input, comparison->point,
                 slot->label[0] != '\0' ? " " : "", slot->label);
        if (tuned->team != 0) snprintf(team, sizeof team, "%u", tuned->team);
        if (variant == MU_MULTI_KERNEL) snprintf(team, sizeof team, "-");
        mu_show_time(tuned->median_ns, time, sizeof time);
        if (tuned->found)
            printf("%-15s %-20s %-13s %9u %6s %10s %6u\n", name, input, mu_variants[variant].name, tuned->workgroup,
                   team, time, tuned->tries);
        else
            printf("%-15s %-20s %-13s %9s %6s %10s %6u\n", name, input, mu_variants[variant].name, "none", "-",
                   mu_status_outcome(tuned->failure), tuned->tries);
    }
}

static void tune(struct mu_campaign_arguments *arguments)
{
    struct mu_error *err = &arguments->err;
    struct mu_campaign campaign = {0};
    struct mu_device_list *list = NULL;
    if (mu_campaign_prepare(arguments, &list, &campaign, err) == MU_OK && mu_campaign_open(&campaign, err) == MU_OK &&
        mu_campaign_run(&campaign, err) == MU_OK) {
        printf("%s (%s); every try is in %s\n\n", campaign.info->chip, campaign.info->name, campaign.tries.path);
        print_choices(&campaign);
        const int worst = campaign.engine.worst;
        if (worst != MU_OK) mu_fail(err, worst, "some tries did not end well; the worst: %s", mu_status_text(worst));
    }
    mu_campaign_free(&campaign);
    free(list);
}

int mu_cmd_tune(int argc, char **argv)
{
    struct mu_campaign_arguments arguments;
    const struct argp_child children[] = {{&arguments.argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse,
        NULL,
        "Finds the best workgroup size and team of each variant of the apps of a suite, or of the APPs among them: "
        "tries the powers of two from 32 up to what the kernel can run with, ten samples each, and for portable and "
        "specialised on a GPU teams of one, two and four groups for each compute unit at the two best sizes. Tries are "
        "kept; muster bench uses them.",
        children,
        NULL,
        NULL};
    mu_campaign_arguments_default(&arguments);
    mu_arguments_parse(&argp, argc, argv, &arguments, &arguments.err);
    arguments.campaign.tune.least = MU_TUNE_LEAST;
    arguments.campaign.tune.max_time_s = arguments.campaign.suite->tune_time_s;
    if (arguments.err.status == MU_OK) tune(&arguments);
    mu_finish_output(&arguments.err);
    return mu_report(&arguments.err);
}
