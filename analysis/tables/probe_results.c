#include "analysis/tables/probe_results.h"

#include "analysis/tables/reading.h"

#include "analysis/show.h"
#include "base/memory.h"
#include "records/measurements.h"
#include "records/profile.h"
#include "records/results.h"
#include "records/sets/chips.h"

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

/* ---- One measurement beside another ---- */

/* The kinds that are looked for, and what tells those of a kind apart beside the workgroup. */
static const struct {
    const char *kind, *way;
    bool by_team; /* else by local memory */
} sought[] = {{"bound", "", false}, {"recall", "rollcall", false}, {"barrier", "barrier", true}};

enum { SOUGHT = sizeof sought / sizeof sought[0] };

/* Writes what leads to a measurement of the kind by that way. Returns false if it is none that could be looked for. */
static bool make_key(const json_t *like, size_t kind, const char *way, char *key, size_t bytes)
{
    const uint32_t size = sought[kind].by_team ? mu_json_count(like, "team") : mu_probe_parameter(like, "local_bytes");
    return (size_t)snprintf(key, bytes, "%s %s %u %u", sought[kind].kind, way, mu_probe_parameter(like, "workgroup"),
                            size) < bytes;
}

/* Returns a chip's measurements by their keys. */
static struct mu_json make_others(const json_t *chip_measurements)
{
    struct mu_json others = mu_json_object();
    char key[128];
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)chip_measurements, i, measurement)
        for (size_t kind = 0; kind < SOUGHT; kind++)
            if (mu_probe_is(measurement, sought[kind].kind) &&
                make_key(measurement, kind, mu_json_text(measurement, sought[kind].way), key, sizeof key) &&
                json_object_get(others.value, key) == NULL)
                mu_json_set(&others, key, json_incref(measurement));
    return others;
}

const json_t *mu_probe_find(const json_t *others, const char *kind, const char *way, const json_t *like)
{
    char key[128];
    for (size_t i = 0; i < SOUGHT; i++)
        if (strcmp(sought[i].kind, kind) == 0 && make_key(like, i, way, key, sizeof key))
            return json_object_get(others, key);
    return NULL;
}

uint32_t mu_probe_bound_of(const json_t *others, const json_t *measurement)
{
    return mu_json_count(mu_probe_find(others, "bound", "", measurement), "bound");
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
        mu_grid_sessions(grid, 1);
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

/* What is loaded: the file of that name in a chip's folder. */
struct loading {
    const char *file;
    json_t *chips;
    struct mu_chip_names names;
};

/* Groups the measurements of a file by the names of their chips: a folder may hold those of unlike devices. */
static int group(struct loading *loading, const json_t *all, json_t *groups, struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)all, i, measurement) {
        bool is_new = false;
        if (mu_json_text_or(measurement, "chip", NULL) == NULL)
            return mu_fail(err, MU_INPUT, "measurements of no chip");
        char *name = mu_chip_names_of(&loading->names, measurement, &is_new, err);
        json_t *of = name != NULL ? json_object_get(groups, name) : NULL;
        if (name != NULL && of == NULL && json_object_set_new(groups, name, of = json_array()) != 0) of = NULL;
        if (name != NULL && json_array_append(of, measurement) != 0)
            mu_fail(err, MU_NO_MEMORY, "out of memory: the chips' measurements");
        mu_free(name);
        if (err->status != MU_OK) return err->status;
    }
    return MU_OK;
}

/* Loads a file. If the user's own folder and the published one both have a chip, the user's own counts, which is read
 * first. */
static int load_file(const char *path, struct loading *loading, struct mu_error *err)
{
    const char *name;
    json_t *all = NULL, *groups = json_object(), *of;
    struct mu_error own = {0};
    if (mu_measurements_load(path, NULL, NULL, &all, err) == MU_OK && group(loading, all, groups, &own) != MU_OK)
        mu_fail(err, own.status, "%s: %s", path, own.message);
    json_object_foreach (groups, name, of) {
        if (err->status != MU_OK || json_object_get(loading->chips, name) != NULL) continue;
        if (json_object_set_new(loading->chips, name, mu_measurements_current(of)) != 0)
            mu_fail(err, MU_NO_MEMORY, "out of memory: the chips' measurements");
    }
    json_decref(groups);
    json_decref(all);
    return err->status;
}

/* Finds the folder's file of measurements, plain or packed. Returns false if it has none. */
static bool find_file(const char *folder, const char *file, char path[PATH_MAX])
{
    static const char *const endings[] = {"", ".xz", ".gz"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (snprintf(path, PATH_MAX, "%s/%s%s", folder, file, endings[i]) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return false;
}

/* Visits the folders under one root. */
static int each_folder(const char *root, mu_folder_visit visit, void *context, struct mu_error *err)
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

int mu_results_each_folder(const char *roots, mu_folder_visit visit, void *context, struct mu_error *err)
{
    char root[PATH_MAX];
    while (err->status == MU_OK && mu_results_next_root(&roots, root)) each_folder(root, visit, context, err);
    return err->status;
}

static int load_folder(const char *folder, void *context, struct mu_error *err)
{
    char path[PATH_MAX];
    struct loading *loading = context;
    return find_file(folder, loading->file, path) ? load_file(path, loading, err) : MU_OK;
}

static int load_set(const char *roots, const char *set, struct loading *loading, struct mu_error *err)
{
    char root[PATH_MAX], folder[PATH_MAX], path[PATH_MAX];
    struct stat status;
    if (stat(set, &status) == 0 && S_ISREG(status.st_mode)) return load_file(set, loading, err);
    if (stat(set, &status) == 0 && S_ISDIR(status.st_mode) && find_file(set, loading->file, path))
        return load_file(path, loading, err);
    bool found = false;
    for (const char *left = roots; err->status == MU_OK && mu_results_next_root(&left, root);) {
        if (snprintf(folder, sizeof folder, "%s/%s", root, set) >= (int)sizeof folder ||
            !find_file(folder, loading->file, path))
            continue;
        found = true;
        load_file(path, loading, err);
    }
    if (found || err->status != MU_OK) return err->status;
    return mu_fail(err, MU_USAGE, "%s: neither a file of measurements nor a chip that has one under %s", set, roots);
}

/* Loads the measurements of all chips that the request names, or all that are known. */
static int load_all(const struct mu_table_request *request, const char *file, json_t **chips, struct mu_error *err)
{
    struct loading loading = {.file = file, .chips = json_object()};
    *chips = loading.chips;
    if (*chips == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: the chips' measurements");
    for (size_t i = 0; i < request->set_count && err->status == MU_OK; i++)
        load_set(request->root, request->sets[i], &loading, err);
    if (request->set_count == 0) mu_results_each_folder(request->root, load_folder, &loading, err);
    mu_chip_names_release(&loading.names);
    return err->status;
}

/* Takes the same from the request's reading, which loads each file once. */
static int find_all(const struct mu_table_request *request, const char *file, json_t **chips, struct mu_error *err)
{
    struct mu_shared_records *reading = request->reading;
    *chips = json_incref(json_object_get(reading->surveys, file));
    if (*chips != NULL || load_all(request, file, chips, err) != MU_OK) return err->status;
    if (reading->surveys == NULL) reading->surveys = json_object();
    if (json_object_set(reading->surveys, file, *chips) != 0)
        mu_fail(err, MU_NO_MEMORY, "out of memory: the chips' measurements");
    return err->status;
}

int mu_survey_results_load(const struct mu_table_request *request, const char *file, json_t **chips,
                           struct mu_error *err)
{
    mu_shared_records_has(request) ? find_all(request, file, chips, err) : load_all(request, file, chips, err);
    if (request->chip == NULL || err->status != MU_OK) return err->status;
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
        json_object_foreach (chips, chip, chip_measurements) {
            struct mu_json others = make_others(chip_measurements);
            json_array_foreach (chip_measurements, i, measurement)
                if (mu_probe_is(measurement, kind)) row(grid, chip, others.value, measurement);
            if (others.lost) mu_fail(grids->err, MU_NO_MEMORY, "out of memory: measurements of %s", chip);
            mu_json_release(&others);
        }
        if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster probe.");
    }
    json_decref(chips);
    return grids->err->status;
}
