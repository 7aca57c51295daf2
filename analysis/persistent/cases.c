/* The grids of muster table persistent of use cases 1 and 3. */
#include "analysis/persistent/points.h"

#include "analysis/tables/probe_results.h"

/* ---- Use case 1: from a producer to its consumer ---- */

int mu_pt_gap_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const parts[] = {"readback_ns", "host_ns", "launch_ns", "behind_ns"};
    const struct mu_pt_filling *filling = context;
    size_t i;
    json_t *measurement;
    (void)err;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!json_equal(json_object_get(measurement, "parameters"), point)) continue;
        mu_grid_row(filling->grid);
        mu_grid_text(filling->grid, "%s", filling->chip);
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
            mu_probe_time_cell(filling->grid, measurement, parts[part]);
    }
    return MU_OK;
}

struct mu_grid *mu_pt_add_gap(struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "persistent-gap",
                     "Use case 1, CPU-GPU synchronisation: from the producer's end to the consumer's start");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "readback_ns", "read-back", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "host_ns", "host", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "launch_ns", "launch", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "behind_ns", "enqueued before", MU_COLUMN_INTERVAL);
    mu_grid_note(grid, "By event times. enqueued before: the whole gap where the consumer is in the queue already.");
    return grid;
}

int mu_pt_handover_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const implementations[] = {"launches", "serve"};
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[2];
    if (mu_pt_times_of(measurements, point, implementations, 2, times, err) != MU_OK) return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", filling->chip);
    mu_grid_text(grid, "%s", mu_json_text(point, "kind"));
    mu_grid_number(grid, (double)mu_json_number(point, "fmas"), 0);
    mu_grid_number(grid, (double)mu_json_number(point, "blocks"), 0);
    mu_pt_count_cell(grid, &times[1], "groups");
    mu_pt_pair_cells(grid, &times[0], &times[1], 1);
    return MU_OK;
}

struct mu_grid *mu_pt_add_handover(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "persistent-handover",
                                        "Use case 1: a producer, and a consumer of as many blocks as it finds");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "kind", "kind", MU_COLUMN_LEFT);
    mu_grid_column(grid, "fmas", "multiply-adds", 0);
    mu_grid_column(grid, "blocks", "blocks", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "launches_ns", "read-back and launch", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "serve_ns", "groups that stay", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "speedup", "speedup", MU_COLUMN_INTERVAL);
    mu_grid_note(grid, MU_PT_NOTE);
    return grid;
}

/* ---- Use case 3: producer-consumer locality ---- */

int mu_pt_reduce_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const implementations[] = {"launches", "barrier"};
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[2];
    if (mu_pt_times_of(measurements, point, implementations, 2, times, err) != MU_OK) return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", filling->chip);
    mu_grid_number(grid, 256 * (double)mu_json_number(point, "blocks"), 0);
    mu_pt_count_cell(grid, &times[1], "groups");
    mu_pt_pair_cells(grid, &times[0], &times[1], 1);
    return MU_OK;
}

struct mu_grid *mu_pt_add_reduce(struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "persistent-reduce", "Use case 3, producer-consumer locality: the sum of so many floats");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "floats", "floats", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "launches_ns", "launches", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "barrier_ns", "one barrier", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "speedup", "speedup", MU_COLUMN_INTERVAL);
    mu_grid_note(grid, MU_PT_NOTE);
    return grid;
}

int mu_pt_stages_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const implementations[] = {"one", "two", "local"};
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[3];
    if (mu_pt_times_of(measurements, point, implementations, 3, times, err) != MU_OK) return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", filling->chip);
    mu_grid_number(grid, (double)mu_json_number(point, "fmas"), 0);
    mu_grid_number(grid, (double)mu_json_number(point, "blocks"), 0);
    mu_grid_number(grid, (double)mu_json_number(point, "keep"), 0);
    for (size_t i = 0; i < 3; i++) mu_pt_time_cell(grid, &times[i], 1);
    for (size_t i = 0; i < 2; i++) mu_pt_speedup_cell(grid, &times[2], &times[i]);
    return MU_OK;
}

struct mu_grid *mu_pt_add_stages(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "persistent-stages",
                                        "Use case 3: work in two stages, to the second of which some items go on");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "fmas", "multiply-adds", 0);
    mu_grid_column(grid, "blocks", "blocks", 0);
    mu_grid_column(grid, "keep", "go on, of 256", 0);
    mu_grid_column(grid, "one_ns", "one kernel", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "two_ns", "two", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "local_ns", "local queue", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "speedup_one", "over one", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "speedup_two", "over two", MU_COLUMN_INTERVAL);
    mu_grid_note(grid, MU_PT_NOTE);
    return grid;
}
