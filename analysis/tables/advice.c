/* muster table advice: warnings about samples that look as if something had gone wrong, such as outliers or a drift. No
 * sample is dropped for them. */
#include "analysis/tables/advice.h"

#include "analysis/tables/common.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES_WANTED = 20 };
#define SPREAD_WORTH_TELLING 0.05

/* A machine was busy on which other programs had more than this part of a processor, while less than half a processor
 * was idle; each process that is watched may be wrong by two clock ticks. Where records do not tell that, one on which
 * so many of the samples lost a processor was. That alone makes times rise. */
#define PART_OF_A_BUSY_MACHINE 0.1
#define IDLE_ENOUGH            0.5
#define TWO_TICKS_NS           2e7

/* Cores were moved where a word took so many times as long between them at one time as at another. */
#define FAR_APART 2

/* What calls for care: a name for programs, and words for people. */
enum sign {
    FEW_SAMPLES,
    ONE_PROCESS,
    PROCESSES_DIFFER,
    CORES_MOVED,
    STOLEN,
    BUSY,
    NOT_PLACED,
    THROTTLING,
    RISE,
    DRIFT,
    SLOW_FIRST,
    OUTLIERS,
    SIGNS
};
static const struct {
    const char *name, *words;
} sign_names[SIGNS] = {{"few-samples", "few samples"},
                       {"one-process", "one process"},
                       {"processes-differ", "processes differ"},
                       {"cores-moved", "cores that were moved"},
                       {"stolen", "stolen time"},
                       {"busy", "busy machine"},
                       {"not-placed", "no cores of their own"},
                       {"throttling", "throttling"},
                       {"rise", "rising times"},
                       {"drift", "drift"},
                       {"slow-first", "slow first sample"},
                       {"outliers", "outliers"}};

/* The advice on all measurements: as rows, where there is a grid, and as numbers. */
struct advice {
    struct mu_grid *grid;
    size_t tests, warned, by_sign[SIGNS]; /* measurements; those with advice; and by what that is */
};

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

/* Whether so much of the processors' time, which the system counts in ticks, is more than a little. */
static bool is_much(const struct mu_measurement *measurement, double ns)
{
    return ns > PART_OF_A_BUSY_MACHINE * measurement->watched_ns + TWO_TICKS_NS * (double)measurement->watched;
}

/* Whether the machine was busy, of which `text` then tells. */
static bool is_busy(const struct mu_measurement *measurement, char *text, size_t bytes)
{
    if (measurement->watched > 0) {
        snprintf(text, bytes, "other programs had %.0f %% of a core, and of none half was idle",
                 100 * measurement->others_ns / measurement->watched_ns);
        return is_much(measurement, measurement->others_ns) &&
               measurement->idle_ns < IDLE_ENOUGH * measurement->watched_ns;
    }
    snprintf(text, bytes, "%zu of %zu samples lost their core", measurement->preempted, measurement->sample_count);
    return (double)measurement->preempted > PART_OF_A_BUSY_MACHINE * (double)measurement->sample_count;
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

/* How many processes left their threads where the system puts them, since another one of muster placed its own. */
static size_t count_not_placed(const struct mu_measurement *measurement)
{
    size_t not_placed = 0;
    for (size_t i = 0; i < measurement->record_count; i++) not_placed += measurement->every[i].not_placed;
    return not_placed;
}

/* Adds a row and counts it. */
__attribute__((format(printf, 4, 5))) static void
advise(struct advice *advice, const struct mu_measurement *measurement, enum sign sign, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    advice->by_sign[sign]++;
    mu_grid_row(advice->grid);
    mu_table_key_cells(advice->grid, measurement);
    mu_grid_text(advice->grid, "%s", measurement->variant);
    mu_grid_text(advice->grid, "%s", sign_names[sign].name);
    mu_grid_text(advice->grid, "%s", text);
}

static void add_rows(struct advice *advice, const struct mu_measurement *measurement, const struct totals *totals)
{
    const size_t all = measurement->process_count;
    const double spread = exp(totals->high - totals->low) - 1;
    if (measurement->sample_count < SAMPLES_WANTED)
        advise(advice, measurement, FEW_SAMPLES, "%zu samples: take %d or more", measurement->sample_count,
               SAMPLES_WANTED);
    if (all == 1)
        advise(advice, measurement, ONE_PROCESS,
               "one process: its interval cannot show what differs between processes; run more");
    if (all > 1 && spread > SPREAD_WORTH_TELLING)
        advise(advice, measurement, PROCESSES_DIFFER,
               "medians of processes differ by %.0f %%: more processes narrow it", 100 * spread);
    if (all > 1 && spread > SPREAD_WORTH_TELLING && measurement->handover_high > FAR_APART * measurement->handover_low)
        advise(advice, measurement, CORES_MOVED,
               "a word took from %.0f to %.0f ns between two cores and back: was one moved?", measurement->handover_low,
               measurement->handover_high);
    if (is_much(measurement, measurement->stolen_ns))
        advise(advice, measurement, STOLEN,
               "the host of this virtual machine took %.0f %% of a core: whoever waited for that core waited longer",
               100 * measurement->stolen_ns / measurement->watched_ns);
    char how[128];
    const bool busy = is_busy(measurement, how, sizeof how);
    if (busy) advise(advice, measurement, BUSY, "the machine was busy: %s", how);
    const size_t not_placed = count_not_placed(measurement);
    if (not_placed > 0)
        advise(advice, measurement, NOT_PLACED,
               "in %zu of %zu processes threads had no cores of their own: another muster ran and had placed its own",
               not_placed, measurement->record_count);
    const char *reason = "";
    const size_t throttled = count_throttled(measurement, &reason);
    if (throttled > 0)
        advise(advice, measurement, THROTTLING, "in %zu of %zu processes the device's clocks were held down: %.40s",
               throttled, measurement->record_count, reason);
    if (totals->rising > 0 && !busy)
        advise(advice, measurement, RISE,
               "in %zu of %zu processes times rise by up to %.0f %%: was the machine busy, or the device hot?",
               totals->rising, all, 100 * totals->rise);
    if (totals->drift > 0)
        advise(advice, measurement, DRIFT,
               "in %zu of %zu processes times drift, at most by %+.0f %%: warm up for longer", totals->drift, all,
               100 * totals->change);
    if (totals->slow_first > 0)
        advise(advice, measurement, SLOW_FIRST,
               "in %zu of %zu processes the first sample is slow, by up to %.0f %%: raise --warmup", totals->slow_first,
               all, 100 * totals->first_excess);
    if (totals->outliers > 0)
        advise(advice, measurement, OUTLIERS, "%zu of %zu samples lie more than 14.8 MAD off the median; they are kept",
               totals->outliers, measurement->sample_count);
}

static int add_all(const struct mu_table_request *request, struct advice *advice, struct mu_error *err)
{
    struct mu_table_data data;
    struct totals totals;
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, err) != MU_OK) return err->status;
    mu_study_choose(&data.study);
    for (size_t i = 0; i < data.study.count && err->status == MU_OK; i++) {
        const struct mu_measurement *measurement = &data.study.measurements[i];
        size_t before = 0, after = 0;
        for (int sign = 0; sign < SIGNS; sign++) before += advice->by_sign[sign];
        if (gather(measurement, &totals, err) == MU_OK && measurement->has_level)
            add_rows(advice, measurement, &totals);
        for (int sign = 0; sign < SIGNS; sign++) after += advice->by_sign[sign];
        advice->tests++;
        advice->warned += after > before;
    }
    mu_table_release(&data);
    return err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct advice advice = {.grid = mu_grids_add(grids, "advice", "Advice: what in the samples calls for care")};
    mu_table_key_columns(advice.grid);
    mu_grid_column(advice.grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(advice.grid, "sign", "sign", MU_COLUMN_LEFT);
    mu_grid_column(advice.grid, "advice", "advice", MU_COLUMN_LEFT);
    if (add_all(request, &advice, grids->err) == MU_OK && mu_grid_rows(advice.grid) == 0)
        mu_grid_note(advice.grid, "None.");
    return grids->err->status;
}

int mu_advice_summarise(const struct mu_table_request *request, char *text, size_t bytes, struct mu_error *err)
{
    struct advice advice = {0};
    const char *between = ": ";
    text[0] = '\0';
    if (add_all(request, &advice, err) != MU_OK || advice.warned == 0) return err->status;
    size_t used = (size_t)snprintf(text, bytes, "%zu of %zu tests %s warnings", advice.warned, advice.tests,
                                   advice.warned == 1 ? "has" : "have");
    for (int sign = 0; sign < SIGNS; sign++) {
        if (advice.by_sign[sign] == 0 || used >= bytes) continue;
        used += (size_t)snprintf(text + used, bytes - used, "%s%s (%zu)", between, sign_names[sign].words,
                                 advice.by_sign[sign]);
        between = ", ";
    }
    return MU_OK;
}

const struct mu_table mu_table_advice = {"advice", "warnings: outliers, drift, throttling, busy machines", fill};
