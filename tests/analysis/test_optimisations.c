/* analysis/optimisations: algorithm 4.1 and what is made of it, on records with known answers and on what the thesis
 * prints of its own. */
#include "analysis/optimisations/strategies.h"
#include "base/memory.h"
#include "tests/analysis/optimised_records.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

#define BIT(name) MU_OPTIMISATION_BIT(MU_OPT_##name)

/* Everything that is made of some records. */
struct made {
    json_t *records;
    struct mu_study study;
    struct mu_optimised_tests tests;
    struct mu_strategies strategies;
    struct mu_error err;
};

static int make(struct made *made)
{
    if (mu_study_make(made->records, MU_STUDY_MEASURED, &made->study, &made->err) == MU_OK &&
        mu_optimised_tests_make(&made->study, &made->tests, &made->err) == MU_OK)
        mu_strategies_make(&made->tests, &made->strategies, &made->err);
    return made->err.status;
}

static void release(struct made *made)
{
    mu_strategies_release(&made->strategies);
    mu_optimised_tests_release(&made->tests);
    mu_study_release(&made->study);
    json_decref(made->records);
}

static const struct mu_partition *partition(const struct made *made, enum mu_strategy_index strategy, size_t i)
{
    return i < made->strategies.of[strategy].count ? &made->strategies.of[strategy].partitions[i] : NULL;
}

static bool enables(const struct made *made, enum mu_strategy_index strategy, size_t i, unsigned configuration)
{
    const struct mu_partition *found = partition(made, strategy, i);
    char text[MU_CONFIGURATION_TEXT];
    if (found == NULL) return false;
    mu_configuration_format(found->configuration, text);
    printf("# %s %zu: %s\n", made->strategies.of[strategy].name, i, text);
    return found->configuration == configuration;
}

/* The geometric mean of a strategy's times over the oracle's. */
static double over_oracle(struct made *made, enum mu_strategy_index strategy, struct mu_score *score)
{
    if (mu_strategy_score(&made->tests, &made->strategies, strategy, score, &made->err) != MU_OK) return NAN;
    return score->over_oracle.value;
}

static bool near(double value, double expected)
{
    const bool is = fabs(value / expected - 1) < 0.002;
    if (!is) printf("# %.4f instead of %.4f\n", value, expected);
    return is;
}

/* ---- Configurations ---- */

static void test_configurations(void)
{
    char text[MU_CONFIGURATION_TEXT];
    struct mu_error err = {0};
    unsigned count = 0, wrong = 0, parsed = 1;
    for (unsigned set = 0; set < MU_CONFIGURATIONS; set++) {
        if (!mu_is_configuration(set)) continue;
        count++;
        mu_configuration_format(set, text);
        wrong += mu_configuration_parse(text, &parsed, &err) != MU_OK || parsed != set;
    }
    CHECK(count == 96 && wrong == 0, "there are 96 configurations, and each is read as it is written");
    CHECK(mu_configuration_parse("fg1,fg8", &parsed, &err) == MU_INPUT, "one has not both values of fg");
    err = (struct mu_error){0};
    CHECK(mu_configuration_parse("wg, fast", &parsed, &err) == MU_INPUT && strstr(err.message, "'fast'") != NULL,
          "what is no optimisation is named: %s", err.message);
    CHECK(mu_configuration_with(BIT(FG1) | BIT(SG), MU_OPT_FG8) == (BIT(FG8) | BIT(SG)), "fg8 takes the place of fg1");
    CHECK(mu_optimisations_of_class(MU_CLASS_20) == (BIT(SZ256) | BIT(FG1) | BIT(FG8) | BIT(WG)),
          "class 2.0 is fg, sz256 and wg (table 4.1)");
}

static void test_records(void)
{
    const struct made_test test = {"c", "irgl/bfs-wl", "road:9"};
    unsigned found = 0, wrong = 0;
    for (unsigned set = 0; set < MU_CONFIGURATIONS; set++) {
        if (!mu_is_configuration(set)) continue;
        json_t *record = made_record(&test, set, 1000, 0);
        wrong += !mu_record_optimisations(record, &found) || found != set;
        json_decref(record);
    }
    CHECK(wrong == 0, "a record tells its configuration");
    json_t *record = made_record(&test, BIT(OITERGB), 1000, 0);
    json_object_set_new(json_object_get(record, "configuration"), "condition", json_string("cold"));
    CHECK(!mu_record_optimisations(record, &found), "a cold run is not of the study");
    json_object_set_new(json_object_get(record, "configuration"), "condition", json_string("warm"));
    json_object_set_new(record, "workgroup", json_integer(64));
    CHECK(!mu_record_optimisations(record, &found), "nor is a workgroup of 64");
    json_object_set_new(record, "workgroup", json_integer(128));
    json_object_set_new(record, "app", json_string("lonestar/bfs"));
    CHECK(!mu_record_optimisations(record, &found), "nor another suite");
    json_decref(record);
}

/* ---- Algorithm 4.1 ---- */

/* Tests without records: only their effects, which are all that the algorithm sees. `effects` are those of oitergb. */
static void judge(const double *effects, size_t count, struct mu_verdict *verdict)
{
    struct mu_error err = {0};
    struct mu_optimised_test tests[20] = {{.chip = "c", .app = "a", .input = "i"}};
    static double storage[20][MU_OPTIMISATIONS * MU_CONFIGURATIONS];
    const size_t used = count / MU_CONFIGURATIONS + 1;
    for (size_t i = 0; i < 20; i++) {
        tests[i] = tests[0];
        tests[i].effects = storage[i];
        for (size_t j = 0; j < MU_OPTIMISATIONS * MU_CONFIGURATIONS; j++) storage[i][j] = NAN;
    }
    for (size_t i = 0; i < count; i++)
        storage[i / MU_CONFIGURATIONS][MU_OPT_OITERGB * MU_CONFIGURATIONS + i % MU_CONFIGURATIONS] = effects[i];
    const struct mu_optimised_tests all = {tests, used};
    const struct mu_partition any = {0};
    mu_judge_optimisation(&all, &any, MU_OPT_OITERGB, verdict, &err);
}

/* `faster` values of 0.8, and 1.25 for the rest. */
static void judge_parts(size_t faster, size_t count, struct mu_verdict *verdict)
{
    double effects[512];
    for (size_t i = 0; i < count; i++) effects[i] = i < faster ? 0.8 : 1.25;
    judge(effects, count, verdict);
}

static void test_labels(void)
{
    static const char *const labels[][2] = {
        {"", ""},
        {"workgroup=128", ""},
        {"x-workgroup=256", "x"},
        {"x-workgroup=256,patience=20", "x-patience=20"},
        {"patience=20,workgroup=256-a", "patience=20-a"},
        {"my-own", "my-own"},
        {"workgroups=1", "workgroups=1"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        char label[64];
        snprintf(label, sizeof label, "%s", labels[i][0]);
        mu_label_without_optimisations(label);
        CHECK(strcmp(label, labels[i][1]) == 0, "label '%s' without optimisations: '%s'", labels[i][0], label);
    }
}

static void test_verdicts(void)
{
    struct mu_verdict verdict;
    /* p by hand: U = 0; mean 4.5 and 8, variances 9/12 (7 - 24/30) and 16/12 (9 - 60/56), a half for continuity; the
     * values of A are all different, those of B all equal. */
    judge((const double[]){0.5, 0.6, 0.7}, 3, &verdict);
    CHECK(!verdict.enabled && verdict.count == 3 && near(verdict.p, 0.0636026) && verdict.median < 1,
          "three speedups are too few: Mann and Whitney say no, p %.4f", verdict.p);
    judge((const double[]){0.5, 0.6, 0.7, 0.8}, 4, &verdict);
    CHECK(verdict.enabled && near(verdict.p, 0.0210706), "four are enough: p %.4f", verdict.p);
    judge_parts(20, 40, &verdict);
    CHECK(!verdict.enabled && verdict.p > 0.9, "as many speedups as slowdowns: no, p %.4f", verdict.p);
    judge_parts(24, 40, &verdict);
    CHECK(!verdict.enabled && verdict.median < 1 && verdict.p > 0.05,
          "24 of 40, and a median below 1: still no, p %.4f", verdict.p);
    judge_parts(32, 40, &verdict);
    CHECK(verdict.enabled && near(verdict.faster, 0.8), "32 of 40: yes, p %.2g", verdict.p);
    judge(NULL, 0, &verdict);
    CHECK(!verdict.enabled && verdict.count == 0 && isnan(verdict.median), "nothing that differs: no");
    /* A few great speedups do not outweigh many small slowdowns: ranks see no magnitudes. */
    double effects[40];
    for (int i = 0; i < 40; i++) effects[i] = i < 10 ? 0.01 : 1.05;
    judge(effects, 40, &verdict);
    CHECK(!verdict.enabled && verdict.p < 0.05 && verdict.median > 1, "ranks see no magnitudes: p %.2g", verdict.p);
}

/* Section 4.5.6: of oitergb in sssp-nf 89 % of 481 samples are speedups, and it is enabled (table 4.5); in mis-pannotia
 * 20 % of 44, and it is not. */
static void test_thesis_verdicts(void)
{
    struct mu_verdict verdict;
    judge_parts(428, 481, &verdict);
    CHECK(verdict.enabled && near(round(100 * verdict.faster), 89), "the thesis's sssp-nf enables oitergb: %.0f %%",
          100 * verdict.faster);
    judge_parts(9, 44, &verdict);
    CHECK(!verdict.enabled && near(round(100 * verdict.faster), 20), "its mis-pannotia does not: %.0f %%, p %.2g",
          100 * verdict.faster, verdict.p);
}

/* ---- Strategies ---- */

enum { ALL = MU_CONFIGURATIONS - 1 };

/* Two chips, three apps, two inputs; what each optimisation does is known, and the same for all tests of a chip. */
static void test_known_world(void)
{
    static const double one[MU_OPTIMISATIONS] = {1.1, 1.02, 0.5, 0.9, 0.8, 1.0, 1.1};
    static const double two[MU_OPTIMISATIONS] = {1.1, 1.02, 1.2, 0.9, 0.8, 1.0, 1.1};
    struct made made = {.records = json_array()};
    struct mu_score score;
    for (int i = 0; i < 12; i++) {
        const char *const apps[] = {"irgl/bfs-wl", "irgl/mis-wl", "irgl/tri"};
        const struct made_test test = {i < 6 ? "one" : "two", apps[i % 3], i / 3 % 2 == 0 ? "road:9" : "rmat:9"};
        make_points(made.records, &test, i % 3 == 1 ? BIT(SZ256) | BIT(COOP_CV) | BIT(OITERGB) : ALL,
                    i < 6 ? one : two);
    }
    CHECK(make(&made) == MU_OK && made.tests.count == 12, "twelve tests");
    CHECK(enables(&made, MU_STRATEGY_GLOBAL, 0, BIT(FG8)), "global: fg8, as fg1 is worse and oitergb undecided");
    CHECK(enables(&made, MU_STRATEGY_CHIP, 0, BIT(FG8) | BIT(OITERGB)), "chip one: oitergb as well");
    CHECK(enables(&made, MU_STRATEGY_CHIP, 1, BIT(FG8)), "chip two: not");
    CHECK(enables(&made, MU_STRATEGY_APP, 1, MU_BASELINE), "app mis-wl, which has no fg: nothing");
    CHECK(made.strategies.of[MU_STRATEGY_APP_INPUT].count == 6 && made.strategies.of[MU_STRATEGY_CHIP_APP].count == 6 &&
              made.strategies.of[MU_STRATEGY_CHIP_INPUT].count == 4,
          "pairs of partitions");
    const struct mu_partition *global = partition(&made, MU_STRATEGY_GLOBAL, 0);
    CHECK(global->verdicts[MU_OPT_OITERGB].count == 8 * 48 + 4 * 4 &&
              near(global->verdicts[MU_OPT_OITERGB].faster, 0.5),
          "a pair for each configuration with oitergb: %zu", global->verdicts[MU_OPT_OITERGB].count);
    CHECK(global->verdicts[MU_OPT_SG].count == 0, "what changes nothing is in no list");
    /* By hand. One: fg8 and oitergb are the best, and oitergb alone in mis-wl; two: fg8, and nothing in mis-wl. */
    CHECK(near(over_oracle(&made, MU_STRATEGY_ORACLE, &score), 1), "the oracle over itself");
    CHECK(near(over_oracle(&made, MU_STRATEGY_CHIP, &score), 1) && score.faster == 10 && score.slower == 0,
          "strategy chip is as good");
    CHECK(near(over_oracle(&made, MU_STRATEGY_GLOBAL, &score), sqrt(2)) && score.faster == 8 && score.same == 2,
          "strategy global slows chip one down by 2");
    CHECK(near(over_oracle(&made, MU_STRATEGY_BASELINE, &score), exp((6 * log(2) + 8 * log(1.25)) / 12)) &&
              score.same == 10,
          "the baseline: two tests that nothing speeds up are left out of the counts");
    release(&made);
}

/* sg and wg each help alone and harm together, so that the effect of each is undecided over all configurations. */
static void test_interaction(void)
{
    struct made made = {.records = json_array()};
    struct mu_score score;
    unsigned best = 0;
    const char *const inputs[] = {"road:9", "rmat:9", "uniform:9", "karate"};
    for (int i = 0; i < 4; i++) {
        const struct made_test test = {"one", "irgl/tri", inputs[i]};
        make_point(made.records, &test, MU_BASELINE, 1e8);
        make_point(made.records, &test, BIT(SG), 8e7);
        make_point(made.records, &test, BIT(WG), 9e7);
        make_point(made.records, &test, BIT(SG) | BIT(WG), 1.5e8);
    }
    CHECK(make(&made) == MU_OK && enables(&made, MU_STRATEGY_GLOBAL, 0, MU_BASELINE),
          "where they interact, neither is enabled");
    CHECK(mu_best_of(&made.tests.tests[0], ALL, &best) && best == BIT(SG), "the oracle takes the better one alone");
    CHECK(mu_best_of(&made.tests.tests[0], BIT(WG), &best) && best == BIT(WG), "… of those that it may take");
    CHECK(near(over_oracle(&made, MU_STRATEGY_GLOBAL, &score), 1.25), "so the strategy is 1.25 times slower");
    CHECK(near(mu_effect_of(&made.tests.tests[0], MU_OPT_SG, BIT(SG) | BIT(WG)), 1.5 / 0.9),
          "the effect of one depends on the other");
    release(&made);
}

/* A configuration whose first process was lucky is chosen, and its time is that of the second. */
static void test_luck(void)
{
    static const double factors[MU_OPTIMISATIONS] = {1, 1, 1, 1, 1, 1, 0.6};
    const struct made_test test = {"one", "irgl/tri", "road:9"};
    struct made made = {.records = json_array()};
    struct mu_score score;
    struct mu_ratio ratio;
    unsigned best = 0;
    make_points(made.records, &test, BIT(SZ256) | BIT(COOP_CV) | BIT(FG1) | BIT(FG8) | BIT(WG), factors);
    json_array_append_new(made.records, made_record(&test, BIT(SG), 5.5e7, 0.0004));
    json_array_append_new(made.records, made_record(&test, BIT(SG), 1.2e8, 0.0004));
    CHECK(make(&made) == MU_OK && mu_best_of(&made.tests.tests[0], ALL, &best) && best == BIT(SG), "luck is chosen");
    CHECK(near(over_oracle(&made, MU_STRATEGY_BASELINE, &score), 1 / 1.2), "but does not count");
    CHECK(score.same == 1 && made.tests.tests[0].can_be_faster, "something speeds the test up");
    over_oracle(&made, MU_STRATEGY_ORACLE, &score);
    CHECK(score.same == 1, "… and what was chosen by luck does not");
    CHECK(mu_configured_ratio(&made.tests.tests[0], BIT(SG), MU_BASELINE, MU_ALL_SAMPLES, &ratio) && !ratio.confident,
          "by all samples it is not confident");
    release(&made);
    made = (struct made){.records = json_array()};
    json_array_append_new(made.records, made_record(&test, MU_BASELINE, 1e8, 0.01));
    CHECK(make(&made) == MU_OK && made.tests.count == 1 && made.tests.tests[0].configured[0].counts &&
              made.tests.tests[0].configured[0].levels[MU_JUDGING].samples == 4,
          "a single process is halved by its samples");
    release(&made);
}

/* Two processes a configuration: alone they find nothing, and pooled they do. */
static void test_pooling(void)
{
    static const double factors[MU_OPTIMISATIONS] = {1, 1, 1, 1, 0.9, 1, 1};
    const struct made_test test = {"one", "irgl/tri", "road:9"};
    struct made made = {.records = json_array()};
    struct mu_ratio pooled, alone;
    double squares = 0;
    for (unsigned set = 0; set < MU_CONFIGURATIONS; set++) {
        const double off = 0.01 * (1 + set % 3); /* what the two processes differ by, on the scale of logarithms */
        if (!mu_is_configuration(set) || (set & BIT(OITERGB)) != 0) continue;
        const double ns = 1e8 * ((set & BIT(FG8)) != 0 ? factors[MU_OPT_FG8] : 1);
        json_array_append_new(made.records, made_record(&test, set, ns * exp(off / 2), 0));
        json_array_append_new(made.records, made_record(&test, set, ns * exp(-off / 2), 0));
        squares += off * off / 2;
    }
    CHECK(make(&made) == MU_OK && made.tests.count == 1, "48 configurations of two processes");
    const struct mu_configured *on = mu_configured_of(&made.tests.tests[0], BIT(FG8));
    const struct mu_configured *off = mu_configured_of(&made.tests.tests[0], MU_BASELINE);
    mu_ratio_of(&on->measurement->level, &off->measurement->level, &alone);
    mu_configured_ratio(&made.tests.tests[0], BIT(FG8), MU_BASELINE, MU_ALL_SAMPLES, &pooled);
    CHECK(near(on->levels[MU_ALL_SAMPLES].variance, squares / 48 / 2) && near(on->levels[MU_ALL_SAMPLES].df, 48),
          "their variance is the mean of all, with 48 degrees of freedom");
    CHECK(near(on->levels[MU_JUDGING].variance, squares / 48), "and a half of one process has it, too");
    CHECK(pooled.confident && near(pooled.value, 0.9) && pooled.high / pooled.low < alone.high / alone.low,
          "so a tenth is found: %.3f to %.3f, alone %.3f to %.3f", pooled.low, pooled.high, alone.low, alone.high);
    release(&made);
}

/* What failed is left out, and what is missing stands with the configuration that the test has. */
static void test_failures(void)
{
    const struct made_test test = {"one", "irgl/tri", "road:9"};
    struct made made = {.records = json_array()};
    struct mu_score score;
    make_point(made.records, &test, MU_BASELINE, 1e8);
    make_point(made.records, &test, BIT(WG), 5e7);
    make_point(made.records, &test, BIT(SG), 5e7);
    json_t *bad = made_record(&test, BIT(WG) | BIT(SG), 1e3, 0);
    json_object_set_new(bad, "outcome", json_string("wrong"));
    json_array_append_new(made.records, bad);
    CHECK(make(&made) == MU_OK && made.tests.count == 1 && made.tests.tests[0].failed == 1, "a failure is counted");
    CHECK(mu_configured_of(&made.tests.tests[0], BIT(WG) | BIT(SG)) == NULL, "… and has no time");
    CHECK(mu_configured_of(&made.tests.tests[0], BIT(WG) | BIT(OITERGB)) ==
              mu_configured_of(&made.tests.tests[0], BIT(WG)),
          "an optimisation that the test lacks makes no difference");
    made.strategies.of[MU_STRATEGY_GLOBAL].partitions[0].configuration = BIT(WG) | BIT(SG);
    mu_strategy_score(&made.tests, &made.strategies, MU_STRATEGY_GLOBAL, &score, &made.err);
    CHECK(score.failed == 1 && score.tests == 0, "a strategy whose configuration failed has no time");
    release(&made);
}

static void test_memory(void)
{
    const struct made_test test = {"one", "irgl/tri", "road:9"};
    json_t *records = json_array();
    int status = MU_NO_MEMORY;
    unsigned long n = 0;
    make_point(records, &test, MU_BASELINE, 1e8);
    make_point(records, &test, BIT(WG), 5e7);
    while (status == MU_NO_MEMORY && n < 500) {
        struct made made = {.records = json_incref(records)};
        struct mu_score score;
        mu_fail_allocation(++n);
        if (make(&made) == MU_OK)
            mu_strategy_score(&made.tests, &made.strategies, MU_STRATEGY_ORACLE, &score, &made.err);
        mu_fail_allocation(0);
        status = made.err.status;
        release(&made);
    }
    CHECK(status == MU_OK && n > 20, "each of %lu allocations may fail", n - 1);
    CHECK(mu_memory_in_use() == 0, "and nothing is left behind: %lu bytes", (unsigned long)mu_memory_in_use());
    json_decref(records);
}

int main(void)
{
    test_configurations();
    test_records();
    test_labels();
    test_verdicts();
    test_thesis_verdicts();
    test_known_world();
    test_interaction();
    test_luck();
    test_pooling();
    test_failures();
    test_memory();
    return tap_done();
}
