#include "analysis/optimisations/tests.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Halves ---- */

/* Finds the level of every other process, or of every other sample of the only one. `first` is 0 or 1. */
static int half_level(const struct mu_measurement *measurement, size_t first, struct mu_level *level,
                      struct mu_error *err)
{
    const bool several = measurement->process_count > 1;
    const struct mu_samples *only = &measurement->processes[0];
    struct mu_samples *processes = mu_malloc(measurement->process_count, sizeof *processes, "processes", err);
    double *values = mu_malloc(only->count, sizeof *values, "samples", err);
    size_t count = 0;
    if (processes != NULL && values != NULL && several) {
        for (size_t i = first; i < measurement->process_count; i += 2) processes[count++] = measurement->processes[i];
    } else if (processes != NULL && values != NULL) {
        processes[0] = (struct mu_samples){.values = values, .session = only->session, .device = only->device};
        for (size_t i = first; i < only->count; i += 2) values[processes[0].count++] = only->values[i];
        count = 1;
    }
    const int status = count > 0 ? mu_level_of(processes, count, level, err) : MU_NO_MEMORY;
    mu_free(processes);
    mu_free(values);
    return status;
}

static bool has_halves(const struct mu_measurement *measurement)
{
    return measurement->has_level && measurement->failed == 0 && measurement->sample_count > 1;
}

static int configure(const struct mu_measurement *measurement, struct mu_configured *configured, struct mu_error *err)
{
    if (configured->counts && strcmp(configured->measurement->last_date, measurement->last_date) > 0) return MU_OK;
    *configured = (struct mu_configured){.measurement = measurement};
    configured->levels[MU_ALL_SAMPLES] = measurement->level;
    configured->counts = half_level(measurement, 0, &configured->levels[MU_CHOOSING], err) == MU_OK &&
                         half_level(measurement, 1, &configured->levels[MU_JUDGING], err) == MU_OK;
    return configured->counts ? MU_OK : MU_NO_MEMORY;
}

/* ---- Tests ---- */

static void free_test(struct mu_optimised_test *test)
{
    mu_free(test->shown);
    mu_free(test->key);
    mu_free(test->configured);
    mu_free(test->effects);
}

void mu_optimised_tests_release(struct mu_optimised_tests *tests)
{
    for (size_t i = 0; i < tests->count; i++) free_test(&tests->tests[i]);
    mu_free(tests->tests);
    *tests = (struct mu_optimised_tests){0};
}

/* Takes words like "wg=on" out of a text of words. */
static void strip_optimisations(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0';) {
        char name[32];
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "= "), at);
        if (!mu_is_optimisation_option(name)) {
            if (to != text) *to++ = ' ';
            memmove(to, at, length);
            to += length;
        }
        at += length;
        at += strspn(at, " ");
    }
    *to = '\0';
}

/* Makes an empty test for a measurement. */
static int make_test(const struct mu_measurement *measurement, struct mu_optimised_test *test, struct mu_error *err)
{
    *test = (struct mu_optimised_test){
        .chip = measurement->chip,
        .app = measurement->app,
        .input = measurement->input,
        .shown = mu_strdup(measurement->shown, err),
        .key = mu_format(err, "%s %s %s %s", measurement->clock, measurement->app, measurement->input,
                         measurement->options),
    };
    if (test->shown == NULL || test->key == NULL) return MU_NO_MEMORY;
    strip_optimisations(test->shown);
    strip_optimisations(test->key);
    return MU_OK;
}

static int compare_tests(const void *left, const void *right)
{
    const struct mu_optimised_test *a = left, *b = right;
    const int order = strcmp(a->chip, b->chip);
    return order != 0 ? order : strcmp(a->key, b->key);
}

/* Makes a test for each measurement, then merges those that are the same. */
static int find_tests(const struct mu_study *study, struct mu_optimised_tests *tests, struct mu_error *err)
{
    size_t kept = 0;
    tests->tests = mu_calloc(study->count, sizeof *tests->tests, "tests", err);
    if (tests->tests == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < study->count && err->status == MU_OK; i++)
        if (has_halves(&study->measurements[i]) && study->measurements[i].optimisations != MU_NOT_STUDIED)
            make_test(&study->measurements[i], &tests->tests[tests->count++], err);
    if (err->status != MU_OK) return err->status;
    if (tests->count > 0) qsort(tests->tests, tests->count, sizeof *tests->tests, compare_tests);
    for (size_t i = 0; i < tests->count; i++)
        if (kept > 0 && compare_tests(&tests->tests[kept - 1], &tests->tests[i]) == 0)
            free_test(&tests->tests[i]);
        else
            tests->tests[kept++] = tests->tests[i];
    tests->count = kept;
    for (size_t i = 0; i < tests->count && err->status == MU_OK; i++) {
        tests->tests[i].configured =
            mu_calloc(MU_CONFIGURATIONS, sizeof *tests->tests[i].configured, "configurations", err);
        tests->tests[i].effects =
            mu_malloc((size_t)MU_OPTIMISATIONS * MU_CONFIGURATIONS, sizeof *tests->tests[i].effects, "effects", err);
    }
    return err->status;
}

/* Returns true if a measurement that failed, and so may not have got as far as telling its options, can be of the
 * test. */
static bool may_be_of(const struct mu_measurement *measurement, const struct mu_optimised_test *test)
{
    return strcmp(measurement->chip, test->chip) == 0 && strcmp(measurement->app, test->app) == 0 &&
           strcmp(measurement->input, test->input) == 0;
}

static int add_measurement(const struct mu_measurement *measurement, struct mu_optimised_tests *tests,
                           struct mu_error *err)
{
    const unsigned configuration = measurement->optimisations;
    struct mu_optimised_test wanted = {0};
    if (!has_halves(measurement)) {
        for (size_t i = 0; i < tests->count; i++) tests->tests[i].failed += may_be_of(measurement, &tests->tests[i]);
        return MU_OK;
    }
    if (make_test(measurement, &wanted, err) == MU_OK) {
        struct mu_optimised_test *test =
            bsearch(&wanted, tests->tests, tests->count, sizeof *tests->tests, compare_tests);
        if (test != NULL && configure(measurement, &test->configured[configuration], err) == MU_OK)
            test->available |= configuration;
    }
    free_test(&wanted);
    return err->status;
}

/* ---- What processes differ by ---- */

/* A variance of the logs of processes' medians, pooled over configurations. */
struct pooled {
    double squares, df;
};

/* Adds what the processes of a configuration differ by. Of several sessions the level's variance is another one. */
static void pool(struct pooled *pooled, const struct mu_configured *configured)
{
    const struct mu_level *level = &configured->levels[MU_ALL_SAMPLES];
    const uint32_t known = level->sessions.known;
    if (!configured->counts || level->processes < 2 || (known & (known - 1)) != 0) return;
    pooled->squares += level->variance * level->df * (double)level->processes;
    pooled->df += level->df;
}

/* Gives a level of one session the pooled variance, at least that of rounding to whole nanoseconds. */
static void take_pooled(const struct pooled *pooled, struct mu_level *level)
{
    const uint32_t known = level->sessions.known;
    if ((known & (known - 1)) != 0) return;
    level->variance = fmax(pooled->squares / pooled->df, exp(-2 * level->log_value) / 12) / (double)level->processes;
    level->df = pooled->df;
}

/* Pools over the configurations of a test that are of one variant. */
static void pool_variances(struct mu_optimised_test *test, unsigned variant)
{
    const unsigned bit = MU_OPTIMISATION_BIT(MU_OPT_OITERGB);
    struct pooled pooled = {0};
    for (unsigned i = 0; i < MU_CONFIGURATIONS; i++)
        if ((i & bit) == variant) pool(&pooled, &test->configured[i]);
    for (unsigned i = 0; i < MU_CONFIGURATIONS && pooled.df > 0; i++) {
        struct mu_configured *configured = &test->configured[i];
        if ((i & bit) != variant || !configured->counts) continue;
        take_pooled(&pooled, &configured->levels[MU_ALL_SAMPLES]);
        if (configured->measurement->process_count < 2) continue; /* halved by samples */
        take_pooled(&pooled, &configured->levels[MU_CHOOSING]);
        take_pooled(&pooled, &configured->levels[MU_JUDGING]);
    }
}

/* ---- Effects ---- */

static void find_effects(struct mu_optimised_test *test)
{
    struct mu_ratio ratio;
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
        for (unsigned with = 0; with < MU_CONFIGURATIONS; with++) {
            double *effect = &test->effects[(size_t)i * MU_CONFIGURATIONS + with];
            const unsigned bit = MU_OPTIMISATION_BIT(i);
            *effect = NAN;
            if ((with & bit) == 0 || !test->configured[with].counts || !test->configured[with & ~bit].counts) continue;
            mu_ratio_of(&test->configured[with].levels[MU_ALL_SAMPLES],
                        &test->configured[with & ~bit].levels[MU_ALL_SAMPLES], &ratio);
            if (ratio.confident) *effect = ratio.value;
        }
}

/* Returns true if any configuration is confidently faster than the baseline, by all samples. */
static bool find_faster(const struct mu_optimised_test *test)
{
    struct mu_ratio ratio;
    for (unsigned i = 0; i < MU_CONFIGURATIONS; i++)
        if (test->configured[i].counts && mu_configured_ratio(test, i, MU_BASELINE, MU_ALL_SAMPLES, &ratio) &&
            ratio.confident && ratio.value < 1)
            return true;
    return false;
}

int mu_optimised_tests_make(const struct mu_study *study, struct mu_optimised_tests *tests, struct mu_error *err)
{
    *tests = (struct mu_optimised_tests){0};
    if (find_tests(study, tests, err) != MU_OK) return err->status;
    for (size_t i = 0; i < study->count && err->status == MU_OK; i++)
        if (study->measurements[i].optimisations != MU_NOT_STUDIED)
            add_measurement(&study->measurements[i], tests, err);
    for (size_t i = 0; i < tests->count && err->status == MU_OK; i++) {
        pool_variances(&tests->tests[i], 0);
        pool_variances(&tests->tests[i], MU_OPTIMISATION_BIT(MU_OPT_OITERGB));
        find_effects(&tests->tests[i]);
        tests->tests[i].can_be_faster = find_faster(&tests->tests[i]);
    }
    return err->status;
}

/* ---- Looking things up ---- */

unsigned mu_available(const struct mu_optimised_test *test, unsigned configuration)
{
    return configuration & test->available;
}

const struct mu_configured *mu_configured_of(const struct mu_optimised_test *test, unsigned configuration)
{
    const struct mu_configured *configured = &test->configured[mu_available(test, configuration)];
    return configured->counts ? configured : NULL;
}

bool mu_configured_ratio(const struct mu_optimised_test *test, unsigned numerator, unsigned denominator,
                         enum mu_half half, struct mu_ratio *ratio)
{
    const struct mu_configured *a = mu_configured_of(test, numerator), *b = mu_configured_of(test, denominator);
    if (a == NULL || b == NULL) return false;
    if (a == b)
        *ratio = (struct mu_ratio){
            .value = 1, .has_interval = true, .low = 1, .high = 1, .p = 1, .df = INFINITY, .scope = MU_WITHIN_SESSION};
    else
        mu_ratio_of(&a->levels[half], &b->levels[half], ratio);
    return true;
}

double mu_effect_of(const struct mu_optimised_test *test, unsigned optimisation, unsigned configuration)
{
    return test->effects[(size_t)optimisation * MU_CONFIGURATIONS + configuration];
}

/* Finds the fastest configuration with no other optimisations than `allowed`, by one half of the samples or all.
 * Returns false if there is none. */
static bool find_best(const struct mu_optimised_test *test, unsigned allowed, enum mu_half half,
                      unsigned *configuration)
{
    double least = INFINITY;
    for (unsigned i = 0; i < MU_CONFIGURATIONS; i++) {
        const struct mu_configured *configured = &test->configured[i];
        if (!configured->counts || (i & ~allowed) != 0 || configured->levels[half].log_value >= least) continue;
        least = configured->levels[half].log_value;
        *configuration = i;
    }
    return isfinite(least);
}

bool mu_best_of(const struct mu_optimised_test *test, unsigned allowed, unsigned *configuration)
{
    return find_best(test, allowed, MU_CHOOSING, configuration);
}

bool mu_fastest_of(const struct mu_optimised_test *test, unsigned *configuration)
{
    return find_best(test, MU_CONFIGURATIONS - 1, MU_ALL_SAMPLES, configuration);
}
