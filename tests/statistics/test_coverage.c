/* statistics/statistics: how often the intervals of times, ratios and means hold the truth, by simulation, with and
 * without differences between processes, sessions and devices. */
#include "statistics/statistics.h"
#include "tests/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { PROCESSES_MAX = 10, SAMPLES_MAX = 50 };

/* Returns how many of so many trials are made: one of five in `make check`. The generator's seed is fixed, so that what
 * holds once always does. */
static int trials_of(int all)
{
    static int extent;
    if (extent == 0) extent = tap_in_full() ? 5 : 1;
    return all / 5 * extent;
}

static bool holds(const struct mu_ratio *ratio, double truth)
{
    return ratio->low <= truth && truth <= ratio->high;
}

static double percent(size_t count, int trials)
{
    return 100.0 * (double)count / trials;
}

enum shape { NORMAL, LOGNORMAL };

struct design {
    const char *name;
    size_t processes, samples;
    enum shape shape;
    double width;     /* of samples: relative deviation, or sigma of the logs of what a lognormal adds to the minimum */
    double between;   /* relative deviation between processes */
    double between_b; /* the same for the second test */
    double least, most;
};

static double draw(gsl_rng *rng, const struct design *design)
{
    if (design->shape == NORMAL) return 1e6 * (1 + gsl_ran_gaussian(rng, design->width));
    return 1e6 * (1 + 0.05 * gsl_ran_lognormal(rng, 0, design->width));
}

static void simulate(gsl_rng *rng, const struct design *design, double between, struct mu_level *level)
{
    static double values[PROCESSES_MAX][SAMPLES_MAX];
    struct mu_samples processes[PROCESSES_MAX];
    for (size_t i = 0; i < design->processes; i++) {
        const double effect = exp(gsl_ran_gaussian(rng, between));
        for (size_t j = 0; j < design->samples; j++) values[i][j] = effect * draw(rng, design);
        processes[i] = (struct mu_samples){.values = values[i], .count = design->samples};
    }
    mu_level_of(processes, design->processes, level, NULL);
}

/* The truth is a ratio of 1: both sides have the same distribution. */
static void test_coverage(gsl_rng *rng, const struct design *design)
{
    const int trials = trials_of(20000);
    struct mu_level a, b;
    struct mu_ratio ratio;
    size_t held = 0, confident = 0;
    for (int trial = 0; trial < trials; trial++) {
        simulate(rng, design, design->between, &a);
        simulate(rng, design, design->between_b, &b);
        mu_ratio_of(&a, &b, &ratio);
        held += holds(&ratio, 1);
        confident += ratio.confident;
    }
    const double rate = percent(held, trials);
    CHECK(design->least <= rate && rate <= design->most && held + confident == (size_t)trials,
          "%s, %zu processes of %zu samples: the interval held the ratio in %.2f %%", design->name, design->processes,
          design->samples, rate);
}

static const struct design designs[] = {
    {"normal", 1, 30, NORMAL, 0.02, 0, 0, 94, 96},
    {"normal", 1, 50, NORMAL, 0.02, 0, 0, 94, 96},
    {"lognormal", 1, 50, LOGNORMAL, 0.3, 0, 0, 94, 96},
    {"lognormal", 1, 20, LOGNORMAL, 0.7, 0, 0, 94, 97},
    {"normal", 5, 10, NORMAL, 0.02, 0, 0, 94, 96},
    {"lognormal", 5, 10, LOGNORMAL, 0.5, 0, 0, 94, 96},
    {"normal, processes differ", 5, 5, NORMAL, 0.02, 0.01, 0.01, 94, 96},
    {"lognormal, processes differ", 5, 5, LOGNORMAL, 0.5, 0.05, 0.05, 94, 96},
    {"lognormal, processes differ by twice as much", 5, 5, LOGNORMAL, 0.5, 0.02, 0.04, 94, 96},
    {"lognormal, processes differ", 10, 5, LOGNORMAL, 0.7, 0.02, 0.02, 94, 96},
    {"normal, processes differ", 3, 7, NORMAL, 0.02, 0.02, 0.02, 94, 97},
};

/* A level of processes of one session, each of one sample: the truth is 1 ms. */
static void draw_level(gsl_rng *rng, size_t processes, struct mu_level *level)
{
    double values[PROCESSES_MAX];
    struct mu_samples samples[PROCESSES_MAX];
    for (size_t i = 0; i < processes; i++) {
        values[i] = 1e6 * exp(gsl_ran_gaussian(rng, 0.02));
        samples[i] = (struct mu_samples){.values = &values[i], .count = 1};
    }
    mu_level_of(samples, processes, level, NULL);
}

/* What tables print of one session: the time of few processes, their ratio, the mean of 17 ratios, and the mean over
 * ratios that are observations. The truth is 1. */
static void test_one_session(gsl_rng *rng, size_t processes)
{
    enum { TESTS = 17, KINDS = 4 };
    static const char *const names[KINDS] = {"a time", "a ratio", "the mean of 17", "the mean over 17 observations"};
    const int trials = trials_of(4000);
    size_t held[KINDS] = {0};
    for (int trial = 0; trial < trials; trial++) {
        struct mu_ratio ratios[TESTS], shown[KINDS];
        struct mu_level a, b;
        double logs[TESTS];
        for (int i = 0; i < TESTS; i++) {
            draw_level(rng, processes, &a);
            draw_level(rng, processes, &b);
            mu_ratio_of(&a, &b, &ratios[i]);
            logs[i] = ratios[i].log_value;
        }
        a.log_value -= log(1e6);
        mu_ratio_of_one(&a, &shown[0]);
        shown[1] = ratios[0];
        mu_ratio_mean(ratios, TESTS, &shown[2]);
        mu_ratio_over(logs, TESTS, &shown[3]);
        for (int kind = 0; kind < KINDS; kind++) held[kind] += holds(&shown[kind], 1);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        const double rate = percent(held[kind], trials);
        CHECK(93 <= rate && rate <= 99, "%zu processes of one session, %s: held in %.2f %%", processes, names[kind],
              rate);
    }
}

/* The better of two of which the second takes longer by so many deviations of processes: the truth is 1 ms. */
static void test_better(gsl_rng *rng, size_t processes, double gap)
{
    const int trials = trials_of(4000);
    double values[2][PROCESSES_MAX];
    struct mu_samples samples[2][PROCESSES_MAX];
    const struct mu_samples *const both[] = {samples[0], samples[1]};
    size_t held = 0;
    for (int trial = 0; trial < trials; trial++) {
        struct mu_level level;
        struct mu_ratio time;
        double part;
        for (size_t which = 0; which < 2; which++) {
            for (size_t i = 0; i < processes; i++) {
                values[which][i] = 1e6 * exp(0.01 * (gsl_ran_gaussian(rng, 1) + (which == 0 ? 0 : gap)));
                samples[which][i] = (struct mu_samples){.values = &values[which][i], .count = 1};
            }
        }
        mu_level_of_better(both, (const size_t[]){processes, processes}, &level, &part, NULL);
        mu_ratio_of_one(&level, &time);
        held += holds(&time, 1e6);
    }
    const double rate = percent(held, trials);
    CHECK(91 <= rate && rate <= 98, "the better of two by %zu processes, %.1f deviations apart: held in %.2f %%",
          processes, gap, rate);
}

/* The quickest of three forms by nine samples each, of which all take 1 ms, or two so many deviations longer. */
static void test_quickest(gsl_rng *rng, double gap)
{
    enum { FORMS = 3, TAKEN = 9 };
    const int trials = trials_of(500);
    double values[FORMS][TAKEN], off = 0, naive = 0;
    struct mu_samples samples[FORMS];
    size_t held = 0, most;
    for (int trial = 0; trial < trials; trial++) {
        struct mu_level level, one;
        struct mu_ratio time;
        double least = INFINITY;
        for (size_t form = 0; form < FORMS; form++) {
            for (size_t i = 0; i < TAKEN; i++)
                values[form][i] = 1e6 * exp(0.01 * (gsl_ran_gaussian(rng, 1) + (form == 0 ? 0 : gap)));
            samples[form] = (struct mu_samples){.values = values[form], .count = TAKEN};
            mu_level_of(&samples[form], 1, &one, NULL);
            least = fmin(least, one.log_value);
        }
        mu_level_of_quickest(samples, FORMS, &level, &most, NULL);
        mu_ratio_of_one(&level, &time);
        held += holds(&time, 1e6);
        off += (level.log_value - log(1e6)) / 0.01 / trials;
        naive += (least - log(1e6)) / 0.01 / trials;
    }
    const double rate = percent(held, trials);
    CHECK(rate >= 91 && fabs(off) < (gap > 0 ? 0.1 : 0.06) && (gap > 0 || naive < -0.2),
          "the quickest of three forms, %.0f deviations apart: held in %.1f %%, off by %.3f deviations (%.3f if it "
          "told its own time)",
          gap, rate, off, naive);
}

/* ---- Sessions ---- */

enum { SESSIONS = 3, SESSION_PROCESSES = 3, SESSION_SAMPLES = 7, SUITE = 17 };

/* How much sessions, processes and samples differ, and which numbers the sessions of one side have. */
struct sessions {
    double shared[SESSIONS]; /* what each session does to both sides */
    double own, process, sample;
    uint32_t first; /* number of the first session */
};

static void simulate_sessions(gsl_rng *rng, const struct sessions *sessions, struct mu_level *level)
{
    static double values[SESSIONS * SESSION_PROCESSES][SESSION_SAMPLES];
    struct mu_samples processes[SESSIONS * SESSION_PROCESSES];
    for (uint32_t s = 0; s < SESSIONS; s++) {
        const double effect = sessions->shared[s] + gsl_ran_gaussian(rng, sessions->own);
        for (size_t p = 0; p < SESSION_PROCESSES; p++) {
            double *const samples = values[s * SESSION_PROCESSES + p];
            const double process = effect + gsl_ran_gaussian(rng, sessions->process);
            for (size_t i = 0; i < SESSION_SAMPLES; i++)
                samples[i] = 1e6 * exp(process + gsl_ran_gaussian(rng, sessions->sample));
            processes[s * SESSION_PROCESSES + p] =
                (struct mu_samples){.values = samples, .count = SESSION_SAMPLES, .session = sessions->first + s};
        }
    }
    mu_level_of(processes, SESSIONS * SESSION_PROCESSES, level, NULL);
}

static void draw_shared(gsl_rng *rng, double width, struct sessions *sessions)
{
    for (size_t s = 0; s < SESSIONS; s++) sessions->shared[s] = gsl_ran_gaussian(rng, width);
}

/* What every published interval is: of a time, of a ratio, of a mean over a suite. The truth is 1 ms, and 1. */
static void test_sessions(gsl_rng *rng)
{
    const int trials = trials_of(10000);
    struct sessions here = {.own = 0.01, .process = 0.01, .sample = 0.02, .first = 0}, there = here;
    struct mu_level a, b;
    struct mu_ratio time, same, other;
    size_t held[3] = {0};
    there.first = 5;
    for (int trial = 0; trial < trials; trial++) {
        draw_shared(rng, 0.05, &here);
        simulate_sessions(rng, &here, &a);
        simulate_sessions(rng, &here, &b);
        mu_ratio_of_one(&a, &time);
        mu_ratio_of(&a, &b, &same);
        draw_shared(rng, 0.05, &there);
        simulate_sessions(rng, &there, &b);
        mu_ratio_of(&a, &b, &other);
        held[0] += holds(&time, 1e6) && time.scope == MU_OVER_SESSIONS;
        held[1] += holds(&same, 1) && same.scope == MU_OVER_SESSIONS && same.sessions.known == 7;
        held[2] += holds(&other, 1) && other.sessions.known == 0;
    }
    static const char *const names[] = {"a time", "a ratio in the same sessions", "a ratio in other sessions"};
    for (size_t i = 0; i < 3; i++) {
        const double rate = percent(held[i], trials);
        CHECK(94 <= rate && rate <= 97, "three sessions of three processes, %s: held in %.2f %%", names[i], rate);
    }
}

/* The mean over a suite, where each session does 0.5 % to one side of all tests. As if the tests were independent, the
 * interval would hold it in a third of cases. */
static void test_suite(gsl_rng *rng)
{
    const int trials = trials_of(2000);
    struct sessions side = {.process = 0.003, .sample = 0.005}, other = side;
    struct mu_ratio ratios[SUITE], mean;
    size_t held = 0, independent = 0, mixed = 0;
    for (int trial = 0; trial < trials; trial++) {
        draw_shared(rng, 0.005, &side);
        for (size_t i = 0; i < SUITE; i++) {
            struct mu_level a, b;
            simulate_sessions(rng, &side, &a);
            simulate_sessions(rng, &other, &b);
            mu_ratio_of(&a, &b, &ratios[i]);
        }
        mu_ratio_mean(ratios, SUITE, &mean);
        held += holds(&mean, 1);
        ratios[3].sessions.known = 0;
        mu_ratio_mean(ratios, SUITE, &mean);
        mixed += holds(&mean, 1);
        for (size_t i = 0; i < SUITE; i++) ratios[i].scope = MU_WITHIN_SESSION;
        mu_ratio_mean(ratios, SUITE, &mean);
        independent += holds(&mean, 1);
    }
    const double rate = percent(held, trials), naive = percent(independent, trials);
    CHECK(94 <= rate && rate <= 97, "the mean over %d tests with a shared effect of sessions: held in %.2f %%", SUITE,
          rate);
    CHECK(naive < 70, "… as if they were independent: in %.2f %%", naive);
    CHECK(mixed >= held, "… where sessions are not the same, on the safe side: in %.2f %%", percent(mixed, trials));
}

/* ---- Devices ---- */

enum { DEVICES = 4, DEVICE_PROCESSES = 2 };

/* The processes of some devices of one host, which differ by `width`; `all` as one level, `each` by device. */
static void simulate_devices(gsl_rng *rng, double width, struct mu_level *all, struct mu_level each[DEVICES])
{
    double values[DEVICES * DEVICE_PROCESSES];
    struct mu_samples processes[DEVICES * DEVICE_PROCESSES];
    for (uint32_t d = 0; d < DEVICES; d++) {
        const double effect = gsl_ran_gaussian(rng, width);
        for (size_t p = 0; p < DEVICE_PROCESSES; p++) {
            const size_t i = d * DEVICE_PROCESSES + p;
            values[i] = 1e6 * exp(effect + gsl_ran_gaussian(rng, 0.01));
            processes[i] = (struct mu_samples){.values = &values[i], .count = 1, .device = d};
        }
        mu_level_of(&processes[d * DEVICE_PROCESSES], DEVICE_PROCESSES, &each[d], NULL);
    }
    mu_level_of(processes, DEVICES * DEVICE_PROCESSES, all, NULL);
}

static void test_devices(gsl_rng *rng)
{
    const int trials = trials_of(10000);
    struct mu_level all, each[DEVICES];
    size_t held = 0, alarms = 0, found = 0, over = 0;
    for (int trial = 0; trial < trials; trial++) {
        struct mu_ratio time, mean;
        double logs[DEVICES];
        simulate_devices(rng, 0.02, &all, each);
        mu_ratio_of_one(&all, &time);
        held += holds(&time, 1e6) && all.processes == DEVICES * DEVICE_PROCESSES;
        for (size_t d = 0; d < DEVICES; d++) logs[d] = each[d].log_value - log(1e6);
        mu_ratio_over(logs, DEVICES, &mean);
        over += holds(&mean, 1);
        simulate_devices(rng, 0, &all, each);
        alarms += mu_levels_differ(each, DEVICES) < 0.05;
        simulate_devices(rng, 0.2, &all, each);
        found += mu_levels_differ(each, DEVICES) < 0.05;
    }
    const double rate = percent(held, trials), of_means = percent(over, trials);
    CHECK(94 <= rate && rate <= 97, "four devices that differ, two processes each: a time held in %.2f %%", rate);
    CHECK(94 <= of_means && of_means <= 97, "… the mean of their figures in %.2f %%", of_means);
    const double equal = percent(alarms, trials), different = percent(found, trials);
    CHECK(4 <= equal && equal <= 6, "equal devices are told apart in %.2f %%", equal);
    CHECK(different > 95, "… and such as differ twenty times as much as processes in %.2f %%", different);
    each[0].processes = each[1].processes = 1;
    CHECK(isnan(mu_levels_differ(each, 2)), "one process on each tells nothing");
}

/* Of 20 tests of equals, about one has an interval that excludes 1; corrected, hardly ever one. */
static void test_equals(gsl_rng *rng)
{
    enum { CAMPAIGNS = 500, TESTS = 20 };
    static const struct design design = {"", 5, 4, LOGNORMAL, 0.5, 0.02, 0.02, 0, 0};
    double p[TESTS];
    struct mu_level a, b;
    struct mu_ratio ratio;
    size_t confident = 0, alarms = 0, many = 0;
    for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
        size_t found = 0;
        for (int i = 0; i < TESTS; i++) {
            simulate(rng, &design, design.between, &a);
            simulate(rng, &design, design.between, &b);
            mu_ratio_of(&a, &b, &ratio);
            confident += ratio.confident;
            p[i] = ratio.p;
        }
        if (mu_false_discovery(p, TESTS, p, NULL) != MU_OK) break;
        for (int i = 0; i < TESTS; i++) found += p[i] < 0.05;
        alarms += found > 0;
        many += found > 1;
    }
    const double each = percent(confident, CAMPAIGNS * TESTS), any = percent(alarms, CAMPAIGNS);
    CHECK(4 <= each && each <= 6, "equals: %.2f %% of intervals exclude 1", each);
    CHECK(0.5 <= any && any <= 7.5 && many <= CAMPAIGNS / 100,
          "equals: after Benjamini and Hochberg's correction %.1f %% of campaigns of %d tests have a difference, %zu "
          "of %d more than one",
          any, TESTS, many, CAMPAIGNS);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20161030);
    for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++) test_coverage(rng, &designs[i]);
    test_equals(rng);
    for (size_t processes = 2; processes <= 5; processes++) test_one_session(rng, processes);
    for (size_t processes = 2; processes <= 8; processes *= 2)
        for (int gap = 0; gap <= 4; gap += 2) test_better(rng, processes, gap / 2.0);
    test_quickest(rng, 0);
    test_quickest(rng, 4);
    test_sessions(rng);
    test_suite(rng);
    test_devices(rng);
    gsl_rng_free(rng);
    return tap_done();
}
