/* muster table outlining: what it brings to outline the iterations, oitergb, beside what it saves: launches, and how
 * short the kernels are (thesis, tables 4.7 to 4.9). */
#include "analysis/optimisations/table.h"

#include <string.h>

/* Returns a process whose record has launches, else the first. */
static const struct mu_process *telling(const struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->record_count; i++)
        if (measurement->every[i].launches > 0) return &measurement->every[i];
    return &measurement->every[0];
}

static void known_cell(struct mu_grid *grid, double value, int decimals)
{
    mu_grid_number(grid, value > 0 ? value : (double)NAN, decimals);
}

static void add_row(struct mu_grid *grid, const struct mu_optimised_test *test)
{
    const unsigned bit = MU_OPTIMISATION_BIT(MU_OPT_OITERGB);
    const struct mu_configured *baseline = mu_configured_of(test, MU_BASELINE);
    const struct mu_process *process = telling(baseline->measurement);
    const double launches = process->launches;
    const double ns = exp(baseline->levels[MU_ALL_SAMPLES].log_value);
    struct mu_ratio speedup;
    size_t faster = 0, slower = 0;
    for (unsigned i = 0; i < MU_CONFIGURATIONS; i++) {
        faster += mu_effect_of(test, MU_OPT_OITERGB, i) < 1;
        slower += mu_effect_of(test, MU_OPT_OITERGB, i) > 1;
    }
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", test->chip);
    mu_grid_text(grid, "%s", test->app);
    mu_grid_text(grid, "%s", test->shown);
    known_cell(grid, launches, 0);
    known_cell(grid, process->worklist, 1);
    known_cell(grid, launches > 0 ? ns / launches / 1e6 : 0, 4);
    if ((test->available & bit) != 0 && mu_configured_ratio(test, MU_BASELINE, bit, MU_ALL_SAMPLES, &speedup))
        mu_optimised_ratio_cell(grid, &speedup);
    else
        mu_grid_empty(grid);
    mu_grid_number(grid, (double)faster, 0);
    mu_grid_number(grid, (double)slower, 0);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK) {
        struct mu_grid *grid =
            mu_grids_add(grids, "outlining", "What oitergb brings, beside the launches that it saves");
        mu_table_test_columns(grid);
        mu_grid_column(grid, "launches", "launches", 0);
        mu_grid_column(grid, "worklist", "mean worklist", 0);
        mu_grid_column(grid, "kernel_ms", "ms a kernel", 0);
        mu_grid_column(grid, "speedup", "speedup alone", MU_COLUMN_INTERVAL);
        mu_grid_column(grid, "faster", "pairs faster", 0);
        mu_grid_column(grid, "slower", "pairs slower", 0);
        for (size_t i = 0; i < loaded.tests.count; i++)
            if (mu_configured_of(&loaded.tests.tests[i], MU_BASELINE) != NULL) add_row(grid, &loaded.tests.tests[i]);
        mu_optimised_notes(grid, &loaded.tests);
        if (loaded.tests.count > 0)
            mu_grid_note(grid,
                         "Launches, worklist and ms a kernel (time / launches) are the baseline's. speedup alone: "
                         "baseline / oitergb and nothing else. Pairs: configurations with oitergb that differ "
                         "confidently from the same without it. -: the record does not say.");
    }
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_outlining = {"outlining", "what outlining of loops (oitergb) brings, and what it saves",
                                            fill};
