#include "analysis/trouble.h"

#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { SAMPLES_WANTED = 20 };

/* A machine was busy if other programs had more than this part of a processor while less than half a processor was
 * idle. Each watched process may be wrong by two clock ticks. Without these readings it was busy if this part of the
 * samples lost a processor. That alone makes times rise. */
#define PART_OF_A_BUSY_MACHINE 0.1
#define IDLE_ENOUGH            0.5
#define TWO_TICKS_NS           2e7

/* Cores were moved if a word took this many times as long between them at one time as at another. */
#define FAR_APART 2

/* Medians of processes differ if one takes this much longer than another, and their interval is wide: with two or three
 * processes it may be wide by Student's factor alone. */
#define FAR 0.25

/* From this share of the samples on, outliers are reported: single ones do not move a median. */
#define MANY_OUTLIERS 0.15

const struct mu_trouble_name mu_trouble_names[MU_TROUBLES] = {
    [MU_FEW_SAMPLES] = {"few-samples", "few samples"},
    [MU_ONE_PROCESS] = {"one-process", "one process"},
    [MU_PROCESSES_DIFFER] = {"processes-differ", "processes differ"},
    [MU_ODD_PROCESS] = {"odd-process", "one process off"},
    [MU_CORES_MOVED] = {"cores-moved", "cores that were moved"},
    [MU_STEAL] = {"steal", "steal time"},
    [MU_BUSY] = {"busy", "busy machine"},
    [MU_NOT_PLACED] = {"not-placed", "no cores of their own"},
    [MU_THROTTLING] = {"throttling", "throttling"},
    [MU_RISE] = {"rise", "rising times"},
    [MU_DRIFT] = {"drift", "drift"},
    [MU_SLOW_FIRST] = {"slow-first", "slow first sample"},
    [MU_OUTLIERS] = {"outliers", "outliers"},
};

/* Signs of trouble (struct mu_signs), added up over all processes of a measurement. */
struct totals {
    size_t outliers, slow_first, drift, rising;
    double first_excess, change, rise; /* the worst of all processes */
    double low, high;                  /* the range of the logarithms of the processes' medians */
    double odd;                        /* the factor by which one process is off; 0: none is */
};

__attribute__((format(printf, 3, 4))) static void add(struct mu_troubles *troubles, enum mu_trouble trouble,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(troubles->text[trouble], sizeof troubles->text[trouble], format, arguments);
    va_end(arguments);
    troubles->has[trouble] = true;
}

static int gather(const struct mu_measurement *measurement, struct totals *totals, struct mu_error *err)
{
    double *logs = mu_malloc(measurement->process_count, sizeof *logs, "medians of processes", err);
    *totals = (struct totals){.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; logs != NULL && i < measurement->process_count; i++) {
        const struct mu_samples *process = &measurement->processes[i];
        struct mu_signs signs;
        struct mu_summary summary;
        if (mu_signs_of(process->values, process->count, &signs, err) != MU_OK ||
            mu_summarise(process->values, process->count, &summary, err) != MU_OK)
            break;
        totals->outliers += signs.outliers;
        totals->slow_first += signs.slow_first;
        totals->rising += signs.rising;
        totals->drift += signs.drift && !signs.rising;
        if (signs.slow_first) totals->first_excess = fmax(totals->first_excess, signs.first_excess);
        if (signs.rising) totals->rise = fmax(totals->rise, signs.change);
        if (signs.drift && fabs(signs.change) > fabs(totals->change)) totals->change = signs.change;
        logs[i] = log(summary.median);
        totals->low = fmin(totals->low, logs[i]);
        totals->high = fmax(totals->high, logs[i]);
    }
    if (logs != NULL && err->status == MU_OK) mu_odd_one(logs, measurement->process_count, &totals->odd, err);
    mu_free(logs);
    return err->status;
}

/* ---- Processes beside each other ---- */

static void add_processes(const struct mu_measurement *measurement, const struct totals *totals,
                          struct mu_troubles *troubles)
{
    const size_t all = measurement->process_count;
    const double range = exp(totals->high - totals->low) - 1;
    struct mu_ratio level;
    mu_ratio_of_one(&measurement->level, &level);
    if (level.has_interval) troubles->spread = level.high / level.value - 1;
    if (measurement->sample_count < SAMPLES_WANTED)
        add(troubles, MU_FEW_SAMPLES, "%zu samples: take %d or more", measurement->sample_count, SAMPLES_WANTED);
    if (all == 1)
        add(troubles, MU_ONE_PROCESS, "one process: its interval cannot show what differs between processes; run more");
    if (all == 1) return;
    if (troubles->spread > MU_WIDE && range > FAR)
        add(troubles, MU_PROCESSES_DIFFER,
            "medians of %zu processes differ by %.0f %%, and half the interval is %.0f %%: more processes narrow it",
            all, 100 * range, 100 * troubles->spread);
    if (totals->odd > 0)
        add(troubles, MU_ODD_PROCESS, "one of %zu processes took %.2f times as long as the others", all, totals->odd);
    if ((troubles->has[MU_PROCESSES_DIFFER] || totals->odd > 0) &&
        measurement->core_latency_high > FAR_APART * measurement->core_latency_low)
        add(troubles, MU_CORES_MOVED, "a word took from %.0f to %.0f ns between two cores and back: was one moved?",
            measurement->core_latency_low, measurement->core_latency_high);
}

/* ---- The machine ---- */

/* Returns true if so much of the processors' time, which the system counts in ticks, is more than a little. */
static bool is_much(const struct mu_measurement *measurement, double ns)
{
    return ns > PART_OF_A_BUSY_MACHINE * measurement->watched_ns + TWO_TICKS_NS * (double)measurement->watched;
}

static void add_busy(const struct mu_measurement *measurement, struct mu_troubles *troubles)
{
    if (measurement->watched == 0) {
        if ((double)measurement->preempted > PART_OF_A_BUSY_MACHINE * (double)measurement->sample_count)
            add(troubles, MU_BUSY, "the machine was busy: %zu of %zu samples lost their core", measurement->preempted,
                measurement->sample_count);
    } else if (is_much(measurement, measurement->others_ns) &&
               measurement->idle_ns < IDLE_ENOUGH * measurement->watched_ns) {
        char of[32] = "";
        if (measurement->cores != 0) snprintf(of, sizeof of, "of %u ", measurement->cores);
        add(troubles, MU_BUSY,
            "the machine was busy: other programs had %.2f %scores, and less than half a core was idle",
            measurement->others_ns / measurement->watched_ns, of);
    }
    if (is_much(measurement, measurement->steal_ns))
        add(troubles, MU_STEAL,
            "the host of this virtual machine took %.0f %% of a core: a workgroup on that core ran later, and the "
            "others waited for it",
            100 * measurement->steal_ns / measurement->watched_ns);
}

/* Adds what the records of single processes tell of their cores and of their device's clocks. */
static void add_states(const struct mu_measurement *measurement, struct mu_troubles *troubles)
{
    size_t throttled = 0, not_placed = 0;
    const char *reason = "";
    for (size_t i = 0; i < measurement->record_count; i++) {
        not_placed += measurement->every[i].not_placed;
        if (measurement->every[i].throttle == NULL) continue;
        reason = measurement->every[i].throttle;
        throttled++;
    }
    if (not_placed > 0)
        add(troubles, MU_NOT_PLACED,
            "in %zu of %zu processes threads had no cores of their own: another muster ran and had placed its own",
            not_placed, measurement->record_count);
    if (throttled > 0)
        add(troubles, MU_THROTTLING, "in %zu of %zu processes the device's clocks were held down: %.40s", throttled,
            measurement->record_count, reason);
}

/* ---- The order of samples ---- */

/* Returns true for most processes: warming up, or a hot device, shows in most, and chance in some. */
static bool is_most(size_t count, const struct mu_measurement *measurement)
{
    return 2 * count > measurement->process_count;
}

static void add_orders(const struct mu_measurement *measurement, const struct totals *totals,
                       struct mu_troubles *troubles)
{
    const size_t all = measurement->process_count;
    if (is_most(totals->rising, measurement) && !troubles->has[MU_BUSY])
        add(troubles, MU_RISE,
            "in %zu of %zu processes times rise by up to %.0f %%: was the machine busy, or the device hot?",
            totals->rising, all, 100 * totals->rise);
    if (is_most(totals->drift, measurement))
        add(troubles, MU_DRIFT, "in %zu of %zu processes times drift, at most by %+.0f %%: warm up for longer",
            totals->drift, all, 100 * totals->change);
    if (is_most(totals->slow_first, measurement))
        add(troubles, MU_SLOW_FIRST,
            "in %zu of %zu processes the first sample is slow, by up to %.0f %%: raise --warmup", totals->slow_first,
            all, 100 * totals->first_excess);
    if ((double)totals->outliers > MANY_OUTLIERS * (double)measurement->sample_count)
        add(troubles, MU_OUTLIERS, "%zu of %zu samples lie more than 14.8 MAD off the median; they are kept",
            totals->outliers, measurement->sample_count);
}

int mu_troubles_of(const struct mu_measurement *measurement, struct mu_troubles *troubles, struct mu_error *err)
{
    struct totals totals;
    *troubles = (struct mu_troubles){0};
    if (!measurement->has_level) return MU_OK;
    if (gather(measurement, &totals, err) != MU_OK) return err->status;
    add_processes(measurement, &totals, troubles);
    add_busy(measurement, troubles);
    add_states(measurement, troubles);
    add_orders(measurement, &totals, troubles);
    return MU_OK;
}

bool mu_is_firm(const struct mu_troubles *troubles)
{
    for (int trouble = 0; trouble < MU_TROUBLES; trouble++)
        if (trouble != MU_FEW_SAMPLES && troubles->has[trouble]) return false;
    return true;
}
