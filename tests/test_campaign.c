/* harness/campaign: tunings and campaigns in a world without a driver. Children are a table of times. */
#include "harness/campaign/campaign.h"

#include "tests/fake_world.h"
#include "tests/tap.h"

#include <math.h>

/* A row of the table: a configuration, and what a sample of it takes, or how it ends. */
struct row {
    const char *variant;
    uint32_t workgroup, team; /* 0: any */
    uint32_t time_us;
    int status;       /* MU_CRASH and MU_DEADLINE end the process */
    uint32_t step_us; /* that each process of the row takes longer than the one before */
};

static uint32_t processes[64]; /* by row: how many there were */

static const struct row *row_of(const struct fake_world *fake, const json_t *values)
{
    const struct row *row = fake->table;
    const uint32_t workgroup = mu_json_count(values, "workgroup"), team = mu_json_count(values, "team_limit");
    for (; row->variant != NULL; row++)
        if (mu_json_is(values, "variant", row->variant) && (row->workgroup == 0 || row->workgroup == workgroup) &&
            (row->team == 0 || row->team == team))
            return row;
    return NULL;
}

/* The response of a child for a test, which found a full team of 32 groups where it was to find one. */
static json_t *answer_test(struct fake_world *fake, const json_t *test, int *status)
{
    char text[64];
    const json_t *values = json_object_get(test, "values");
    const struct row *row = row_of(fake, values);
    const json_t *team = json_object_get(values, "team_limit");
    if (json_is_integer(team))
        snprintf(text, sizeof text, "%s %u %u", mu_json_text(values, "variant"), mu_json_count(values, "workgroup"),
                 mu_json_count(values, "team_limit"));
    else
        snprintf(text, sizeof text, "%s %u", mu_json_text(values, "variant"), mu_json_count(values, "workgroup"));
    fake_note(fake, text);
    if (row == NULL) return json_pack("{s:s, s:s}", "outcome", "unsupported", "message", "not in the table");
    const struct row *first = fake->table;
    const uint32_t time_us = row->time_us + row->step_us * processes[row - first]++;
    if (row->status == MU_CRASH || row->status == MU_DEADLINE) *status = row->status;
    if (row->status != MU_OK)
        return json_pack("{s:s, s:s}", "outcome", mu_status_outcome(row->status), "message", "as the table says");
    struct mu_json samples = mu_json_array();
    for (int i = 0; i < 7; i++) mu_json_append_number(&samples, UINT64_C(1000) * time_us);
    return json_pack("{s:s, s:o, s:I, s:I}", "outcome", "ok", "samples_ns", mu_json_take(&samples, "samples", NULL),
                     "team", (json_int_t)(json_is_integer(team) ? json_integer_value(team) : 32), "wall_ns",
                     (json_int_t)(fake->call_ns / 5));
}

static json_t *answer(struct fake_world *fake, const json_t *request, int *status)
{
    size_t i;
    json_t *try;
    if (!mu_json_is(request, "kind", "tests")) {
        json_t *response = answer_test(fake, json_object_get(request, "test"), status);
        json_object_del(response, "wall_ns");
        return response;
    }
    struct mu_json parts = mu_json_array();
    json_array_foreach (json_object_get(request, "tests"), i, try) {
        json_t *part = answer_test(fake, try, status);
        if (*status == MU_OK) mu_json_append(&parts, json_incref(part));
        json_decref(part);
        if (*status != MU_OK) break;
    }
    return json_pack("{s:o}", "parts", mu_json_take(&parts, "parts", NULL));
}

/* ---- A campaign ---- */

struct setting {
    struct fake_world fake;
    struct mu_device_info info;
    struct mu_campaign_options options;
    struct mu_campaign campaign;
    struct mu_error err;
    char folder[64], told[32768], given[4][64];
};

static const struct row steady[] = {{"multi-kernel", 0, 0, 100, MU_OK, 0}, {"portable", 0, 0, 50, MU_OK, 0}, {0}};

/* Compares these variants, named with commas. */
static void compare(struct mu_campaign_options *options, const char *names)
{
    struct mu_error err = {0};
    mu_form_list_read(names, &options->forms, &err);
    CHECK(err.status == MU_OK, "comparing %s", names);
}

/* pannotia/mis on a small input, in the variants multi-kernel and portable. */
static void prepare(struct setting *setting, const struct row *rows)
{
    static int number;
    struct mu_error err = {0};
    *setting =
        (struct setting){.info = fake_device(false),
                         .fake = {.answer = answer, .call_ns = 10000000000, .health = MU_TRUSTED, .table = rows}};
    snprintf(setting->folder, sizeof setting->folder, "/tmp/test_campaign.%ld.%d", (long)getpid(), ++number);
    setenv("MUSTER_RESULTS", setting->folder, 1);
    memset(processes, 0, sizeof processes);
    struct mu_campaign_options *options = &setting->options;
    mu_option_line_make(&options->line, true);
    options->suite = &mu_suites[0];
    options->apps[options->app_count++] = mu_app_find("pannotia/mis", &err);
    options->inputs[options->input_count++] = "road:6";
    compare(options, "multi-kernel,portable");
    options->repeats = 4;
    options->order_seed = 1;
    options->tune = (struct mu_tune_options){.least = MU_TUNE_LEAST, .max_time_s = 1};
}

static void run(struct setting *setting)
{
    struct captured captured;
    setting->fake.facts =
        (struct mu_facts){.info = &setting->info, .selftest = {.trust = MU_TRUSTED, .spin_limit = 1 << 20}};
    setting->fake.calls = setting->fake.checks = 0;
    setting->err = (struct mu_error){0};
    const struct mu_world world = fake_world(&setting->fake);
    mu_campaign_free(&setting->campaign);
    setting->campaign = (struct mu_campaign){0};
    capture(&captured);
    if (mu_campaign_plan(&setting->options, &setting->info, &world, &setting->campaign, &setting->err) == MU_OK &&
        mu_campaign_open(&setting->campaign, &setting->err) == MU_OK)
        mu_campaign_run(&setting->campaign, &setting->err);
    release(&captured, setting->told, sizeof setting->told);
    if (setting->err.status != MU_OK) printf("# %s\n", setting->err.message);
}

static void discard(struct setting *setting)
{
    char command[96];
    mu_campaign_free(&setting->campaign);
    snprintf(command, sizeof command, "rm -rf '%s'", setting->folder);
    if (system(command) != 0) printf("# %s is left\n", setting->folder);
}

static size_t records(const struct setting *setting)
{
    return json_object_size(setting->campaign.runs.by_key);
}

static uint32_t count_calls(const struct setting *setting, const char *what)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < setting->fake.calls; i++) count += strstr(setting->fake.log[i], what) != NULL;
    return count;
}

static bool tells(const struct setting *setting, const char *text)
{
    const bool found = strstr(setting->told, text) != NULL;
    if (!found) printf("# not there: %s\n# but:\n%s\n", text, setting->told);
    return found;
}

static void show_calls(const struct setting *setting)
{
    for (uint32_t i = 0; i < setting->fake.calls; i++) printf("# call %u: %s\n", i + 1, setting->fake.log[i]);
}

/* ---- Campaigns ---- */

static void test_campaign(void)
{
    struct setting one, same;
    bool rounds = true, equal = true;
    prepare(&one, steady);
    run(&one);
    CHECK(one.err.status == MU_OK && one.fake.calls == 8 && records(&one) == 8, "two variants, four processes each");
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
    json_object_foreach (same.campaign.runs.by_key, key, record) {
        other = json_object_get(one.campaign.runs.by_key, key);
        equal = equal && other != NULL && mu_json_number(other, "order") == mu_json_number(record, "order");
    }
    CHECK(equal, "in the same order, under the same keys");
    discard(&one);
    discard(&same);
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
    CHECK(mu_option_line_sweep(&setting->options.line, setting->given[place], &err) == MU_OK, "--%s", text);
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

static size_t with_outcome(const struct setting *setting, const char *outcome)
{
    const char *key;
    json_t *record;
    size_t count = 0;
    json_object_foreach (setting->campaign.runs.by_key, key, record) count += mu_json_is(record, "outcome", outcome);
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
    json_t *record;
    bool same = true;
    json_object_foreach (many.campaign.runs.by_key, key, record)
        same = same && json_object_get(alone.campaign.runs.by_key, key) != NULL;
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

/* ---- Tunings ---- */

static const struct mu_tuned *tuned(const struct setting *setting, uint32_t slot)
{
    return &setting->campaign.comparisons[0].tuned[slot];
}

/* Sizes 32 to 256. Portable's best full team has 128 work-items a group, and 64 is second; teams of 4, 8 and 16 groups
 * are smaller than the 32 of the full one, and 8 at 64 is best of all. */
static void test_tuning(void)
{
    static const struct row rows[] = {{"portable", 64, 8, 40, MU_OK, 0},
                                      {"portable", 64, 4, 70, MU_OK, 0},
                                      {"portable", 128, 16, 45, MU_OK, 0},
                                      {"portable", 128, 0, 50, MU_OK, 0},
                                      {"portable", 64, 0, 60, MU_OK, 0},
                                      {"portable", 0, 0, 90, MU_OK, 0},
                                      {"multi-kernel", 256, 0, 80, MU_OK, 0},
                                      {"multi-kernel", 0, 0, 100, MU_OK, 0},
                                      {0}};
    struct setting setting;
    prepare(&setting, rows);
    setting.options.tuned = true;
    setting.options.repeats = 1;
    run(&setting);
    if (!CHECK(setting.err.status == MU_OK && setting.fake.calls == 1 + 2 + 2,
               "a sweep of multi-kernel, two of portable, two runs: %u processes", setting.fake.calls))
        show_calls(&setting);
    CHECK(strcmp(setting.fake.log[0], "multi-kernel 32 multi-kernel 64 multi-kernel 128 multi-kernel 256") == 0 &&
              strcmp(setting.fake.log[1], "portable 32 portable 64 portable 128 portable 256") == 0,
          "powers of two from 32 on");
    CHECK(strcmp(setting.fake.log[2], "portable 128 4 portable 128 8 portable 128 16 "
                                      "portable 64 4 portable 64 8 portable 64 16") == 0,
          "then one, two and four groups a unit, at the two best sizes: %s", setting.fake.log[2]);
    CHECK(tuned(&setting, 0)->found && tuned(&setting, 0)->workgroup == 256 && tuned(&setting, 0)->team == 0 &&
              tuned(&setting, 0)->tries == 4 && fabs(tuned(&setting, 0)->median_ns - 80000) < 1,
          "multi-kernel's choice");
    CHECK(tuned(&setting, 1)->found && tuned(&setting, 1)->workgroup == 64 && tuned(&setting, 1)->team == 8 &&
              tuned(&setting, 1)->tries == 10 && fabs(tuned(&setting, 1)->median_ns - 40000) < 1,
          "portable's choice: %u, %u", tuned(&setting, 1)->workgroup, tuned(&setting, 1)->team);
    CHECK(count_calls(&setting, "portable 64 8") == 2 && strcmp(setting.fake.log[3], setting.fake.log[4]) != 0,
          "which is what runs");
    run(&setting);
    CHECK(setting.err.status == MU_OK && setting.fake.calls == 0 && tuned(&setting, 1)->team == 8, "a tuning is kept");
    setting.options.tune.again = true;
    run(&setting);
    CHECK(setting.fake.calls == 3 && tuned(&setting, 1)->fresh == 10, "and made anew where that is asked for");
    discard(&setting);
}

/* A size that crashes, one that the kernel cannot have, and a CPU, which has no smaller teams. */
static void test_failing_tries(void)
{
    static const struct row rows[] = {{"portable", 64, 0, 60, MU_CRASH, 0},
                                      {"portable", 256, 0, 60, MU_UNSUPPORTED, 0},
                                      {"portable", 128, 0, 50, MU_OK, 0},
                                      {"portable", 32, 0, 90, MU_OK, 0},
                                      {0}};
    struct setting setting;
    prepare(&setting, rows);
    setting.info.cpu = true;
    compare(&setting.options, "portable");
    setting.options.tuned = true;
    setting.options.repeats = 1;
    run(&setting);
    if (!CHECK(setting.err.status == MU_OK && setting.fake.calls == 2 + 1,
               "all together up to the crash, then the rest, then the run: %u processes", setting.fake.calls))
        show_calls(&setting);
    const struct mu_tuned *found = tuned(&setting, 0);
    CHECK(found->found && found->workgroup == 128 && found->tries == 4 && found->fresh == 4, "the best that ran");
    CHECK(found->failure == MU_CRASH && found->harm == MU_CRASH, "a crash is told, a size that is too large is not");
    CHECK(setting.fake.checks == 1 && setting.campaign.engine.worst == MU_CRASH && setting.campaign.engine.failed == 0,
          "the device was looked after, and the test itself went well");
    CHECK(strcmp(setting.fake.log[0], "portable 32 portable 64") == 0 &&
              strcmp(setting.fake.log[1], "portable 128 portable 256") == 0,
          "which costs nothing but the try that crashed");
    discard(&setting);
    static const struct row none[] = {{"portable", 0, 0, 60, MU_WRONG, 0}, {0}};
    prepare(&setting, none);
    compare(&setting.options, "portable");
    setting.options.tuned = true;
    run(&setting);
    CHECK(!tuned(&setting, 0)->found && tuned(&setting, 0)->failure == MU_WRONG && setting.fake.calls == 2,
          "nothing is chosen where no try went well: %u processes", setting.fake.calls);
    discard(&setting);
}

int main(void)
{
    test_campaign();
    test_outcomes();
    test_enough();
    test_together();
    test_together_outcomes();
    test_tuning();
    test_failing_tries();
    return tap_done();
}
