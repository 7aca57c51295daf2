/* muster table top: the top speedups of each chip (thesis, figure 4.2) and the extremes (table 4.3). Also those of each
 * feature class (figure 4.3), for muster table features. */
#include "analysis/optimisations/table.h"
#include "base/memory.h"

#include <string.h>

/* Upper ends of the bins of speedups; the last bin has none. The first bin is of tests without a confident speedup. */
static const double ends[] = {1.1, 1.25, 1.5, 2, 4};
enum { ENDS = sizeof ends / sizeof ends[0], BINS = ENDS + 2 };

void mu_top_columns(struct mu_grid *grid, const char *name, const char *title)
{
    char text[32], shown[32];
    mu_grid_column(grid, name, title, MU_COLUMN_LEFT);
    mu_grid_column(grid, "tests", "tests", 0);
    mu_grid_column(grid, "none", "none", 0);
    for (int i = 0; i < ENDS; i++) {
        snprintf(text, sizeof text, "below_%g", ends[i]);
        snprintf(shown, sizeof shown, "< %g", ends[i]);
        mu_grid_column(grid, text, shown, 0);
    }
    snprintf(text, sizeof text, "from_%g", ends[ENDS - 1]);
    snprintf(shown, sizeof shown, ">= %g", ends[ENDS - 1]);
    mu_grid_column(grid, text, shown, 0);
    mu_grid_column(grid, "mean", "mean speedup", 0);
}

static int bin_of(const struct mu_ratio *speedup)
{
    int bin = 1;
    if (!speedup->confident || speedup->value <= 1) return 0;
    while (bin <= ENDS && speedup->value >= ends[bin - 1]) bin++;
    return bin;
}

void mu_top_row(struct mu_grid *grid, const struct mu_optimised_tests *tests, const char *name, const char *chip,
                unsigned allowed)
{
    size_t bins[BINS] = {0}, count = 0;
    double logs = 0;
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        struct mu_ratio speedup;
        unsigned best = 0;
        if ((chip != NULL && strcmp(chip, test->chip) != 0) || !mu_best_of(test, allowed, &best) ||
            !mu_configured_ratio(test, MU_BASELINE, best, MU_JUDGING, &speedup))
            continue;
        bins[bin_of(&speedup)]++;
        logs += speedup.log_value;
        count++;
    }
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", name);
    mu_grid_number(grid, (double)count, 0);
    for (int i = 0; i < BINS; i++) mu_grid_number(grid, (double)bins[i], 0);
    mu_grid_number(grid, count > 0 ? exp(logs / (double)count) : (double)NAN, 2);
}

/* ---- Extremes ---- */

/* The largest of a chip's confident ratios: the time of `numerator` over that of `denominator`. */
struct extreme {
    const struct mu_optimised_test *test;
    unsigned configuration;
    struct mu_ratio ratio;
};

static void consider(struct extreme *extreme, const struct mu_optimised_test *test, unsigned configuration,
                     const struct mu_ratio *ratio)
{
    if (!ratio->confident || (extreme->test != NULL && ratio->value <= extreme->ratio.value) || ratio->value <= 1)
        return;
    *extreme = (struct extreme){test, configuration, *ratio};
}

static void extreme_row(struct mu_grid *grid, const char *chip, const char *kind, const struct extreme *extreme)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", kind);
    if (extreme->test == NULL) return;
    mu_optimised_ratio_cell(grid, &extreme->ratio);
    mu_grid_text(grid, "%s", extreme->test->app);
    mu_grid_text(grid, "%s", extreme->test->shown);
    mu_optimised_configuration_cell(grid, extreme->configuration);
}

static void extreme_rows(struct mu_grid *grid, const struct mu_optimised_tests *tests, const char *chip)
{
    struct extreme speedup = {0}, slowdown = {0};
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        struct mu_ratio ratio;
        unsigned best = 0;
        if (strcmp(chip, test->chip) != 0) continue;
        if (mu_best_of(test, MU_CONFIGURATIONS - 1, &best) &&
            mu_configured_ratio(test, MU_BASELINE, best, MU_JUDGING, &ratio))
            consider(&speedup, test, best, &ratio);
        for (unsigned j = 1; j < MU_CONFIGURATIONS; j++)
            if (test->configured[j].counts && mu_configured_ratio(test, j, MU_BASELINE, MU_ALL_SAMPLES, &ratio))
                consider(&slowdown, test, j, &ratio);
    }
    extreme_row(grid, chip, "speedup", &speedup);
    extreme_row(grid, chip, "slowdown", &slowdown);
}

static void fill_extremes(struct mu_grids *grids, const struct mu_optimised_tests *tests, const char *const *chips,
                          size_t count)
{
    struct mu_grid *grid = mu_grids_add(grids, "extremes", "The greatest speedup and slowdown of each chip");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "kind", "greatest", MU_COLUMN_LEFT);
    mu_grid_column(grid, "factor", "factor", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grid, "configuration", "enabled", MU_COLUMN_LEFT);
    for (size_t i = 0; i < count; i++) extreme_rows(grid, tests, chips[i]);
    mu_optimised_notes(grid, tests);
    if (count > 0)
        mu_grid_note(grid,
                     "The slowdown is the greatest of all configurations, by all samples, so that luck is in it.");
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    const char **chips = NULL;
    size_t count;
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK &&
        (chips = mu_optimised_chips(&loaded.tests, &count, grids->err)) != NULL) {
        struct mu_grid *grid =
            mu_grids_add(grids, "top", "How many tests of each chip have which top speedup over the baseline");
        mu_top_columns(grid, "chip", "chip");
        for (size_t i = 0; i < count; i++) mu_top_row(grid, &loaded.tests, chips[i], chips[i], MU_CONFIGURATIONS - 1);
        mu_optimised_notes(grid, &loaded.tests);
        if (count > 0) mu_optimised_halves_note(grid);
        fill_extremes(grids, &loaded.tests, chips, count);
    }
    mu_free(chips);
    mu_optimised_release(&loaded);
    return grids->err->status;
}

int mu_optimised_classes(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK && loaded.tests.count > 0) {
        struct mu_grid *grid = mu_grids_add(
            grids, "classes", "How many tests have which top speedup with the optimisations of a feature class");
        mu_top_columns(grid, "feature_class", "feature class");
        for (int i = 0; i < MU_CLASSES; i++)
            mu_top_row(grid, &loaded.tests, mu_feature_classes[i], NULL,
                       mu_optimisations_of_class((enum mu_feature_class)i));
        mu_optimised_notes(grid, &loaded.tests);
        mu_optimised_halves_note(grid);
        mu_grid_note(grid, "1.x: sz256, fg1, fg8; 2.0: wg as well; 2.1: coop-cv, sg; FP (forward progress): oitergb.");
    }
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_top = {"top", "the top speedups of optimisations on each chip", fill};
