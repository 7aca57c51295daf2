#include "analysis/persistent/points.h"

#include "analysis/tables/probe_results.h"
#include "base/json.h"
#include "base/memory.h"

#include <math.h>

int mu_pt_each_point(const json_t *measurements, const char *experiment, mu_pt_visit visit, void *context,
                     struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (err->status == MU_OK && mu_json_number(measurement, "part") == 0 && mu_probe_is(measurement, experiment))
            visit(context, measurements, json_object_get(measurement, "parameters"), err);
    return err->status;
}

static int level_of(const json_t *measurement, struct mu_pt_time *time, struct mu_error *err)
{
    size_t count = 0;
    double *values = mu_json_numbers(json_object_get(measurement, "ns"), &count, err);
    if (values == NULL) return err->status;
    const struct mu_samples samples = {.values = values, .count = count};
    if (mu_level_of(&samples, 1, &time->level, err) == MU_OK) {
        time->measurement = measurement;
        time->ns = exp(time->level.log_value);
    }
    mu_free(values);
    return err->status;
}

/* An implementation in the quickest of its forms. */
static int time_of(const json_t *measurements, const json_t *point, const char *implementation, struct mu_pt_time *time,
                   struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    *time = (struct mu_pt_time){.measurement = NULL};
    json_array_foreach ((json_t *)measurements, i, measurement) {
        struct mu_pt_time other = {.measurement = NULL};
        if (!mu_json_is(measurement, "implementation", implementation) || !mu_json_is(measurement, "outcome", "ok") ||
            !json_equal(json_object_get(measurement, "parameters"), point))
            continue;
        if (level_of(measurement, &other, err) != MU_OK) return err->status;
        if (other.measurement != NULL && (time->measurement == NULL || other.ns < time->ns)) *time = other;
    }
    return MU_OK;
}

int mu_pt_times_of(const json_t *measurements, const json_t *point, const char *const *implementations, size_t count,
                   struct mu_pt_time *times, struct mu_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (time_of(measurements, point, implementations[i], &times[i], err) != MU_OK) break;
    return err->status;
}

bool mu_pt_speedup(const struct mu_pt_time *a, const struct mu_pt_time *b, struct mu_ratio *speedup)
{
    if (a->measurement == NULL || b->measurement == NULL) return false;
    mu_ratio_of(&b->level, &a->level, speedup);
    return true;
}

void mu_pt_time_cell(struct mu_grid *grid, const struct mu_pt_time *time, double parts)
{
    struct mu_ratio ratio;
    if (time->measurement == NULL) {
        mu_grid_empty(grid);
        return;
    }
    mu_ratio_of_one(&time->level, &ratio);
    mu_grid_time(grid, time->ns / parts);
    if (ratio.has_interval) mu_grid_interval(grid, ratio.low / parts, ratio.high / parts);
    mu_grid_sessions(grid, ratio.spans);
}

void mu_pt_speedup_cell(struct mu_grid *grid, const struct mu_pt_time *a, const struct mu_pt_time *b)
{
    struct mu_ratio speedup;
    if (!mu_pt_speedup(a, b, &speedup)) {
        mu_grid_empty(grid);
        return;
    }
    mu_grid_number(grid, speedup.value, 2);
    if (!speedup.has_interval) return;
    mu_grid_interval(grid, speedup.low, speedup.high);
    mu_grid_sessions(grid, speedup.spans);
    if (speedup.confident) mu_grid_tone(grid, speedup.value > 1 ? MU_TONE_GOOD : MU_TONE_BAD);
}

void mu_pt_pair_cells(struct mu_grid *grid, const struct mu_pt_time *launches, const struct mu_pt_time *stay,
                      double parts)
{
    mu_pt_time_cell(grid, launches, parts);
    mu_pt_time_cell(grid, stay, parts);
    mu_pt_speedup_cell(grid, stay, launches);
}

void mu_pt_count_cell(struct mu_grid *grid, const struct mu_pt_time *time, const char *name)
{
    if (time->measurement == NULL || json_object_get(time->measurement, name) == NULL)
        mu_grid_empty(grid);
    else
        mu_grid_number(grid, (double)mu_json_number(time->measurement, name), 0);
}
