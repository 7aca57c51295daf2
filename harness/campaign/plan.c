/* The plan of a campaign: what runs, in which order. */
#include "harness/campaign/campaign.h"
#include "harness/campaign/sweep.h"

#include "base/memory.h"
#include "harness/run/identity.h"
#include "inputs/formats/formats.h"
#include "inputs/generators/generators.h"
#include "inputs/input.h"

#include <limits.h>
#include <string.h>

/* Refuses an option that no app of the campaign has. */
static int check_taken(const struct mu_campaign *campaign, struct mu_error *err)
{
    const struct mu_option_line *line = &campaign->options->line;
    for (size_t i = 0; i < line->given_count; i++) {
        bool taken = line->given[i].setting >= 0 || line->given[i].is_default;
        for (uint32_t c = 0; c < campaign->comparison_count && !taken; c++)
            taken = mu_option_find(campaign->comparisons[c].asked.app->options, line->given[i].name) >= 0;
        if (!taken) return mu_fail(err, MU_USAGE, "--%s: no app of this campaign takes it", line->given[i].name);
    }
    return MU_OK;
}

/* ---- Comparisons ---- */

static int add_point(struct mu_campaign *campaign, const struct mu_app *app, const char *input, uint32_t point,
                     struct mu_error *err)
{
    struct mu_test test;
    if (mu_resize((void **)&campaign->comparisons, campaign->comparison_count + 1, sizeof *campaign->comparisons,
                  "a campaign's tests", err) != MU_OK)
        return err->status;
    struct mu_comparison *added = &campaign->comparisons[campaign->comparison_count];
    memset(added, 0, sizeof *added);
    campaign->comparison_count++;
    added->asked = campaign->options->base;
    added->asked.app = app;
    added->input = mu_strdup(input, err);
    added->asked.input = added->input;
    if (mu_file_hash(input, &added->asked.file_hash, err) != MU_OK ||
        mu_sweep_ask(&campaign->options->line, app, point, &added->asked, err) != MU_OK)
        return err->status;
    mu_sweep_name_comparison(&campaign->options->line, app, point, added->point, sizeof added->point);
    mu_resolve_defaults(&added->asked, &test);
    added->text = mu_comparison_text(&test, err);
    for (uint32_t i = 0; i + 1 < campaign->comparison_count && err->status == MU_OK; i++)
        if (strcmp(campaign->comparisons[i].text, added->text) == 0)
            mu_fail(err, MU_USAGE, "%s: named twice", added->text);
    return err->status;
}

static int add_comparison(struct mu_campaign *campaign, const struct mu_app *app, const char *input,
                          struct mu_error *err)
{
    uint32_t points = 0;
    if (mu_sweep_count(&campaign->options->line, app, &points, err) != MU_OK) return err->status;
    for (uint32_t point = 0; point < points; point++)
        if (add_point(campaign, app, input, point, err) != MU_OK) return err->status;
    return MU_OK;
}

static bool is_wanted(const struct mu_campaign_options *options, const struct mu_app *app)
{
    for (size_t i = 0; i < options->app_count; i++)
        if (options->apps[i] == app) return true;
    return options->app_count == 0;
}

/* ---- Inputs that the user names ---- */

static unsigned kind_of(const struct mu_app *app)
{
    return app->kind == MU_KIND_MESH ? MU_OF_MESHES : MU_OF_GRAPHS;
}

static unsigned kind_of_input(const char *input)
{
    return mu_mesh_is_named(input) ? MU_OF_MESHES : MU_OF_GRAPHS;
}

/* Checks the inputs that the user names, of which there is one at least. Each named app must have one of its kind. */
static int check_inputs(const struct mu_campaign_options *options, struct mu_error *err)
{
    unsigned kinds = 0, wanted = options->app_count == 0 ? MU_OF_EITHER : 0;
    for (size_t i = 0; i < options->app_count; i++) wanted |= kind_of(options->apps[i]);
    for (size_t i = 0; i < options->input_count; i++) {
        struct mu_error reason = {0};
        kinds |= kind_of_input(options->inputs[i]);
        if (mu_input_check(options->inputs[i], wanted, &reason) != MU_OK)
            return mu_fail(err, reason.status, "--input: %s", reason.message);
    }
    for (size_t i = 0; i < options->app_count; i++)
        if ((kinds & kind_of(options->apps[i])) == 0)
            return mu_fail(err, MU_USAGE, "--input: %s/%s takes a %s, and none is named", options->apps[i]->suite,
                           options->apps[i]->name, options->apps[i]->kind == MU_KIND_MESH ? "mesh" : "graph");
    return MU_OK;
}

/* Returns the format that the command line names. NULL if it names none, or several, each of which is tried by its own
 * tests. */
static const struct mu_format *format_of(const struct mu_campaign_options *options)
{
    struct mu_value value = {.number = MU_FORMAT_AUTO};
    struct mu_error several = {0};
    for (size_t i = 0; i < options->line.given_count; i++)
        if (options->line.given[i].setting == MU_TEST_input_format)
            mu_option_parse(&mu_test_options[MU_TEST_input_format], options->line.given[i].text, &value, &several);
    return several.status != MU_OK || value.number == MU_FORMAT_AUTO ? NULL : mu_formats[value.number];
}

int mu_campaign_try_inputs(const struct mu_campaign_options *options, struct mu_error *err)
{
    if (options->input_count == 0) return MU_OK;
    if (check_inputs(options, err) != MU_OK) return err->status;
    for (size_t i = 0; i < options->input_count; i++) {
        struct mu_error reason = {0};
        if (mu_input_try(options->inputs[i], kind_of_input(options->inputs[i]), format_of(options), &reason) != MU_OK)
            return mu_fail(err, reason.status, "--input: %s", reason.message);
    }
    return MU_OK;
}

static int add_suite_row(struct mu_campaign *campaign, const struct mu_suite_row *row, struct mu_error *err)
{
    const char *folder = campaign->options->originals;
    const struct mu_app *app = mu_app_find(row->app, err);
    if (app == NULL) return err->status;
    if (!is_wanted(campaign->options, app)) return MU_OK;
    for (size_t i = 0; i < MU_SUITE_INPUTS && row->inputs[i] != NULL && err->status == MU_OK; i++) {
        char path[PATH_MAX] = "";
        if (folder != NULL && mu_suite_original(row->inputs[i], folder, path, sizeof path, err) != MU_OK) break;
        add_comparison(campaign, app, path[0] != '\0' ? path : row->inputs[i], err);
    }
    return err->status;
}

static int add_comparisons(struct mu_campaign *campaign, struct mu_error *err)
{
    const struct mu_campaign_options *options = campaign->options;
    if (options->input_count == 0) {
        for (const struct mu_suite_row *row = options->suite->rows; row->app != NULL; row++)
            if (add_suite_row(campaign, row, err) != MU_OK) return err->status;
    } else {
        if (check_inputs(options, err) != MU_OK) return err->status;
        for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
            for (size_t i = 0; i < options->input_count && is_wanted(options, *app); i++)
                if (kind_of(*app) == kind_of_input(options->inputs[i]) &&
                    add_comparison(campaign, *app, options->inputs[i], err) != MU_OK)
                    return err->status;
    }
    if (campaign->comparison_count == 0)
        return mu_fail(err, MU_USAGE, "suite %s has none of these apps", options->suite->experiment.name);
    return MU_OK;
}

/* ---- Configuration ---- */

/* Writes "label-barrier=xf-a", which distinguishes the configurations of a variant in tables. */
static void make_label(const char *own, const char *point, const char *letter, char *label, size_t bytes)
{
    const char *const parts[] = {own != NULL ? own : "", point, letter};
    label[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t used = strlen(label);
        if (parts[i][0] != '\0') snprintf(label + used, bytes - used, "%s%s", used != 0 ? "-" : "", parts[i]);
    }
}

/* Adds a form at one point of the sweeps. `letter` distinguishes copies of a form that is named more than once. */
static int add_configuration(struct mu_campaign *campaign, const struct mu_form *form, const struct mu_asked *asked,
                             const char *point, const char *letter, struct mu_error *err)
{
    if (campaign->configuration_count >= MU_MAX_CONFIGURATIONS)
        return mu_fail(err, MU_LIMIT, "more than %d variants and values of options are compared",
                       MU_MAX_CONFIGURATIONS);
    struct mu_configuration *configuration = &campaign->configurations[campaign->configuration_count];
    configuration->form = form;
    memcpy(configuration->options, asked->options, sizeof configuration->options);
    make_label(campaign->options->label, point, letter, configuration->label, sizeof configuration->label);
    configuration->tuned_as = letter[0] > 'a' ? campaign->configurations[campaign->configuration_count - 1].tuned_as
                                              : campaign->configuration_count;
    campaign->configuration_count++;
    return MU_OK;
}

/* Gives each form of the point whose configurations begin at `first` the tuning of the form that it follows. */
static void follow(struct mu_campaign *campaign, uint32_t first)
{
    for (uint32_t i = first; i < campaign->configuration_count; i++)
        for (uint32_t j = first; j < campaign->configuration_count; j++) {
            const char *as = campaign->configurations[i].form->as;
            if (as == NULL || strcmp(campaign->configurations[j].form->name, as) != 0) continue;
            campaign->configurations[i].tuned_as = campaign->configurations[j].tuned_as;
            break;
        }
}

/* Adds the forms at one point. Letters "a", "b", … distinguish copies of a form, which follow one another. */
static int add_configurations_of_point(struct mu_campaign *campaign, uint32_t point, struct mu_error *err)
{
    const struct mu_campaign_options *options = campaign->options;
    const struct mu_form_list *list = &campaign->forms;
    const uint32_t first = campaign->configuration_count;
    struct mu_asked asked = {0};
    char name[128];
    if (mu_sweep_ask(&options->line, NULL, point, &asked, err) != MU_OK) return err->status;
    for (size_t i = 0; i < list->count; i++) {
        const struct mu_form *form = list->forms[i];
        const enum mu_variant variant = form->variant;
        unsigned same = 0, before = 0;
        for (size_t j = 0; j < list->count; j++) {
            same += list->forms[j] == form;
            before += j < i && list->forms[j] == form;
        }
        if (before != 0 || !mu_sweep_name(&options->line, &asked, (int)variant, point, name, sizeof name)) continue;
        /* In a sweep of conditions each variant has those that apply to it. */
        const enum mu_condition condition = (enum mu_condition)asked.options[MU_TEST_condition].number;
        if (!mu_condition_applies(condition, variant)) continue;
        for (unsigned copy = 0; copy < same && err->status == MU_OK; copy++) {
            const char letter[2] = {(char)(same > 1 ? 'a' + copy : 0), '\0'};
            add_configuration(campaign, form, &asked, name, letter, err);
        }
    }
    follow(campaign, first);
    return err->status;
}

static int add_configurations(struct mu_campaign *campaign, struct mu_error *err)
{
    uint32_t points = 0;
    campaign->forms = campaign->options->forms;
    if (campaign->forms.count == 0 &&
        mu_form_list_read(campaign->options->suite->forms, &campaign->forms, err) != MU_OK)
        return err->status;
    campaign->engine.only_steps = true;
    for (size_t i = 0; i < campaign->forms.count; i++)
        campaign->engine.only_steps &= campaign->forms.forms[i]->variant == MU_MULTI_KERNEL;
    if (mu_sweep_count(&campaign->options->line, NULL, &points, err) != MU_OK) return err->status;
    for (uint32_t point = 0; point < points && err->status == MU_OK; point++)
        add_configurations_of_point(campaign, point, err);
    return err->status;
}

/* ---- Points ---- */

static void list_configurations(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_campaign *campaign = of->options;
    for (uint32_t i = 0; i < campaign->configuration_count; i++) mu_json_append_number(values, i);
}

static void list_comparisons(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_campaign *campaign = of->options;
    for (uint32_t i = 0; i < campaign->comparison_count; i++) mu_json_append_number(values, i);
}

/* Both are numbers in the lists of the campaign, which the suite and the command line have filled. */
static const struct mu_axis axes[] = {
    {"configuration", "a variant under a condition, at values of the framework's options, by number",
     list_configurations},
    {"comparison", "an app on an input, at values of the app's options, by number", list_comparisons},
    {0}};
const struct mu_axis *const mu_campaign_families[] = {axes, NULL};

/* Makes the campaign's tests, which are the points of the suite's experiment. */
static int add_points(struct mu_campaign *campaign, struct mu_error *err)
{
    const struct mu_circumstances of = {.info = campaign->info, .options = campaign};
    struct mu_json points = mu_json_array();
    mu_experiment_points(&campaign->options->suite->experiment, &of, &points);
    campaign->points = mu_json_take(&points, "the tests of a campaign", err);
    return err->status;
}

/* ---- Steps ---- */

/* Counts the comparisons from this one on that are compared in the same rounds. It is alone, unless tests share
 * processes: then all values of its app's options on its input, which follow one another, are. */
static uint32_t round_of(const struct mu_campaign *campaign, uint32_t first)
{
    const struct mu_comparison *all = campaign->comparisons;
    uint32_t end = first + 1;
    while (campaign->options->together > 1 && end < campaign->comparison_count &&
           all[end].asked.app == all[first].asked.app && strcmp(all[end].input, all[first].input) == 0)
        end++;
    return end - first;
}

static void add_tunings(struct mu_campaign *campaign, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && campaign->options->tuned; i++)
        for (uint32_t configuration = 0; configuration < campaign->configuration_count; configuration++)
            if (campaign->configurations[configuration].tuned_as == configuration)
                mu_engine_add(&campaign->engine, &mu_campaign_tuning_work,
                              i * campaign->configuration_count + configuration, 0);
}

/* Adds the steps of one round of `count` comparisons, from `first` on. */
static int add_round_of(struct mu_campaign *campaign, uint32_t first, uint32_t count, uint32_t repeat,
                        struct mu_error *err)
{
    const struct mu_round round = {.work = &mu_campaign_run_work,
                                   .first = first * campaign->configuration_count,
                                   .count = count * campaign->configuration_count,
                                   .repeat = repeat,
                                   .seed = campaign->options->order_seed,
                                   .group = campaign->comparisons[first].text};
    campaign->run_count += round.count;
    return mu_engine_add_round(&campaign->engine, &round, err);
}

/* Adds all steps. Tunings come first; with a budget, each comes right before the first round of its comparison, so that
 * what is tuned is also measured. Each round has all comparisons, so that the processes of a test are spread over the
 * whole campaign. A disturbance of some seconds then affects one process of several tests, and not all processes of
 * one. */
static int add_steps(struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_engine *engine = &campaign->engine;
    size_t steps = 0;
    const size_t tests = json_array_size(campaign->points);
    const struct mu_campaign_options *options = campaign->options;
    engine->enough =
        (struct mu_enough){.least = options->repeats,
                           .most = options->most_repeats > options->repeats ? options->most_repeats : options->repeats,
                           .width = options->test_width,
                           .samples = "samples_ns"};
    if (!mu_mul_size(tests, (size_t)engine->enough.most + 1, &steps) || steps > UINT32_MAX)
        return mu_fail(err, MU_LIMIT, "the campaign has too many runs");
    if (mu_engine_make(engine, steps, (uint32_t)tests, err) != MU_OK) return err->status;
    const bool limited = options->budget_s > 0;
    engine->budget.seconds = options->budget_s;
    if (!limited) add_tunings(campaign, 0, campaign->comparison_count);
    for (uint32_t repeat = 0; repeat < engine->enough.most; repeat++)
        for (uint32_t i = 0, count; i < campaign->comparison_count && err->status == MU_OK; i += count) {
            count = round_of(campaign, i);
            engine->group++;
            if (limited && repeat == 0) add_tunings(campaign, i, count);
            add_round_of(campaign, i, count, repeat, err);
        }
    return err->status;
}

int mu_campaign_plan(const struct mu_campaign_options *options, const struct mu_device_info *info,
                     const struct mu_engine_environment *environment, struct mu_campaign *campaign,
                     struct mu_error *err)
{
    const char *set = options->set != NULL        ? options->set
                      : options->input_count != 0 ? "custom"
                                                  : options->suite->experiment.name;
    campaign->options = options;
    campaign->info = info;
    campaign->engine.environment = *environment;
    campaign->engine.device = info->name;
    campaign->engine.unit = "a test";
    campaign->engine.context = campaign;
    if ((size_t)snprintf(campaign->set, sizeof campaign->set, "%s", set) >= sizeof campaign->set)
        return mu_fail(err, MU_USAGE, "--set=%s: the name is too long", set);
    if (options->line.err.status != MU_OK)
        return mu_fail(err, options->line.err.status, "%s", options->line.err.message);
    if (add_comparisons(campaign, err) != MU_OK || check_taken(campaign, err) != MU_OK ||
        add_configurations(campaign, err) != MU_OK || add_points(campaign, err) != MU_OK ||
        add_steps(campaign, err) != MU_OK)
        return err->status;
    campaign->own_comparisons = campaign->comparison_count;
    return options->shard.count != 0 ? mu_shard_cut(campaign, err) : MU_OK;
}

void mu_campaign_free(struct mu_campaign *campaign)
{
    for (uint32_t i = 0; i < campaign->comparison_count; i++) {
        mu_free(campaign->comparisons[i].input);
        mu_free(campaign->comparisons[i].text);
    }
    mu_free(campaign->comparisons);
    json_decref(campaign->points);
    mu_engine_release(&campaign->engine);
    mu_store_close(&campaign->runs);
    mu_store_close(&campaign->tries);
}
