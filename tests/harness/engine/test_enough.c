/* harness/engine/enough: how many processes a test gets, and that the intervals of tests which got their processes by
 * this rule hold the truth as often as they say. */
#include "harness/engine/enough.h"
#include "tests/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { MOST = 40, SESSIONS = 4, TESTS = 17 };

/* ---- The number, by hand ---- */

/* Two processes whose logs are `apart` apart have the variance apart² / 4 of their mean, with one degree of freedom,
 * for which Student's t is 12.706 at 97.5 %; four with that standard deviation of one have t = 3.182. */
static struct mu_level level_of(uint32_t processes, double deviation)
{
    return (struct mu_level){.log_value = log(1e6),
                             .variance = deviation * deviation / processes,
                             .df = processes - 1,
                             .processes = processes};
}

static void check_needed(const char *what, struct mu_enough rules, struct mu_level level, uint32_t needed, bool reached)
{
    bool is_reached = !reached;
    const uint32_t found = mu_enough_needed(&rules, &level, &is_reached);
    CHECK(found == needed && is_reached == reached, "%s: %u%s", what, found, is_reached ? ", reached" : "");
}

static void test_needed(void)
{
    const struct mu_enough rules = {.least = 4, .most = 30, .width = 0.02};
    check_needed("fewer than the least: those, and as many again", rules, level_of(1, 0), 8, false);
    check_needed("the least, all the same", rules, level_of(4, 1e-9), 8, true);
    /* t(3) · s / 2 = 3.18245 · s / 2 */
    check_needed("a width that is just reached", rules, level_of(4, 0.0199 * 2 / 3.18245), 8, true);
    check_needed("… or just not: five, so that t is 2.77645, and five more", rules, level_of(4, 0.0202 * 2 / 3.18245),
                 10, false);
    /* Twelve processes: t(11) = 2.20099; 2.20099 · s / sqrt(12) is 0.0199 for s = 0.03132. */
    check_needed("twelve, and twelve more", rules, level_of(4, 0.03132), 24, false);
    check_needed("more than the most", rules, level_of(4, 0.1), 30, false);
    check_needed("as many again, but not more than the most", rules, level_of(24, 0.01), 30, true);
    check_needed("an interval that is not known is not narrow", rules, level_of(4, 0), 30, false);
    check_needed("the most is the end", rules, level_of(30, 0.1), 30, false);
}

/* Records of processes, one sample each, with these times. */
static struct mu_tally tally_of(const struct mu_enough *rules, const double *times, size_t count, json_t *records)
{
    struct mu_error err = {0};
    struct mu_tally tally = {.needed = rules->least};
    for (size_t i = 0; i < count && err.status == MU_OK; i++) {
        json_t *record = json_pack("{s:[f]}", "samples_ns", times[i]);
        json_array_append_new(records, record);
        mu_tally_add(&tally, rules, record, &err);
    }
    CHECK(err.status == MU_OK, "a tally of %zu processes", count);
    return tally;
}

static void test_tally(void)
{
    static const double equal[] = {1e6, 1e6, 1e6, 1e6, 2e6, 3e6}, other[] = {1e6, 2e6, 1e6, 2e6};
    const struct mu_enough fixed = {.least = 5, .most = 5, .samples = "samples_ns"};
    const struct mu_enough rules = {.least = 3, .most = 20, .width = 0.01, .samples = "samples_ns"};
    json_t *records = json_array();
    struct mu_tally tally = tally_of(&fixed, other, 4, records);
    CHECK(tally.needed == 5 && !tally.reached, "a fixed number is what it is");
    mu_tally_release(&tally);
    tally = tally_of(&rules, equal, 3, records);
    CHECK(tally.needed == 6 && tally.reached, "three equal processes are enough, and three follow");
    mu_tally_release(&tally);
    tally = tally_of(&rules, equal, 6, records);
    CHECK(tally.needed == 6 && tally.reached, "… whatever these are");
    mu_tally_release(&tally);
    tally = tally_of(&rules, other, 4, records);
    CHECK(tally.needed == 20 && !tally.reached, "times that differ by a half are never enough");
    mu_tally_release(&tally);
    json_decref(records);
}

/* ---- How often the intervals hold the truth ---- */

/* The medians of a test's processes. */
struct measured {
    double medians[SESSIONS * MOST];
    struct mu_samples processes[SESSIONS * MOST];
    size_t count;
};

static void add_process(struct measured *measured, double log_time, uint32_t session)
{
    measured->medians[measured->count] = 1e6 * exp(log_time);
    measured->processes[measured->count] =
        (struct mu_samples){.values = &measured->medians[measured->count], .count = 1, .session = session};
    measured->count++;
}

/* A session adds processes to a test by the rule: their logs are `effect`, and a process effect with this deviation. */
static void measure(gsl_rng *rng, const struct mu_enough *rules, double effect, double deviation, uint32_t session,
                    struct measured *measured)
{
    struct mu_error err = {0};
    const size_t first = measured->count;
    uint32_t needed = rules->least;
    bool reached = false;
    while (measured->count - first < needed && err.status == MU_OK) {
        struct mu_level level;
        add_process(measured, effect + gsl_ran_gaussian(rng, deviation), session);
        if (!reached && mu_level_of(measured->processes + first, measured->count - first, &level, &err) == MU_OK)
            needed = mu_enough_needed(rules, &level, &reached);
    }
}

static struct mu_level level(const struct measured *measured)
{
    struct mu_error err = {0};
    struct mu_level level;
    mu_level_of(measured->processes, measured->count, &level, &err);
    return level;
}

static bool holds(const struct mu_ratio *ratio, double truth)
{
    return ratio->has_interval && ratio->low <= truth && ratio->high >= truth;
}

static void check_coverage(const char *what, size_t held, size_t trials)
{
    const double percent = 100.0 * (double)held / (double)trials;
    CHECK(percent >= 94 && percent <= 97, "%s: the interval holds the truth in %.1f %%", what, percent);
}

/* Tests of one session whose processes differ by 1 %: for several widths, which from a tenth of the tests up to nearly
 * all reach before the most. */
static void test_one_session(gsl_rng *rng)
{
    static const double widths[] = {0.013, 0.010, 0.008, 0.006, 0.005};
    const int trials = tap_in_full() ? 10000 : 2500;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const struct mu_enough rules = {.least = MU_ENOUGH_LEAST, .most = MOST, .width = widths[w]};
        char what[80];
        size_t times = 0, ratios = 0, processes = 0;
        for (int trial = 0; trial < trials; trial++) {
            struct measured a = {.count = 0}, b = {.count = 0};
            struct mu_ratio time, ratio;
            measure(rng, &rules, 0, 0.01, 0, &a);
            measure(rng, &rules, log(2), 0.005, 0, &b);
            const struct mu_level of_a = level(&a), of_b = level(&b);
            mu_ratio_of_one(&of_a, &time);
            mu_ratio_of(&of_b, &of_a, &ratio);
            times += holds(&time, 1e6);
            ratios += holds(&ratio, 2);
            processes += a.count;
        }
        snprintf(what, sizeof what, "a time, width %.1f %%, %.1f processes", 100 * widths[w],
                 (double)processes / trials);
        check_coverage(what, times, (size_t)trials);
        snprintf(what, sizeof what, "a ratio, width %.1f %%", 100 * widths[w]);
        check_coverage(what, ratios, (size_t)trials);
    }
}

/* Sessions do something of their own to each side of a ratio, and something to all tests alike; a mean over the tests
 * of a suite has both. */
static void test_sessions(gsl_rng *rng)
{
    const struct mu_enough rules = {.least = MU_ENOUGH_LEAST, .most = MOST, .width = 0.01};
    size_t times = 0, ratios = 0, means = 0;
    enum { SUITES = 1000 };
    for (int trial = 0; trial < SUITES; trial++) {
        double all[SESSIONS];
        struct mu_ratio ratio[TESTS], mean, time;
        for (int s = 0; s < SESSIONS; s++) all[s] = gsl_ran_gaussian(rng, 0.005);
        for (int test = 0; test < TESTS; test++) {
            struct measured a = {.count = 0}, b = {.count = 0};
            for (uint32_t s = 0; s < SESSIONS; s++) {
                measure(rng, &rules, all[s] + gsl_ran_gaussian(rng, 0.005), 0.01, s, &a);
                measure(rng, &rules, log(2) + gsl_ran_gaussian(rng, 0.005), 0.01, s, &b);
            }
            const struct mu_level of_a = level(&a), of_b = level(&b);
            mu_ratio_of(&of_b, &of_a, &ratio[test]);
            mu_ratio_of_one(&of_a, &time);
            times += holds(&time, 1e6);
            ratios += holds(&ratio[test], 2);
        }
        mu_ratio_mean(ratio, TESTS, &mean);
        means += holds(&mean, 2);
    }
    check_coverage("a time over four sessions", times, (size_t)SUITES * TESTS);
    check_coverage("a ratio over four sessions", ratios, (size_t)SUITES * TESTS);
    check_coverage("the mean of 17 ratios, which share what sessions do", means, SUITES);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 12);
    test_needed();
    test_tally();
    test_one_session(rng);
    test_sessions(rng);
    gsl_rng_free(rng);
    return tap_done();
}
