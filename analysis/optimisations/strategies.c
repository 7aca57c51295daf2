#include "analysis/optimisations/strategies.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#define SIGNIFICANT 0.05

/* Names and partitions, by enum mu_strategy_index. */
static const struct {
    const char *name;
    unsigned narrowed;
} known[MU_STRATEGIES] = {
    {"baseline", 0},
    {"global", 0},
    {"chip", MU_BY_CHIP},
    {"app", MU_BY_APP},
    {"input", MU_BY_INPUT},
    {"chip and app", MU_BY_CHIP | MU_BY_APP},
    {"chip and input", MU_BY_CHIP | MU_BY_INPUT},
    {"app and input", MU_BY_APP | MU_BY_INPUT},
    {"oracle", MU_BY_CHIP | MU_BY_APP | MU_BY_INPUT},
};

static bool is_in(const struct mu_optimised_test *test, const struct mu_partition *partition)
{
    return (partition->chip == NULL || strcmp(partition->chip, test->chip) == 0) &&
           (partition->app == NULL || strcmp(partition->app, test->app) == 0) &&
           (partition->input == NULL || strcmp(partition->input, test->input) == 0);
}

/* ---- Algorithm 4.1 ---- */

/* Finds the share of resamples of whole tests in which the optimisation would be enabled. */
static int resample(const struct mu_optimised_tests *tests, const struct mu_partition *partition, unsigned optimisation,
                    double *part, struct mu_error *err)
{
    size_t *faster = mu_calloc(tests->count, sizeof *faster, "faster pairs", err);
    size_t *counts = mu_calloc(tests->count, sizeof *counts, "pairs", err);
    size_t clusters = 0;
    for (size_t i = 0; faster != NULL && counts != NULL && i < tests->count; i++) {
        if (!is_in(&tests->tests[i], partition)) continue;
        for (unsigned with = 0; with < MU_CONFIGURATIONS; with++) {
            const double effect = mu_effect_of(&tests->tests[i], optimisation, with);
            if (isnan(effect)) continue;
            counts[clusters]++;
            faster[clusters] += effect < 1;
        }
        clusters++;
    }
    if (err->status == MU_OK && clusters > 0) *part = mu_clusters_below_one(faster, counts, clusters, SIGNIFICANT);
    mu_free(faster);
    mu_free(counts);
    return err->status;
}

/* Returns the list A of the thesis's Algorithm 4.1, which the caller frees; NULL with MU_NO_MEMORY. */
static double *gather_effects(const struct mu_optimised_tests *tests, const struct mu_partition *partition,
                              unsigned optimisation, size_t *count, struct mu_error *err)
{
    size_t room = 0;
    if (!mu_mul_size(tests->count, MU_CONFIGURATIONS, &room)) mu_fail(err, MU_NO_MEMORY, "too many tests");
    double *effects = err->status == MU_OK ? mu_malloc(room, sizeof *effects, "effects", err) : NULL;
    *count = 0;
    for (size_t i = 0; effects != NULL && i < tests->count; i++) {
        if (!is_in(&tests->tests[i], partition)) continue;
        for (unsigned with = 0; with < MU_CONFIGURATIONS; with++) {
            const double effect = mu_effect_of(&tests->tests[i], optimisation, with);
            if (!isnan(effect)) effects[(*count)++] = effect;
        }
    }
    return effects;
}

int mu_judge_optimisation(const struct mu_optimised_tests *tests, const struct mu_partition *partition,
                          unsigned optimisation, struct mu_verdict *verdict, struct mu_error *err)
{
    struct mu_rank_test test;
    size_t count = 0;
    *verdict = (struct mu_verdict){.median = NAN, .faster = NAN, .p = 1, .part = NAN};
    double *effects = gather_effects(tests, partition, optimisation, &count, err);
    double *ones = mu_malloc(count, sizeof *ones, "ones", err);
    if (effects != NULL && ones != NULL && count > 0) {
        size_t faster = 0;
        for (size_t i = 0; i < count; i++) {
            ones[i] = 1;
            faster += effects[i] < 1;
        }
        if (mu_mann_whitney(effects, count, ones, count, &test, err) == MU_OK) {
            gsl_sort(effects, 1, count);
            verdict->count = count;
            verdict->median = gsl_stats_median_from_sorted_data(effects, 1, count);
            verdict->faster = (double)faster / (double)count;
            verdict->p = test.p;
            verdict->enabled = test.p < SIGNIFICANT && verdict->median < 1;
        }
    }
    mu_free(effects);
    mu_free(ones);
    return err->status;
}

int mu_decide_partition(const struct mu_optimised_tests *tests, struct mu_partition *partition, struct mu_error *err)
{
    struct mu_verdict *verdicts = partition->verdicts;
    struct mu_verdict *fg1 = &verdicts[MU_OPT_FG1], *fg8 = &verdicts[MU_OPT_FG8];
    partition->tests = 0;
    partition->configuration = MU_BASELINE;
    for (size_t i = 0; i < tests->count; i++) partition->tests += is_in(&tests->tests[i], partition);
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
        if (mu_judge_optimisation(tests, partition, i, &verdicts[i], err) != MU_OK) return err->status;
    if (fg1->enabled && fg8->enabled) {
        fg1->enabled = fg1->median < fg8->median;
        fg8->enabled = !fg1->enabled;
    }
    for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
        if (verdicts[i].enabled) partition->configuration |= MU_OPTIMISATION_BIT(i);
    return MU_OK;
}

/* ---- Strategies ---- */

static struct mu_partition partition_of(const struct mu_optimised_test *test, unsigned narrowed)
{
    return (struct mu_partition){
        .chip = (narrowed & MU_BY_CHIP) != 0 ? test->chip : NULL,
        .app = (narrowed & MU_BY_APP) != 0 ? test->app : NULL,
        .input = (narrowed & MU_BY_INPUT) != 0 ? test->input : NULL,
    };
}

static const struct mu_partition *find_partition(const struct mu_strategy *strategy,
                                                 const struct mu_optimised_test *test)
{
    for (size_t i = 0; i < strategy->count; i++)
        if (is_in(test, &strategy->partitions[i])) return &strategy->partitions[i];
    return NULL;
}

static int resample_all(const struct mu_optimised_tests *tests, struct mu_partition *partition, struct mu_error *err)
{
    for (unsigned i = 0; i < MU_OPTIMISATIONS && err->status == MU_OK; i++)
        if (partition->verdicts[i].count > 0) resample(tests, partition, i, &partition->verdicts[i].part, err);
    return err->status;
}

static int divide(const struct mu_optimised_tests *tests, bool resampled, struct mu_strategy *strategy,
                  struct mu_error *err)
{
    strategy->partitions = mu_calloc(tests->count, sizeof *strategy->partitions, "partitions", err);
    if (strategy->partitions == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < tests->count && err->status == MU_OK; i++) {
        if (find_partition(strategy, &tests->tests[i]) != NULL) continue;
        struct mu_partition *partition = &strategy->partitions[strategy->count++];
        *partition = partition_of(&tests->tests[i], strategy->narrowed);
        if (mu_decide_partition(tests, partition, err) == MU_OK && resampled) resample_all(tests, partition, err);
    }
    return err->status;
}

static int make(const struct mu_optimised_tests *tests, unsigned unknown, bool resampled,
                struct mu_strategies *strategies, struct mu_error *err)
{
    *strategies = (struct mu_strategies){0};
    for (int i = 0; i < MU_STRATEGIES && err->status == MU_OK; i++) {
        strategies->of[i].name = known[i].name;
        strategies->of[i].narrowed = known[i].narrowed;
        if (i == MU_STRATEGY_BASELINE || i == MU_STRATEGY_ORACLE || (known[i].narrowed & unknown) != 0) continue;
        divide(tests, resampled, &strategies->of[i], err);
    }
    return err->status;
}

int mu_strategies_make(const struct mu_optimised_tests *tests, struct mu_strategies *strategies, struct mu_error *err)
{
    return make(tests, 0, true, strategies, err);
}

int mu_strategies_make_without(const struct mu_optimised_tests *tests, unsigned unknown,
                               struct mu_strategies *strategies, struct mu_error *err)
{
    return make(tests, unknown, false, strategies, err);
}

bool mu_strategy_serves(enum mu_strategy_index strategy, unsigned unknown)
{
    return strategy == MU_STRATEGY_ORACLE || (known[strategy].narrowed & unknown) == 0;
}

void mu_strategies_release(struct mu_strategies *strategies)
{
    for (int i = 0; i < MU_STRATEGIES; i++) mu_free(strategies->of[i].partitions);
    *strategies = (struct mu_strategies){0};
}

bool mu_strategy_choose(const struct mu_strategies *strategies, enum mu_strategy_index strategy,
                        const struct mu_optimised_test *test, unsigned *configuration)
{
    *configuration = MU_BASELINE;
    if (strategy == MU_STRATEGY_BASELINE) return true;
    if (strategy == MU_STRATEGY_ORACLE) return mu_best_of(test, MU_CONFIGURATIONS - 1, configuration);
    const struct mu_partition *partition = find_partition(&strategies->of[strategy], test);
    if (partition != NULL) *configuration = partition->configuration;
    return partition != NULL;
}

/* ---- Scores ---- */

int mu_chosen_score(const struct mu_optimised_tests *tests, const unsigned *chosen, struct mu_score *score,
                    struct mu_error *err)
{
    struct mu_ratio *ratios = mu_malloc(tests->count, sizeof *ratios, "ratios", err), own;
    double logs = 0;
    *score = (struct mu_score){0};
    if (ratios == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        struct mu_ratio over_baseline;
        unsigned best = 0;
        if (chosen[i] == MU_CONFIGURATIONS ||
            !mu_configured_ratio(test, chosen[i], MU_BASELINE, MU_JUDGING, &over_baseline)) {
            score->failed++;
            continue;
        }
        if (mu_best_of(test, MU_CONFIGURATIONS - 1, &best) &&
            mu_configured_ratio(test, chosen[i], best, MU_JUDGING, &ratios[score->tests]))
            score->tests++;
        if (mu_fastest_of(test, &best) && mu_configured_ratio(test, chosen[i], best, MU_ALL_SAMPLES, &own))
            logs += own.log_value;
        if (!test->can_be_faster) continue;
        if (!over_baseline.confident)
            score->same++;
        else if (over_baseline.value < 1)
            score->faster++;
        else
            score->slower++;
    }
    if (score->tests > 0) mu_ratio_mean(ratios, score->tests, &score->over_oracle);
    if (score->tests > 0) score->over_thesis_oracle = exp(logs / (double)score->tests);
    mu_free(ratios);
    return MU_OK;
}

int mu_strategy_score(const struct mu_optimised_tests *tests, const struct mu_strategies *strategies,
                      enum mu_strategy_index strategy, struct mu_score *score, struct mu_error *err)
{
    unsigned *chosen = mu_malloc(tests->count, sizeof *chosen, "configurations", err);
    *score = (struct mu_score){0};
    for (size_t i = 0; chosen != NULL && i < tests->count; i++)
        if (!mu_strategy_choose(strategies, strategy, &tests->tests[i], &chosen[i])) chosen[i] = MU_CONFIGURATIONS;
    if (chosen != NULL) mu_chosen_score(tests, chosen, score, err);
    mu_free(chosen);
    return err->status;
}
