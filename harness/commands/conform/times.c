#include "harness/commands/conform/times.h"

#include "analysis/compare.h"
#include "base/memory.h"
#include "harness/commands/bench/options.h"
#include "records/results.h"

#include <stdlib.h>
#include <string.h>

#define SET     "conform-times"
#define LABEL   64
#define MARGIN  0.05 /* as of muster compare */
#define REPEATS "3"  /* processes of each test: a single one shows nothing */

/* Writes a label that tells the driver and when conform began with it. So a driver that was rebuilt under its old
 * version is told apart after --restart. */
static void write_label(const struct mu_conform *conform, char label[LABEL])
{
    const char *began = mu_json_text(json_array_get(conform->measurements, 0), "date");
    snprintf(label, LABEL, "%.30s %.20s", conform->info->driver, began);
    for (char *at = label; *at != '\0'; at++)
        if (*at < ' ' || *at > '~' || *at == '@') *at = '_';
}

/* Writes the name of the set as muster compare takes it. */
static int name_set(struct mu_conform *conform, const char *path, const char *label, struct mu_error *err)
{
    char *whole = realpath(path, NULL);
    if (whole == NULL) return mu_fail(err, MU_IO, "%s is not there", path);
    if ((size_t)snprintf(conform->times, sizeof conform->times, "%s@%s", whole, label) >= sizeof conform->times)
        mu_fail(err, MU_LIMIT, "%s is too long", whole);
    free(whole);
    return err->status;
}

static int measure(struct mu_conform *conform, double seconds, const char *label, struct mu_error *err)
{
    struct mu_bench_arguments arguments = {0};
    struct mu_campaign campaign = {0};
    struct mu_device_info info;
    char *words[] = {mu_strdup("muster conform", err),
                     mu_format(err, "--device=%u", conform->info->index),
                     mu_strdup("--suite=smoke", err),
                     mu_strdup("--repeats=" REPEATS, err),
                     mu_strdup("--set=" SET, err),
                     mu_format(err, "--label=%s", label),
                     mu_format(err, "--budget=%.0f", seconds),
                     NULL};
    const int count = (int)(sizeof words / sizeof words[0]) - 1;
    if (err->status == MU_OK && mu_bench_parse(count, words, &arguments) != MU_OK)
        mu_fail(err, arguments.common.err.status, "%s", arguments.common.err.message);
    if (err->status == MU_OK && mu_campaign_prepare(&arguments.common, &info, &campaign, err) == MU_OK &&
        mu_campaign_open(&campaign, err) == MU_OK && mu_campaign_run(&campaign, err) == MU_OK)
        name_set(conform, campaign.runs.path, label, err);
    mu_campaign_free(&campaign);
    for (int i = 0; i < count; i++) mu_free(words[i]);
    return err->status;
}

int mu_conform_measure_times(struct mu_conform *conform, double seconds, struct mu_error *err)
{
    char label[LABEL];
    struct mu_error failure = {0};
    write_label(conform, label);
    measure(conform, seconds, label, &failure);
    if (failure.status == MU_INTERRUPTED) return mu_fail(err, MU_INTERRUPTED, "%s", failure.message);
    if (failure.status != MU_OK) fprintf(stderr, "muster: no times: %s\n", failure.message);
    return MU_OK;
}

int mu_conform_compare_times(struct mu_conform *conform, struct mu_error *err)
{
    struct mu_error failure = {0};
    struct mu_grids grids = {.err = &failure};
    struct mu_comparison_result result = {0};
    const struct mu_comparison_request request = {
        .root = mu_results_reading_root(), .a = conform->baseline_times, .b = conform->times, .margin = MARGIN};
    if (conform->times[0] == '\0' || conform->baseline_times[0] == '\0' ||
        strcmp(conform->times, conform->baseline_times) == 0)
        return MU_OK;
    if (mu_compare_sets(&request, &grids, &result) == MU_OK)
        conform->compared = (struct mu_conform_compared){.are = true,
                                                         .slower = result.slower,
                                                         .faster = result.faster,
                                                         .equivalent = result.equivalent,
                                                         .not_shown = result.not_shown,
                                                         .broken = result.broken};
    mu_grids_release(&grids);
    if (failure.status == MU_NO_MEMORY) return mu_fail(err, failure.status, "%s", failure.message);
    if (failure.status != MU_OK) fprintf(stderr, "muster: times are not compared: %s\n", failure.message);
    return MU_OK;
}
