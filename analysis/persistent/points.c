#include "analysis/persistent/points.h"

#include "analysis/tables/common.h"
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

/* Forms of an implementation at a point are told by what a chip runs, so many at most. */
enum { MOST_FORMS = 8 };

struct forms {
    const json_t *measurements[MOST_FORMS];
    struct mu_samples samples[MOST_FORMS];
    double *values[MOST_FORMS];
    size_t count;
};

static int add_form(const json_t *measurement, struct forms *forms, struct mu_error *err)
{
    size_t count = 0;
    double *values = mu_json_numbers(json_object_get(measurement, "ns"), &count, err);
    if (values == NULL) return err->status;
    if (count == 0 || forms->count == MOST_FORMS) {
        mu_free(values);
        return MU_OK;
    }
    forms->measurements[forms->count] = measurement;
    forms->values[forms->count] = values;
    forms->samples[forms->count++] = (struct mu_samples){.values = values, .count = count};
    return MU_OK;
}

/* Finds the time of an implementation in the quickest of its forms, by samples that did not choose it. */
static int time_of(const json_t *measurements, const json_t *point, const char *implementation, struct mu_pt_time *time,
                   struct mu_error *err)
{
    size_t i, most = 0;
    json_t *measurement;
    struct forms forms = {.count = 0};
    *time = (struct mu_pt_time){.measurement = NULL};
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (err->status == MU_OK && mu_json_is(measurement, "implementation", implementation) &&
            mu_json_is(measurement, "outcome", "ok") && json_equal(json_object_get(measurement, "parameters"), point))
            add_form(measurement, &forms, err);
    if (err->status == MU_OK && forms.count > 0 &&
        mu_level_of_quickest(forms.samples, forms.count, &time->level, &most, err) == MU_OK) {
        time->measurement = forms.measurements[most];
        time->ns = exp(time->level.log_value);
    }
    for (i = 0; i < forms.count; i++) mu_free(forms.values[i]);
    return err->status;
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
    mu_table_ratio_cell(grid, &speedup, 2);
    if (mu_table_is_confident(&speedup)) mu_grid_tone(grid, speedup.value > 1 ? MU_TONE_GOOD : MU_TONE_BAD);
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
