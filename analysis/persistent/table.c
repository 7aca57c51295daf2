/* muster table persistent: the persistent-threads study (Gupta, Stuart and Owens, InPar 2012), its use cases in turn,
 * and what it published beside what was measured here. */
#include "analysis/persistent/points.h"

#include "analysis/tables/probe_results.h"

#include <string.h>

static void number_cell(struct mu_grid *grid, const json_t *point, const char *name)
{
    mu_grid_number(grid, (double)mu_json_number(point, name), 0);
}

/* ---- Use case 4: global synchronisation ---- */

static const char *const sync_implementations[] = {"launches", "barrier"};

static int sync_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[2];
    const double rounds = (double)mu_json_number(point, "rounds");
    if (mu_pt_times_of(measurements, point, sync_implementations, 2, times, err) != MU_OK || rounds == 0)
        return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", filling->chip);
    number_cell(grid, point, "fmas");
    number_cell(grid, point, "blocks");
    number_cell(grid, point, "rounds");
    mu_pt_count_cell(grid, &times[1], "groups");
    mu_pt_pair_cells(grid, &times[0], &times[1], rounds);
    return MU_OK;
}

static struct mu_grid *add_sync(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "persistent-sync",
                                        "Use case 4, global synchronisation: a round by a launch, and by the barrier");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "fmas", "multiply-adds", 0);
    mu_grid_column(grid, "blocks", "blocks", 0);
    mu_grid_column(grid, "rounds", "rounds", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "launch_ns", "launch", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "barrier_ns", "barrier", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "speedup", "speedup", MU_COLUMN_INTERVAL);
    mu_grid_note(grid, "speedup: launches / barrier. Nothing is read back. " MU_PT_NOTE);
    return grid;
}

/* ---- The crossover ---- */

/* Points of one chip that differ in nothing but the multiply-adds, in their order. */
#define MAX_SWEEP 32
struct sweep {
    uint32_t blocks, rounds; /* of the chip's sweep: the most points have them */
    size_t count;
    double fmas[MAX_SWEEP], speedup[MAX_SWEEP];
};

static int take_sweep(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    struct sweep *sweep = context;
    struct mu_pt_time times[2];
    struct mu_ratio speedup;
    if (mu_json_count(point, "blocks") != sweep->blocks || mu_json_count(point, "rounds") != sweep->rounds)
        return MU_OK;
    if (mu_pt_times_of(measurements, point, sync_implementations, 2, times, err) != MU_OK ||
        sweep->count >= MAX_SWEEP || !mu_pt_speedup(&times[1], &times[0], &speedup))
        return err->status;
    size_t at = sweep->count++;
    const double fmas = (double)mu_json_number(point, "fmas");
    for (; at > 0 && sweep->fmas[at - 1] > fmas; at--) {
        sweep->fmas[at] = sweep->fmas[at - 1];
        sweep->speedup[at] = sweep->speedup[at - 1];
    }
    sweep->fmas[at] = fmas;
    sweep->speedup[at] = speedup.value;
    return MU_OK;
}

struct most_points {
    const json_t *measurements;
    struct sweep best;
};

static int find_sweep(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    struct most_points *most = context;
    struct sweep sweep = {.blocks = mu_json_count(point, "blocks"), .rounds = mu_json_count(point, "rounds")};
    if (mu_pt_each_point(measurements, "sync", take_sweep, &sweep, err) == MU_OK && sweep.count > most->best.count)
        most->best = sweep;
    return err->status;
}

static void crossover_row(struct mu_grid *grid, const char *chip, const json_t *measurements, struct mu_error *err)
{
    struct most_points most = {.measurements = measurements};
    if (mu_pt_each_point(measurements, "sync", find_sweep, &most, err) != MU_OK || most.best.count < 2) return;
    const struct sweep *sweep = &most.best;
    const double crossover = mu_crossover(sweep->fmas, sweep->speedup, sweep->count);
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, sweep->blocks, 0);
    mu_grid_number(grid, sweep->rounds, 0);
    mu_grid_number(grid, sweep->fmas[0], 0);
    mu_grid_number(grid, sweep->speedup[0], 2);
    mu_grid_number(grid, sweep->fmas[sweep->count - 1], 0);
    mu_grid_number(grid, sweep->speedup[sweep->count - 1], 2);
    if (crossover > 0)
        mu_grid_number(grid, crossover, 0);
    else
        mu_grid_empty(grid);
}

static struct mu_grid *add_crossover(struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "persistent-crossover", "From how many multiply-adds a round on a launch is as good");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "blocks", "blocks", 0);
    mu_grid_column(grid, "rounds", "rounds", 0);
    mu_grid_column(grid, "least_fmas", "least", 0);
    mu_grid_column(grid, "least_speedup", "speedup", 0);
    mu_grid_column(grid, "most_fmas", "most", 0);
    mu_grid_column(grid, "most_speedup", "speedup", 0);
    mu_grid_column(grid, "crossover_fmas", "crossover", 0);
    mu_grid_note(grid, "crossover: where the speedup falls to %.2f for good, between two points of the sweep.",
                 MU_AS_GOOD);
    return grid;
}

/* ---- Use case 2: load balancing ---- */

/* Adds how much of the study's queue's loss against launches is its lock, which is what the queue without a lock does
 * not lose. Empty unless it loses for certain. */
static void lock_cell(struct mu_grid *grid, const struct mu_pt_time *launches, const struct mu_pt_time *locked,
                      const struct mu_pt_time *other)
{
    struct mu_ratio speedup;
    if (other->measurement == NULL || !mu_pt_speedup(locked, launches, &speedup) || !speedup.confident ||
        speedup.value * MU_AS_GOOD >= 1)
        mu_grid_empty(grid);
    else
        mu_grid_number(grid, 100 * (locked->ns - other->ns) / (locked->ns - launches->ns), 0);
}

static int forest_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const implementations[] = {"launches", "locked", "ring", "steal"};
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[4];
    if (mu_pt_times_of(measurements, point, implementations, 4, times, err) != MU_OK) return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", filling->chip);
    mu_grid_text(grid, "%s", mu_json_text(point, "shape"));
    number_cell(grid, point, "depth");
    number_cell(grid, point, "inputs");
    number_cell(grid, point, "fmas");
    number_cell(grid, point, "team");
    mu_pt_time_cell(grid, &times[0], 1);
    for (size_t i = 1; i < 4; i++) mu_pt_speedup_cell(grid, &times[i], &times[0]);
    lock_cell(grid, &times[0], &times[1], &times[2]);
    lock_cell(grid, &times[0], &times[1], &times[3]);
    return MU_OK;
}

static struct mu_grid *add_forest(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "persistent-forest",
                                        "Use case 2, load balancing: work queues against a launch for each level");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "shape", "shape", MU_COLUMN_LEFT);
    mu_grid_column(grid, "depth", "depth", 0);
    mu_grid_column(grid, "inputs", "inputs", 0);
    mu_grid_column(grid, "fmas", "multiply-adds", 0);
    mu_grid_column(grid, "team", "blocks, at most", 0);
    mu_grid_column(grid, "launches_ns", "launches", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "locked", "locked", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "ring", "ring", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "steal", "steal", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "lock_percent", "lock, %", 0);
    mu_grid_column(grid, "lock_and_sharing_percent", "and sharing, %", 0);
    mu_grid_note(grid, "locked (the study's queue), ring, steal: speedups over launches. The study "
                       "has 1 to 240 blocks, depths of 1 to 12 and 50 to 1000.");
    mu_grid_note(grid,
                 "lock: of what locked loses against launches, the share that ring does not lose; and sharing: that "
                 "steal does not lose.");
    mu_grid_note(grid, MU_PT_NOTE);
    return grid;
}

/* ---- What was published ---- */

static const struct published {
    const char *use_case, *what, *range;
    const char *experiment, *implementations[2]; /* without groups that stay, and with them */
    const char *name;                            /* of a number that the points have … */
    uint64_t low, high;                          /* … in this range */
} published[] = {
    {"1", "all points", "mostly below 1", "handover", {"launches", "serve"}, "fmas", 0, UINT32_MAX},
    {"2", "below 1000 multiply-adds", "mostly below 1", "forest", {"launches", "locked"}, "fmas", 0, 999},
    {"2", "1000 and more", "mostly above 1", "forest", {"launches", "locked"}, "fmas", 1000, UINT32_MAX},
    {"3", "sum of at most 16384 floats", "1.5 to 1.85", "reduce", {"launches", "barrier"}, "blocks", 0, 64},
    {"3", "sum of at least 4 million", "1.1", "reduce", {"launches", "barrier"}, "blocks", 16384, UINT32_MAX},
    {"3", "0 to 32 of 256 go on", "0.95 to 1.05", "stages", {"one", "local"}, "keep", 0, 32},
    {"3", "64 of 256 and more go on", "up to 1.4", "stages", {"one", "local"}, "keep", 64, 256},
    {"4", "1000 multiply-adds a round", "2 to 2.5", "sync", {"launches", "barrier"}, "fmas", 1000, 1000},
};

struct range {
    const struct published *of;
    double low, high;
};

static int widen(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    struct range *range = context;
    struct mu_pt_time times[2];
    struct mu_ratio speedup;
    const uint64_t value = mu_json_number(point, range->of->name);
    if (value < range->of->low || value > range->of->high) return MU_OK;
    if (mu_pt_times_of(measurements, point, range->of->implementations, 2, times, err) != MU_OK ||
        !mu_pt_speedup(&times[1], &times[0], &speedup))
        return err->status;
    if (range->low == 0 || speedup.value < range->low) range->low = speedup.value;
    if (speedup.value > range->high) range->high = speedup.value;
    return MU_OK;
}

static void published_rows(struct mu_grid *grid, const char *chip, const json_t *measurements, struct mu_error *err)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        struct range range = {.of = &published[i]};
        if (mu_pt_each_point(measurements, range.of->experiment, widen, &range, err) != MU_OK) return;
        if (range.high == 0) continue;
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", chip);
        mu_grid_text(grid, "%s", range.of->use_case);
        mu_grid_text(grid, "%s", range.of->what);
        mu_grid_text(grid, "%s", range.of->implementations[1]);
        mu_grid_text(grid, "%s", range.of->range);
        mu_grid_number(grid, range.low, 2);
        mu_grid_number(grid, range.high, 2);
    }
}

static struct mu_grid *add_published(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "persistent-published",
                                        "Speedups that the study published for a GeForce GTX 295, and ours");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "use_case", "use case", MU_COLUMN_LEFT);
    mu_grid_column(grid, "what", "what", MU_COLUMN_LEFT);
    mu_grid_column(grid, "implementation", "implementation", MU_COLUMN_LEFT);
    mu_grid_column(grid, "published", "published", MU_COLUMN_LEFT);
    mu_grid_column(grid, "least", "least", 0);
    mu_grid_column(grid, "most", "most", 0);
    mu_grid_note(grid,
                 "published: as the study's text has it, of its figures where those say more. least, most: of all "
                 "points with so many.");
    return grid;
}

/* ---- All of them ---- */

/* The grids, by use case, but for those that are not filled point by point. */
static const struct {
    const char *experiment;
    struct mu_grid *(*add)(struct mu_grids *grids);
    mu_pt_visit row;
} parts[] = {
    {"gap", mu_pt_add_gap, mu_pt_gap_row},
    {"handover", mu_pt_add_handover, mu_pt_handover_row},
    {"forest", add_forest, forest_row},
    {"reduce", mu_pt_add_reduce, mu_pt_reduce_row},
    {"stages", mu_pt_add_stages, mu_pt_stages_row},
    {"sync", add_sync, sync_row},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* A suite: its file of records, and what notes say of its parameters. */
struct suite {
    const char *name, *file, *parameters;
};

/* Fills in the grids from a suite's records. */
static int fill_from(const struct suite *suite, const struct mu_table_request *request, struct mu_grids *grids)
{
    const char *chip;
    json_t *chips = NULL, *measurements;
    struct mu_error *err = grids->err;
    struct mu_pt_filling fillings[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        fillings[i] = (struct mu_pt_filling){.grid = parts[i].add(grids)};
        mu_grid_note(fillings[i].grid, "%s", suite->parameters);
    }
    struct mu_grid *crossover = add_crossover(grids), *beside = add_published(grids);
    mu_grid_note(crossover, "%s", suite->parameters);
    mu_grid_note(beside, "%s", suite->parameters);
    if (mu_survey_results_load(request, suite->file, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, measurements) {
            for (size_t i = 0; i < PARTS; i++) {
                fillings[i].chip = chip;
                mu_pt_each_point(measurements, parts[i].experiment, parts[i].row, &fillings[i], err);
            }
            crossover_row(crossover, chip, measurements, err);
            published_rows(beside, chip, measurements, err);
        }
        if (json_object_size(chips) == 0)
            mu_grid_note(beside, "No measurements: see muster bench --suite=%s.", suite->name);
    }
    json_decref(chips);
    return err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    static const struct suite own = {"persistent", "persistent.jsonl",
                                     "Parameters: sizes that suit the chip. The study's own: table persistent-study."};
    return fill_from(&own, request, grids);
}

static int fill_2012(const struct mu_table_request *request, struct mu_grids *grids)
{
    static const struct suite of_2012 = {"persistent-2012", "persistent-2012.jsonl",
                                         "Parameters: the study's own where its text names them, else values in the "
                                         "range that it varied. Sizes that suit the chip: table persistent."};
    return fill_from(&of_2012, request, grids);
}

const struct mu_table mu_table_persistent = {"persistent",
                                             "the persistent-threads study: launches or lasting workgroups", fill};
const struct mu_table mu_table_persistent_study = {
    "persistent-study", "the persistent-threads study, with the parameters of 2012", fill_2012};
