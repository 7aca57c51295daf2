/* muster table medians: the published results in one small file, analysis/medians.h. */
#include "analysis/medians.h"
#include "analysis/baseline.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* Returns true for a campaign's measurement, without a label, of a variant that ratios are taken of. */
static bool is_kept(const struct mu_measurement *measurement)
{
    static const char *const left_out[] = {"multi-kernel-fixed", "cooperative", "portable-first"};
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (strcmp(measurement->variant, left_out[i]) == 0) return false;
    return measurement->set[0] != '\0' && strcmp(measurement->chip, measurement->plain_chip) == 0;
}

static void levels_cell(struct mu_grid *grid, const struct mu_by_session *sessions)
{
    char text[MU_SESSIONS_MAX * 32] = "";
    size_t used = 0;
    for (unsigned i = 0; i < MU_SESSIONS_MAX; i++)
        if ((sessions->known >> i & 1) != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:%.10g", used != 0 ? " " : "", i,
                                     exp(sessions->value[i]));
    mu_grid_text(grid, "%s", text);
}

static void level_cells(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    const struct mu_level *level = &measurement->level;
    struct mu_ratio time = {0};
    if (measurement->has_level) mu_ratio_of_one(level, &time);
    mu_grid_time(grid, measurement->has_level ? exp(level->log_value) : (double)NAN);
    mu_grid_time(grid, time.has_interval ? time.low : (double)NAN);
    mu_grid_time(grid, time.has_interval ? time.high : (double)NAN);
    mu_grid_number(grid, measurement->has_level ? level->variance : (double)NAN, 6);
    mu_grid_number(grid, measurement->has_level ? level->df : (double)NAN, 1);
    levels_cell(grid, &level->sessions);
    mu_grid_number(grid, (double)level->processes, 0);
    mu_grid_number(grid, (double)level->samples, 0);
}

static void add_row(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", measurement->chip);
    mu_grid_text(grid, "%s", measurement->set);
    mu_grid_text(grid, "%s", measurement->clock);
    mu_grid_text(grid, "%s", measurement->app);
    mu_grid_text(grid, "%s", measurement->input);
    mu_grid_text(grid, "%s", measurement->options);
    mu_grid_text(grid, "%s", measurement->shown);
    mu_grid_text(grid, "%s", measurement->variant);
    level_cells(grid, measurement);
    mu_grid_number(grid, (double)measurement->failed, 0);
    mu_grid_number(grid, (double)measurement->record_count, 0);
    mu_grid_text(grid, "%s", measurement->outcome);
    mu_grid_text(grid, "%s", measurement->last_date);
    mu_grid_text(grid, "%s", measurement->commit);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_grid *grid = mu_grids_add(grids, "medians", "Medians, as they are kept of published results");
#define ADD(name, title, look) mu_grid_column(grid, title, title, look);
    MU_MEDIAN_COLUMNS(ADD)
#undef ADD
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    mu_study_take_baselines(&data.study, grids->err);
    for (size_t i = 0; i < data.study.count; i++)
        if (is_kept(&data.study.measurements[i])) add_row(grid, &data.study.measurements[i]);
    mu_table_study_notes(grid, &data.study);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_medians = {"medians", "the medians of campaigns, as they ship with the program", fill};
