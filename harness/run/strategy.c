#include "harness/run/strategy.h"

#include "records/optimisations/configurations.h"
#include "records/optimisations/stored.h"

#include <string.h>

static enum mu_strategy_kind kind_of(const struct mu_asked *asked)
{
    const struct mu_value *strategy = &asked->options[MU_TEST_strategy];
    return strategy->from == MU_FROM_NOBODY ? MU_TAKE_NONE : (enum mu_strategy_kind)strategy->number;
}

int mu_strategy_facts(const struct mu_asked *asked, const char *chip, json_t **strategies, struct mu_error *err)
{
    const enum mu_strategy_kind kind = kind_of(asked);
    *strategies = NULL;
    if (kind == MU_TAKE_NONE || mu_strategies_read(chip, strategies, err) != MU_OK || *strategies != NULL)
        return err->status;
    return mu_fail(err, MU_USAGE,
                   "--strategy=%s: no strategies are kept of chip '%s': muster advise --write makes them of the "
                   "records of suite irgl",
                   mu_strategy_kinds[kind].name, chip);
}

/* Returns the value of the option that a configuration stands for. */
static const char *value_of(const char *option, unsigned configuration)
{
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
        if (strcmp(mu_optimisations[i].option, option) == 0 && (configuration & MU_OPTIMISATION_BIT(i)) != 0)
            return mu_optimisations[i].on;
    if (strcmp(option, "variant") == 0) return mu_variants[MU_MULTI_KERNEL].name;
    return strcmp(option, "workgroup") == 0 ? "128" : "off";
}

/* Decides one option, unless that is done. */
static void decide(const struct mu_option *row, unsigned configuration, struct mu_value *value, struct mu_error *err)
{
    struct mu_value decided;
    if (value->from != MU_FROM_NOBODY) return;
    if (mu_option_parse(row, value_of(row->name, configuration), &decided, err) != MU_OK) return;
    *value = decided;
    value->from = MU_FROM_STRATEGY;
}

int mu_strategy_ask(const json_t *strategies, struct mu_asked *asked, struct mu_error *err)
{
    const enum mu_strategy_kind kind = kind_of(asked);
    char name[256];
    unsigned configuration = 0;
    if (kind == MU_TAKE_NONE) return MU_OK;
    snprintf(name, sizeof name, "%s/%s", asked->app->suite, asked->app->name);
    if (strncmp(name, MU_STUDY_SUITE, strlen(MU_STUDY_SUITE)) != 0)
        return mu_fail(err, MU_USAGE, "--strategy=%s: '%s' is not of suite irgl, and has no optimisations to choose",
                       mu_strategy_kinds[kind].name, name);
    if (mu_strategies_find(strategies, kind, name, asked->input != NULL ? asked->input : mu_default_input(asked->app),
                           &configuration, err) != MU_OK)
        return err->status;
    decide(&mu_test_options[MU_TEST_variant], configuration, &asked->options[MU_TEST_variant], err);
    decide(&mu_test_options[MU_TEST_workgroup], configuration, &asked->options[MU_TEST_workgroup], err);
    for (size_t i = 0; i < mu_option_count(asked->app->options); i++)
        if (mu_is_optimisation_option(asked->app->options[i].name))
            decide(&asked->app->options[i], configuration, &asked->app_values[i], err);
    return err->status;
}
