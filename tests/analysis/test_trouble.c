/* analysis/trouble: records of quiet machines are seldom called anything, and those of busy ones nearly always, whether
 * one process was disturbed, all of them, or some of the samples. What quiet records are made of is roughly what
 * machines without other programs show. */
#include "analysis/trouble.h"
#include "tests/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { TRIALS = 400, PROCESSES_MAX = 8, SAMPLES = 20 };

/* What is done to the records of a quiet machine. */
enum disturbance { NOTHING, ONE_PROCESS, ALL_PROCESSES, SAMPLES_OF_ALL, WARM_UP };

/* How records of a kind of machine vary: deviations of logs, and how often a sample is hit by something. */
struct machine {
    const char *name;
    double process, sample, hit;
};

struct drawn {
    double values[PROCESSES_MAX][SAMPLES];
    struct mu_samples processes[PROCESSES_MAX];
    struct mu_measurement measurement;
};

static void draw_process(gsl_rng *rng, const struct machine *machine, enum disturbance disturbance, double *values)
{
    double level = 1e6 * exp(gsl_ran_gaussian(rng, machine->process));
    if (disturbance == ALL_PROCESSES) level *= exp(gsl_ran_flat(rng, 0, 1));
    for (int i = 0; i < SAMPLES; i++) {
        values[i] = level * exp(gsl_ran_gaussian(rng, machine->sample));
        if (gsl_rng_uniform(rng) < machine->hit) values[i] *= gsl_ran_flat(rng, 1.2, 3);
        if (disturbance == SAMPLES_OF_ALL && gsl_rng_uniform(rng) < 0.3) values[i] *= gsl_ran_flat(rng, 2, 4);
    }
    if (disturbance == WARM_UP) values[0] *= 4;
}

static void draw(gsl_rng *rng, const struct machine *machine, enum disturbance disturbance, size_t processes,
                 struct drawn *drawn)
{
    *drawn = (struct drawn){0};
    for (size_t i = 0; i < processes; i++) {
        draw_process(rng, machine, disturbance, drawn->values[i]);
        drawn->processes[i] = (struct mu_samples){.values = drawn->values[i], .count = SAMPLES};
    }
    for (int i = 0; disturbance == ONE_PROCESS && i < SAMPLES; i++) drawn->values[processes - 1][i] *= 2;
    drawn->measurement = (struct mu_measurement){.processes = drawn->processes,
                                                 .process_count = processes,
                                                 .sample_count = processes * SAMPLES,
                                                 .has_level = true};
    mu_level_of(drawn->processes, processes, &drawn->measurement.level, NULL);
}

/* Of so many drawn measurements, the part that has a trouble. */
static double find_part(gsl_rng *rng, const struct machine *machine, enum disturbance disturbance, size_t processes)
{
    size_t found = 0;
    struct mu_error err = {0};
    struct mu_troubles troubles;
    struct drawn drawn;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(rng, machine, disturbance, processes, &drawn);
        found += mu_troubles_of(&drawn.measurement, &troubles, &err) == MU_OK && !mu_is_firm(&troubles);
    }
    return (double)found / TRIALS;
}

static void test_parts(gsl_rng *rng)
{
    static const struct machine machines[] = {
        {"GPU", 0.01, 0.01, 0.01}, {"quiet CPU", 0.03, 0.03, 0.02}, {"CPU of a virtual machine", 0.06, 0.05, 0.03}};
    static const char *const names[] = {[ONE_PROCESS] = "one process twice as slow",
                                        [ALL_PROCESSES] = "each process slower by up to e",
                                        [SAMPLES_OF_ALL] = "a third of the samples slower",
                                        [WARM_UP] = "the first sample four times as slow"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        for (size_t processes = 3; processes <= PROCESSES_MAX; processes += processes == 3 ? 2 : 3) {
            const double alarms = find_part(rng, &machines[i], NOTHING, processes);
            CHECK(alarms <= 0.05, "%s, %zu processes: %.1f %% false alarms", machines[i].name, processes, 100 * alarms);
        }
        for (int how = ONE_PROCESS; how <= WARM_UP; how++) {
            const double found = find_part(rng, &machines[i], (enum disturbance)how, 5);
            CHECK(found >= 0.9, "%s, %s: %.1f %% found", machines[i].name, names[how], 100 * found);
        }
    }
}

/* Two processes, of which nothing is known but that they differ. */
static void test_two(gsl_rng *rng)
{
    const struct machine machine = {"", 0, 0.01, 0};
    struct mu_error err = {0};
    struct mu_troubles troubles;
    struct drawn drawn;
    draw(rng, &machine, NOTHING, 2, &drawn);
    CHECK(mu_troubles_of(&drawn.measurement, &troubles, &err) == MU_OK && mu_is_firm(&troubles),
          "two processes that are alike are firm, however wide Student makes their interval");
    draw(rng, &machine, ONE_PROCESS, 2, &drawn);
    CHECK(mu_troubles_of(&drawn.measurement, &troubles, &err) == MU_OK && troubles.has[MU_PROCESSES_DIFFER],
          "two that are not differ: %s", troubles.text[MU_PROCESSES_DIFFER]);
    draw(rng, &machine, NOTHING, 1, &drawn);
    CHECK(mu_troubles_of(&drawn.measurement, &troubles, &err) == MU_OK && troubles.has[MU_ONE_PROCESS] &&
              !mu_is_firm(&troubles),
          "one process is never firm");
}

/* The factor by which one of the processes is off; -1 after a failure. */
static double odd_one(const double *logs, size_t count)
{
    double factor;
    return mu_odd_one(logs, count, &factor, NULL) == MU_OK ? factor : -1;
}

static void test_odd_one(void)
{
    double logs[5] = {0, 0.01, -0.01, 0.02, log(3)};
    CHECK(fabs(odd_one(logs, 5) - 3 / exp(0.01)) < 1e-9, "one of five processes took %.2f times as long",
          odd_one(logs, 5));
    CHECK(fabs(odd_one(logs + 2, 3)) < 1e-9, "three do not tell");
    logs[4] = log(1.4);
    CHECK(fabs(odd_one(logs, 5)) < 1e-9, "less than half as long again is no sign");
    logs[4] = -log(3);
    CHECK(odd_one(logs, 5) < 0.34 && odd_one(logs, 5) > 0.3, "a quick one is odd, too");
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) return 99;
    test_parts(rng);
    test_two(rng);
    test_odd_one();
    gsl_rng_free(rng);
    return tap_done();
}
