/* Which measurements of a study stay, and finding one of them. */
#include "analysis/study_private.h"

#include <string.h>

/* Returns the end of the measurements that follow `start` with its chip and, if asked for, its driver, and their newest
 * date in *newest. */
static size_t end_of_chip(const struct mu_study *study, size_t start, bool with_driver, const char **newest)
{
    const struct mu_measurement *first = &study->measurements[start];
    size_t end = start;
    *newest = "";
    for (; end < study->count; end++) {
        const struct mu_measurement *next = &study->measurements[end];
        if (strcmp(next->chip, first->chip) != 0 || (with_driver && strcmp(next->driver, first->driver) != 0)) break;
        if (strcmp(next->last_date, *newest) > 0) *newest = next->last_date;
    }
    return end;
}

void mu_study_drop_old_drivers(struct mu_study *study)
{
    size_t kept = 0;
    for (size_t chip = 0, chip_end; chip < study->count; chip = chip_end) {
        const char *newest = NULL, *own = NULL;
        bool found = false;
        chip_end = end_of_chip(study, chip, false, &newest);
        for (size_t i = chip, end; i < chip_end; i = end) {
            end = end_of_chip(study, i, true, &own);
            const bool keep = !found && strcmp(own, newest) == 0;
            found = found || keep;
            for (size_t j = i; j < end; j++)
                if (keep)
                    study->measurements[kept++] = study->measurements[j];
                else
                    mu_measurement_release(&study->measurements[j]);
        }
    }
    study->count = kept;
}

/* Returns true if a is to stay rather than b, which is of the same test. */
static bool is_better(const struct mu_measurement *a, const struct mu_measurement *b)
{
    const bool campaign_a = strcmp(a->kind, "measure") == 0, campaign_b = strcmp(b->kind, "measure") == 0;
    if (campaign_a != campaign_b) return campaign_a;
    if (campaign_a) return strcmp(a->last_date, b->last_date) > 0;
    if (a->has_level != b->has_level) return a->has_level;
    if (a->has_level && a->level.log_value < b->level.log_value) return true;
    return !a->has_level && strcmp(a->last_date, b->last_date) > 0;
}

/* Returns the measurement of a variant of a test in a place, from `low` to before `high`; NULL for none. */
static const struct mu_measurement *find_between(const struct mu_study *study, size_t low, size_t high,
                                                 const struct mu_measurement *place,
                                                 const struct mu_measurement *benchmark, const char *variant)
{
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct mu_measurement *there = &study->measurements[middle];
        int order = mu_compare_places(there, place);
        if (order == 0) order = mu_compare_benchmarks(there, benchmark);
        if (order == 0) order = mu_compare_texts(there->variant, variant);
        if (order == 0) return there;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Returns where the measurements of the set and the clock of `start` end. All before `high` are of one chip. */
static size_t end_of_set(const struct mu_study *study, size_t start, size_t high)
{
    size_t low = start + 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (mu_compare_places(&study->measurements[middle], &study->measurements[start]) == 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns true if one of the measurements from `start` to before `end`, which have sets and the chip of `run`, is of
 * its test. */
static bool has_campaign(const struct mu_study *study, size_t start, size_t end, const struct mu_measurement *run)
{
    for (size_t next; start < end; start = next) {
        next = end_of_set(study, start, end);
        if (mu_compare_texts(study->measurements[start].clock, run->clock) != 0) continue;
        if (find_between(study, start, next, &study->measurements[start], run, run->variant) != NULL) return true;
    }
    return false;
}

/* Drops single runs of tests that a campaign has. They have no set, so that campaigns come behind them. */
static void drop_single_runs(struct mu_study *study)
{
    size_t kept = 0;
    for (size_t chip = 0, end; chip < study->count; chip = end) {
        const char *newest = NULL;
        size_t sets = chip;
        end = end_of_chip(study, chip, false, &newest);
        while (sets < end && study->measurements[sets].set[0] == '\0') sets++;
        for (size_t i = chip; i < end; i++) {
            struct mu_measurement *next = &study->measurements[i];
            if (i < sets && strcmp(next->kind, "measure") != 0 && has_campaign(study, sets, end, next))
                mu_measurement_release(next);
            else
                study->measurements[kept++] = *next;
        }
    }
    study->count = kept;
}

void mu_study_choose(struct mu_study *study)
{
    size_t kept = 0;
    mu_study_drop_old_drivers(study);
    drop_single_runs(study);
    for (size_t i = 0; i < study->count; i++) {
        struct mu_measurement next = study->measurements[i];
        struct mu_measurement *last = kept > 0 ? &study->measurements[kept - 1] : NULL;
        if (last == NULL || mu_compare_tests(last, &next) != 0) {
            study->measurements[kept++] = next;
            continue;
        }
        if (is_better(&next, last)) {
            struct mu_measurement worse = *last;
            *last = next;
            next = worse;
        }
        mu_measurement_release(&next);
    }
    study->count = kept;
}

void mu_study_keep_sets_with(struct mu_study *study, const char *variant)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < study->count; i = end) {
        bool found = false;
        for (end = i; end < study->count; end++) {
            if (mu_compare_places(&study->measurements[end], &study->measurements[i]) != 0) break;
            found = found || strcmp(study->measurements[end].variant, variant) == 0;
        }
        for (size_t j = i; j < end; j++)
            if (found)
                study->measurements[kept++] = study->measurements[j];
            else
                mu_measurement_release(&study->measurements[j]);
    }
    study->count = kept;
}

const struct mu_measurement *mu_study_find(const struct mu_study *study, const struct mu_measurement *place,
                                           const struct mu_measurement *benchmark, const char *variant)
{
    return find_between(study, 0, study->count, place, benchmark, variant);
}
