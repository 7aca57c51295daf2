/* harness/engine: a survey in a environment without a driver: which points there are, in which order they run, what is
 * done again, what becomes of crashes and hangs, and what a person is told. */
#include "harness/engine/survey.h"

#include "tests/harness/engine/fake_environment.h"
#include "tests/tap.h"

/* ---- A table of experiments ---- */

static void three(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (unsigned i = 1; i <= 3; i++) mu_json_append_number(values, i);
}

static void five(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (unsigned i = 1; i <= 5; i++) mu_json_append_number(values, i);
}

static void tens(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, 10);
    mu_json_append_number(values, 20);
}

static void one_and_nine(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_axis_powers(1, 10, 9, values);
}

static void ten(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, 10);
}

static bool is_quick(const struct mu_circumstances *of)
{
    return of->quick;
}

static bool has_product(const struct mu_circumstances *of, const json_t *point)
{
    (void)of;
    return mu_json_number(point, "n") * mu_json_number(point, "m") < 100;
}

/* "again" is done once a measurement says so. */
static bool is_enough(const json_t *measurements, const json_t *point)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (json_equal(json_object_get(measurement, "parameters"), point) && mu_json_flag(measurement, "enough"))
            return true;
    return false;
}

static void add_value(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    (void)info;
    *(double *)summary += mu_json_real(measurement, "value");
}

static const struct mu_axis n_axes[] = {{"n", "a number", three}, {0}};
static const struct mu_axis n_m_axes[] = {{"n", "a number", five}, {"m", "another", tens}, {0}};
static const struct mu_axis more_axes[] = {{"n", "a number", one_and_nine}, {"m", "another", ten}, {0}};
static const struct mu_axis no_axes[] = {{0}};
static const struct mu_axis *const alpha[] = {n_axes, NULL}, *const beta[] = {n_m_axes, more_axes, NULL},
                                   *const alone[] = {no_axes, NULL};

static const struct mu_experiment table[] = {
    {.name = "alpha", .families = alpha, .processes = 3, .summarise = add_value},
    {.name = "beta", .families = beta, .has = has_product, .together = 4},
    {.name = "hasty", .families = alone, .applies = is_quick},
    {.name = "again", .families = alone, .is_done = is_enough},
    {0},
};

/* ---- A child ---- */

/* What a point does that does not just give its value. */
struct quirk {
    const char *point; /* "beta 3 10" */
    int status;        /* MU_CRASH and MU_DEADLINE end the process, others the point */
};

static int quirk_of(const struct fake_environment *fake, const char *point)
{
    for (const struct quirk *quirk = fake->table; quirk != NULL && quirk->point != NULL; quirk++)
        if (strcmp(quirk->point, point) == 0) return quirk->status;
    return MU_OK;
}

/* A point's answer: two measurements, n and 10 n; of "again" one, which is enough at the second try. */
static json_t *answer_point(const json_t *parameters, uint32_t call, uint64_t wall_ns, int status)
{
    const json_int_t n = json_integer_value(json_object_get(parameters, "n"));
    if (status != MU_OK)
        return json_pack("{s:s, s:s}", "outcome", mu_status_outcome(status), "message", "as the test wants it");
    if (mu_json_is(parameters, "experiment", "again"))
        return json_pack("{s:s, s:[{s:b}]}", "outcome", "ok", "measurements", "enough", (int)(call % 2 == 0));
    return json_pack("{s:s, s:[{s:I}, {s:I}], s:I}", "outcome", "ok", "measurements", "value", n, "value", 10 * n,
                     "wall_ns", (json_int_t)wall_ns);
}

/* Whether each child answers one point more than it was asked. */
static bool answers_too_much;

static json_t *answer(struct fake_environment *fake, const json_t *request, int *status)
{
    size_t i;
    json_t *point;
    static uint32_t tries;
    struct mu_json points = mu_json_array();
    json_array_foreach (json_object_get(request, "points"), i, point) {
        char name[48];
        const json_t *parameters = json_object_get(point, "parameters");
        const json_t *n = json_object_get(parameters, "n"), *m = json_object_get(parameters, "m");
        int used = snprintf(name, sizeof name, "%s", mu_json_text(parameters, "experiment"));
        if (n != NULL) used += snprintf(name + used, sizeof name - (size_t)used, " %lld", json_integer_value(n));
        if (m != NULL) snprintf(name + used, sizeof name - (size_t)used, " %lld", json_integer_value(m));
        fake_note(fake, i != 0 ? "+" : "");
        fake_note(fake, name);
        const int quirk = quirk_of(fake, name);
        if (quirk == MU_CRASH || quirk == MU_DEADLINE) *status = quirk;
        if (*status != MU_OK) break;
        const uint64_t wall_ns = fake->call_ns / json_array_size(json_object_get(request, "points"));
        mu_json_append(&points, answer_point(parameters, strcmp(name, "again") == 0 ? ++tries : 0, wall_ns, quirk));
    }
    if (answers_too_much)
        mu_json_append(&points, json_pack("{s:s, s:[{s:i}]}", "outcome", "ok", "measurements", "value", 7));
    return json_pack("{s:o}", "parts", mu_json_take(&points, "parts", NULL));
}

/* ---- Running it ---- */

static const struct mu_survey_kind kind = {.kind = "fake", .experiments = table, .deadline_s = 7};

/* Experiments that share processes. One of them has no points. */
static const struct mu_experiment sharing[] = {
    {.name = "alone", .families = alone},
    {.name = "one", .families = alone, .together = 4, .process = "p"},
    {.name = "none", .families = alone, .applies = is_quick, .together = 4, .process = "p"},
    {.name = "two", .families = alpha, .together = 4, .process = "p"},
    {.name = "three", .families = alpha, .together = 4, .process = "p"},
    {.name = "other", .families = alone, .together = 4, .process = "q"},
    {.name = "last", .families = alone, .together = 4},
    {0},
};
static const struct mu_survey_kind sharing_kind = {.kind = "fake", .experiments = sharing, .deadline_s = 7};

struct setting {
    const struct mu_survey_kind *kind; /* NULL: kind */
    struct fake_environment fake;
    bool quick;
    uint64_t seed;
    uint32_t units;   /* that a user says of the device; 0: none */
    char path[64];    /* of the store */
    char told[16384]; /* on standard error */
    double sum;       /* the summary */
    size_t records;   /* measurements of the device, afterwards */
    uint32_t failed;  /* tests of the engine */
    struct mu_error err;
};

static void prepare(struct setting *setting)
{
    *setting = (struct setting){.seed = 1, .fake = {.answer = answer, .call_ns = 60000000000, .health = MU_TRUSTED}};
    /* An empty file is a store without records. */
    snprintf(setting->path, sizeof setting->path, "/tmp/test_survey.XXXXXX");
    const int file = mkstemp(setting->path);
    CHECK(file >= 0 && close(file) == 0, "a file");
}

static void run(struct setting *setting)
{
    struct mu_device_info info = fake_device(false);
    info.resident = setting->units;
    const struct mu_selftest selftest = {.trust = MU_TRUSTED};
    const struct mu_engine_environment environment = fake_environment(&setting->fake);
    struct captured captured;
    struct mu_survey survey = {.kind = setting->kind != NULL ? setting->kind : &kind,
                               .of = {.info = &info, .selftest = &selftest, .quick = setting->quick},
                               .order_seed = setting->seed};
    setting->fake.calls = setting->fake.checks = 0;
    setting->err = (struct mu_error){0};
    capture(&captured);
    if (mu_survey_open(&survey, &environment, setting->path, &setting->err) == MU_OK)
        mu_survey_run(&survey, &setting->err);
    release(&captured, setting->told, sizeof setting->told);
    setting->sum = 0;
    mu_survey_summarise(table, &info, survey.measurements, &setting->sum);
    setting->records = json_array_size(survey.measurements);
    setting->failed = survey.engine.failed;
    mu_survey_close(&survey);
}

static bool tells(const struct setting *setting, const char *text)
{
    const bool found = strstr(setting->told, text) != NULL;
    if (!found) printf("# not there: %s\n# but:\n%s\n", text, setting->told);
    return found;
}

static bool called(const struct setting *setting, uint32_t call, const char *what)
{
    const bool same = strcmp(setting->fake.log[call - 1], what) == 0;
    if (!same) printf("# call %u was for: %s\n", call, setting->fake.log[call - 1]);
    return same;
}

/* ---- Tests ---- */

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

/* Of two processors, one call after the other: what their host takes from a hundredth on is told. */
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
