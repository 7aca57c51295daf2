#include "analysis/optimisations/table.h"

#include "base/memory.h"

#include <string.h>

int mu_optimised_load(const struct mu_table_request *request, struct mu_optimised_data *loaded, struct mu_error *err)
{
    struct mu_table_request all = *request;
    all.studied = true;
    *loaded = (struct mu_optimised_data){0};
    if (mu_table_load(&all, MU_STUDY_MEASURED, &loaded->data, err) != MU_OK) return err->status;
    mu_study_drop_old_drivers(&loaded->data.study);
    return mu_optimised_tests_make(&loaded->data.study, &loaded->tests, err);
}

void mu_optimised_release(struct mu_optimised_data *loaded)
{
    mu_optimised_tests_release(&loaded->tests);
    mu_table_release(&loaded->data);
}

void mu_optimised_notes(struct mu_grid *grid, const struct mu_optimised_tests *tests)
{
    size_t failed = 0, scopes[3] = {0};
    if (tests->count == 0) {
        mu_grid_note(grid, "No records of the suite irgl: see doc/optimisations.md for how to measure them.");
        return;
    }
    for (size_t i = 0; i < tests->count; i++) {
        struct mu_ratio ratio;
        unsigned best = 0;
        failed += tests->tests[i].failed;
        if (mu_best_of(&tests->tests[i], MU_CONFIGURATIONS - 1, &best) && best != MU_BASELINE &&
            mu_configured_ratio(&tests->tests[i], best, MU_BASELINE, MU_ALL_SAMPLES, &ratio))
            scopes[ratio.scope]++;
    }
    if (failed > 0)
        mu_grid_note(grid, "%zu measurements did not end well and are left out: muster table failures.", failed);
    if (scopes[MU_WITHIN_SESSION] > 0)
        mu_grid_note(grid, "Intervals%s are within one session: what differs between machines and days is not in them.",
                     scopes[MU_OVER_SESSIONS] > 0 ? " of tests with one session" : "");
    mu_table_scope_note(grid, scopes);
}

void mu_optimised_halves_note(struct mu_grid *grid)
{
    mu_grid_note(grid, "A test's fastest configuration is chosen by one half of its samples; all times here are those "
                       "of the other half.");
}

void mu_optimised_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio)
{
    mu_grid_number(grid, ratio->value, 2);
    if (!ratio->has_interval) return;
    mu_grid_interval(grid, ratio->low, ratio->high);
    mu_grid_sessions(grid, ratio->spans);
    if (!ratio->confident) mu_grid_mark(grid, " ~");
}

void mu_optimised_configuration_cell(struct mu_grid *grid, unsigned configuration)
{
    char text[MU_CONFIGURATION_TEXT];
    mu_configuration_format(configuration, text);
    mu_grid_text(grid, "%s", text);
}

const char **mu_optimised_chips(const struct mu_optimised_tests *tests, size_t *count, struct mu_error *err)
{
    const char **chips = mu_malloc(tests->count, sizeof *chips, "chips", err);
    *count = 0;
    for (size_t i = 0; chips != NULL && i < tests->count; i++)
        if (*count == 0 || strcmp(chips[*count - 1], tests->tests[i].chip) != 0)
            chips[(*count)++] = tests->tests[i].chip;
    return chips;
}
