#include "analysis/cooperative/processes.h"

#include "analysis/tables/common.h"
#include "base/memory.h"

#include <math.h>

size_t mu_processes_session(struct mu_json *sessions, const json_t *record)
{
    size_t place = 0;
    json_t *session = json_object_get(record, "session");
    mu_json_place(sessions, session != NULL ? json_incref(session) : json_null(), &place);
    return place;
}

int mu_processes_add(struct mu_processes *processes, const json_t *numbers, size_t session, struct mu_error *err)
{
    size_t count = 0;
    if (json_array_size(numbers) == 0) return MU_OK;
    double *values = mu_json_numbers(numbers, &count, err);
    if (values == NULL) return err->status;
    if (mu_resize((void **)&processes->samples, processes->count + 1, sizeof *processes->samples, "times", err) !=
        MU_OK) {
        mu_free(values);
        return err->status;
    }
    for (size_t i = 0; i < count; i++) {
        if (values[i] < 1) values[i] = 1;
        if (values[i] > processes->most) processes->most = values[i];
    }
    processes->samples[processes->count++] =
        (struct mu_samples){.values = values, .count = count, .session = (uint32_t)session};
    processes->values += count;
    return MU_OK;
}

int mu_processes_level(struct mu_processes *processes, struct mu_error *err)
{
    if (processes->count != 0)
        processes->has_level = mu_level_of(processes->samples, processes->count, &processes->level, err) == MU_OK;
    return err->status;
}

bool mu_processes_ratio(const struct mu_processes *numerator, const struct mu_processes *denominator,
                        struct mu_ratio *ratio)
{
    if (!numerator->has_level || !denominator->has_level) return false;
    mu_ratio_of(&numerator->level, &denominator->level, ratio);
    return true;
}

double mu_processes_ns(const struct mu_processes *processes)
{
    return processes->has_level ? exp(processes->level.log_value) : (double)NAN;
}

void mu_processes_cell(struct mu_grid *grid, const struct mu_processes *processes)
{
    struct mu_ratio time;
    if (!processes->has_level) {
        mu_grid_empty(grid);
        return;
    }
    mu_ratio_of_one(&processes->level, &time);
    mu_grid_time(grid, time.value);
    if (time.has_interval) mu_grid_interval(grid, time.low, time.high);
    mu_grid_sessions(grid, time.spans);
}

void mu_processes_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio)
{
    if (ratio != NULL)
        mu_table_ratio_cell(grid, ratio, 2);
    else
        mu_grid_empty(grid);
}

int mu_class_add(struct mu_class *class, const struct mu_ratio *ratio, const void *of, struct mu_error *err)
{
    if (mu_resize((void **)&class->ratios, class->count + 1, sizeof *class->ratios, "ratios", err) != MU_OK)
        return err->status;
    if (class->count == 0 || ratio->value > class->ratios[class->greatest].value) {
        class->greatest = class->count;
        class->of = of;
    }
    class->ratios[class->count++] = *ratio;
    return MU_OK;
}

void mu_class_mean_column(struct mu_grid *grid)
{
    mu_grid_column(grid, "slowdown", "slowdown", MU_COLUMN_INTERVAL);
}

void mu_class_mean_cell(struct mu_grid *grid, const struct mu_class *class)
{
    struct mu_ratio mean;
    if (class->count != 0) mu_ratio_mean(class->ratios, class->count, &mean);
    mu_processes_ratio_cell(grid, class->count != 0 ? &mean : NULL);
}

void mu_class_greatest_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "most_slowdown", "most", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "most_of", "of", MU_COLUMN_LEFT);
}

void mu_class_greatest_cells(struct mu_grid *grid, const struct mu_class *class, const char *name)
{
    mu_processes_ratio_cell(grid, class->count != 0 ? &class->ratios[class->greatest] : NULL);
    if (class->count != 0)
        mu_grid_text(grid, "%s", name);
    else
        mu_grid_empty(grid);
}

void mu_class_release(struct mu_class *class)
{
    mu_free(class->ratios);
    *class = (struct mu_class){0};
}

void mu_processes_release(struct mu_processes *processes)
{
    for (size_t i = 0; i < processes->count; i++) mu_free((double *)processes->samples[i].values);
    mu_free(processes->samples);
    *processes = (struct mu_processes){0};
}
