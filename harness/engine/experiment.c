#include "harness/engine/experiment.h"

#include <string.h>

enum { MAX_AXES = 16 };

const struct mu_experiment *mu_experiment_find(const struct mu_experiment *table, const char *name)
{
    for (; table->name != NULL; table++)
        if (name != NULL && strcmp(table->name, name) == 0) return table;
    return NULL;
}

/* ---- Points ---- */

/* Returns true, and remembers the point, if it has not been seen before. */
static bool is_new(struct mu_json *seen, json_t *point)
{
    size_t place;
    return mu_json_place(seen, json_incref(point), &place);
}

/* The values of a family's axes. */
struct family {
    const struct mu_axis *axes;
    struct mu_json values[MAX_AXES];
    size_t count, points;
    struct mu_json *seen; /* points of the experiment so far, of this family and those before */
};

/* Lists the values of each axis of a family, and counts its points. */
static void open_family(const struct mu_axis *axes, const struct mu_circumstances *of, struct mu_json *seen,
                        struct family *family)
{
    *family = (struct family){.axes = axes, .points = 1, .seen = seen};
    for (; axes[family->count].name != NULL && family->count < MAX_AXES; family->count++) {
        struct mu_json *values = &family->values[family->count];
        *values = mu_json_array();
        axes[family->count].values(of, values);
        family->points *= json_array_size(values->value);
    }
}

/* Appends point `index` of a family, unless the experiment excludes it or has it already. */
static void add_point(const struct mu_experiment *experiment, const struct mu_circumstances *of,
                      const struct family *family, size_t index, struct mu_json *points)
{
    struct mu_json point = mu_json_object();
    mu_json_set_text(&point, "experiment", experiment->name);
    for (size_t i = 0; i < family->count; i++) {
        const size_t values = json_array_size(family->values[i].value);
        mu_json_set(&point, family->axes[i].name, json_copy(json_array_get(family->values[i].value, index % values)));
        index /= values;
    }
    points->lost = points->lost || point.lost;
    if (!point.lost && (experiment->has == NULL || experiment->has(of, point.value)) &&
        is_new(family->seen, point.value))
        mu_json_append_part(points, &point);
    mu_json_release(&point);
}

void mu_experiment_points(const struct mu_experiment *experiment, const struct mu_circumstances *of,
                          struct mu_json *points)
{
    if (experiment->applies != NULL && !experiment->applies(of)) return;
    struct mu_json seen = mu_json_object();
    for (const struct mu_axis *const *axes = experiment->families; *axes != NULL; axes++) {
        struct family family;
        open_family(*axes, of, &seen, &family);
        for (size_t i = 0; i < family.points; i++) add_point(experiment, of, &family, i, points);
        for (size_t i = 0; i < family.count; i++) {
            points->lost = points->lost || family.values[i].lost;
            mu_json_release(&family.values[i]);
        }
    }
    points->lost = points->lost || seen.lost;
    mu_json_release(&seen);
}

void mu_axis_powers(uint32_t first, uint32_t last, uint32_t factor, struct mu_json *values)
{
    for (uint64_t value = first; value <= last; value *= factor) mu_json_append_number(values, value);
}
