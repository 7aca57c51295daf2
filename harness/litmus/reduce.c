/* Chooses the litmus tests that are written as reduced ones. */
#include "harness/litmus/reduce.h"

#include "base/memory.h"
#include "harness/litmus/shapes.clh"
#include "records/measurements.h"
#include "records/results.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- What was measured ---- */

static bool is_shape_of(const json_t *measurement, const struct mu_litmus_case *of)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    const bool few = mu_json_is(parameters, "experiment", "shapes") || mu_json_is(parameters, "experiment", "stressed");
    return few && mu_json_is(parameters, "atomics", mu_atomics_paths[of->atomics].name) &&
           mu_json_is(parameters, "form", mu_litmus_forms[of->form].name) &&
           mu_json_is(measurement, "test", of->shape->name);
}

/* Returns the stress of an experiment: what a search through the path found, or loads and stores all over memory. */
static struct mu_litmus_stress stress_of(const json_t *measurements, const json_t *measurement)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    if (!mu_json_is(parameters, "experiment", "stressed")) return mu_litmus_all_over;
    struct mu_litmus_stress stress;
    const json_t *found = mu_litmus_found(measurements, mu_json_text(parameters, "atomics"));
    return mu_litmus_get_stress(found, &stress) ? stress : mu_litmus_all_over;
}

/* Finds the place where the test's outcome was most frequent. */
static void find_place(const json_t *measurements, struct mu_litmus_case *of)
{
    size_t i;
    json_t *next;
    json_array_foreach ((json_t *)measurements, i, next) {
        const double instances = mu_json_real(next, "instances"), weak = mu_json_real(next, "weak");
        if (!is_shape_of(next, of) || !(instances > 0)) continue;
        if (of->instances > 0 && 1e6 * weak / instances <= of->per_million) continue;
        of->instances = instances;
        of->per_million = 1e6 * weak / instances;
        of->place = (mu_json_flag(next, "near") ? MU_LITMUS_NEAR : 0) |
                    (mu_json_flag(next, "same_line") ? MU_LITMUS_LINE : 0) |
                    (mu_json_flag(next, "stress") ? MU_LITMUS_STRESS : 0);
        of->stress = stress_of(measurements, next);
    }
}

static json_t *load(const struct mu_device_info *info, char *path, size_t bytes, struct mu_error *err)
{
    json_t *all = NULL, *current = NULL;
    if (mu_results_path(info->chip, MU_LITMUS_FILE, path, bytes, err) == MU_OK &&
        mu_measurements_load(path, NULL, NULL, &all, err) == MU_OK) {
        current = mu_measurements_current(all);
        if (current == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory: litmus tests");
    }
    json_decref(all);
    return current;
}

/* ---- Which are written ---- */

/* What is asked for by name, as numbers; -1 where nothing is. */
struct wanted {
    const struct mu_litmus_shape *shape;
    int atomics, form;
};

static const struct mu_litmus_shape *find_shape(const char *name, struct mu_error *err)
{
    char known[128] = "";
    for (const struct mu_litmus_shape *shape = mu_litmus_shape_table; shape->name != NULL; shape++) {
        const size_t at = strlen(known);
        if (strcasecmp(shape->name, name) == 0) return shape;
        snprintf(known + at, sizeof known - at, "%s%s", at > 0 ? ", " : "", shape->name);
    }
    mu_fail(err, MU_USAGE, "--test=%s: no such choice; there are: %s", name, known);
    return NULL;
}

static int find_names(const struct mu_device_info *info, const struct mu_litmus_asked *asked, struct wanted *wanted,
                      struct mu_error *err)
{
    *wanted = (struct wanted){.atomics = -1, .form = -1};
    if (asked->test != NULL) wanted->shape = find_shape(asked->test, err);
    if (err->status == MU_OK && asked->atomics != NULL)
        mu_choice_find(mu_atomics_paths, "atomics", asked->atomics, &wanted->atomics, err);
    if (err->status == MU_OK && asked->form != NULL)
        mu_choice_find(mu_litmus_forms, "form", asked->form, &wanted->form, err);
    if (err->status == MU_OK && wanted->atomics >= 0 && !info->available[wanted->atomics])
        return mu_fail(err, MU_UNSUPPORTED, "--atomics=%s: %s lacks this path", asked->atomics, info->name);
    if (wanted->shape != NULL && wanted->atomics < 0) wanted->atomics = (int)info->atomics;
    if (wanted->shape != NULL && wanted->form < 0) wanted->form = MU_LITMUS_ORDERED;
    return err->status;
}

static bool is_wanted(const struct wanted *wanted, const struct mu_litmus_case *of)
{
    if (wanted->atomics >= 0 && (int)of->atomics != wanted->atomics) return false;
    if (wanted->form >= 0 && (int)of->form != wanted->form) return false;
    if (wanted->shape != NULL) return of->shape == wanted->shape;
    return mu_litmus_is_forbidden(of->shape, of->form) && of->per_million > 0;
}

static int write_one(const struct mu_device_info *info, const struct mu_litmus_case *of, const char *folder, FILE *to,
                     struct mu_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return mu_fail(err, MU_IO, "%s: %s", folder, strerror(errno));
    char *path = mu_format(err, "%s/%s-%s-%s", folder, of->shape->name, mu_atomics_paths[of->atomics].name,
                           mu_litmus_forms[of->form].name);
    if (path != NULL && mu_litmus_write_case(info, of, path, err) == MU_OK) fprintf(to, "%s\n", path);
    mu_free(path);
    return err->status;
}

static size_t write_all(const struct mu_device_info *info, const json_t *measurements, const struct wanted *wanted,
                        const char *folder, FILE *to, struct mu_error *err)
{
    size_t written = 0;
    for (int path = 0; mu_atomics_paths[path].name != NULL; path++)
        for (int form = 0; mu_litmus_forms[form].name != NULL; form++)
            for (const struct mu_litmus_shape *shape = mu_litmus_shape_table; shape->name != NULL; shape++) {
                struct mu_litmus_case of = {.shape = shape,
                                            .atomics = (enum mu_atomics)path,
                                            .form = (enum mu_litmus_form)form,
                                            .place = MU_LITMUS_STRESS,
                                            .stress = mu_litmus_all_over};
                find_place(measurements, &of);
                if (!info->available[path] || !is_wanted(wanted, &of)) continue;
                if (write_one(info, &of, folder, to, err) != MU_OK) return written;
                written++;
            }
    return written;
}

int mu_litmus_reduce(const struct mu_device_info *info, const struct mu_litmus_asked *asked, FILE *to,
                     struct mu_error *err)
{
    struct wanted wanted;
    char path[PATH_MAX];
    if (find_names(info, asked, &wanted, err) != MU_OK) return err->status;
    json_t *measurements = load(info, path, sizeof path, err);
    if (err->status == MU_OK && wanted.shape == NULL && json_array_size(measurements) == 0)
        mu_fail(err, MU_USAGE, "%s has no litmus tests: run muster litmus first, or name a --test", path);
    if (err->status == MU_OK && write_all(info, measurements, &wanted, asked->folder, to, err) == 0 &&
        err->status == MU_OK)
        fprintf(to, "Nothing that is forbidden was seen, by %s; --test=NAME writes a test all the same.\n", path);
    json_decref(measurements);
    return err->status;
}
