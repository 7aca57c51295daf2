#include "analysis/baseline.h"

#include "analysis/study_private.h"
#include "base/memory.h"

#include <string.h>

/* The level of every other process of each session of a measurement, from `first` on. */
static int level_of_half(const struct mu_measurement *measurement, size_t first, struct mu_level *level,
                         struct mu_error *err)
{
    size_t count = 0, seen[MU_SESSIONS_MAX] = {0};
    struct mu_samples *half = mu_malloc(measurement->process_count, sizeof *half, "half of the processes", err);
    for (size_t i = 0; half != NULL && i < measurement->process_count; i++) {
        const struct mu_samples *process = &measurement->processes[i];
        if (seen[process->session % MU_SESSIONS_MAX]++ % 2 == first) half[count++] = *process;
    }
    if (half != NULL) mu_level_of(half, count, level, err);
    mu_free(half);
    return err->status;
}

/* Whether a session of it has two processes. */
static bool has_halves(const struct mu_measurement *measurement)
{
    size_t seen[MU_SESSIONS_MAX] = {0};
    bool halves = false;
    if (measurement == NULL || !measurement->has_level || measurement->failed != 0) return false;
    for (size_t i = 0; i < measurement->process_count; i++)
        halves = ++seen[measurement->processes[i].session % MU_SESSIONS_MAX] == 2 || halves;
    return halves;
}

static int take_baseline(const struct mu_study *study, struct mu_measurement *elements, struct mu_error *err)
{
    const struct mu_measurement *fixed = mu_study_find(study, elements, elements, "multi-kernel-fixed");
    struct mu_level of_elements = {0}, of_fixed = {0};
    if (!has_halves(elements) || !has_halves(fixed)) return MU_OK;
    if (level_of_half(elements, 0, &of_elements, err) != MU_OK || level_of_half(fixed, 0, &of_fixed, err) != MU_OK)
        return err->status;
    const struct mu_measurement *better = of_fixed.log_value < of_elements.log_value ? fixed : elements;
    if (level_of_half(better, 1, &elements->level, err) == MU_OK) elements->better = better->variant;
    return err->status;
}

int mu_study_take_baselines(struct mu_study *study, struct mu_error *err)
{
    for (size_t i = 0; i < study->count && err->status == MU_OK; i++)
        if (strcmp(study->measurements[i].variant, "multi-kernel") == 0)
            take_baseline(study, &study->measurements[i], err);
    return err->status;
}
