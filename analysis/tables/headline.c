/* muster table headline: one row for each chip and set. */
#include "analysis/headline.h"
#include "analysis/baseline.h"
#include "analysis/medians.h"
#include "analysis/tables/common.h"
#include "records/schema.h"

#include <string.h>

/* Marks behind the name of a set. */
#define DIRTY       " (dirty)"
#define SESSIONLESS " (no session)"

static void ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio, size_t count)
{
    if (count == 0) {
        mu_grid_empty(grid);
        return;
    }
    mu_table_ratio_cell(grid, ratio, 2);
}

static void add_row(struct mu_grid *grid, const struct mu_headline *headline, const char *clock)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", headline->chip);
    mu_grid_text(grid, "%s", headline->set);
    if (headline->dirty) mu_grid_mark(grid, DIRTY);
    if (headline->sessionless) mu_grid_mark(grid, SESSIONLESS);
    mu_grid_text(grid, "%s", strcmp(clock, MU_CLOCK) == 0 ? MU_CLOCK : MU_CLOCK_BEFORE);
    ratio_cell(grid, &headline->speedup, headline->speedups);
    ratio_cell(grid, &headline->slowdown, headline->slowdowns);
    mu_grid_number(grid, (double)headline->speedups, 0);
    mu_grid_number(grid, (double)headline->tests, 0);
    mu_grid_number(grid, (double)headline->failed, 0);
    if (headline->failed != 0) mu_grid_tone(grid, MU_TONE_BAD);
    mu_grid_text(grid, "%.10s", headline->last_date);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_grid *grid = mu_grids_add(grids, "headline", "What the global barrier gains and what portability costs");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "set", "set", MU_COLUMN_LEFT);
    mu_grid_column(grid, "clock", "clock", MU_COLUMN_LEFT);
    mu_grid_column(grid, "speedup", "speedup", MU_COLUMN_INTERVAL | MU_COLUMN_KEPT);
    mu_grid_column(grid, "slowdown", "slowdown", MU_COLUMN_INTERVAL | MU_COLUMN_KEPT);
    mu_grid_column(grid, "tests", "tests", 0);
    mu_grid_column(grid, "measurements", "measurements", MU_COLUMN_MINOR);
    mu_grid_column(grid, "failed", "failed", 0);
    mu_grid_column(grid, "date", "date", MU_COLUMN_LEFT);
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    mu_study_take_baselines(&data.study, grids->err);
    mu_medians_add(request, &data.study, grids->err);
    for (size_t i = 0; i < data.study.count && grids->err->status == MU_OK;) {
        struct mu_headline headline;
        const char *clock = data.study.measurements[i].clock;
        i = mu_headline_make(&data.study, i, &headline, grids->err);
        add_row(grid, &headline, clock);
    }
    if (data.study.count == 0) mu_grid_note(grid, "No results.");
    mu_grid_note(grid,
                 "Geometric means over the tests of a set. speedup: multi-kernel / portable; slowdown: portable / "
                 "specialised. " MU_NOT_CONFIDENT_NOTE);
    mu_grid_note_mark(grid, DIRTY, "dirty: of sources that were not committed.");
    mu_grid_note_mark(grid, SESSIONLESS, "no session: records do not tell theirs.");
    mu_medians_note(grid, &data.study);
    mu_table_study_notes(grid, &data.study);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_headline = {"headline", "one row a set: mean speedup, mean slowdown, what failed", fill};
