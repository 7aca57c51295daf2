/* muster table idioms: what became of idioms in use on the device, beside the scheduler that allows them. */
#include "analysis/trust/idioms.h"
#include "analysis/progress/wild.h"
#include "analysis/tables/probe_results.h"
#include "records/measurements.h"

#include <string.h>

const json_t *mu_idioms_seen(const json_t *measurements, const char *idiom, const char *ids)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_is(measurement, "idiom", idiom) && mu_json_is(measurement, "among", "workgroups") &&
            mu_json_is(measurement, "ids", ids))
            return measurement;
    return NULL;
}

/* Finds the weakest scheduler that allows the measured idiom. Empty if no model speaks of it, since no group waits or
 * all are in one group. */
static int needs(const json_t *measurement, const char **text, struct mu_error *err)
{
    const char *ids = mu_json_text(measurement, "ids");
    *text = "";
    if (!mu_json_is(measurement, "among", "workgroups")) return MU_OK;
    if (strcmp(ids, "launches") == 0) {
        *text = mu_lts_needs(1u << MU_LTS_UNFAIR);
        return MU_OK;
    }
    for (const struct mu_wild_idiom *idiom = mu_wild_idioms; idiom->name != NULL; idiom++) {
        unsigned allowed = 0;
        if (!mu_json_is(measurement, "idiom", idiom->measured)) continue;
        /* What waits for lower ids waits for higher ones when they are counted from the other end. */
        const enum mu_lts_idiom program = strcmp(ids, "native") == 0     ? idiom->native
                                          : strcmp(ids, "ticketed") == 0 ? idiom->ticketed
                                                                         : idiom->reversed;
        if (mu_lts_allowed(program, &allowed, err) == MU_OK) *text = mu_lts_needs(allowed);
    }
    return err->status;
}

static void add_row(struct mu_grid *grid, const char *chip, const json_t *measurement, struct mu_error *err)
{
    const char *text;
    if (needs(measurement, &text, err) != MU_OK) return;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "among"));
    mu_grid_text(grid, "%s", mu_json_text(measurement, "idiom"));
    mu_grid_text(grid, "%s", mu_json_text(measurement, "ids"));
    mu_grid_text(grid, "%s", text);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "ended"));
    mu_grid_number(grid, mu_json_real(measurement, "tries"), 0);
    mu_grid_number(grid, mu_json_real(measurement, "groups"), 0);
    mu_grid_number(grid, mu_json_real(measurement, "launches"), 0);
    mu_probe_time_cell(grid, measurement, "ns");
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "idioms", "Idioms in use, and what became of them");
    json_t *chips = NULL, *measurements, *measurement;
    const char *chip;
    size_t i;
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "among", "among", MU_COLUMN_LEFT);
    mu_grid_column(grid, "idiom", "idiom", MU_COLUMN_LEFT);
    mu_grid_column(grid, "ids", "ids", MU_COLUMN_LEFT);
    mu_grid_column(grid, "needs", "needs", MU_COLUMN_LEFT);
    mu_grid_column(grid, "ended", "ended", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tries", "tries", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "launches", "launches", 0);
    mu_grid_column(grid, "ns", "time", 0);
    if (mu_survey_results_load(request, MU_LITMUS_FILE, &chips, grids->err) == MU_OK) {
        json_object_foreach (chips, chip, measurements)
            json_array_foreach (measurements, i, measurement)
                if (json_object_get(measurement, "idiom") != NULL) add_row(grid, chip, measurement, grids->err);
        if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster litmus.");
        mu_grid_note(grid, "needs: the weakest scheduler that allows it, of table schedulers. A wait that runs out is "
                           "starvation. time: from each launch to its end, together.");
    }
    json_decref(chips);
    return grids->err->status;
}

const struct mu_table mu_table_idioms = {"idioms", "which idioms in use come to their end, and what they need", fill};
