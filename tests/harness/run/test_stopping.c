/* harness/run/stopping: each rule ends a run after the sample where it should, with the interval's width by hand. */
#include "harness/run/stopping.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 200 };

struct run {
    struct mu_stopping_rules rules;
    double values[MOST];  /* ns */
    double sample_s;      /* what a sample takes, with all around it */
    uint32_t first_width; /* the number of samples at which a width was known first; 0: never */
};

/* Takes samples until a rule ends the run, or there are no more values. */
static struct mu_sampling take(struct run *run)
{
    struct mu_sampling sampling = {.values = run->values, .half_width = -1};
    struct mu_error err = {0};
    while (err.status == MU_OK && sampling.stop == NULL && sampling.count < MOST) {
        sampling.count++;
        mu_stopping_apply(&run->rules, sampling.count * run->sample_s, &sampling, &err);
        if (run->first_width == 0 && sampling.half_width >= 0) run->first_width = sampling.count;
    }
    return sampling;
}

static void check_run(const char *title, struct run *run, const char *stop, uint32_t count, double half_width)
{
    const struct mu_sampling end = take(run);
    CHECK(end.stop != NULL && strcmp(end.stop, stop) == 0 && end.count == count &&
              fabs(end.half_width - half_width) < 1e-12,
          "%s: %s after %u samples, half width %.17g", title, end.stop != NULL ? end.stop : "no end", end.count,
          end.half_width);
}

/* 1, 2, … ns. The interval of the median of 1 … 6 is [1, 6], that of 1 … 9 is [2, 8], that of 1 … 20 is [6, 15], as
 * the table in tests/statistics/test_stats.c has it; of 66 [25, 42], of 70 [27, 44], of 100 [40, 61]. */
static struct run rising(struct mu_stopping_rules rules)
{
    struct run run = {.rules = rules, .sample_s = 1};
    for (uint32_t i = 0; i < MOST; i++) run.values[i] = i + 1;
    return run;
}

/* 1 ns throughout but for the second sample, so that the interval is first wide and then nothing. */
static struct run steady(struct mu_stopping_rules rules, double second)
{
    struct run run = {.rules = rules, .sample_s = 1};
    for (uint32_t i = 0; i < MOST; i++) run.values[i] = 1;
    run.values[1] = second;
    return run;
}

static void test_fixed(void)
{
    struct run run = rising((struct mu_stopping_rules){.max_samples = 20});
    check_run("a fixed number", &run, "fixed", 20, 9.0 / 2 / 10.5);
    CHECK(run.first_width == 20, "… is sorted once, at the end");
    run = rising((struct mu_stopping_rules){.max_samples = 100});
    check_run("… of many", &run, "fixed", 100, 21.0 / 2 / 50.5);
    CHECK(run.first_width == 100, "… too");
    run = rising((struct mu_stopping_rules){.max_samples = 5});
    check_run("five samples have no interval", &run, "fixed", 5, -1);
    run = steady((struct mu_stopping_rules){.max_samples = 20, .target_width = 1}, 1);
    check_run("no width ends a fixed number", &run, "fixed", 20, 0);
    run = rising((struct mu_stopping_rules){.max_samples = 20, .max_time_s = 9});
    check_run("the time ends it", &run, "time", 9, 6.0 / 2 / 5);
}

static void test_width(void)
{
    struct run run = steady((struct mu_stopping_rules){.min_samples = 2, .max_samples = 100, .target_width = 0.01}, 1);
    check_run("equal samples", &run, "width", 6, 0);
    run = steady((struct mu_stopping_rules){.min_samples = 12, .max_samples = 100, .target_width = 0.01}, 1);
    check_run("… but the minimum is taken", &run, "width", 12, 0);
    run = steady((struct mu_stopping_rules){.min_samples = 2, .max_samples = 100, .target_width = 0.01}, 3);
    check_run("an outlier is within the interval of 6, 7 and 8, not in that of 9", &run, "width", 9, 0);
    run = rising((struct mu_stopping_rules){.min_samples = 2, .max_samples = 100, .target_width = 5.0 / 2 / 3.5});
    check_run("a width that is just reached", &run, "width", 6, 5.0 / 2 / 3.5);
    run.rules.target_width -= 1e-9;
    check_run("… or just not", &run, "width", 9, 6.0 / 2 / 5);
}

/* From 65 samples on, the width is looked at when the number is a multiple of 8. */
static void test_many(void)
{
    struct run run = rising((struct mu_stopping_rules){.min_samples = 66, .max_samples = 100, .target_width = 1});
    check_run("a minimum above 64: the width at 64 decides, that of all is told", &run, "width", 66, 17.0 / 2 / 33.5);
    run = rising((struct mu_stopping_rules){.min_samples = 2, .max_samples = 70, .target_width = 0.001});
    check_run("the width at the end is that of all samples", &run, "samples", 70, 17.0 / 2 / 35.5);
    run = rising((struct mu_stopping_rules){.min_samples = 2, .max_samples = 100, .max_time_s = 70});
    check_run("… when the time is up, too", &run, "time", 70, 17.0 / 2 / 35.5);
}

static void test_time(void)
{
    struct run run = rising((struct mu_stopping_rules){.min_samples = 4, .max_samples = 100, .max_time_s = 8.5});
    check_run("the time is up", &run, "time", 9, 6.0 / 2 / 5);
    run.rules.max_time_s = 2;
    check_run("… when there is the minimum", &run, "time", 4, -1);
    run.rules.min_samples = 50;
    check_run("… or ten times as much has gone by", &run, "time", 20, 9.0 / 2 / 10.5);
    run.rules.max_time_s = 0;
    run.rules.target_width = 1;
    check_run("no time is no limit", &run, "width", 50, 15.0 / 2 / 25.5);
}

static void test_slow(void)
{
    struct run run = rising((struct mu_stopping_rules){.min_samples = 4, .max_samples = 20, .abandon_ns = 1});
    for (uint32_t i = 0; i < MOST; i++) run.values[i] += 1;
    check_run("three samples, all slower", &run, "slow", 3, -1);
    run.values[2] = 1;
    check_run("one is as fast", &run, "samples", 20, 9.0 / 2 / 11.5);
    run = rising((struct mu_stopping_rules){.max_samples = 3, .abandon_ns = 0});
    check_run("nothing is slower than no limit", &run, "fixed", 3, -1);
}

/* A run is judged slow at one number of samples, and at no later one. */
static void test_slow_once(void)
{
    double values[MU_ABANDON_SAMPLES + 1];
    struct mu_error err = {0};
    const struct mu_stopping_rules rules = {
        .min_samples = 20, .max_samples = 30, .target_width = 0.01, .abandon_ns = 5};
    for (int i = 0; i <= MU_ABANDON_SAMPLES; i++) values[i] = 10 + i;
    struct mu_sampling sampling = {.values = values, .count = MU_ABANDON_SAMPLES};
    mu_stopping_apply(&rules, 0.1, &sampling, &err);
    CHECK(sampling.stop != NULL && strcmp(sampling.stop, "slow") == 0, "slow at that number of samples");
    sampling.count++;
    mu_stopping_apply(&rules, 0.1, &sampling, &err);
    CHECK(err.status == MU_OK && sampling.stop == NULL, "and not behind it");
}

int main(void)
{
    test_slow_once();
    test_fixed();
    test_width();
    test_many();
    test_time();
    test_slow();
    return tap_done();
}
