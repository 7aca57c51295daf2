/* muster table progress: what became of each idiom, and the scheduler models that this is consistent with (thesis,
 * chapter 6). */
#include "analysis/tables/probe_results.h"
#include "records/scheduler_models.h"

static void add_idioms(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    (void)others;
    const json_t *outcomes = json_object_get(json_object_get(measurement, "progress"), "outcomes");
    for (int idiom = 0; idiom < MU_IDIOMS; idiom++) {
        const json_t *row = json_object_get(outcomes, mu_idiom_name((enum mu_idiom)idiom));
        if (row == NULL) continue;
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", chip);
        mu_grid_text(grid, "%s", mu_idiom_name((enum mu_idiom)idiom));
        for (int order = 0; order < MU_ID_ORDERS; order++)
            mu_grid_text(grid, "%s", mu_json_text(row, mu_id_order_name((enum mu_id_order)order)));
    }
}

static void add_models(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    static const char *const verdicts[] = {
        [MU_CONSISTENT] = "consistent", [MU_INCONSISTENT] = "refuted", [MU_NOT_TESTED] = "not tested"};
    (void)others;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    for (int model = 0; model < MU_SCHEDULERS; model++)
        mu_grid_text(grid, "%s", verdicts[mu_forward_progress_measured(measurement, (enum mu_scheduler)model)]);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *idioms =
        mu_grids_add(grids, "progress", "Blocking idioms among more workgroups than fit at once, by the order of ids");
    mu_grid_column(idioms, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(idioms, "idiom", "idiom", MU_COLUMN_LEFT);
    for (int order = 0; order < MU_ID_ORDERS; order++) {
        const char *name = mu_id_order_name((enum mu_id_order)order);
        mu_grid_column(idioms, name, name, MU_COLUMN_LEFT);
    }
    struct mu_grid *models = mu_grids_add(
        grids, "models", "Scheduler models: consistent with the tests is no proof; not tested: by a team of one");
    mu_grid_column(models, "chip", "chip", MU_COLUMN_LEFT);
    for (int model = 0; model < MU_SCHEDULERS; model++) {
        const char *name = mu_scheduler_name((enum mu_scheduler)model);
        mu_grid_column(models, name, name, MU_COLUMN_LEFT);
    }
    if (mu_probe_fill(request, grids, idioms, "progress", add_idioms) != MU_OK) return grids->err->status;
    return mu_probe_fill(request, grids, models, "progress", add_models);
}

const struct mu_table mu_table_progress = {"progress", "forward-progress tests, and scheduler models that fit", fill};
