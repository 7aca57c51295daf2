#include "analysis/headline.h"

#include "analysis/tables/common.h"
#include "base/memory.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

/* Appends the ratio of the measurement's time and that of another variant of its test, where both have times that
 * count. */
static void gather(const struct mu_study *study, const struct mu_measurement *numerator, const char *denominator,
                   struct mu_ratio *ratios, size_t *count)
{
    const struct mu_measurement *other = mu_study_find(study, numerator, numerator, denominator);
    if (mu_table_counts(numerator) && mu_table_counts(other))
        mu_ratio_of(&numerator->level, &other->level, &ratios[(*count)++]);
}

size_t mu_headline_make(const struct mu_study *study, size_t start, struct mu_headline *headline, struct mu_error *err)
{
    const struct mu_measurement *first = &study->measurements[start];
    struct mu_ratio *speedups = mu_malloc(study->count, sizeof *speedups, "ratios", err);
    struct mu_ratio *slowdowns = mu_malloc(study->count, sizeof *slowdowns, "ratios", err);
    size_t end = start;
    *headline =
        (struct mu_headline){.chip = first->chip, .set = first->set, .first_date = first->last_date, .last_date = ""};
    for (; end < study->count && mu_compare_places(&study->measurements[end], first) == 0; end++) {
        const struct mu_measurement *next = &study->measurements[end];
        headline->tests++;
        headline->failed += !mu_table_counts(next);
        headline->dirty = headline->dirty || strstr(next->commit, "-dirty") != NULL;
        headline->sessionless = headline->sessionless || strcmp(next->session, "null") == 0;
        if (strcmp(next->last_date, headline->last_date) > 0) headline->last_date = next->last_date;
        if (strcmp(next->last_date, headline->first_date) < 0) headline->first_date = next->last_date;
        if (speedups == NULL || slowdowns == NULL) continue;
        if (strcmp(next->variant, "multi-kernel") == 0) gather(study, next, "portable", speedups, &headline->speedups);
        if (strcmp(next->variant, "portable") == 0) gather(study, next, "specialised", slowdowns, &headline->slowdowns);
    }
    if (headline->speedups != 0) mu_ratio_mean(speedups, headline->speedups, &headline->speedup);
    if (headline->slowdowns != 0) mu_ratio_mean(slowdowns, headline->slowdowns, &headline->slowdown);
    mu_free(speedups);
    mu_free(slowdowns);
    return end;
}

static void show_ratio(const char *name, const struct mu_ratio *ratio, size_t count, char *text, size_t bytes)
{
    char interval[128] = "";
    if (count == 0) {
        snprintf(text, bytes, "no %s", name);
        return;
    }
    const int decimals = mu_decimals_of(ratio->value, 2);
    if (ratio->has_interval)
        snprintf(interval, sizeof interval, " [%.*f, %.*f]%s%s", decimals, ratio->low, decimals, ratio->high,
                 ratio->spans == 1 ? " in one session" : "", ratio->single ? " of single processes" : "");
    snprintf(text, bytes, "%s %.*f%s over %zu test%s", name, decimals, ratio->value, interval, count,
             count != 1 ? "s" : "");
}

const char *mu_headline_text(const struct mu_headline *headline, char *text, size_t bytes)
{
    char speedup[256], slowdown[256];
    show_ratio("speedup", &headline->speedup, headline->speedups, speedup, sizeof speedup);
    show_ratio("slowdown", &headline->slowdown, headline->slowdowns, slowdown, sizeof slowdown);
    snprintf(text, bytes, "%s%s%s: %s, %s; %zu of %zu measurements ended well", headline->chip,
             headline->set[0] != '\0' ? " " : "", headline->set, speedup, slowdown, headline->tests - headline->failed,
             headline->tests);
    return text;
}
