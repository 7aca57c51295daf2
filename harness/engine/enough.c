#include "harness/engine/enough.h"

#include "base/json.h"
#include "base/memory.h"

/* Returns half the width of the interval at 95 %, relative to the value; negative if there is no interval. */
static double half_width(const struct mu_level *level)
{
    struct mu_ratio time;
    mu_ratio_of_one(level, &time);
    return time.has_interval ? (time.high - time.low) / 2 / time.value : -1;
}

/* Doubles a number of processes, up to the most: as many run after the decision as before it (enough.h). */
static uint32_t extended(const struct mu_enough *rules, uint32_t processes)
{
    return processes < rules->most / 2 ? 2 * processes : rules->most;
}

uint32_t mu_enough_needed(const struct mu_enough *rules, const struct mu_level *level, bool *reached)
{
    const uint32_t count = (uint32_t)level->processes, least = rules->least > 2 ? rules->least : 2;
    struct mu_level more = *level;
    *reached = false;
    if (count < least) return extended(rules, least);
    for (uint32_t needed = count; needed < rules->most; needed++) {
        /* Assumes that the variance between processes stays the same. */
        more.variance = level->variance * count / needed;
        more.df = needed - 1;
        const double width = half_width(&more);
        if (width < 0 || width > rules->width) continue;
        *reached = needed == count;
        return extended(rules, needed);
    }
    return rules->most;
}

/* Computes the level of all processes so far. Leaves `level` unchanged if one of them has no samples. */
static int level_of(const struct mu_tally *tally, struct mu_level *level, struct mu_error *err)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->processes[i].count == 0) return MU_OK;
    return mu_level_of(tally->processes, tally->count, level, err);
}

int mu_tally_add(struct mu_tally *tally, const struct mu_enough *rules, const json_t *record, struct mu_error *err)
{
    struct mu_level level = {0};
    struct mu_samples process = {0};
    if (rules->most <= rules->least || rules->samples == NULL || tally->reached) return MU_OK;
    if (mu_resize((void **)&tally->processes, tally->count + 1, sizeof *tally->processes, "the processes of a test",
                  err) != MU_OK)
        return err->status;
    process.values = mu_json_numbers(json_object_get(record, rules->samples), &process.count, err);
    if (err->status != MU_OK) return err->status;
    tally->processes[tally->count++] = process;
    if (level_of(tally, &level, err) == MU_OK) tally->needed = mu_enough_needed(rules, &level, &tally->reached);
    return err->status;
}

void mu_tally_release(struct mu_tally *tally)
{
    for (size_t i = 0; i < tally->count; i++) mu_free((void *)tally->processes[i].values);
    mu_free(tally->processes);
    *tally = (struct mu_tally){0};
}
