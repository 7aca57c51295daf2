#include "harness/run/stopping.h"

#include "statistics/statistics.h"

static int update_half_width(struct mu_sampling *sampling, struct mu_error *err)
{
    struct mu_summary summary;
    if (mu_summarise(sampling->values, sampling->count, &summary, err) != MU_OK) return err->status;
    sampling->half_width = -1;
    if (summary.has_interval && summary.median > 0)
        sampling->half_width = (summary.high - summary.low) / 2 / summary.median;
    return MU_OK;
}

static bool all_slower(const struct mu_sampling *sampling, uint64_t ns)
{
    for (uint32_t i = 0; i < sampling->count; i++)
        if (sampling->values[i] <= (double)ns) return false;
    return true;
}

/* Returns the rule that ends the run; NULL if none does. */
static const char *find_rule(const struct mu_stopping_rules *rules, double elapsed_s,
                             const struct mu_sampling *sampling)
{
    const bool fixed = rules->min_samples == 0;
    const bool enough = sampling->count >= rules->min_samples;
    const double patience = enough ? 1 : MU_MINIMUM_PATIENCE;
    if (!fixed && enough && sampling->half_width >= 0 && sampling->half_width <= rules->target_width) return "width";
    if (sampling->count >= rules->max_samples) return fixed ? "fixed" : "samples";
    if (rules->max_time_s > 0 && elapsed_s >= rules->max_time_s * patience) return "time";
    if (rules->abandon_ns != 0 && sampling->count == MU_ABANDON_SAMPLES && all_slower(sampling, rules->abandon_ns))
        return "slow";
    return NULL;
}

int mu_stopping_apply(const struct mu_stopping_rules *rules, double elapsed_s, struct mu_sampling *sampling,
                      struct mu_error *err)
{
    const bool last = sampling->count >= rules->max_samples;
    const bool due = last || (rules->min_samples != 0 && (sampling->count <= 64 || sampling->count % 8 == 0));
    if (due && update_half_width(sampling, err) != MU_OK) return err->status;
    sampling->stop = find_rule(rules, elapsed_s, sampling);
    return sampling->stop != NULL && !due ? update_half_width(sampling, err) : MU_OK;
}
