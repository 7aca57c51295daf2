/* muster table advice: warnings about samples that look as if something had gone wrong, such as outliers or a drift. No
 * sample is dropped for them. */
#include "analysis/tables/common.h"

#include <stdarg.h>
#include <string.h>

enum { SAMPLES_WANTED = 20 };
#define SPREAD_WORTH_TELLING 0.05

/* A machine on which so many of the samples lost a processor was busy: that alone makes times rise. */
#define PART_OF_A_BUSY_MACHINE 0.1

/* Signs of trouble (struct mu_signs), added up over all processes of a measurement. */
struct totals {
    size_t outliers, slow_first, drift, rising;
    double first_excess, change, rise; /* the worst of all processes */
    double low, high;                  /* the range of the logarithms of the processes' medians */
};

static int gather(const struct mu_measurement *measurement, struct totals *totals, struct mu_error *err)
{
    *totals = (struct totals){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < measurement->process_count; i++) {
        const struct mu_samples *process = &measurement->processes[i];
        struct mu_signs signs;
        struct mu_level level;
        if (mu_signs_of(process->values, process->count, &signs, err) != MU_OK) return err->status;
        if (mu_level_of(process, 1, &level, err) != MU_OK) return err->status;
        totals->outliers += signs.outliers;
        totals->slow_first += signs.slow_first;
        totals->rising += signs.rising;
        totals->drift += signs.drift && !signs.rising;
        if (signs.slow_first) totals->first_excess = fmax(totals->first_excess, signs.first_excess);
        if (signs.rising) totals->rise = fmax(totals->rise, signs.change);
        if (signs.drift && fabs(signs.change) > fabs(totals->change)) totals->change = signs.change;
        totals->low = fmin(totals->low, level.log_value);
        totals->high = fmax(totals->high, level.log_value);
    }
    return MU_OK;
}

/* How many processes had their device's clocks held down by heat or power; `reason` gets one of the reasons. */
static size_t count_throttled(const struct mu_measurement *measurement, const char **reason)
{
    size_t throttled = 0;
    for (size_t i = 0; i < measurement->record_count; i++) {
        if (measurement->every[i].throttle == NULL) continue;
        *reason = measurement->every[i].throttle;
        throttled++;
    }
    return throttled;
}

/* Adds a row: a name for programs, and a sentence for people. */
__attribute__((format(printf, 4, 5))) static void advise(struct mu_grid *grid, const struct mu_measurement *measurement,
                                                         const char *sign, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mu_grid_row(grid);
    mu_table_key_cells(grid, measurement);
    mu_grid_text(grid, "%s", measurement->variant);
    mu_grid_text(grid, "%s", sign);
    mu_grid_text(grid, "%s", text);
}

static void add_rows(struct mu_grid *grid, const struct mu_measurement *measurement, const struct totals *totals)
{
    const size_t all = measurement->process_count;
    const double spread = exp(totals->high - totals->low) - 1;
    if (measurement->sample_count < SAMPLES_WANTED)
        advise(grid, measurement, "few-samples", "%zu samples: take %d or more", measurement->sample_count,
               SAMPLES_WANTED);
    if (all == 1)
        advise(grid, measurement, "one-process",
               "one process: its interval cannot show what differs between processes; run more");
    if (all > 1 && spread > SPREAD_WORTH_TELLING)
        advise(grid, measurement, "processes-differ",
               "medians of processes differ by %.0f %%: more processes narrow it", 100 * spread);
    const bool busy = (double)measurement->preempted > PART_OF_A_BUSY_MACHINE * (double)measurement->sample_count;
    if (busy)
        advise(grid, measurement, "busy", "the machine was busy: %zu of %zu samples lost their core",
               measurement->preempted, measurement->sample_count);
    const char *reason = "";
    const size_t throttled = count_throttled(measurement, &reason);
    if (throttled > 0)
        advise(grid, measurement, "throttling", "in %zu of %zu processes the device's clocks were held down: %.40s",
               throttled, measurement->record_count, reason);
    if (totals->rising > 0 && !busy)
        advise(grid, measurement, "rise",
               "in %zu of %zu processes times rise by up to %.0f %%: was the machine busy, or the device hot?",
               totals->rising, all, 100 * totals->rise);
    if (totals->drift > 0)
        advise(grid, measurement, "drift",
               "in %zu of %zu processes times drift, at most by %+.0f %%: warm up for longer", totals->drift, all,
               100 * totals->change);
    if (totals->slow_first > 0)
        advise(grid, measurement, "slow-first",
               "in %zu of %zu processes the first sample is slow, by up to %.0f %%: raise --warmup", totals->slow_first,
               all, 100 * totals->first_excess);
    if (totals->outliers > 0)
        advise(grid, measurement, "outliers", "%zu of %zu samples lie more than 14.8 MAD off the median; they are kept",
               totals->outliers, measurement->sample_count);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct totals totals;
    struct mu_grid *grid = mu_grids_add(grids, "advice", "Advice: what in the samples calls for care");
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "sign", "sign", MU_COLUMN_LEFT);
    mu_grid_column(grid, "advice", "advice", MU_COLUMN_LEFT);
    for (size_t i = 0; i < data.study.count && grids->err->status == MU_OK; i++)
        if (gather(&data.study.measurements[i], &totals, grids->err) == MU_OK && data.study.measurements[i].has_level)
            add_rows(grid, &data.study.measurements[i], &totals);
    if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "None.");
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_advice = {"advice", "outliers, drift, throttling, busy machines, slow starts", fill};
