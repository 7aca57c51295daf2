/* harness/engine: a survey in an environment without a driver: which points there are, in which order they run, what is
 * done again, what becomes of crashes and hangs, and what a person is told. */
#include "tests/harness/engine/fake_survey.h"

static void test_points(void)
{
    const struct mu_circumstances of = {.quick = false}, quick = {.quick = true};
    struct mu_json points = mu_json_array();
    mu_experiment_points(&table[1], &of, &points);
    json_t *expected = json_loads("[[1,10],[2,10],[3,10],[4,10],[5,10],[1,20],[2,20],[3,20],[4,20],[9,10]]", 0, NULL);
    bool same = json_array_size(points.value) == json_array_size(expected);
    for (size_t i = 0; same && i < json_array_size(expected); i++) {
        const json_t *point = json_array_get(points.value, i), *pair = json_array_get(expected, i);
        same = mu_json_is(point, "experiment", "beta") &&
               json_equal(json_object_get(point, "n"), json_array_get(pair, 0)) &&
               json_equal(json_object_get(point, "m"), json_array_get(pair, 1));
    }
    CHECK(same, "the points of both families, each once, without the one that the experiment has not");
    json_decref(expected);
    mu_json_release(&points);
    points = mu_json_array();
    mu_experiment_points(&table[2], &of, &points);
    CHECK(json_array_size(points.value) == 0, "an experiment that does not apply has no points");
    mu_experiment_points(&table[2], &quick, &points);
    CHECK(json_array_size(points.value) == 1, "one without axes has one");
    mu_json_release(&points);
    CHECK(mu_experiment_find(table, "beta") == &table[1] && mu_experiment_find(table, "none") == NULL, "by name");
}

/* Three rounds of alpha, three processes of beta, two tries of the last. */
static void test_order(void)
{
    struct setting one, same, other;
    prepare(&one);
    run(&one);
    CHECK(one.err.status == MU_OK && one.fake.calls == 9 + 3 + 2, "%u processes", one.fake.calls);
    bool rounds = true;
    for (int round = 0; round < 3; round++) {
        unsigned seen = 0;
        for (int i = 0; i < 3; i++) seen |= 1u << (one.fake.log[3 * round + i][6] - '0');
        rounds = rounds && seen == (1u << 1 | 1u << 2 | 1u << 3);
    }
    CHECK(rounds, "each round has each point once");
    CHECK(called(&one, 10, "beta 1 10 + beta 2 10 + beta 3 10 + beta 4 10") &&
              called(&one, 11, "beta 5 10 + beta 1 20 + beta 2 20 + beta 3 20") &&
              called(&one, 12, "beta 4 20 + beta 9 10"),
          "points that share a process, four at most");
    CHECK(one.fake.deadlines[0] == 7 && one.fake.deadlines[9] == 7 && one.fake.deadlines[11] == 7,
          "a deadline for each point");
    CHECK(called(&one, 13, "again") && called(&one, 14, "again"), "one that is not done is measured again");
    CHECK(one.records == 2 * (9 + 10) + 2, "%zu measurements", one.records);
    CHECK(one.sum == 3 * (11 + 22 + 33), "the summary has each of alpha, thrice: %g", one.sum);
    prepare(&same);
    run(&same);
    bool equal = true, differs = false;
    for (int i = 0; i < 9; i++) equal = equal && strcmp(one.fake.log[i], same.fake.log[i]) == 0;
    CHECK(equal, "the same order for the same seed");
    for (uint64_t seed = 2; seed < 6; seed++) {
        prepare(&other);
        other.seed = seed;
        run(&other);
        for (int i = 0; i < 9; i++) differs = differs || strcmp(one.fake.log[i], other.fake.log[i]) != 0;
        unlink(other.path);
    }
    CHECK(differs, "another one for another");
    unlink(one.path);
    unlink(same.path);
}

/* Every process takes a minute: fourteen processes, and the progress knows of thirteen until the last is not enough. */
static void test_progress(void)
{
    struct setting setting;
    prepare(&setting);
    run(&setting);
    CHECK(tells(&setting, "[1/13] ") && tells(&setting, "[9/13] ") && tells(&setting, "[13/13] "), "steps are counted");
    CHECK(tells(&setting, "[1/13] 1:00, about 19:00 to go; ok 1; alpha, n "),
          "after one of nine: eight, ten points and one");
    CHECK(tells(&setting, "to go; ok 10; beta, n 1, m 10, and 3 more: ok"), "points that share a process");
    /* Each of the first four took a quarter of a minute, and six are left: 1:30. The last one is expected to take what
     * all points took in the mean: ten minutes by thirteen. */
    CHECK(tells(&setting, "] 10:00, about 2:16 to go; ok 10; beta"), "… each of which took a part of its time");
    CHECK(tells(&setting, "muster: 14:00: alpha 540.0 s, beta 180.0 s, again 120.0 s"), "what the experiments took");
    unlink(setting.path);
    prepare(&setting);
    setting.fake.end_ns = 10 * setting.fake.call_ns + 5;
    run(&setting);
    CHECK(tells(&setting, "[1/13] 1:00, about 9:00 to go; ok 1; alpha, n "), "at most the time that is left");
    CHECK(tells(&setting, "] 11:00, about 0:00 to go"), "… and none, once it is over");
    unlink(setting.path);
}

static void test_resume(void)
{
    struct setting setting;
    prepare(&setting);
    setting.fake.interrupt_call = 6;
    run(&setting);
    CHECK(setting.err.status == MU_INTERRUPTED &&
              strcmp(setting.err.message, "interrupted: 5 of 13 steps are done; the same command goes on from here") ==
                  0,
          "a signal ends it: %s", setting.err.message);
    CHECK(setting.records == 10, "what was measured before is kept: %zu", setting.records);
    setting.fake.interrupt_call = 0;
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 4 + 3 + 2 && setting.records == 40,
          "the next one goes on: %u processes, %zu measurements", setting.fake.calls, setting.records);
    CHECK(tells(&setting, "5 of 14 experiments were in "), "and says what was there");
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 0 && setting.records == 40, "nothing is done twice");
    unlink(setting.path);
}

static void test_outcomes(void)
{
    static const struct quirk quirks[] = {
        {"alpha 2", MU_CRASH}, {"beta 3 10", MU_DEADLINE}, {"beta 2 20", MU_WRONG}, {NULL, 0}};
    struct setting setting;
    prepare(&setting);
    setting.fake.table = quirks;
    run(&setting);
    /* Alpha: seven, since one crash stands for its point. Beta: three of four, then the fourth; four; two. */
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 7 + 2 + 1 + 1 + 2, "%u processes", setting.fake.calls);
    CHECK(called(&setting, 8, "beta 1 10 + beta 2 10 + beta 3 10") && called(&setting, 9, "beta 4 10"),
          "a hang costs its point, those before it are kept, and those behind it go on in another process");
    CHECK(setting.records == 2 * 6 + 1 + 2 * 8 + 1 + 1 + 2, "%zu measurements", setting.records);
    CHECK(setting.failed == 3, "%u steps did not end well", setting.failed);
    CHECK(setting.fake.checks == 2, "the device was looked after %u times", setting.fake.checks);
    CHECK(tells(&setting, "alpha, n 2 1/3: crash") || tells(&setting, "crash\n"), "a crash is told");
    CHECK(tells(&setting, "    a child that ended by deadline passed"), "… and a hang with its message");
    CHECK(tells(&setting, "    as the test wants it"), "… and what a point said");
    run(&setting);
    CHECK(setting.fake.calls == 0 && setting.fake.checks == 0, "what failed is not done again either");
    unlink(setting.path);
}

static void test_health(void)
{
    static const struct quirk quirks[] = {{"beta 5 10", MU_CRASH}, {NULL, 0}};
    struct setting setting;
    prepare(&setting);
    setting.fake.table = quirks;
    setting.fake.health = MU_REFUSED;
    run(&setting);
    CHECK(setting.err.status == MU_DEVICE && setting.fake.checks == 1, "a device that does not recover ends it");
    CHECK(strcmp(setting.err.message,
                 "device 'a fake' no longer works after an experiment that ended by crash: as the test wants it; once "
                 "it does, the same command goes on from here") == 0,
          "%s", setting.err.message);
    setting.fake.health = MU_TRUSTED;
    setting.fake.table = NULL;
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 1 + 2, "and then goes on: %u processes",
          setting.fake.calls);
    unlink(setting.path);
}

/* Processes that neighbouring experiments share. */
static void test_sharing(void)
{
    static const struct quirk quirks[] = {{"two 2", MU_CRASH}, {NULL, 0}};
    struct setting setting;
    prepare(&setting);
    setting.kind = &sharing_kind;
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 5, "%u processes", setting.fake.calls);
    CHECK(called(&setting, 1, "alone") && called(&setting, 2, "one + two 1 + two 2 + two 3") &&
              called(&setting, 3, "three 1 + three 2 + three 3") && called(&setting, 4, "other") &&
              called(&setting, 5, "last"),
          "experiments share a process, four points at most");
    CHECK(setting.records == 2 * 10, "%zu measurements", setting.records);
    CHECK(tells(&setting, ": alone 60.0 s, one 15.0 s, two 45.0 s, three 60.0 s, other 60.0 s, last 60.0 s"),
          "each is told with its own time");
    unlink(setting.path);
    prepare(&setting);
    setting.kind = &sharing_kind;
    setting.fake.table = quirks;
    run(&setting);
    CHECK(setting.fake.calls == 6 && called(&setting, 2, "one + two 1 + two 2") && called(&setting, 3, "two 3"),
          "a crash costs its point, whatever experiment it is of");
    CHECK(setting.records == 2 * 9 + 1, "%zu measurements", setting.records);
    unlink(setting.path);
}

/* A child that answers more than it was asked: what was asked counts, and nothing else. */
static void test_too_much(void)
{
    struct setting right, more;
    prepare(&right);
    run(&right);
    prepare(&more);
    answers_too_much = true;
    run(&more);
    answers_too_much = false;
    CHECK(more.err.status == MU_OK && more.fake.calls == right.fake.calls && more.records == right.records,
          "answers to what was not asked are no records: %zu and %zu, %s", more.records, right.records,
          more.err.message);
    unlink(right.path);
    unlink(more.path);
}

/* Which ends of a process have the device looked at before it gets more work. */
static void test_harm(void)
{
    static const int harms[] = {MU_CRASH, MU_DEADLINE, MU_DEVICE},
                     harmless[] = {MU_OK, MU_WRONG, MU_BUILD, MU_UNSUPPORTED};
    bool right = true;
    for (size_t i = 0; i < 3; i++) right = right && mu_batch_harm(harms[i]) == harms[i];
    for (size_t i = 0; i < 4; i++) right = right && mu_batch_harm(harmless[i]) == MU_OK;
    CHECK(right, "a crash, a deadline and an error of the device are harm");
}

/* Of two processors, one call after the other: what their host takes is told from a hundredth on. */
static void test_steal(void)
{
    static const struct {
        uint64_t steal_ns, call_ns;
        bool secret;
        const char *share; /* NULL: nothing is told */
    } cases[] = {{1200000000, 60000000000, false, "took 1 % of its processors' time"},
                 {24000000000, 60000000000, false, "took 20 % of its processors' time"},
                 {1199000000, 60000000000, false, NULL},
                 {24000000000, 60000000000, true, NULL},
                 {20000000, 50000000, false, NULL}}; /* 14 calls, 0.7 s */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct setting setting;
        prepare(&setting);
        setting.fake.steal_ns = cases[i].steal_ns;
        setting.fake.call_ns = cases[i].call_ns;
        setting.fake.processors_secret = cases[i].secret;
        run(&setting);
        CHECK(cases[i].share != NULL ? tells(&setting, cases[i].share) : strstr(setting.told, "processors") == NULL,
              "what the host of the machine took: %s",
              cases[i].share != NULL ? cases[i].share : "nothing worth telling");
        unlink(setting.path);
    }
}

/* With other units than before all is measured anew, into the same file. */
static void test_units(void)
{
    struct setting setting;
    prepare(&setting);
    run(&setting);
    const uint32_t calls = setting.fake.calls;
    setting.units = 2;
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == calls, "units that a user says: %u of %u processes, %s",
          setting.fake.calls, calls, setting.err.message);
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls < calls, "… which goes on as any other");
    unlink(setting.path);
}

int main(void)
{
    test_points();
    test_order();
    test_progress();
    test_resume();
    test_outcomes();
    test_health();
    test_sharing();
    test_too_much();
    test_harm();
    test_steal();
    test_units();
    return tap_done();
}
