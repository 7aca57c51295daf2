/* muster table rollcalls: the cost of roll calls in whole applications (thesis, table 4.10). It has portable cold by
 * roll call, over specialised at its proven bound, which has none. */
#include "analysis/tables/common.h"

#include <stdio.h>
#include <string.h>

#define LABEL  "@rollcall="
#define OPTION "rollcall="

/* Returns the name of the roll call that found a measurement's team, and its length in *length; NULL if the records do
 * not tell. */
static const char *rollcall_of(const struct mu_measurement *measurement, int *length)
{
    const char *option = strstr(measurement->config, OPTION);
    if (option == NULL) return NULL;
    option += strlen(OPTION);
    *length = (int)strcspn(option, " ");
    return option;
}

/* Writes the chip without the label that a sweep of roll calls appends: specialised, which has none, is not swept. */
static void chip_of(const struct mu_measurement *measurement, char *chip, size_t bytes)
{
    const char *label = strstr(measurement->chip, LABEL);
    const size_t length = label != NULL ? (size_t)(label - measurement->chip) : strlen(measurement->chip);
    snprintf(chip, bytes, "%.*s", (int)length, measurement->chip);
}

static void add_row(struct mu_grid *grid, const struct mu_study *study, const struct mu_measurement *cold, bool plain,
                    size_t scopes[3])
{
    char chip[256];
    int length = 0;
    const char *rollcall = rollcall_of(cold, &length);
    struct mu_measurement place = *cold;
    chip_of(cold, chip, sizeof chip);
    place.chip = chip;
    const struct mu_measurement *bound = mu_study_find(study, &place, cold, "specialised-bound");
    mu_grid_row(grid);
    mu_table_key_cells(grid, &place);
    if (rollcall != NULL)
        mu_grid_text(grid, "%.*s", length, rollcall);
    else
        mu_grid_empty(grid);
    mu_table_time_cell(grid, cold, plain);
    mu_table_time_cell(grid, bound, plain);
    if (!mu_table_counts(cold) || !mu_table_counts(bound)) {
        mu_grid_empty(grid);
        return;
    }
    struct mu_ratio ratio;
    mu_ratio_of(&cold->level, &bound->level, &ratio);
    scopes[ratio.scope]++;
    mu_table_ratio_cell(grid, &ratio, 3);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    size_t scopes[3] = {0};
    struct mu_grid *grid =
        mu_grids_add(grids, "rollcalls", "What a roll call costs an application that knows nothing of the chip");
    mu_table_key_columns(grid);
    mu_grid_column(grid, "rollcall", "roll call", MU_COLUMN_LEFT);
    mu_grid_column(grid, "cold_ns", "cold", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "bound_ns", "bound", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "slowdown", "slowdown", MU_COLUMN_INTERVAL);
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    for (size_t i = 0; i < data.study.count; i++)
        if (strcmp(data.study.measurements[i].variant, "portable-cold") == 0)
            add_row(grid, &data.study, &data.study.measurements[i], request->plain_rows, scopes);
    mu_grid_note(grid,
                 "cold: portable, by this roll call; bound: specialised at its proven bound, at the workgroup size of "
                 "cold. slowdown: cold / bound. " MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(grid,
                 "muster bench --variants=portable-cold,specialised-bound --rollcall=atomic,ticket,ticket-destruct "
                 "measures it.");
    mu_grid_note(grid, "The thesis's table 4.10 has bfs on rmat22 and 2e23, here rmat:22 and uniform:23:2, with ticket "
                       "and ticket-destruct (suite mutexes), and the roll call alone (table rollcall-cost).");
    mu_table_scope_note(grid, scopes);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_rollcalls = {"rollcalls", "what each roll call costs where nothing is known of the chip",
                                            fill};
