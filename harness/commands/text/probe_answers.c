#include "harness/commands/text/probe_answers.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/units.h"
#include "harness/commands/text/field.h"
#include "harness/device/launch_defaults.h"
#include "records/implementations.h"
#include "records/measurements.h"
#include "statistics/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIME_TEXT = 32, COST_TEXT = 4 * TIME_TEXT };

static const struct mu_field_look look = {0, 16};

static const char *rounds_text(double rounds, char text[TIME_TEXT])
{
    const double whole = fmax(ceil(rounds), 1);
    snprintf(text, TIME_TEXT, "%.0f round%s", whole, whole > 1 ? "s" : "");
    return text;
}

static void print_whether(const struct mu_profile *profile)
{
    char roll_calls[96] = "";
    const bool trusted = strcmp(profile->selftest_trust, "trusted") == 0;
    const bool several = strcmp(profile->selftest_variants, mu_profile_variants[MU_PROFILE_ALL_VARIANTS].name) == 0;
    if (profile->rollcall_recall_runs != 0)
        snprintf(roll_calls, sizeof roll_calls, "; each of 4 × %u roll calls found all workgroups that fit",
                 profile->rollcall_recall_runs);
    if (trusted && several)
        mu_field(&look, "barriers work", "yes: %s%s", profile->selftest_reason, roll_calls);
    else
        mu_field(&look, "barriers work", "no: %s",
                 trusted ? "a simulator, which shows nothing of a device" : profile->selftest_reason);
}

/* Finds the summary of an experiment's measurement whose median stands in the profile. Returns false if there is
 * none. */
static bool find(const json_t *measurements, const char *experiment, double median_ns, struct mu_summary *summary)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        size_t count = 0;
        if (!mu_json_is(json_object_get(measurement, "parameters"), "experiment", experiment)) continue;
        double *values = mu_json_numbers(json_object_get(measurement, "ns"), &count, NULL);
        const bool known = values != NULL && count != 0 && mu_summarise(values, count, summary, NULL) == MU_OK;
        mu_free(values);
        if (known && fabs(summary->median - median_ns) <= 1e-4 * median_ns) return true;
    }
    return false;
}

/* Writes a cost with its interval: "2.03 us [2.01 us, 2.05 us]". */
static const char *cost(const json_t *measurements, const char *experiment, double median_ns, char text[COST_TEXT])
{
    char median[TIME_TEXT], low[TIME_TEXT], high[TIME_TEXT];
    struct mu_summary summary;
    mu_show_time(median_ns, median, sizeof median);
    snprintf(text, COST_TEXT, "%s", median);
    if (!find(measurements, experiment, median_ns, &summary) || !summary.has_interval) return text;
    mu_show_time(summary.low, low, sizeof low);
    mu_show_time(summary.high, high, sizeof high);
    snprintf(text, COST_TEXT, "%s [%s, %s]", median, low, high);
    return text;
}

/* Returns the cost of a step that the host launches and whose flag it reads back, in nanoseconds. */
static double round_trip_ns(const struct mu_profile *profile)
{
    const bool word = strcmp(profile->launch_readback, mu_readbacks[MU_READBACK_WORD].name) == 0;
    return word ? profile->launch_word_ns : profile->launch_blocking_ns;
}

static void print_costs(const struct mu_device_info *info, const struct mu_profile *profile, const json_t *measurements)
{
    char text[COST_TEXT], alone[COST_TEXT];
    const double launch_ns = round_trip_ns(profile);
    const uint32_t workgroup = mu_default_workgroup(info);
    if (profile->barrier_cost_ns > 0)
        mu_field(&look, "a barrier", "costs %s between all workgroups of %u that fit",
                 cost(measurements, "barrier", profile->barrier_cost_ns, text), workgroup);
    if (launch_ns > 0)
        mu_field(&look, "a launch", "costs %s with a flag read back behind it, and %s in a row of launches",
                 cost(measurements, "launch", launch_ns, text),
                 cost(measurements, "launch", profile->launch_pipelined_ns, alone));
}

static void print_worth(const struct mu_profile *profile)
{
    char cold[TIME_TEXT], warm[TIME_TEXT];
    const double saved_ns = round_trip_ns(profile) - profile->barrier_cost_ns;
    if (profile->barrier_cost_ns <= 0) return;
    if (saved_ns <= 0) {
        mu_field(&look, "worth it", "never: a barrier costs as much as a launch with its flag read back");
        return;
    }
    if (profile->rollcall_cost_ns > 0)
        mu_field(&look, "worth it",
                 "cold, where nothing is known of the device: from %s on, which pay for the roll call",
                 rounds_text(profile->rollcall_cost_ns / saved_ns, cold));
    if (profile->rollcall_expected_cost_ns > 0)
        mu_field(&look, profile->rollcall_cost_ns > 0 ? "" : "worth it",
                 "warm, where the size of the team is known: from %s on",
                 rounds_text(profile->rollcall_expected_cost_ns / saved_ns, warm));
    if (profile->predict_rounds_per_second > 0)
        mu_field(&look, "", "a run that is long enough gets 5 %% faster if it has more than %.0f rounds a second",
                 profile->predict_rounds_per_second);
}

void mu_probe_answer(const struct mu_device_info *info, const struct mu_profile *profile, const json_t *measurements)
{
    json_t *current = measurements != NULL ? mu_measurements_current(measurements) : NULL;
    print_whether(profile);
    print_costs(info, profile, current);
    print_worth(profile);
    if (current != NULL && profile->barrier_cost_ns > 0)
        mu_field(&look, "", "Intervals are of the median at 95 %%, within one process.");
    json_decref(current);
}
