/* muster probe --watchdog: kernels of doubling time, until the system ends one. */
#include "harness/commands/probe/watchdog.h"

#include "harness/probe/probe.h"

#include <stdio.h>
#include <string.h>

/* Returns the outcome of the newest measurement of a kernel of this duration; "" if there is none. */
static const char *outcome_of(const json_t *measurements, uint32_t ms, const char **message)
{
    size_t i;
    json_t *measurement;
    const char *outcome = "";
    json_array_foreach ((json_t *)(uintptr_t)measurements, i, measurement) {
        const json_t *of = json_object_get(measurement, "parameters");
        if (!mu_json_is(of, "experiment", "watchdog") || mu_json_count(of, "ms") != ms) continue;
        outcome = mu_json_text(measurement, "outcome");
        *message = mu_json_text(measurement, "message");
    }
    return outcome;
}

/* Tries one kernel. *goes_on gets whether it ended by itself. */
static int try(const struct mu_device_info *info, const struct mu_probe_options *options, bool *goes_on,
               struct mu_error *err)
{
    json_t *measurements = NULL;
    const char *message = "";
    const double seconds = options->watchdog_ms / 1e3;
    *goes_on = false;
    if (mu_probe_chip(info, options, &measurements, err) == MU_OK) {
        const char *outcome = outcome_of(measurements, options->watchdog_ms, &message);
        *goes_on = strcmp(outcome, mu_status_outcome(MU_OK)) == 0;
        if (*goes_on)
            printf("a kernel of %.2f s ends\n", seconds);
        else if (mu_probe_is_ended(outcome))
            printf("a kernel of %.2f s is ended: %s: %s\nwaits are bounded by half of what was not ended from now on\n",
                   seconds, outcome, message);
        else
            mu_fail(err, mu_outcome_status(outcome), "a kernel of %.2f s did not run: %s", seconds, message);
        fflush(stdout);
    }
    json_decref(measurements);
    return err->status;
}

void mu_probe_watchdog_find(const struct mu_device_info *info, const struct mu_probe_options *asked, uint32_t most_ms,
                            struct mu_error *err)
{
    struct mu_probe_options options = *asked;
    bool goes_on = true;
    if (info->cpu) {
        mu_fail(err, MU_UNSUPPORTED, "device '%s' has no watchdog: its kernels run on threads of the host", info->name);
        return;
    }
    for (uint32_t ms = MU_WATCHDOG_FIRST_MS; goes_on && err->status == MU_OK; ms *= 2) {
        options.watchdog_ms = ms < most_ms ? ms : most_ms;
        if (try(info, &options, &goes_on, err) != MU_OK || ms >= most_ms) break;
        options.restart = false;
    }
    if (goes_on && err->status == MU_OK) printf("no watchdog was met in %.2f s\n", most_ms / 1e3);
}
