/* muster tune */
#include "harness/commands/arguments.h"
#include "harness/commands/campaign_options.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"

enum option_key { KEY_RETUNE = MU_CAMPAIGN_OWN_KEYS, KEY_QUICK };

static const struct argp_option options[] = {
    {"quick", KEY_QUICK, 0, 0,
     "Try only the workgroup sizes 64, 256, 1024 and so on, and only the full team; a later tuning, also that of "
     "muster "
     "bench, adds the tries that are missing (default: all)",
     MU_GROUP_MEASURE},
    {"retune", KEY_RETUNE, 0, 0, "Tune anew (default: only what was not tuned before)", MU_GROUP_MEASURE},
    {0},
};

struct arguments {
    struct mu_campaign_arguments common;
    struct mu_output output;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    (void)text;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        state->child_inputs[1] = &arguments->output;
        return 0;
    case KEY_QUICK:
        arguments->common.campaign.tune.quick = true;
        return 0;
    case KEY_RETUNE:
        arguments->common.campaign.tune.again = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void add_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "team", "team", 0);
    mu_grid_column(grid, "median_ns", "median", 0);
    mu_grid_column(grid, "tries", "tries", MU_COLUMN_MINOR);
    mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
}

/* Adds the cell of a team; for programs it is empty unless the team is a number. */
static void team_cell(struct mu_grid *grid, const struct mu_tuned *tuned, bool has_team, bool plain)
{
    if (tuned->found && has_team && tuned->team != 0)
        mu_grid_number(grid, tuned->team, 0);
    else if (tuned->found && has_team && !plain)
        mu_grid_text(grid, "full");
    else
        mu_grid_empty(grid);
}

static void add_row(struct mu_grid *grid, const struct mu_campaign *campaign, const struct mu_step *step, bool plain)
{
    const struct mu_comparison *comparison = mu_step_comparison(campaign, step);
    const struct mu_configuration *configuration = &campaign->configurations[mu_step_configuration(campaign, step)];
    const struct mu_tuned *tuned = &comparison->tuned[mu_step_configuration(campaign, step)];
    mu_grid_row(grid);
    mu_grid_text(grid, "%s/%s", comparison->asked.app->suite, comparison->asked.app->name);
    mu_grid_text(grid, "%s%s%s%s", comparison->input, comparison->point, configuration->label[0] != '\0' ? " " : "",
                 configuration->label);
    mu_grid_text(grid, "%s", configuration->form->name);
    if (tuned->found)
        mu_grid_number(grid, tuned->workgroup, 0);
    else if (plain)
        mu_grid_empty(grid);
    else
        mu_grid_text(grid, "none");
    team_cell(grid, tuned,
              configuration->form->variant != MU_MULTI_KERNEL || configuration->form->grid == MU_GRID_FIXED, plain);
    if (tuned->found)
        mu_grid_time(grid, tuned->median_ns);
    else
        mu_grid_empty(grid);
    mu_grid_number(grid, tuned->tries, 0);
    mu_grid_text(grid, "%s", tuned->found ? "ok" : mu_status_outcome(tuned->failure));
    if (!tuned->found) mu_grid_tone(grid, MU_TONE_BAD);
}

static void print_choices(const struct mu_campaign *campaign, const struct mu_output *output, struct mu_error *err)
{
    struct mu_grids grids = {.err = err};
    struct mu_grid *grid =
        mu_grids_add(&grids, "tune", "The choices for %s (%s)", campaign->info->chip, campaign->info->name);
    add_columns(grid);
    for (uint32_t i = 0; i < campaign->engine.step_count; i++)
        add_row(grid, campaign, &campaign->engine.steps[i], mu_grid_is_for_programs(output->format));
    mu_grid_note(grid, "Every try is in %s.", campaign->tries.path);
    if (campaign->options->tune.quick)
        mu_grid_note(grid, "A quick tuning: every second workgroup size and full teams only. The same without --quick "
                           "adds what is missing.");
    mu_output_print(output, &grids);
    mu_grids_release(&grids);
}

static void tune(struct arguments *arguments)
{
    struct mu_error *err = &arguments->common.err;
    struct mu_campaign campaign = {0};
    struct mu_device_info info;
    if (mu_campaign_prepare(&arguments->common, &info, &campaign, err) == MU_OK &&
        mu_campaign_open(&campaign, err) == MU_OK && mu_campaign_run(&campaign, err) == MU_OK) {
        print_choices(&campaign, &arguments->output, err);
        if (campaign.engine.worst != MU_OK)
            mu_fail(err, campaign.engine.worst, "some tries did not end well; the worst: %s",
                    mu_status_text(campaign.engine.worst));
    }
    mu_campaign_free(&campaign);
}

int mu_cmd_tune(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct argp_child children[] = {{&arguments.common.argp, 0, NULL, 0}, {&mu_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse,
        NULL,
        "Finds the best workgroup size and team of each variant of the apps of a suite, or of the APPs among them: "
        "tries the powers of two from 32 up to what the kernel can run with, ten samples each, and for portable and "
        "specialised on a GPU teams of one, two and four groups for each compute unit at the two best sizes. The tries "
        "are recorded, and muster bench uses them.",
        children,
        NULL,
        NULL};
    struct mu_error *err = &arguments.common.err;
    mu_campaign_arguments_default(&arguments.common);
    mu_arguments_parse(&argp, argc, argv, &arguments, err);
    mu_pass_error(&arguments.output.err, err);
    arguments.common.campaign.tune.least = MU_TUNE_LEAST;
    arguments.common.campaign.tune.max_time_s = arguments.common.campaign.suite->tune_time_s;
    if (err->status == MU_OK) tune(&arguments);
    mu_finish_output(err);
    return mu_report(err);
}
