/* muster table necessary: which optimisations the fastest configurations need, and which would harm them, by toggling
 * one at a time (thesis, figures 4.1 and 4.4). */
#include "analysis/optimisations/table.h"
#include "base/memory.h"

#include <string.h>

/* What toggling one optimisation does to the tests' fastest configurations. */
struct toggled {
    size_t tests;      /* for which it is available and both times are known */
    size_t beneficial; /* enabled there, and slower without it */
    size_t harmful;    /* disabled there, and slower with it */
};

/* Toggles in one test. `chosen` is its fastest configuration. */
static void toggle(const struct mu_optimised_test *test, unsigned chosen, unsigned optimisation,
                   struct toggled *toggled)
{
    const unsigned bit = MU_OPTIMISATION_BIT(optimisation);
    const bool enabled = (chosen & bit) != 0;
    const unsigned other = enabled ? chosen & ~bit : mu_configuration_with(chosen, optimisation);
    struct mu_ratio slowdown;
    if ((test->available & bit) == 0 || !mu_configured_ratio(test, other, chosen, MU_JUDGING, &slowdown)) return;
    toggled->tests++;
    if (!slowdown.confident || slowdown.value <= 1) return;
    if (enabled)
        toggled->beneficial++;
    else
        toggled->harmful++;
}

/* Toggles in all tests of a chip (NULL: all chips). With `sped_up` only those whose fastest configuration is
 * confidently faster than the baseline. */
static void toggle_all(const struct mu_optimised_tests *tests, const char *chip, bool sped_up,
                       struct toggled toggled[MU_OPTIMISATIONS])
{
    memset(toggled, 0, MU_OPTIMISATIONS * sizeof *toggled);
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        struct mu_ratio ratio;
        unsigned chosen = 0;
        if ((chip != NULL && strcmp(chip, test->chip) != 0) || !mu_best_of(test, MU_CONFIGURATIONS - 1, &chosen))
            continue;
        if (sped_up &&
            !(mu_configured_ratio(test, chosen, MU_BASELINE, MU_JUDGING, &ratio) && ratio.confident && ratio.value < 1))
            continue;
        for (unsigned j = 0; j < MU_OPTIMISATIONS; j++) toggle(test, chosen, j, &toggled[j]);
    }
}

static void percent_cell(struct mu_grid *grid, size_t part, size_t whole)
{
    mu_grid_number(grid, whole > 0 ? 100 * (double)part / (double)whole : (double)NAN, 0);
}

static void fill_toggled(struct mu_grids *grids, const struct mu_optimised_tests *tests)
{
    static const char *const columns[] = {"tests",          "beneficial", "benign",     "harmful",
                                          "beneficial (%)", "benign (%)", "harmful (%)"};
    static const char *const names[] = {"tests",          "beneficial",     "benign", "harmful", "beneficial_percent",
                                        "benign_percent", "harmful_percent"};
    struct toggled toggled[MU_OPTIMISATIONS];
    struct mu_grid *grid =
        mu_grids_add(grids, "necessary", "What the fastest configurations need, and what would harm them");
    mu_grid_column(grid, "optimisation", "optimisation", MU_COLUMN_LEFT);
    for (int i = 0; i < 7; i++) mu_grid_column(grid, names[i], columns[i], 0);
    toggle_all(tests, NULL, false, toggled);
    for (int i = 0; i < MU_OPTIMISATIONS && tests->count > 0; i++) {
        const struct toggled *own = &toggled[i];
        const size_t counts[] = {own->beneficial, own->tests - own->beneficial - own->harmful, own->harmful};
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", mu_optimisations[i].name);
        mu_grid_number(grid, (double)own->tests, 0);
        for (int j = 0; j < 3; j++) mu_grid_number(grid, (double)counts[j], 0);
        for (int j = 0; j < 3; j++) percent_cell(grid, counts[j], own->tests);
    }
    mu_optimised_notes(grid, tests);
    if (tests->count == 0) return;
    mu_optimised_halves_note(grid);
    mu_grid_note(grid, "beneficial: enabled in a test's fastest configuration, which is confidently slower without it. "
                       "harmful: disabled there, and slower with it. Each value of fg takes the place of the other.");
}

static void fill_by_chip(struct mu_grids *grids, const struct mu_optimised_tests *tests)
{
    struct toggled toggled[MU_OPTIMISATIONS];
    struct mu_grid *grid =
        mu_grids_add(grids, "needed", "How many tests of each chip need an optimisation for their top speedup");
    size_t count = 0;
    const char **chips = mu_optimised_chips(tests, &count, grids->err);
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    for (int i = 0; i < MU_OPTIMISATIONS; i++)
        mu_grid_column(grid, mu_optimisations[i].name, mu_optimisations[i].name, 0);
    for (size_t i = 0; i < count; i++) {
        toggle_all(tests, chips[i], true, toggled);
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", chips[i]);
        for (int j = 0; j < MU_OPTIMISATIONS; j++)
            if (toggled[j].tests > 0)
                mu_grid_number(grid, (double)toggled[j].beneficial, 0);
            else
                mu_grid_empty(grid);
    }
    mu_optimised_notes(grid, tests);
    mu_free(chips);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK) {
        fill_toggled(grids, &loaded.tests);
        fill_by_chip(grids, &loaded.tests);
    }
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_necessary = {"necessary", "which optimisations the fastest programs need or suffer from",
                                            fill};
