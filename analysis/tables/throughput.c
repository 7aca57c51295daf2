/* muster table throughput: arcs of the input for each second of a test's time, and the least memory traffic that goes
 * with it: what other benchmarks of graphs report. And muster table growth: time and memory for each arc, whose inputs
 * of several sizes tell how cost grows. */
#include "analysis/tables/common.h"
#include "analysis/tables/probe_results.h"

#include <string.h>

/* Once through the graph: the arcs that are passed, and the bytes of its rows and of one value for each vertex. */
struct work {
    double arcs, bytes;
};

/* Fills in the arcs and bytes of a test. Returns false for meshes, and if records do not tell. bc goes through its
 * graph once for each source. */
static bool find_work(const struct mu_measurement *measurement, struct work *work)
{
    for (size_t i = 0; i < measurement->record_count; i++) {
        const struct mu_process *process = &measurement->every[i];
        const double arcs = process->edges, vertices = process->vertices;
        const double passes = process->sources > 0 ? process->sources : 1;
        if (arcs <= 0 || vertices <= 0) continue;
        *work = (struct work){.arcs = passes * arcs,
                              .bytes = passes * (4 * arcs + (arcs > 0x1p31 ? 8 : 4) * (vertices + 1) + 4 * vertices)};
        return true;
    }
    return false;
}

/* Adds the amount for each second of the test's time, in units of `unit`. */
static void rate_cell(struct mu_grid *grid, const struct mu_measurement *measurement, double amount, double unit)
{
    struct mu_ratio time;
    mu_ratio_of_one(&measurement->level, &time);
    const double scaled = 1e9 * amount / unit;
    mu_grid_number(grid, scaled / time.value, 2);
    if (time.has_interval) mu_grid_interval(grid, scaled / time.high, scaled / time.low);
    mu_grid_sessions(grid, time.spans);
}

/* Adds the bytes of a second against those of a copy on the chip. `chips` is as mu_probe_results_load gives it. */
static void share_cell(struct mu_grid *grid, const struct mu_measurement *measurement, double bytes, json_t *chips)
{
    const double copied = mu_probe_bandwidth(json_object_get(chips, measurement->chip));
    if (copied > 0)
        rate_cell(grid, measurement, 100 * bytes / copied, 1e9);
    else
        mu_grid_empty(grid);
}

/* Loads what was probed of all chips under the root: the request's sets may be files of records, without measurements
 * beside them. */
static int load_chips(const struct mu_table_request *request, json_t **chips, struct mu_error *err)
{
    struct mu_table_request all = *request;
    all.set_count = 0;
    all.chip = NULL;
    return mu_probe_results_load(&all, chips, err);
}

static int fill_throughput(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    json_t *chips = NULL;
    struct mu_grid *grid = mu_grids_add(grids, "throughput", "Arcs and bytes of the input for each second of a test");
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    load_chips(request, &chips, grids->err);
    mu_study_choose(&data.study);
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "million_arcs_per_s", "million arcs/s", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "gb_per_s", "GB/s at least", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "share_percent", "% of a copy", MU_COLUMN_INTERVAL);
    for (size_t i = 0; i < data.study.count; i++) {
        const struct mu_measurement *measurement = &data.study.measurements[i];
        struct work work;
        if (!mu_table_counts(measurement)) continue;
        mu_grid_row(grid);
        mu_table_key_cells(grid, measurement);
        mu_grid_text(grid, "%s", measurement->variant);
        if (find_work(measurement, &work)) {
            rate_cell(grid, measurement, work.arcs, 1e6);
            rate_cell(grid, measurement, work.bytes, 1e9);
            share_cell(grid, measurement, work.bytes, chips);
        }
    }
    mu_grid_note(grid,
                 "Arcs: those of the input, as often as bc has sources, over the median time; not all of them need be "
                 "reached, and some are passed in several rounds.");
    mu_grid_note(grid, "GB/s at least: 4 bytes for each arc, 4 (8 from 2^31 arcs) for each row and 4 for each vertex's "
                       "result, once: what no algorithm can do without. -: a mesh, or not told.");
    mu_grid_note(grid, "%% of a copy: of what a copy of an array that no cache holds reads and writes on the chip "
                       "(muster table bandwidth). -: not measured there.");
    json_decref(chips);
    mu_table_release(&data);
    return grids->err->status;
}

/* ---- Growth ---- */

static void growth_columns(struct mu_grid *grid)
{
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "elements", "arcs", 0);
    mu_grid_column(grid, "ps_per_element", "ps an arc", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "copy_ps_per_element", "of a copy", 0);
    mu_grid_column(grid, "device_bytes_per_element", "bytes, device", 0);
    mu_grid_column(grid, "host_bytes_per_element", "bytes, host", 0);
}

/* Adds a number for each element of the input; empty if it is unknown. */
static void each_cell(struct mu_grid *grid, double amount, double elements, int digits)
{
    if (amount > 0)
        mu_grid_number(grid, amount / elements, digits);
    else
        mu_grid_empty(grid);
}

/* Adds one measurement: its time, that of a copy of the bytes that must be moved, and its memory, all for each
 * element. */
static void growth_row(struct mu_grid *grid, const struct mu_measurement *measurement, json_t *chips)
{
    const struct mu_process *process = &measurement->every[0];
    const double copied = mu_probe_bandwidth(json_object_get(chips, measurement->chip));
    struct work work = {0};
    const bool graph = find_work(measurement, &work);
    const double elements = graph ? process->edges : process->triangles;
    struct mu_ratio time;
    if (!(elements > 0)) return;
    mu_ratio_of_one(&measurement->level, &time);
    mu_grid_row(grid);
    mu_table_key_cells(grid, measurement);
    mu_grid_text(grid, "%s", measurement->variant);
    mu_grid_number(grid, elements, 0);
    mu_grid_number(grid, 1000 * time.value / elements, 2);
    if (time.has_interval) mu_grid_interval(grid, 1000 * time.low / elements, 1000 * time.high / elements);
    mu_grid_sessions(grid, time.spans);
    each_cell(grid, copied > 0 ? 1000 * work.bytes / copied : 0, elements, 2);
    each_cell(grid, process->device_bytes, elements, 1);
    each_cell(grid, process->host_bytes, elements, 1);
}

static int fill_growth(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    json_t *chips = NULL;
    struct mu_grid *grid = mu_grids_add(grids, "growth", "Time and memory for each arc of the input");
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    load_chips(request, &chips, grids->err);
    mu_study_choose(&data.study);
    growth_columns(grid);
    for (size_t i = 0; i < data.study.count; i++)
        if (mu_table_counts(&data.study.measurements[i])) growth_row(grid, &data.study.measurements[i], chips);
    mu_grid_note(grid,
                 "Of meshes, triangles take the place of arcs. Of a copy: what a copy of an array that no cache holds "
                 "needs on the chip for the bytes that no algorithm can do without, as in muster table throughput. "
                 "-: a mesh, or not measured there.");
    mu_grid_note(grid,
                 "Bytes: the most that the app's buffers took on the device, and the process, with its driver and "
                 "what it checks results with, on the host. -: not told.");
    json_decref(chips);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_throughput = {"throughput", "arcs and bytes of the input that a test does in a second",
                                             fill_throughput};
const struct mu_table mu_table_growth = {"growth", "time and memory for each arc, by the input's size", fill_growth};
