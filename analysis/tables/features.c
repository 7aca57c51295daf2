/* muster table features: subgroup combining and memory divergence (thesis, table 4.6), and which variants may run on
 * which chip. */
#include "analysis/optimisations/table.h"
#include "analysis/tables/probe_results.h"
#include "base/memory.h"
#include "records/lines.h"
#include "records/profile.h"
#include "records/results.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void speedup_row(struct mu_grid *grid, const char *chip, const char *name, const json_t *measurement)
{
    double plain = 0, changed = 0, deviation;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", name);
    mu_grid_number(grid, (double)mu_json_count(measurement, "items") * mu_json_count(measurement, "rounds"), 0);
    mu_probe_time_cell(grid, measurement, "plain_ns");
    mu_probe_time_cell(grid, measurement, "changed_ns");
    mu_probe_mean(measurement, "plain_ns", &plain, &deviation);
    mu_probe_mean(measurement, "changed_ns", &changed, &deviation);
    mu_grid_number(grid, changed > 0 ? plain / changed : 0, 2);
}

static void combining_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    (void)others;
    speedup_row(grid, chip, "sg-combine", measurement);
}

static void divergence_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    (void)others;
    speedup_row(grid, chip, "m-divergence", measurement);
}

/* Stores whether the first record is that of a run, and ends the reading (mu_line_reader). */
static int first_is_run(void *context, json_t *object, const struct mu_line *line, struct mu_error *err)
{
    *(bool *)context = mu_json_is(object, "kind", "measure");
    return mu_fail(err, MU_LIMIT, "%s: one record is enough", line->path);
}

static bool is_of_runs(const char *set)
{
    struct stat status;
    struct mu_error ignored = {0};
    bool runs = false;
    struct mu_line_reader reader = {.path = set, .take = first_is_run, .context = &runs};
    if (stat(set, &status) == 0 && S_ISREG(status.st_mode)) mu_lines_read_file(&reader, &ignored);
    return runs;
}

/* Fills in the measurements of one kind, of the sets that are no files of runs. */
static int fill_measured(const struct mu_table_request *request, struct mu_grids *grids, struct mu_grid *grid,
                         const char *kind, mu_probe_row row)
{
    struct mu_table_request measured = *request;
    const char **sets = mu_calloc(request->set_count, sizeof *sets, "names of sets", grids->err);
    measured.sets = sets;
    measured.set_count = 0;
    for (size_t i = 0; i < request->set_count && sets != NULL; i++)
        if (!is_of_runs(request->sets[i])) sets[measured.set_count++] = request->sets[i];
    if (grids->err->status == MU_OK && (measured.set_count > 0 || request->set_count == 0))
        mu_probe_fill(&measured, grids, grid, kind, row);
    mu_free(sets);
    return grids->err->status;
}

static int fill_microbenchmarks(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "features", "Subgroup atomic combining, and a needless barrier against memory divergence");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "microbenchmark", "microbenchmark", MU_COLUMN_LEFT);
    mu_grid_column(grid, "accesses", "accesses", 0);
    mu_grid_column(grid, "plain_ns", "plain", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "changed_ns", "changed", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "speedup", "speedup of means", 0);
    mu_grid_note(grid, "sg-combine: the thesis has 20 000 additions, which muster probe --thesis measures.");
    if (fill_measured(request, grids, grid, "combining", combining_row) != MU_OK) return grids->err->status;
    if (fill_measured(request, grids, grid, "divergence", divergence_row) != MU_OK) return grids->err->status;
    return fill_measured(request, grids, grid, "additions", combining_row);
}

/* ---- What the profiles say ---- */

/* The request, which says what is wanted, and the grid that gets the rows. */
struct profile_rows {
    const struct mu_table_request *request;
    struct mu_grid *grid;
};

/* Adds the row of the profile in this folder. A folder without a profile adds nothing. */
static int add_profile(const char *folder, void *context, struct mu_error *err)
{
    const struct profile_rows *rows = context;
    const struct mu_table_request *request = rows->request;
    struct mu_grid *grid = rows->grid;
    char path[PATH_MAX];
    struct mu_profile profile;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, MU_PROFILE_FILE);
    if (length >= (int)sizeof path || access(path, F_OK) != 0) return MU_OK;
    if (mu_profile_read(path, &profile, err) != MU_OK) return err->status;
    if (request->chip != NULL && strcmp(request->chip, profile.chip_name) != 0) return MU_OK;
    const bool refused = strcmp(profile.selftest_trust, mu_profile_trusts[2].name) == 0;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", profile.chip_name);
    mu_grid_text(grid, "%s", profile.selftest_trust);
    mu_grid_text(grid, "%s",
                 profile.selftest_variants[0] != '\0' ? profile.selftest_variants
                 : refused                            ? mu_profile_variants[MU_PROFILE_NO_VARIANT].name
                                                      : "not said");
    mu_grid_text(grid, "%s", profile.selftest_reason);
    return MU_OK;
}

/* Adds the rows of a set. A set that is a file of measurements has no profile. */
static int add_set(struct profile_rows *rows, const char *set, struct mu_error *err)
{
    char root[PATH_MAX], folder[PATH_MAX];
    const char *roots = rows->request->root;
    struct stat status;
    if (stat(set, &status) == 0) return S_ISDIR(status.st_mode) ? add_profile(set, rows, err) : MU_OK;
    while (err->status == MU_OK && mu_results_next_root(&roots, root))
        if (snprintf(folder, sizeof folder, "%s/%s", root, set) < (int)sizeof folder) add_profile(folder, rows, err);
    return err->status;
}

static int fill_variants(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "variants", "What may run on which chip, as its profile says");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "trust", "self-test", MU_COLUMN_LEFT);
    mu_grid_column(grid, "variants", "variants", MU_COLUMN_LEFT);
    mu_grid_column(grid, "reason", "reason", MU_COLUMN_LEFT);
    struct profile_rows rows = {request, grid};
    for (size_t i = 0; i < request->set_count && grids->err->status == MU_OK; i++)
        add_set(&rows, request->sets[i], grids->err);
    if (request->set_count == 0) mu_results_each_folder(request->root, add_profile, &rows, grids->err);
    if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No profiles: see muster probe.");
    return grids->err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    if (fill_microbenchmarks(request, grids) != MU_OK) return grids->err->status;
    if (fill_variants(request, grids) != MU_OK) return grids->err->status;
    return mu_optimised_classes(request, grids);
}

const struct mu_table mu_table_features = {"features", "subgroups, divergence, and what may run on which chip", fill};
