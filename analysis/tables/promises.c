/* muster table promises: what runtimes say of workgroups that run at once, and what came of it. */
#include "analysis/tables/probe_results.h"

#include <string.h>

/* What the runtime's own barrier did with teams of one workgroup size. */
struct kept {
    uint32_t passed, broken; /* the largest team that met, the smallest that did not; 0: none */
    const char *how;         /* of the latter */
    bool refused;            /* one more than is promised, as it should */
    bool tried;
};

static bool is_size(const json_t *measurement, const json_t *like)
{
    return mu_probe_parameter(measurement, "workgroup") == mu_probe_parameter(like, "workgroup");
}

/* Takes in how one meeting ended. A process that was killed has left no words: it hung. */
static void take(struct kept *kept, const json_t *measurement)
{
    const uint32_t groups = mu_json_count(measurement, "groups"), said = mu_json_count(measurement, "said");
    const bool is_ok = mu_json_is(measurement, "outcome", "ok");
    const char *ended = is_ok ? mu_json_text(measurement, "ended") : mu_json_text(measurement, "outcome");
    kept->tried = true;
    if (is_ok && groups > said) {
        kept->refused = strcmp(ended, "refused") == 0;
    } else if (strcmp(ended, "right") == 0) {
        if (groups > kept->passed) kept->passed = groups;
    } else if (kept->how == NULL || (groups > 0 && groups < kept->broken)) {
        kept->broken = groups;
        kept->how = ended;
    }
}

static struct kept find_kept(const json_t *measurements, const json_t *like)
{
    struct kept kept = {0};
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_is(json_object_get(measurement, "parameters"), "experiment", "native") &&
            is_size(measurement, like))
            take(&kept, measurement);
    return kept;
}

static uint32_t find_bound(const json_t *measurements, const json_t *like)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_probe_is(measurement, "bound") && is_size(measurement, like) &&
            mu_probe_parameter(measurement, "local_bytes") <= 1)
            return mu_json_count(measurement, "bound");
    return 0;
}

/* Adds the verdict: "kept", "broken (hang of 16)", "too modest" or "says nothing". */
static void verdict_cell(struct mu_grid *grid, uint32_t said, uint32_t bound, const struct kept *kept)
{
    if (said == 0) {
        mu_grid_text(grid, "says nothing");
        return;
    }
    if (kept->how != NULL) {
        mu_grid_text(grid, "broken (%s of %u)", kept->how, kept->broken);
        mu_grid_tone(grid, MU_TONE_BAD);
    } else if (!kept->tried) {
        mu_grid_text(grid, "not tried");
    } else if (kept->passed < said) {
        mu_grid_text(grid, "not shown");
    } else {
        mu_grid_text(grid, said < bound ? "too modest" : "kept");
        mu_grid_tone(grid, MU_TONE_GOOD);
    }
}

static void number_or_none(struct mu_grid *grid, uint32_t number)
{
    if (number > 0)
        mu_grid_number(grid, number, 0);
    else
        mu_grid_empty(grid);
}

static void add_row(struct mu_grid *grid, const char *chip, const json_t *measurements, const json_t *measurement)
{
    const uint32_t said = mu_json_count(measurement, "said"), bound = find_bound(measurements, measurement);
    const struct kept kept = find_kept(measurements, measurement);
    const json_t *subgroups = json_object_get(measurement, "subgroups_progress");
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, mu_probe_parameter(measurement, "workgroup"), 0);
    mu_grid_text(grid, "%s", said > 0 ? mu_json_text(measurement, "by") : "nothing");
    number_or_none(grid, said);
    mu_grid_number(grid, mu_json_count(measurement, "compute_units"), 0);
    number_or_none(grid, bound);
    number_or_none(grid, kept.passed);
    verdict_cell(grid, said, bound, &kept);
    mu_grid_text(grid, "%s", !kept.tried ? "-" : kept.refused ? "refused" : "not refused");
    mu_grid_text(grid, "%s", json_is_true(subgroups) ? "yes" : json_is_false(subgroups) ? "no" : "says nothing");
}

static void add_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "by", "says by", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    mu_grid_column(grid, "said", "says", 0);
    mu_grid_column(grid, "compute_units", "units", 0);
    mu_grid_column(grid, "bound", "bound found", 0);
    mu_grid_column(grid, "passed", "native passed", 0);
    mu_grid_column(grid, "verdict", "verdict", MU_COLUMN_LEFT);
    mu_grid_column(grid, "one_more", "one more", MU_COLUMN_LEFT);
    mu_grid_column(grid, "subgroups_progress", "subgroups go on", MU_COLUMN_LEFT);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "promises", "What runtimes promise of workgroups that run at once, and what they keep");
    const char *chip;
    json_t *chips = NULL, *measurements, *measurement;
    size_t i;
    add_columns(grid);
    if (mu_probe_results_load(request, &chips, grids->err) == MU_OK)
        json_object_foreach (chips, chip, measurements)
            json_array_foreach (measurements, i, measurement)
                if (mu_probe_is(measurement, "promises")) add_row(grid, chip, measurements, measurement);
    json_decref(chips);
    mu_grid_note(grid,
                 "says: how many workgroups of the kernel may run at once; bound found: as many met at a barrier "
                 "of our own with bounded waits; native passed: the largest team that met at the runtime's barrier.");
    mu_grid_note(grid, "broken (how of n): n is the smallest team that did not meet. one more: whether a launch of one "
                       "workgroup more than is promised was refused. subgroups go on: whether the device says that "
                       "subgroups progress independently, beside which table progress stands. See doc/promises.md.");
    if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster probe.");
    return grids->err->status;
}

const struct mu_table mu_table_promises = {"promises", "what runtimes promise of workgroups at once, and keep", fill};
