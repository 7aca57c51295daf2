/* harness/campaign: campaigns in an environment without a driver. Their tunings are in test_tuning.c. */
#include "tests/harness/campaign/fake_campaign.h"

static const struct row steady[] = {{"multi-kernel", 0, 0, 100, MU_OK, 0}, {"portable", 0, 0, 50, MU_OK, 0}, {0}};

static size_t records(const struct setting *setting)
{
    return mu_store_count(&setting->campaign.runs);
}

/* For mu_store_each: adds a record to an object of all, by its key. */
static int collect(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    json_object_set(context, mu_json_text(record, "key"), record);
    return err->status;
}

/* The records of a campaign by their keys, the caller's. */
static json_t *records_by_key(struct setting *setting)
{
    json_t *all = json_object();
    mu_store_each(&setting->campaign.runs, NULL, collect, all, &setting->err);
    return all;
}

/* ---- Campaigns ---- */

static void test_campaign(void)
{
    struct setting one, same;
    bool rounds = true, equal = true;
    prepare(&one, steady);
    run(&one);
    CHECK(one.err.status == MU_OK && one.fake.calls == 8 && records(&one) == 8, "two variants, four processes each");
    const json_t *second = json_array_get(one.campaign.points, 1);
    CHECK(json_array_size(one.campaign.points) == 2 && mu_json_is(second, "experiment", "smoke") &&
              mu_json_count(second, "configuration") == 1 && mu_json_count(second, "comparison") == 0,
          "its tests are the points of the suite's experiment");
    for (uint32_t i = 0; i < 8; i += 2)
        rounds =
            rounds && (strncmp(one.fake.log[i], "multi", 5) == 0) != (strncmp(one.fake.log[i + 1], "multi", 5) == 0);
    CHECK(rounds, "each round has each variant once");
    CHECK(tells(&one, "[1/8] 0:10, about 1:10 to go; ok 1; pannotia/mis road:6 ") &&
              tells(&one, "[8/8] 1:20, about 0:00 to go; ok 8; "),
          "the time to go is what a process took, seven times");
    run(&one);
    CHECK(one.err.status == MU_OK && one.fake.calls == 0 && records(&one) == 8, "nothing is run twice");
    one.options.repeats = 6;
    run(&one);
    CHECK(one.fake.calls == 4 && records(&one) == 12, "a larger plan runs what is missing");
    prepare(&same, steady);
    same.fake.interrupt_call = 4;
    run(&same);
    CHECK(same.err.status == MU_INTERRUPTED && records(&same) == 3 &&
              strcmp(same.err.message, "interrupted: 3 of 8 steps are done; the same command goes on from here") == 0,
          "a signal ends it, and what was running is no record");
    same.fake.interrupt_call = 0;
    run(&same);
    CHECK(same.err.status == MU_OK && same.fake.calls == 5 && records(&same) == 8, "the same command goes on");
    const char *key;
    json_t *record, *other;
    json_t *ours = records_by_key(&same), *theirs = records_by_key(&one);
    json_object_foreach (ours, key, record) {
        other = json_object_get(theirs, key);
        equal = equal && other != NULL && mu_json_number(other, "order") == mu_json_number(record, "order");
    }
    CHECK(equal && json_object_size(ours) == 8, "in the same order, under the same keys");
    json_decref(ours);
    json_decref(theirs);
    discard(&one);
    discard(&same);
}

/* Two inputs in four rounds: each round has all four tests, one input after the other, and no round begins before. */
static void test_rounds(void)
{
    struct setting setting;
    bool rounds = true;
    prepare(&setting, steady);
    setting.options.inputs[setting.options.input_count++] = "rmat:5";
    run(&setting);
    const struct mu_engine *engine = &setting.campaign.engine;
    CHECK(setting.err.status == MU_OK && engine->step_count == 16, "two inputs: %u runs", engine->step_count);
    for (uint32_t i = 0; i < engine->step_count; i++)
        rounds = rounds && engine->steps[i].repeat == i / 4 &&
                 strcmp(mu_step_comparison(&setting.campaign, &engine->steps[i])->input,
                        setting.options.inputs[i % 4 / 2]) == 0 &&
                 (i % 2 == 0 || engine->steps[i].test != engine->steps[i - 1].test);
    CHECK(rounds, "the processes of a test are spread over the campaign");
    discard(&setting);
}

/* A process takes 10 s: of two inputs in four rounds of two processes each, 115 s have room for five such pairs. */
static void test_budget(void)
{
    struct setting setting;
    prepare(&setting, steady);
    setting.options.inputs[setting.options.input_count++] = "rmat:5";
    run(&setting);
    CHECK(setting.err.status == MU_OK && tells(&setting, "[2/16] 0:20, how long is known after a round; ok 2; ") &&
              tells(&setting, "[3/16] 0:30, about 2:10 to go; "),
          "no time to go is told before each input had its turn");
    setting.options.budget_s = 115;
    setting.options.restart = true;
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 10 && records(&setting) == 10,
          "whole rounds that fit: %u processes", setting.fake.calls);
    CHECK(tells(&setting, "budget of 1:55: 0 of 2 comparisons are left out; all fits"), "by a guess all did");
    CHECK(mu_campaign_left(&setting.campaign) == 0 && setting.campaign.engine.failed == 0, "none is left out");
    setting.options.restart = false;
    run(&setting);
    CHECK(setting.fake.calls == 6 && records(&setting) == 16, "the same command goes on: %u", setting.fake.calls);
    setting.options.restart = true;
    setting.options.budget_s = 5;
    setting.options.repeats = 1;
    run(&setting);
    CHECK(setting.fake.calls == 2 && mu_campaign_left(&setting.campaign) == 1, "one input is left out: %u",
          setting.fake.calls);
    setting.options.budget_s = 1e-3;
    run(&setting);
    CHECK(setting.fake.calls == 0 && tells(&setting, "nothing fits: a longer --budget is needed"),
          "where nothing fits the same command would not go on: %u", setting.fake.calls);
    discard(&setting);
}

static void test_outcomes(void)
{
    static const struct row rows[] = {{"multi-kernel", 0, 0, 100, MU_OK, 0},
                                      {"portable", 0, 0, 50, MU_WRONG, 0},
                                      {"specialised", 0, 0, 5, MU_CRASH, 0},
                                      {0}};
    struct setting setting;
    prepare(&setting, rows);
    compare(&setting.options, "multi-kernel,portable,specialised");
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 6 && records(&setting) == 6,
          "one failure stands for its test: %u processes", setting.fake.calls);
    CHECK(setting.campaign.engine.failed == 2 && setting.campaign.engine.worst == MU_WRONG, "the worst is told");
    CHECK(setting.fake.checks == 1, "a crash is followed by a self-test, a wrong result is not");
    CHECK(tells(&setting, ": wrong\n    as the table says\n") && tells(&setting, ": crash\n"), "with its message");
    CHECK(tells(&setting, "[6/6] "), "what is left out is not waited for");
    run(&setting);
    CHECK(setting.fake.calls == 0 && setting.campaign.engine.failed == 2 && setting.campaign.engine.worst == MU_WRONG,
          "and told again without running anything");
    discard(&setting);
    prepare(&setting, rows);
    compare(&setting.options, "multi-kernel,specialised");
    setting.fake.health = MU_REFUSED;
    run(&setting);
    CHECK(setting.err.status == MU_DEVICE &&
              strstr(setting.err.message, "no longer works after a test that ended by crash"),
          "a device that does not recover ends the campaign");
    CHECK(records(&setting) == setting.fake.calls, "with a record of each process");
    discard(&setting);
}

/* A device whose barriers are refused and whose single steps are right. */
static void test_only_steps(void)
{
    static const struct row rows[] = {
        {"multi-kernel", 0, 0, 100, MU_CRASH, 0}, {"portable", 0, 0, 50, MU_CRASH, 0}, {0}};
    static const char *const lists[] = {"multi-kernel", "multi-kernel,portable"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct setting setting;
        prepare(&setting, rows);
        compare(&setting.options, lists[i]);
        setting.fake.health = MU_REFUSED;
        setting.fake.steps = true;
        run(&setting);
        CHECK(setting.fake.checks == 1 && setting.err.status == (i == 0 ? MU_OK : MU_DEVICE), "it does for %s: %s",
              i == 0 ? "single steps" : "no barrier", setting.err.message);
        discard(&setting);
    }
}

/* The variant multi-kernel takes the same time always; each process of portable takes longer than the one before. */
static void test_enough(void)
{
    static const struct row rows[] = {{"multi-kernel", 0, 0, 100, MU_OK, 0}, {"portable", 0, 0, 1000, MU_OK, 100}, {0}};
    struct setting setting;
    prepare(&setting, rows);
    setting.options.repeats = 4;
    setting.options.most_repeats = 20;
    setting.options.test_width = 0.01;
    run(&setting);
    CHECK(count_calls(&setting, "multi-kernel") == 8, "processes that agree: the least, and as many again: %u",
          count_calls(&setting, "multi-kernel"));
    CHECK(count_calls(&setting, "portable") == 20, "processes that differ: the most: %u",
          count_calls(&setting, "portable"));
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 0, "the same decision when it goes on");
    setting.options.test_width = 0.165;
    setting.options.set = "wider";
    memset(processes, 0, sizeof processes);
    run(&setting);
    /* Half the interval over the logs of 1000, 1100, … is sinh(t s / sqrt(n)): 16.58 % for five processes, 15.98 % for
     * six, whose t(5) is 2.571. */
    CHECK(count_calls(&setting, "portable") == 12, "a width that six reach: %u", count_calls(&setting, "portable"));
    discard(&setting);
}

/* ---- Many tests in a process ---- */

static void give(struct setting *setting, const char *text)
{
    struct mu_error err = {0};
    const size_t place = setting->options.line.given_count;
    snprintf(setting->given[place], sizeof setting->given[place], "%s", text);
    CHECK(mu_option_line_give(&setting->options.line, "sweep", setting->given[place], &err) == MU_OK, "--%s", text);
}

/* Runs irgl/bfs-topo with and without two of its optimisations, in two variants and workgroups: 16 tests, twice. */
static void prepare_many(struct setting *setting, const struct row *rows)
{
    struct mu_error err = {0};
    prepare(setting, rows);
    setting->options.apps[0] = mu_app_find("irgl/bfs-topo", &err);
    setting->options.repeats = 2;
    setting->options.together = 100;
    give(setting, "wg=off,on");
    give(setting, "sg=off,on");
    give(setting, "workgroup=64,128");
}

static size_t with_outcome(struct setting *setting, const char *outcome)
{
    const char *key;
    json_t *record;
    size_t count = 0;
    json_t *all = records_by_key(setting);
    json_object_foreach (all, key, record) count += mu_json_is(record, "outcome", outcome);
    json_decref(all);
    return count;
}

static void test_together(void)
{
    struct setting many, alone;
    prepare_many(&many, steady);
    run(&many);
    CHECK(many.err.status == MU_OK && many.fake.calls == 2 && records(&many) == 32, "a process for each round: %u, %zu",
          many.fake.calls, records(&many));
    CHECK(strcmp(many.fake.log[0], many.fake.log[1]) != 0, "in another order");
    CHECK(tells(&many, "[1/32] ") && tells(&many, "[32/32] "), "each test is told");
    run(&many);
    CHECK(many.err.status == MU_OK && many.fake.calls == 0, "nothing is run twice");
    prepare_many(&alone, steady);
    alone.options.together = 0;
    run(&alone);
    CHECK(alone.fake.calls == 32 && records(&alone) == 32, "as many alone");
    const char *key;
    json_t *record, *together = records_by_key(&many);
    bool same = json_object_size(together) == 32;
    json_object_foreach (together, key, record) same = same && mu_store_has(&alone.campaign.runs, key);
    json_decref(together);
    CHECK(same, "the same tests, whoever shares a process");
    discard(&many);
    discard(&alone);
    prepare_many(&many, steady);
    many.options.together = 5;
    run(&many);
    CHECK(many.err.status == MU_OK && many.fake.calls == 2 * 4 && records(&many) == 32, "at most five in a process");
    discard(&many);
    prepare_many(&many, steady);
    give(&many, "condition=first");
    run(&many);
    CHECK(many.err.status == MU_OK && many.fake.calls == 32, "first launches share nothing: %u", many.fake.calls);
    discard(&many);
}

/* A company takes in what is of the same input and is nobody's first launch, and nothing else. */
static void test_company(void)
{
    struct setting setting;
    prepare_many(&setting, steady);
    setting.options.inputs[setting.options.input_count++] = "road:5";
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 4, "a process for each input and round: %u",
          setting.fake.calls);
    discard(&setting);
    prepare_many(&setting, steady);
    give(&setting, "condition=warm,first");
    run(&setting);
    /* Those of a round that are not alone are what stands between first launches in its order. */
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 52, "a first launch neither joins nor is joined: %u",
          setting.fake.calls);
    discard(&setting);
}

/* What a step asks for: a layout of its repeat, and what a tuning has found. */
static void test_asked(void)
{
    struct setting setting;
    prepare(&setting, steady);
    run(&setting);
    const struct mu_engine *engine = &setting.campaign.engine;
    uint64_t layouts[4] = {0};
    bool own = true, shared = true;
    for (uint32_t i = 0; i < engine->step_count; i++) {
        const struct mu_step *step = &engine->steps[i];
        const struct mu_asked asked = mu_campaign_asked(&setting.campaign, step);
        const uint64_t layout = asked.options[MU_TEST_layout].number;
        shared = shared && (layouts[step->repeat] == 0 || layouts[step->repeat] == layout);
        layouts[step->repeat] = layout;
    }
    for (int i = 1; i < 4; i++) own = own && layouts[i] != layouts[0];
    CHECK(engine->step_count == 8 && own && shared, "each round has a layout of its own, which its tests share");
    struct mu_comparison *comparison = mu_step_comparison(&setting.campaign, &engine->steps[0]);
    const struct mu_configuration *configuration =
        &setting.campaign.configurations[mu_step_configuration(&setting.campaign, &engine->steps[0])];
    comparison->tuned[configuration->tuned_as] = (struct mu_tuned){.found = true, .workgroup = 32, .team = 3};
    const struct mu_asked tuned = mu_campaign_asked(&setting.campaign, &engine->steps[0]);
    CHECK(tuned.options[MU_TEST_workgroup].number == 32 && tuned.options[MU_TEST_workgroup].from == MU_FROM_TUNING,
          "what a tuning has found is asked for");
    discard(&setting);
}

/* Counts, of a setting, the parts behind which the store did not have a record for each, or the progress had not passed
 * it. */
static void look(struct fake_environment *fake, size_t parts)
{
    const struct setting *setting = fake->of;
    fake->missed += records(setting) != parts || setting->campaign.engine.progress.done != parts;
}

/* Records that are kept while their process measures on. */
static void test_kept_at_once(void)
{
    struct setting many;
    prepare_many(&many, steady);
    many.options.repeats = 1;
    many.fake.heard = look;
    many.fake.of = &many;
    run(&many);
    CHECK(many.err.status == MU_OK && many.fake.calls == 1 && records(&many) == 16 && many.fake.missed == 0,
          "each test is in the store, and told, when its part has come; %u were not", many.fake.missed);
    CHECK(tells(&many, "[1/16] ") && tells(&many, "[16/16] ") && !strstr(many.told, "[17/16]"), "and once");
    discard(&many);
    prepare_many(&many, steady);
    many.fake.interrupt_call = 2;
    many.fake.interrupt_part = 3;
    run(&many);
    CHECK(many.err.status == MU_INTERRUPTED && records(&many) == 16 + 3 &&
              strstr(many.err.message, "interrupted: 19 of 32 steps are done") == many.err.message,
          "a signal amid a process costs one test: %zu, %s", records(&many), many.err.message);
    many.fake.interrupt_call = 0;
    run(&many);
    CHECK(many.err.status == MU_OK && many.fake.calls == 1 && records(&many) == 32 && tells(&many, "[20/32] ") &&
              tells(&many, "[32/32] "),
          "and the same command goes on behind it");
    discard(&many);
}

/* The fake's crashes and hangs end its process before it has answered for the test. */
static void test_together_outcomes(void)
{
    static const struct row rows[] = {{"portable", 64, 0, 60, MU_CRASH, 0},
                                      {"portable", 128, 0, 60, MU_WRONG, 0},
                                      {"multi-kernel", 64, 0, 60, MU_DEADLINE, 0},
                                      {"multi-kernel", 128, 0, 60, MU_OK, 0},
                                      {0}};
    struct setting many;
    prepare_many(&many, rows);
    run(&many);
    CHECK(many.err.status == MU_OK && records(&many) == 16 + 4, "what failed is not repeated: %zu", records(&many));
    CHECK(with_outcome(&many, "crash") == 4 && with_outcome(&many, "deadline") == 4 &&
              with_outcome(&many, "wrong") == 4 && with_outcome(&many, "ok") == 8,
          "each test has its own outcome");
    CHECK(many.fake.calls >= 9 && many.fake.calls <= 10, "eight tests end their processes, and the rest go on: %u",
          many.fake.calls);
    CHECK(many.fake.checks == 8, "the device is looked after each time: %u", many.fake.checks);
    CHECK(many.campaign.engine.failed == 12, "%u tests failed", many.campaign.engine.failed);
    run(&many);
    CHECK(many.fake.calls == 0 && many.campaign.engine.failed == 12, "and none runs again");
    discard(&many);
    prepare_many(&many, rows);
    many.fake.health = MU_REFUSED;
    run(&many);
    const size_t before = records(&many);
    CHECK(many.err.status == MU_DEVICE && many.fake.calls == 1, "a device that does not recover ends it: %zu", before);
    many.fake.health = MU_TRUSTED;
    run(&many);
    CHECK(many.err.status == MU_OK && records(&many) == 16 + 4, "and the same command goes on from there");
    discard(&many);
}

int main(void)
{
    test_campaign();
    test_rounds();
    test_budget();
    test_outcomes();
    test_only_steps();
    test_enough();
    test_together();
    test_company();
    test_asked();
    test_kept_at_once();
    test_together_outcomes();
    return tap_done();
}
