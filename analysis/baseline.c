#include "analysis/baseline.h"

#include <string.h>

static int take_baseline(const struct mu_study *study, struct mu_measurement *elements, struct mu_error *err)
{
    const struct mu_measurement *fixed = mu_study_find(study, elements, elements, "multi-kernel-fixed");
    double part;
    if (!elements->has_level || elements->failed != 0 || fixed == NULL || !fixed->has_level || fixed->failed != 0)
        return MU_OK;
    const struct mu_samples *const processes[] = {elements->processes, fixed->processes};
    const size_t counts[] = {elements->process_count, fixed->process_count};
    if (mu_level_of_better(processes, counts, &elements->level, &part, err) == MU_OK && part >= 0)
        elements->better = part > 0.5 ? fixed->variant : elements->variant;
    return err->status;
}

int mu_study_take_baselines(struct mu_study *study, struct mu_error *err)
{
    for (size_t i = 0; i < study->count && err->status == MU_OK; i++)
        if (strcmp(study->measurements[i].variant, "multi-kernel") == 0)
            take_baseline(study, &study->measurements[i], err);
    return err->status;
}
