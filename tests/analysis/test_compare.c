/* analysis/compare on records that are drawn: differences that are planted are found, equals are not called different,
 * whether they were measured in the same sessions or in others, and what cannot be shown is said to be so. */
#include "analysis/compare.h"
#include "tests/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TESTS = 20, SAMPLES = 10 };

/* One side of a comparison: what its times are made of, as deviations of logs. */
struct side {
    int sessions, processes, first; /* sessions, processes in each, the number of the first session */
    double between;                 /* what a session does to all tests */
    double interaction;             /* what it does to each test of its own */
    double process, sample;
    int lone;             /* so many of the tests have the first process of the first session alone */
    double jump;          /* every other process of a test, at random, takes so much longer */
    double factor[TESTS]; /* what is planted */
};

static char folder[] = "/tmp/muster-compare-XXXXXX";

/* What a session does is the same whoever measures in it: it is drawn from the session's number. */
static double effect_of(const struct side *side, unsigned long seed, int session)
{
    gsl_rng *own = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(own, seed * 100 + (unsigned long)session);
    const double effect = gsl_ran_gaussian(own, side->between);
    gsl_rng_free(own);
    return effect;
}

static void write_record(FILE *file, gsl_rng *rng, const struct side *side, const int place[3], double effect)
{
    fprintf(file,
            "{\"schema\":4,\"kind\":\"measure\",\"key\":\"%d-%d-%d-%d\",\"set\":\"s\",\"chip\":\"c\",\"app\":"
            "\"pannotia/mis\","
            "\"input\":\"road:%d\",\"variant\":\"portable\",\"outcome\":\"ok\",\"commit\":\"0\",\"repeat\":%d,"
            "\"session\":{\"boot\":\"b%d\",\"date\":\"2026-01-01\",\"host\":\"h\"},\"samples_ns\":[",
            side->first, place[0], place[1], place[2], 10 + place[0], place[2], side->first + place[1]);
    for (int i = 0; i < SAMPLES; i++)
        fprintf(file, "%s%.0f", i > 0 ? "," : "",
                1e6 * side->factor[place[0]] * exp(effect + gsl_ran_gaussian(rng, side->sample)));
    fprintf(file, "]}\n");
}

static bool write_side(const char *name, gsl_rng *rng, const struct side *side, unsigned long seed)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) return false;
    for (int session = 0; session < side->sessions; session++) {
        const double shared = effect_of(side, seed, side->first + session);
        for (int test = 0; test < TESTS; test++) {
            const double own = shared + gsl_ran_gaussian(rng, side->interaction);
            for (int process = 0; process < side->processes; process++) {
                if (test < side->lone && (session > 0 || process > 0)) continue;
                const int place[] = {test, session, process};
                const double jump = side->jump > 0 && gsl_rng_uniform(rng) < 0.5 ? side->jump : 0;
                write_record(file, rng, side, place, own + jump + gsl_ran_gaussian(rng, side->process));
            }
        }
    }
    return fclose(file) == 0;
}

/* What is compared, and how. */
struct trial {
    const struct side *a, *b;
    double margin, session;
};

/* Whether the grid is wanted for people, with notes. */
static bool as_text;

/* Compares two sides once; the grid as CSV, which the caller frees, where it is asked for. */
static struct mu_comparison_result compare(gsl_rng *rng, const struct trial *trial, char **text)
{
    static unsigned long seed = 0;
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    struct mu_comparison_result result = {0};
    char paths[2][64];
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) snprintf(paths[i], sizeof paths[i], "%s/%s.jsonl", folder, i == 0 ? "a" : "b");
    const struct mu_comparison_request request = {
        .root = folder, .a = paths[0], .b = paths[1], .margin = trial->margin, .session = trial->session};
    seed++;
    if (!write_side("a", rng, trial->a, seed) || !write_side("b", rng, trial->b, seed)) return result;
    if (mu_compare_sets(&request, &grids, &result) != MU_OK) printf("# %s\n", err.message);
    FILE *to = text != NULL ? open_memstream(text, &bytes) : NULL;
    if (to != NULL) {
        mu_grids_print(&grids, as_text ? MU_GRID_TEXT : MU_GRID_CSV, to);
        fclose(to);
    }
    mu_grids_release(&grids);
    return result;
}

static struct side make_side(int sessions, int processes, int first)
{
    struct side side = {.sessions = sessions,
                        .processes = processes,
                        .first = first,
                        .between = 0.02,
                        .process = 0.005,
                        .sample = 0.01};
    for (int i = 0; i < TESTS; i++) side.factor[i] = 1;
    return side;
}

/* How many of the tests from `from` up to `to` have the verdict. */
static size_t count_verdicts(const char *csv, int from, int to, const char *verdict)
{
    size_t count = 0;
    for (int test = from; test < to; test++) {
        char input[32];
        snprintf(input, sizeof input, ",road:%d,", 10 + test);
        char cell[32], *row = NULL;
        const char *start = strstr(csv, input);
        snprintf(cell, sizeof cell, ",%s,", verdict);
        if (start != NULL) row = strndup(start, strcspn(start, "\n"));
        count += row != NULL && strstr(row, cell) != NULL;
        free(row);
    }
    return count;
}

/* Five tests that became 5 % slower, five 20 %, ten that did not change. */
static void test_planted(gsl_rng *rng, int sessions, int processes)
{
    const struct side a = make_side(sessions, processes, 0);
    struct side b = a;
    char *csv = NULL;
    for (int i = 0; i < 10; i++) b.factor[i] = i < 5 ? 1.05 : 1.2;
    const struct mu_comparison_result result = compare(rng, &(struct trial){&a, &b, 0.05, 0}, &csv);
    const char *const text = csv != NULL ? csv : "";
    CHECK(count_verdicts(text, 0, 5, "slower") == 5, "%d sessions of %d processes: 5 %% are found: %zu of 5", sessions,
          processes, count_verdicts(text, 0, 5, "slower"));
    CHECK(count_verdicts(text, 5, 10, "slower") == 5, "… 20 %% are found: %zu of 5",
          count_verdicts(text, 5, 10, "slower"));
    CHECK(count_verdicts(text, 10, TESTS, "slower") + count_verdicts(text, 10, TESTS, "faster") == 0,
          "… and what did not change is not called different");
    CHECK(result.equivalent >= 8, "… but equivalent within 5 %%: %zu of 10", result.equivalent);
    free(csv);
}

/* The difference that is said to be found is found in about four of five cases. */
static void test_power(gsl_rng *rng)
{
    enum { TRIALS = 60 };
    const struct side a = make_side(1, 5, 0);
    size_t found = 0;
    double promised = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct side b = a;
        char *csv = NULL;
        b.factor[0] = 1.0206; /* exp(SE (t(0.05/20) + t(0.8))) with SE = sqrt(2/5) (0.5 % and what medians vary by) */
        compare(rng, &(struct trial){&a, &b, 0, 0}, &csv);
        for (const char *row = csv != NULL ? strchr(csv, '\n') : NULL; row != NULL && row[1] != '\0';
             row = strchr(row + 1, '\n')) {
            const char *end = strchr(row + 1, '\n'), *comma = end; /* behind the fifth cell from the end */
            for (int i = 0; i < 5 && comma != NULL; comma--) i += comma[-1] == ',';
            promised += comma != NULL ? strtod(comma + 1, NULL) / TESTS / TRIALS : 0;
        }
        found += csv != NULL && count_verdicts(csv, 0, 1, "slower") == 1;
        free(csv);
    }
    CHECK(1.5 < promised && promised < 3, "what is said to be found: %.2f %%", promised);
    CHECK(found >= TRIALS * 6 / 10 && found <= TRIALS * 98 / 100, "… is found in %zu of %d", found, TRIALS);
}

/* Sets of equals: how many of their tests are called different. */
static void test_equals(gsl_rng *rng, const char *name, const struct trial *pair, bool shown)
{
    enum { TRIALS = 40 };
    size_t different = 0, not_shown = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        const struct mu_comparison_result result = compare(rng, pair, NULL);
        different += result.slower + result.faster;
        not_shown += result.not_shown;
    }
    CHECK(different <= TRIALS * TESTS / 20, "%s: %zu of %d equals are called different", name, different,
          TRIALS * TESTS);
    CHECK(shown == (not_shown < (size_t)TRIALS * TESTS), "%s: %zu of %d are not shown", name, not_shown,
          TRIALS * TESTS);
}

/* Three sets of equals, each compared with each. */
static void test_three(gsl_rng *rng, const char *name, const struct side *side)
{
    enum { TRIALS = 40 };
    size_t different = 0;
    for (int trial = 0; trial < TRIALS; trial++)
        for (int pair = 0; pair < 3; pair++) {
            const struct mu_comparison_result result = compare(rng, &(struct trial){side, side, 0.05, 0}, NULL);
            different += result.slower + result.faster;
        }
    CHECK(different <= 3 * TRIALS * TESTS / 20, "A/A/A, %s: %zu of %d pairs are called different", name, different,
          3 * TRIALS * TESTS);
}

/* Tests of a single process stand beside others, whose processes tell what may differ: by 0.5 % within a session. What
 * differs between sessions, eight times as much, is not taken for that. */
static void test_beside(gsl_rng *rng)
{
    struct side within = make_side(1, 4, 0), over = make_side(3, 4, 0);
    char *text = NULL, *csv = NULL;
    double deviation = 0;
    within.lone = over.lone = TESTS / 2;
    over.interaction = 0.04;
    as_text = true;
    compare(rng, &(struct trial){&within, &within, 0.05, 0}, &text);
    const char *note = text != NULL ? strstr(text, "Processes of the other tests differ by ") : NULL;
    CHECK(note != NULL && sscanf(note, "Processes of the other tests differ by %lf", &deviation) == 1 &&
              deviation > 0.3 && deviation < 0.8,
          "what a single process may hide is what others differ by: %g %%", deviation);
    free(text);
    text = NULL;
    compare(rng, &(struct trial){&over, &over, 0.05, 0}, &text);
    as_text = false;
    CHECK(text != NULL && strstr(text, "Processes of the other tests differ by ") == NULL,
          "of tests in several sessions that is not known");
    free(text);
    compare(rng, &(struct trial){&within, &within, 0.05, 0}, &csv);
    CHECK(csv != NULL && count_verdicts(csv, 0, TESTS / 2, "not shown (one process)") == TESTS / 2,
          "a single process shows nothing");
    free(csv);
}

/* One process a side, which differ by 8 %, while samples differ by 1 %: nothing may be said. */
static void test_single(gsl_rng *rng)
{
    struct side one = make_side(1, 1, 0), several = make_side(1, 4, 0);
    char *csv = NULL;
    one.process = 0.08;
    test_equals(rng, "one process a side", &(struct trial){&one, &one, 0.05, 0}, false);
    test_equals(rng, "one process in B", &(struct trial){&several, &one, 0.05, 0}, false);
    one.factor[0] = 3;
    compare(rng, &(struct trial){&several, &one, 0.05, 0}, &csv);
    CHECK(csv != NULL && count_verdicts(csv, 0, TESTS, "not shown (one process)") == TESTS,
          "… and the verdict says why");
    free(csv);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20161030);
    if (mkdtemp(folder) == NULL) return 99;
    test_planted(rng, 1, 5);
    test_planted(rng, 3, 3);
    test_power(rng);
    struct side here = make_side(3, 3, 0), there = make_side(3, 3, 20), one = make_side(1, 5, 0),
                other = make_side(1, 5, 1);
    here.interaction = there.interaction = 0.01;
    test_equals(rng, "the same session", &(struct trial){&one, &one, 0.05, 0}, true);
    test_equals(rng, "the same three sessions", &(struct trial){&here, &here, 0.05, 0}, true);
    test_equals(rng, "three sessions and three others", &(struct trial){&here, &there, 0.05, 0}, true);
    test_equals(rng, "one session and another", &(struct trial){&one, &other, 0.05, 0}, false);
    test_equals(rng, "one session and another, which differ by 2 %", &(struct trial){&one, &other, 0.05, 0.02}, true);
    test_single(rng);
    test_beside(rng);
    struct side uneven = make_side(1, 3, 0);
    uneven.jump = 0.15;
    test_three(rng, "one session of three processes, every other of which takes 15 % longer", &uneven);
    here.process = 0.03;
    test_three(rng, "three sessions of three processes", &here);
    char path[64];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s.jsonl", folder, i == 0 ? "a" : "b");
        unlink(path);
    }
    rmdir(folder);
    gsl_rng_free(rng);
    return tap_done();
}
