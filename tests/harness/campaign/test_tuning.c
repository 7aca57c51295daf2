/* harness/campaign/tune: which workgroup and team a tuning chooses, in an environment without a driver. */
#include "tests/harness/campaign/fake_campaign.h"

#include <math.h>

static void show_calls(const struct setting *setting)
{
    for (uint32_t i = 0; i < setting->fake.calls; i++) printf("# call %u: %s\n", i + 1, setting->fake.log[i]);
}

static const struct mu_tuned *tuned(const struct setting *setting, uint32_t configuration)
{
    return &setting->campaign.comparisons[0].tuned[configuration];
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

/* Sizes 64 and 256 and full teams; what a whole tuning tries besides is added by that. */
static void test_quick_tuning(void)
{
    static const struct row rows[] = {
        {"portable", 64, 8, 40, MU_OK, 0}, {"portable", 64, 0, 60, MU_OK, 0}, {"portable", 0, 0, 90, MU_OK, 0}, {0}};
    struct setting setting;
    prepare(&setting, rows);
    compare(&setting.options, "portable");
    setting.options.tuned = true;
    setting.options.repeats = 1;
    setting.options.tune.quick = true;
    run(&setting);
    if (!CHECK(setting.err.status == MU_OK && strcmp(setting.fake.log[0], "portable 64 portable 256") == 0,
               "a quick tuning tries every second size"))
        show_calls(&setting);
    CHECK(tuned(&setting, 0)->workgroup == 64 && tuned(&setting, 0)->team == 0 && tuned(&setting, 0)->tries == 2,
          "and full teams only");
    setting.options.tune.quick = false;
    run(&setting);
    if (!CHECK(setting.err.status == MU_OK && strcmp(setting.fake.log[0], "portable 32 portable 128") == 0,
               "a whole one adds the sizes that are missing"))
        show_calls(&setting);
    CHECK(tuned(&setting, 0)->tries == 10 && tuned(&setting, 0)->fresh == 8 && tuned(&setting, 0)->team == 8,
          "and the smaller teams: %u tries, %u now", tuned(&setting, 0)->tries, tuned(&setting, 0)->fresh);
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
    test_tuning();
    test_quick_tuning();
    test_failing_tries();
    return tap_done();
}
