/* muster chip add: the stages from an unknown device to its rows in the tables. */
#include "apps/app.h"
#include "harness/commands/campaign_options.h"
#include "harness/commands/chip/chip.h"
#include "harness/commands/chip/page.h"
#include "harness/commands/chip/stage.h"
#include "harness/device/aliases.h"
#include "harness/device/device_list.h"
#include "harness/device/trust/selftest.h"
#include "harness/probe/probe.h"
#include "records/results.h"
#include "variants/launch/opencl.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = MU_CHIP_APPS + 8 };

/* Share of a campaign's time that is left for its work after the last process. */
#define MARGIN 0.05

struct adding {
    const struct mu_chip_arguments *arguments;
    const struct mu_device_info *info;
    uint64_t begun; /* when the command began, by mu_now_ns */
    bool tuned;     /* the tuning has ended, so its result is used */
    bool cut;       /* a stage was interrupted because its time was over */
    int worst;      /* worst exit code of a stage */
    char device[32], suite[64], budget[32], records[PATH_MAX];
};

static bool always(const struct adding *adding)
{
    (void)adding;
    return true;
}

/* Returns true if the chip is to be tuned. A CPU is not, since a driver compiles longer for each workgroup size than a
 * small suite runs. */
static bool is_tuned(const struct adding *adding)
{
    return !adding->info->cpu;
}

static bool has_records(const struct adding *adding)
{
    return access(adding->records, F_OK) == 0;
}

static const char tuned_word[] = "--quick-tune", untuned_word[] = "--no-tune";

/* The stages, in order. In their words, "--device", "--suite", "--budget" and "records" stand for values of the command
 * line, tuned_word for the result of the tuning, and "*" for the apps. */
static const struct stage {
    const char *name;
    bool (*applies)(const struct adding *adding);
    double until; /* share of the budget that is used when it must have ended */
    bool quiet;
    const char *words[8];
} stages[] = {
    {"probe", always, 0.4, true, {"probe", "--device", "--quick"}},
    {"tune", is_tuned, 0.65, true, {"tune", "--device", "--suite", "--quick", "*"}},
    {"bench", always, 0.96, true, {"bench", "--device", "--suite", "--budget", "--brief", tuned_word, "*"}},
    {"table speedup", has_records, 1.5, false, {"table", "speedup", "records"}},
};

/* Writes the words of a stage's command line. */
static void write_words(const struct adding *adding, const struct stage *stage, const char *words[WORDS])
{
    size_t count = 0;
    for (const char *const *word = stage->words; *word != NULL; word++) {
        if (strcmp(*word, "*") == 0)
            for (size_t i = 0; i < adding->arguments->app_count; i++) words[count++] = adding->arguments->apps[i];
        else if (strcmp(*word, "--device") == 0)
            words[count++] = adding->device;
        else if (strcmp(*word, "--suite") == 0)
            words[count++] = adding->suite;
        else if (strcmp(*word, "--budget") == 0)
            words[count++] = adding->budget;
        else if (strcmp(*word, "records") == 0)
            words[count++] = adding->records;
        else if (*word == tuned_word)
            words[count++] = adding->tuned ? tuned_word : untuned_word;
        else
            words[count++] = *word;
    }
    words[count] = NULL;
}

static double left(const struct adding *adding, double part)
{
    return adding->arguments->budget_s * part - (double)(mu_now_ns() - adding->begun) / 1e9;
}

static void tell(const struct adding *adding, const struct stage *stage, const struct mu_stage *run)
{
    const char *how = run->cut ? "not done in its part of the time" : run->exit_code < 0 ? "ended by a signal" : "done";
    fprintf(stderr, "muster: %s of %s: %s", stage->name, adding->info->chip, how);
    if (!run->cut && run->exit_code > 0) fprintf(stderr, ", with exit code %d", run->exit_code);
    fprintf(stderr, "; %.0f s of %.0f s left\n", left(adding, 1) > 0 ? left(adding, 1) : 0,
            adding->arguments->budget_s);
}

/* Runs a stage. Without time left it is skipped, except for the last stage, which is short. */
static int run_stage(struct adding *adding, const struct stage *stage, struct mu_error *err)
{
    const char *words[WORDS];
    struct mu_stage run = {.words = words, .seconds = left(adding, stage->until), .quiet = stage->quiet};
    if (!stage->applies(adding)) return MU_OK;
    if (stage->quiet && run.seconds <= 0) {
        adding->cut = true;
        return MU_OK;
    }
    if (!stage->quiet) run.seconds = INT_MAX;
    snprintf(adding->budget, sizeof adding->budget, "--budget=%.1f", run.seconds * (1 - MARGIN));
    write_words(adding, stage, words);
    if (mu_stage_run(&run, err) != MU_OK) return err->status;
    if (stage->quiet) tell(adding, stage, &run);
    if (strcmp(stage->name, "tune") == 0) adding->tuned = !run.cut && run.exit_code == 0;
    adding->cut = adding->cut || run.cut;
    if (!run.cut && run.exit_code != 0) adding->worst = run.exit_code;
    return MU_OK;
}

/* Fails with the status of the worst stage. */
static int judge(const struct adding *adding, struct mu_error *err)
{
    static const int statuses[] = {MU_OK, MU_WRONG, MU_USAGE, MU_DEVICE, MU_DEADLOCK};
    const int known = (int)(sizeof statuses / sizeof statuses[0]);
    if (adding->worst == 0) return MU_OK;
    return mu_fail(err, adding->worst > 0 && adding->worst < known ? statuses[adding->worst] : MU_CRASH,
                   "%s: not every stage ended well, as is told above", adding->info->chip);
}

static void tell_end(const struct adding *adding, const char *page)
{
    const char *chip = adding->info->chip;
    printf("\nThe records of %s are in %s/%s, and its page is %s.\n", chip, mu_results_root(), chip, page);
    if (adding->cut) printf("The budget did not suffice for all of it: the same command goes on.\n");
    printf("`muster chip pack %s` makes one file of them, to send.\n", chip);
}

static int run_stages(struct adding *adding, struct mu_error *err)
{
    char page[PATH_MAX];
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && err->status == MU_OK; i++)
        run_stage(adding, &stages[i], err);
    if (err->status != MU_OK || mu_results_make(adding->info->chip, err) != MU_OK ||
        mu_chip_page_write(mu_results_root(), adding->info->chip, page, err) != MU_OK)
        return err->status;
    tell_end(adding, page);
    return judge(adding, err);
}

/* Checks the suite and the apps before any stage runs. */
static int check_words(const struct mu_chip_arguments *arguments, struct mu_error *err)
{
    struct mu_named_suite suite;
    if (mu_named_suite_find(arguments->suite, &suite, err) != MU_OK) return err->status;
    if (suite.study != NULL)
        return mu_fail(err, MU_USAGE, "--suite=%s is a study, which muster bench --suite=%s runs", arguments->suite,
                       arguments->suite);
    for (size_t i = 0; i < arguments->app_count; i++)
        if (mu_app_find(arguments->apps[i], err) == NULL) return err->status;
    return MU_OK;
}

int mu_chip_add(const struct mu_chip_arguments *arguments, struct mu_error *err)
{
    struct adding adding = {.arguments = arguments, .begun = mu_now_ns()};
    struct mu_device_info info;
    struct mu_selftest selftest;
    if (check_words(arguments, err) != MU_OK) return err->status;
    if (mu_device_choose(arguments->device, &info, NULL, err) == MU_OK &&
        (arguments->chip != NULL || arguments->units != 0))
        mu_alias_keep(&info, arguments->chip != NULL ? arguments->chip : info.chip, arguments->units, err);
    adding.info = &info;
    if (err->status == MU_OK && mu_probe_check_owner(&info, err) == MU_OK &&
        mu_selftest_get(&info, true, 0, &selftest, err) == MU_OK) {
        const char *chip = info.chip;
        fprintf(stderr, "muster: %s: %s, barriers: %s\n", chip, info.name, mu_trust_text(selftest.trust));
        snprintf(adding.device, sizeof adding.device, "--device=%u", info.index);
        snprintf(adding.suite, sizeof adding.suite, "--suite=%s", arguments->suite);
        if (mu_results_records_path(chip, adding.info->tag, arguments->suite, adding.records, sizeof adding.records,
                                    err) == MU_OK)
            run_stages(&adding, err);
    }
    return err->status;
}
