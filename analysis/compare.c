#include "analysis/compare.h"

#include "analysis/pairs.h"
#include "analysis/study.h"
#include "analysis/tables/common.h"
#include "base/memory.h"
#include "records/sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which tests are the same ---- */

/* Compares two names of chips without their labels, as strcmp does. */
static int compare_chips(const char *a, const char *b)
{
    const size_t length_a = strcspn(a, "@"), length_b = strcspn(b, "@");
    const int order = strncmp(a, b, length_a < length_b ? length_a : length_b);
    return order != 0 ? order : (length_a > length_b) - (length_a < length_b);
}

static int compare_tests(const struct mu_measurement *a, const struct mu_measurement *b, bool with_chip)
{
    int order = with_chip ? compare_chips(a->chip, b->chip) : 0;
    if (order == 0) order = mu_compare_benchmarks(a, b);
    if (order == 0) order = strcmp(a->variant, b->variant);
    return order != 0 ? order : strcmp(a->clock, b->clock);
}

static int compare_with_chip(const void *left, const void *right)
{
    return compare_tests(left, right, true);
}

static int compare_without_chip(const void *left, const void *right)
{
    return compare_tests(left, right, false);
}

static bool has_several_chips(const struct mu_study *study)
{
    for (size_t i = 1; i < study->count; i++)
        if (compare_chips(study->measurements[i].chip, study->measurements[0].chip) != 0) return true;
    return false;
}

/* Fails with MU_USAGE if a set has a test twice, for example with two labels. */
static int check_unique(const struct mu_study *study, const char *set, bool with_chip, struct mu_error *err)
{
    for (size_t i = 1; i < study->count; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        if (compare_tests(measurement - 1, measurement, with_chip) == 0)
            return mu_fail(
                err, MU_USAGE,
                "%s: has %s on %s, %s, as %s %s and as %s %s: name the file of one, or its label, as in SET@LABEL", set,
                measurement->app, measurement->input, measurement->variant, measurement[-1].chip, measurement[-1].set,
                measurement->chip, measurement->set);
    }
    return MU_OK;
}

static int sort_study(struct mu_study *study, const char *set, bool with_chip, struct mu_error *err)
{
    if (study->count > 0)
        qsort(study->measurements, study->count, sizeof *study->measurements,
              with_chip ? compare_with_chip : compare_without_chip);
    return check_unique(study, set, with_chip, err);
}

/* Pairs the tests of two sorted studies. */
static int match(const struct mu_study *a, const struct mu_study *b, struct mu_pairs *pairs, struct mu_error *err)
{
    size_t i = 0, j = 0;
    pairs->pair = mu_calloc(a->count + b->count, sizeof *pairs->pair, "tests to compare", err);
    if (pairs->pair == NULL) return MU_NO_MEMORY;
    while (i < a->count || j < b->count) {
        const int order = i == a->count   ? 1
                          : j == b->count ? -1
                                          : compare_tests(&a->measurements[i], &b->measurements[j], pairs->with_chip);
        struct mu_pair *pair = &pairs->pair[pairs->count++];
        if (order <= 0) pair->a = &a->measurements[i++];
        if (order >= 0) pair->b = &b->measurements[j++];
        pair->counts = mu_table_counts(pair->a) && mu_table_counts(pair->b);
    }
    return MU_OK;
}

/* ---- The statistics ---- */

/* Returns the samples of all processes, to be freed by the caller; NULL when memory runs out. */
static double *pool(const struct mu_measurement *measurement, struct mu_error *err)
{
    size_t count = 0;
    double *values = mu_malloc(measurement->sample_count, sizeof *values, "samples", err);
    for (size_t i = 0; values != NULL && i < measurement->process_count; i++) {
        const struct mu_samples *process = &measurement->processes[i];
        memcpy(values + count, process->values, process->count * sizeof *values);
        count += process->count;
    }
    return values;
}

bool mu_pair_is_judgeable(const struct mu_pair *pair, double session)
{
    return !mu_pair_has_one_process(pair) && (pair->ratio.scope != MU_APART_IN_SESSION || session > 0);
}

static int judge_pair(struct mu_pair *pair, double session, struct mu_error *err)
{
    double *a = pool(pair->a, err), *b = pool(pair->b, err);
    mu_ratio_of(&pair->b->level, &pair->a->level, &pair->ratio);
    if (pair->ratio.scope == MU_APART_IN_SESSION) mu_ratio_widen(&pair->ratio, 2 * session * session);
    if (a != NULL && b != NULL) mu_mann_whitney(b, pair->b->sample_count, a, pair->a->sample_count, &pair->ranks, err);
    mu_free(a);
    mu_free(b);
    pair->p = fmax(pair->ratio.p, pair->ranks.p);
    return err->status;
}

static int judge_all(struct mu_pairs *pairs, double session, struct mu_error *err)
{
    size_t count = 0, next = 0;
    double *p = mu_malloc(pairs->count, sizeof *p, "p", err);
    if (p == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < pairs->count && err->status == MU_OK; i++)
        if (pairs->pair[i].counts && judge_pair(&pairs->pair[i], session, err) == MU_OK &&
            mu_pair_is_judgeable(&pairs->pair[i], session))
            p[count++] = pairs->pair[i].p;
    if (err->status == MU_OK && mu_false_discovery(p, count, p, err) == MU_OK)
        for (size_t i = 0; i < pairs->count; i++) {
            struct mu_pair *pair = &pairs->pair[i];
            if (!pair->counts) continue;
            const bool is_judged = mu_pair_is_judgeable(pair, session);
            pair->p = is_judged ? p[next++] : (double)NAN;
            pair->detectable = is_judged ? mu_ratio_detectable(&pair->ratio, 0.05 / (double)count) : (double)NAN;
        }
    mu_free(p);
    return err->status;
}

/* ---- Both sets ---- */

/* Numbers that both sets share, so that a session and a device have the same one in both. */
struct shared {
    json_t *sessions, *chips;
};

static int load(const char *root, const char *set, const struct shared *shared, struct mu_table_data *data,
                struct mu_error *err)
{
    const struct mu_table_request request = {.root = root, .sets = &set, .set_count = 1, .chips = shared->chips};
    if (mu_table_load_with(&request, MU_STUDY_MEASURED, shared->sessions, data, err) == MU_OK)
        mu_study_choose(&data->study);
    if (err->status == MU_OK && data->study.count == 0) mu_fail(err, MU_USAGE, "%s: no results", set);
    return err->status;
}

int mu_compare_sets(const struct mu_comparison_request *request, struct mu_grids *grids,
                    struct mu_comparison_result *result)
{
    struct mu_error *err = grids->err;
    struct mu_table_data a = {0}, b = {0};
    struct mu_pairs pairs = {0};
    const struct shared shared = {json_object(), json_object()};
    if (shared.sessions == NULL || shared.chips == NULL) {
        mu_fail(err, MU_NO_MEMORY, "out of memory");
        goto out;
    }
    if (load(request->root, request->a, &shared, &a, err) != MU_OK ||
        load(request->root, request->b, &shared, &b, err) != MU_OK)
        goto out;
    pairs.with_chip = has_several_chips(&a.study) || has_several_chips(&b.study);
    if (sort_study(&a.study, request->a, pairs.with_chip, err) != MU_OK ||
        sort_study(&b.study, request->b, pairs.with_chip, err) != MU_OK ||
        match(&a.study, &b.study, &pairs, err) != MU_OK || judge_all(&pairs, request->session, err) != MU_OK)
        goto out;
    mu_pairs_show(mu_grids_add(grids, "compare", "%s (A) against %s (B)", request->a, request->b), &pairs, request,
                  result);
out:
    json_decref(shared.chips);
    json_decref(shared.sessions);
    mu_free(pairs.pair);
    mu_table_release(&a);
    mu_table_release(&b);
    return err->status;
}
