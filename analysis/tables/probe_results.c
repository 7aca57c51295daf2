#include "analysis/tables/probe_results.h"

#include "analysis/show.h"
#include "base/memory.h"
#include "records/measurements.h"
#include "records/profile.h"

#include <dirent.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool mu_probe_is(const json_t *measurement, const char *kind)
{
    return mu_json_is(json_object_get(measurement, "parameters"), "experiment", kind) &&
           mu_json_is(measurement, "outcome", "ok");
}

uint32_t mu_probe_parameter(const json_t *measurement, const char *name)
{
    return mu_json_count(json_object_get(measurement, "parameters"), name);
}

const char *mu_probe_microbenchmark(const json_t *measurement)
{
    static const char *const names[] = {"11", "1W", "L1", "LW"};
    const bool all = mu_probe_parameter(measurement, "local_bytes") > 1;
    const bool large = mu_probe_parameter(measurement, "workgroup") > 1;
    return names[2 * all + large];
}

uint32_t mu_probe_bound_of(const json_t *chip_measurements, const json_t *measurement)
{
    size_t i;
    json_t *other;
    json_array_foreach ((json_t *)chip_measurements, i, other)
        if (mu_probe_is(other, "bound") &&
            mu_probe_parameter(other, "workgroup") == mu_probe_parameter(measurement, "workgroup") &&
            mu_probe_parameter(other, "local_bytes") == mu_probe_parameter(measurement, "local_bytes"))
            return mu_json_count(other, "bound");
    return 0;
}

bool mu_probe_mean(const json_t *measurement, const char *name, double *mean, double *deviation)
{
    size_t count = 0;
    double *values = mu_json_numbers(json_object_get(measurement, name), &count, NULL);
    const bool any = values != NULL && count > 0;
    *mean = any ? gsl_stats_mean(values, 1, count) : 0;
    *deviation = any && count > 1 ? gsl_stats_sd(values, 1, count) : 0;
    mu_free(values);
    return any;
}

bool mu_probe_samples(const json_t *measurement, const char *name, struct mu_summary *summary)
{
    size_t count = 0;
    double *values = mu_json_numbers(json_object_get(measurement, name), &count, NULL);
    const bool any = values != NULL && count > 0 && mu_summarise(values, count, summary, NULL) == MU_OK;
    mu_free(values);
    return any;
}

void mu_probe_time_cell(struct mu_grid *grid, const json_t *measurement, const char *name)
{
    struct mu_summary summary;
    if (mu_probe_samples(measurement, name, &summary)) {
        mu_grid_time(grid, summary.median);
        if (summary.has_interval) mu_grid_interval(grid, summary.low, summary.high);
    } else
        mu_grid_empty(grid);
}

double mu_probe_bandwidth(const json_t *chip_measurements)
{
    double gb_per_s = 0;
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)chip_measurements, i, measurement) {
        struct mu_summary time;
        if (mu_probe_is(measurement, "copy") && mu_probe_parameter(measurement, "bytes") >= MU_BEYOND_CACHES &&
            mu_probe_samples(measurement, "ns", &time) && time.median > 0)
            gb_per_s = mu_json_real(measurement, "bytes_moved") / time.median;
    }
    return gb_per_s;
}

/* ---- Loading ---- */

static int load_file(const char *path, json_t *chips, struct mu_error *err)
{
    json_t *all = NULL;
    if (mu_measurements_load(path, NULL, NULL, &all, err) == MU_OK && json_array_size(all) > 0) {
        json_t *current = mu_measurements_current(all);
        const char *chip = mu_json_text_or(json_array_get(current, 0), "chip", NULL);
        if (chip == NULL || json_object_set(chips, chip, current) != 0)
            mu_fail(err, MU_INPUT, "%s: measurements of no chip", path);
        json_decref(current);
    }
    json_decref(all);
    return err->status;
}

/* What is loaded: the file of that name in a chip's folder. */
struct loading {
    const char *file;
    json_t *chips;
};

/* The folder's file of measurements, plain or packed; false where it has none. */
static bool find_file(const char *folder, const char *file, char path[PATH_MAX])
{
    static const char *const endings[] = {"", ".xz", ".gz"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (snprintf(path, PATH_MAX, "%s/%s%s", folder, file, endings[i]) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return false;
}

int mu_results_each_folder(const char *root, mu_folder_visit visit, void *context, struct mu_error *err)
{
    struct dirent **entries = NULL;
    const int count = scandir(root, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char folder[PATH_MAX];
        const int length = snprintf(folder, sizeof folder, "%s/%s", root, entries[i]->d_name);
        if (err->status == MU_OK && entries[i]->d_name[0] != '.' && length < (int)sizeof folder)
            visit(folder, context, err);
        free(entries[i]);
    }
    free(entries);
    return err->status;
}

static int load_folder(const char *folder, void *context, struct mu_error *err)
{
    char path[PATH_MAX];
    const struct loading *loading = context;
    return find_file(folder, loading->file, path) ? load_file(path, loading->chips, err) : MU_OK;
}

static int load_set(const char *root, const char *set, const struct loading *loading, struct mu_error *err)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct stat status;
    if (stat(set, &status) == 0 && S_ISREG(status.st_mode)) return load_file(set, loading->chips, err);
    if (stat(set, &status) == 0 && S_ISDIR(status.st_mode) && find_file(set, loading->file, path))
        return load_file(path, loading->chips, err);
    if (snprintf(folder, sizeof folder, "%s/%s", root, set) < (int)sizeof folder &&
        find_file(folder, loading->file, path))
        return load_file(path, loading->chips, err);
    return mu_fail(err, MU_USAGE, "%s: neither a file of measurements nor a chip that has one under %s", set, root);
}

int mu_survey_results_load(const struct mu_table_request *request, const char *file, json_t **chips,
                           struct mu_error *err)
{
    struct loading loading = {file, json_object()};
    *chips = loading.chips;
    if (*chips == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: the chips' measurements");
    for (size_t i = 0; i < request->set_count && err->status == MU_OK; i++)
        load_set(request->root, request->sets[i], &loading, err);
    if (request->set_count == 0) mu_results_each_folder(request->root, load_folder, &loading, err);
    if (request->chip == NULL) return err->status;
    struct mu_json only = mu_json_object();
    json_t *one = json_object_get(*chips, request->chip);
    if (one != NULL) mu_json_set(&only, request->chip, json_incref(one));
    json_decref(*chips);
    *chips = mu_json_take(&only, "a chip's measurements", err);
    return err->status;
}

int mu_probe_results_load(const struct mu_table_request *request, json_t **chips, struct mu_error *err)
{
    return mu_survey_results_load(request, MU_PROBE_FILE, chips, err);
}

int mu_probe_fill(const struct mu_table_request *request, struct mu_grids *grids, struct mu_grid *grid,
                  const char *kind, mu_probe_row row)
{
    json_t *chips = NULL, *chip_measurements, *measurement;
    const char *chip;
    size_t i;
    if (mu_probe_results_load(request, &chips, grids->err) == MU_OK) {
        json_object_foreach (chips, chip, chip_measurements)
            json_array_foreach (chip_measurements, i, measurement)
                if (mu_probe_is(measurement, kind)) row(grid, chip, chip_measurements, measurement);
        if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster probe.");
    }
    json_decref(chips);
    return grids->err->status;
}
