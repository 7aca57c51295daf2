/* muster table same-size: the ratios of speedup and slowdown at one workgroup size for both sides, beside those at each
 * side's own best. The paper uses one size for both; a ratio of two bests is also one of two configurations. */
#include "analysis/tables/common.h"

#include <string.h>

static const struct {
    const char *name, *numerator, *denominator;
} ratios[] = {{"speedup", "multi-kernel", "portable"}, {"slowdown", "portable", "specialised"}};
enum { RATIOS = sizeof ratios / sizeof ratios[0] };

static bool is_of(const struct mu_measurement *try, const struct mu_measurement *measured, const char *variant)
{
    const size_t length = strcspn(measured->chip, "@");
    return strlen(try->chip) == length && strncmp(try->chip, measured->chip, length) == 0 &&
           strcmp(try->driver, measured->driver) == 0 && strcmp(try->clock, measured->clock) == 0 &&
           strcmp(try->variant, variant) == 0 && mu_compare_benchmarks(try, measured) == 0;
}

/* Returns the fastest try, with any team, of the last tuning of a variant of a test at this workgroup size; NULL for
 * none. */
static const struct mu_measurement *find_try(const struct mu_study *tries, const struct mu_measurement *measured,
                                             const char *variant, uint32_t workgroup)
{
    const struct mu_measurement *best = NULL;
    uint32_t last = 0;
    for (size_t i = 0; i < tries->count; i++)
        if (is_of(&tries->measurements[i], measured, variant) && tries->measurements[i].tuning > last)
            last = tries->measurements[i].tuning;
    for (size_t i = 0; i < tries->count; i++) {
        const struct mu_measurement *try = &tries->measurements[i];
        if (try->tuning != last || try->workgroup != workgroup || !mu_table_counts(try) ||
            !is_of(try, measured, variant))
            continue;
        if (best == NULL || try->level.log_value < best->level.log_value) best = try;
    }
    return best;
}

static void ratio_cell(struct mu_grid *grid, const struct mu_measurement *numerator,
                       const struct mu_measurement *denominator)
{
    struct mu_ratio ratio;
    if (!mu_table_counts(numerator) || !mu_table_counts(denominator)) {
        mu_grid_empty(grid);
        return;
    }
    mu_ratio_of(&numerator->level, &denominator->level, &ratio);
    mu_table_ratio_cell(grid, &ratio, 2);
}

static void add_row(struct mu_grid *grid, const struct mu_study *tries, size_t which,
                    const struct mu_measurement *numerator, const struct mu_measurement *denominator)
{
    const uint32_t sizes[] = {numerator->workgroup, denominator->workgroup};
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", ratios[which].name);
    mu_table_key_cells(grid, numerator);
    mu_table_count_cell(grid, sizes[0]);
    mu_table_count_cell(grid, sizes[1]);
    ratio_cell(grid, numerator, denominator);
    for (size_t i = 0; i < 2; i++)
        ratio_cell(grid, find_try(tries, numerator, ratios[which].numerator, sizes[i]),
                   find_try(tries, numerator, ratios[which].denominator, sizes[i]));
}

static void fill_grid(struct mu_grid *grid, const struct mu_study *study, const struct mu_study *tries)
{
    mu_grid_column(grid, "ratio_of", "ratio", MU_COLUMN_LEFT);
    mu_table_key_columns(grid);
    mu_grid_column(grid, "numerator_workgroup", "numerator's size", 0);
    mu_grid_column(grid, "denominator_workgroup", "denominator's size", 0);
    mu_grid_column(grid, "own", "each at its own", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "at_numerator", "both at the numerator's", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "at_denominator", "both at the denominator's", MU_COLUMN_INTERVAL);
    for (size_t which = 0; which < RATIOS; which++)
        for (size_t i = 0; i < study->count; i++) {
            const struct mu_measurement *numerator = &study->measurements[i];
            if (strcmp(numerator->variant, ratios[which].numerator) != 0) continue;
            const struct mu_measurement *denominator =
                mu_study_find(study, numerator, numerator, ratios[which].denominator);
            if (mu_table_counts(numerator) && mu_table_counts(denominator))
                add_row(grid, tries, which, numerator, denominator);
        }
    mu_grid_note(grid,
                 "speedup: multi-kernel / portable; slowdown: portable / specialised. Ratios at one workgroup size are "
                 "of the last tuning's tries, each at the best team that was tried; a try is one process. -: not "
                 "tried.");
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data measured, tuned;
    struct mu_grid *grid = mu_grids_add(grids, "same-size", "Speedup and slowdown at one workgroup size");
    if (mu_table_load(request, MU_STUDY_MEASURED, &measured, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&measured.study);
    if (mu_table_load(request, MU_STUDY_TUNED, &tuned, grids->err) == MU_OK) {
        fill_grid(grid, &measured.study, &tuned.study);
        mu_table_release(&tuned);
    }
    mu_table_release(&measured);
    return grids->err->status;
}

const struct mu_table mu_table_same_size = {"same-size", "speedup and slowdown with one workgroup size for both", fill};
