/* muster table rollcall-cost, barrier-cost, overlap, queue-cost, launch-cost, utilisation, bandwidth: what
 * synchronising costs (OOPSLA 2016, figure 8; thesis, figure 4.7). */
#include "analysis/tables/probe_results.h"
#include "records/implementations.h"

#include <math.h>
#include <string.h>

/* Returns what ended the poll, as a text. A launch of more workgroups than expected costs more, and has a text of its
 * own. */
static const char *closed_by(const json_t *measurement)
{
    const uint32_t expected = mu_json_count(measurement, "expected");
    if (expected != 0)
        return mu_json_count(measurement, "launched") == expected ? "expected size" : "expected size, surplus";
    return mu_json_count(measurement, "patience") != 0 ? "patience" : "protocol";
}

static void rollcall_cost_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    double mean = 0, deviation;
    mu_probe_mean(measurement, "teams", &mean, &deviation);
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, mu_probe_parameter(measurement, "workgroup"), 0);
    const uint32_t bound = mu_probe_bound_of(others, measurement);
    if (bound != 0)
        mu_grid_number(grid, bound, 0);
    else
        mu_grid_empty(grid);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "rollcall"));
    mu_grid_text(grid, "%s", closed_by(measurement));
    mu_grid_number(grid, mean, 1);
    mu_probe_time_cell(grid, measurement, "ns");
}

static int fill_rollcall_cost(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "rollcall-cost", "What a roll call costs at full occupancy");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "bound", "bound", 0);
    mu_grid_column(grid, "rollcall", "roll call", MU_COLUMN_LEFT);
    mu_grid_column(grid, "closed_by", "closed by", MU_COLUMN_LEFT);
    mu_grid_column(grid, "team", "mean team", 0);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    return mu_probe_fill(request, grids, grid, "cost", rollcall_cost_row);
}

static void barrier_key(struct mu_grid *grid, const char *chip, const json_t *measurement)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, mu_probe_parameter(measurement, "workgroup"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "team"), 0);
}

/* Adds the row of one barrier, for programs. */
static void plain_barrier_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    (void)others;
    if (json_object_get(measurement, "ns") == NULL) return;
    barrier_key(grid, chip, measurement);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "barrier"));
    mu_probe_time_cell(grid, measurement, "ns");
}

/* Adds a row for each workgroup size and team, for people, with a column for each barrier. It is added when the
 * measurement of `counter` comes, which every device has. */
static void barrier_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    const char *name = mu_json_text(measurement, "barrier");
    if (json_object_get(measurement, "ns") == NULL || strcmp(name, mu_barriers[MU_BARRIER_COUNTER].name) != 0) return;
    barrier_key(grid, chip, measurement);
    for (int i = MU_BARRIER_COUNTER; mu_barriers[i].name != NULL; i++) {
        const json_t *other = mu_probe_find(others, "barrier", mu_barriers[i].name, measurement);
        double mean = 0, deviation;
        if (other != NULL && mu_probe_mean(other, "ns", &mean, &deviation))
            mu_probe_time_cell(grid, other, "ns");
        else
            mu_grid_empty(grid);
    }
}

static int fill_barrier_cost(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "barrier-cost", "What a round of each barrier costs: median");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "team", "team", 0);
    for (int i = MU_BARRIER_COUNTER; !request->plain_rows && mu_barriers[i].name != NULL; i++)
        mu_grid_column(grid, mu_barriers[i].name, mu_barriers[i].name, 0);
    if (request->plain_rows) mu_grid_column(grid, "barrier", "barrier", MU_COLUMN_LEFT);
    if (request->plain_rows) mu_grid_column(grid, "median_ns", "median", MU_COLUMN_INTERVAL);
    return mu_probe_fill(request, grids, grid, "barrier", request->plain_rows ? plain_barrier_row : barrier_row);
}

static void queue_cost_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    double mean = 0, deviation;
    (void)others;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "queue"));
    mu_grid_number(grid, mu_json_count(measurement, "team"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "rings"), 0);
    mu_probe_time_cell(grid, measurement, "ns");
    mu_grid_number(grid, mu_probe_mean(measurement, "ns", &mean, &deviation) && mean > 0 ? 1e3 / mean : NAN, 2);
}

static int fill_queue_cost(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "queue-cost", "What a work queue costs for each item, which is pushed, taken and done");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "queue", "queue", MU_COLUMN_LEFT);
    mu_grid_column(grid, "team", "team", 0);
    mu_grid_column(grid, "rings", "rings", 0);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "million_a_second", "million a second", 0);
    return mu_probe_fill(request, grids, grid, "queue", queue_cost_row);
}

static void launch_cost_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    (void)others;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "implementation"));
    mu_probe_time_cell(grid, measurement, "ns");
}

static int fill_launch_cost(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "launch-cost", "What a kernel launch costs");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "implementation", "launch", MU_COLUMN_LEFT);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    return mu_probe_fill(request, grids, grid, "launch", launch_cost_row);
}

static void utilisation_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    (void)others;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_json_text(measurement, "readback"));
    mu_grid_number(grid, mu_json_count(measurement, "kernel_us"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "launches"), 0);
    mu_grid_time(grid, json_number_value(json_object_get(measurement, "round_ns")));
    mu_grid_number(grid, 100 * json_number_value(json_object_get(measurement, "utilisation")), 1);
}

static int fill_utilisation(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "utilisation",
                                        "How busy a device is with kernels that are launched and read back one by one");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "readback", "read-back", MU_COLUMN_LEFT);
    mu_grid_column(grid, "kernel_us", "kernel us", 0);
    mu_grid_column(grid, "launches", "launches", 0);
    mu_grid_column(grid, "round_ns", "round", 0);
    mu_grid_column(grid, "utilisation_percent", "utilisation %", 0);
    mu_grid_note(grid, "launches: of each kernel time. The thesis has 10 000, which muster probe --thesis measures.");
    return mu_probe_fill(request, grids, grid, "utilisation", utilisation_row);
}

/* Adds a row of a copy's bandwidth. Bytes in a nanosecond are GB in a second. */
static void bandwidth_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    const double bytes = mu_json_real(measurement, "bytes_moved");
    struct mu_summary time;
    (void)others;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, mu_probe_parameter(measurement, "bytes"), 0);
    mu_probe_time_cell(grid, measurement, "ns");
    if (!mu_probe_samples(measurement, "ns", &time)) return;
    mu_grid_number(grid, bytes / time.median, 1);
    if (time.has_interval) mu_grid_interval(grid, bytes / time.high, bytes / time.low);
    mu_grid_sessions(grid, 1);
}

static int fill_bandwidth(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "bandwidth", "Bytes a second that a copy reads and writes, together");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "bytes", "bytes of the array", 0);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "gb_per_s", "GB/s [95 %]", MU_COLUMN_INTERVAL);
    return mu_probe_fill(request, grids, grid, "copy", bandwidth_row);
}

/* Adds what a team gains by work between the halves of the global barrier. */
static void overlap_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    struct mu_summary before, beside;
    const bool both = mu_probe_samples(measurement, "before_ns", &before) &&
                      mu_probe_samples(measurement, "beside_ns", &beside) && beside.median > 0;
    (void)others;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, mu_probe_parameter(measurement, "workgroup"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "team"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "fmas"), 0);
    mu_probe_time_cell(grid, measurement, "before_ns");
    mu_probe_time_cell(grid, measurement, "beside_ns");
    mu_grid_number(grid, both ? before.median / beside.median : NAN, 3);
}

static int fill_overlap(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "overlap", "A round of work before a barrier, and between the barrier's halves");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "team", "team", 0);
    mu_grid_column(grid, "fmas", "multiply-adds", 0);
    mu_grid_column(grid, "before_ns", "before [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "beside_ns", "between [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "gain", "before / between", 0);
    if (mu_probe_fill(request, grids, grid, "overlap", overlap_row) == MU_OK)
        mu_grid_note(grid, "Both by barrier split, for the same team; above 1: overlapping is quicker.");
    return grids->err->status;
}

const struct mu_table mu_table_bandwidth = {"bandwidth", "bytes that a copy reads and writes in a second",
                                            fill_bandwidth};
const struct mu_table mu_table_rollcall_cost = {"rollcall-cost", "what roll calls cost at full occupancy",
                                                fill_rollcall_cost};
const struct mu_table mu_table_barrier_cost = {"barrier-cost", "what barriers cost, by workgroup and team size",
                                               fill_barrier_cost};
const struct mu_table mu_table_queue_cost = {"queue-cost", "what work queues cost, by the workgroups that share them",
                                             fill_queue_cost};
const struct mu_table mu_table_launch_cost = {"launch-cost", "what launches and read-backs cost", fill_launch_cost};
const struct mu_table mu_table_utilisation = {"utilisation", "how busy kernels launched one by one keep a device",
                                              fill_utilisation};
const struct mu_table mu_table_overlap = {"overlap", "what work between the halves of a barrier gains", fill_overlap};
