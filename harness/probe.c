/* The parent's side of a probe: plan, children, file, profile. */
#include "harness/probe.h"

#include "harness/child.h"
#include "harness/commit.h"
#include "harness/results.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* An experiment that takes longer has hung. */
#define DEADLINE_S 300.0

struct progress {
    size_t planned, done, skipped;
    uint64_t start_ns;
    json_t *parts; /* kinds of experiments: milliseconds that they took */
};

static void print_minutes(const char *before, uint64_t seconds, const char *after)
{
    fprintf(stderr, "%s%llu:%02llu%s", before, (unsigned long long)seconds / 60, (unsigned long long)seconds % 60,
            after);
}

/* "bound, workgroup 256, local_bytes 1" */
static void print_parameters(const json_t *parameters)
{
    const char *name;
    json_t *value;
    fprintf(stderr, "%s", json_string_value(json_object_get(parameters, "experiment")));
    json_object_foreach ((json_t *)parameters, name, value) {
        if (json_is_integer(value)) fprintf(stderr, ", %s %lld", name, (long long)json_integer_value(value));
        if (json_is_string(value) && strcmp(name, "experiment") != 0)
            fprintf(stderr, ", %s %s", name, json_string_value(value));
    }
}

/* "[3/40] 0:12, about 1:02 to go  bound, workgroup 256: ok"; outcome NULL while it runs, which only a terminal shows.
 */
static void show_progress(const struct progress *progress, const json_t *parameters, const char *outcome)
{
    const uint64_t elapsed = (mu_now_ns() - progress->start_ns) / 1000000000;
    const size_t ran = progress->done - progress->skipped;
    const bool terminal = isatty(STDERR_FILENO);
    if (outcome == NULL && !terminal) return;
    fprintf(stderr, "%s[%zu/%zu] ", terminal ? "\r\033[K" : "", progress->done + (outcome == NULL), progress->planned);
    print_minutes("", elapsed, "");
    if (ran != 0) print_minutes(", about ", elapsed * (progress->planned - progress->done) / ran, " to go");
    fputs("  ", stderr);
    print_parameters(parameters);
    fprintf(stderr, "%s%s", outcome != NULL ? ": " : " …", outcome != NULL ? outcome : "");
    if (outcome != NULL && (!terminal || strcmp(outcome, "ok") != 0)) fputc('\n', stderr);
    fflush(stderr);
}

static void count_time(struct progress *progress, const json_t *parameters, uint64_t ns)
{
    const char *kind = json_string_value(json_object_get(parameters, "experiment"));
    const json_int_t before = json_integer_value(json_object_get(progress->parts, kind));
    json_object_set_new(progress->parts, kind, json_integer(before + (json_int_t)(ns / 1000000)));
}

/* "muster: 1:05: launch 0.4 s, bound 12.1 s, …", in the order of the plan. */
static void show_times(const struct progress *progress)
{
    const char *kind, *between = "";
    json_t *milliseconds;
    if (json_object_size(progress->parts) == 0) return;
    print_minutes("muster: ", (mu_now_ns() - progress->start_ns) / 1000000000, ": ");
    json_object_foreach (progress->parts, kind, milliseconds) {
        fprintf(stderr, "%s%s %.1f s", between, kind, (double)json_integer_value(milliseconds) / 1000);
        between = ", ";
    }
    fputc('\n', stderr);
}

/* Puts the experiment's identity and provenance around each measurement; without any, one says how it ended. */
static int complete(json_t *fresh, const struct mu_device_info *info, const json_t *parameters,
                    const struct mu_error *failure, struct mu_error *err)
{
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;
    size_t i;
    json_t *measurement;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (failure->status != MU_OK || json_array_size(fresh) == 0) {
        json_array_clear(fresh);
        json_array_append_new(fresh, json_object());
    }
    json_array_foreach (fresh, i, measurement) {
        json_t *about =
            json_pack("{s:i, s:s, s:O, s:s, s:I, s:I, s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "schema", MU_PROBE_SCHEMA,
                      "kind", "probe", "parameters", parameters, "outcome", mu_status_outcome(failure->status), "part",
                      (json_int_t)i, "parts", (json_int_t)json_array_size(fresh), "chip", info->chip, "device",
                      info->name, "compute_units", (json_int_t)info->compute_units, "platform", info->platform_version,
                      "driver", info->driver, "commit", mu_commit, "date", date);
        if (about == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: a measurement");
        if (failure->status != MU_OK) json_object_set_new(about, "message", mu_json_message(failure->message));
        json_object_update(measurement, about);
        json_decref(about);
    }
    return MU_OK;
}

static void set_seconds(json_t *fresh, double seconds)
{
    size_t i;
    json_t *measurement;
    json_array_foreach (fresh, i, measurement) json_object_set_new(measurement, "seconds", json_real(seconds));
}

/* After a hang or a crash: a device that fails its self-test now ends the probe. */
static int check_health(const struct mu_device_info *info, const struct mu_error *failure, struct mu_error *err)
{
    struct mu_selftest selftest;
    if (failure->status != MU_DEADLINE && failure->status != MU_CRASH && failure->status != MU_DEVICE) return MU_OK;
    if (mu_selftest_get(info, false, &selftest, err) != MU_OK || selftest.trust != MU_REFUSED) return err->status;
    return mu_fail(err, MU_DEVICE, "device '%s' no longer works after an experiment that ended by %s: %s", info->name,
                   mu_status_text(failure->status), selftest.reason);
}

/* One experiment in a child; its measurements go into the file and behind `measurements`. */
static int run_one(const struct mu_device_info *info, const struct mu_selftest *selftest, const char *path,
                   json_t *parameters, json_t *measurements, struct mu_error *failure, struct mu_error *err)
{
    json_t *response = NULL;
    const uint64_t start = mu_now_ns();
    json_t *request = json_pack("{s:s, s:O, s:o, s:o, s:o}", "kind", "probe", "parameters", parameters, "known",
                                mu_probe_what_is_known(measurements, parameters), "device", mu_device_to_json(info),
                                "selftest", mu_selftest_to_json(selftest));
    if (request == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: an experiment");
    mu_child_call(request, info->icd, DEADLINE_S, &response, failure);
    const double seconds = (double)(mu_now_ns() - start) / 1e9;
    json_decref(request);
    if (failure->status == MU_INTERRUPTED) {
        json_decref(response);
        return mu_fail(err, MU_INTERRUPTED, "interrupted; the same command goes on from here");
    }
    json_t *fresh = json_incref(json_object_get(response, "measurements"));
    if (fresh == NULL) fresh = json_array();
    if (complete(fresh, info, parameters, failure, err) == MU_OK) {
        set_seconds(fresh, seconds);
        if (mu_probe_append(path, fresh, err) == MU_OK) json_array_extend(measurements, fresh);
    }
    json_decref(fresh);
    json_decref(response);
    return err->status == MU_OK ? check_health(info, failure, err) : err->status;
}

static int run_plan(const struct mu_device_info *info, const struct mu_selftest *selftest, const char *path,
                    const json_t *plan, json_t *measurements, struct mu_error *err)
{
    struct progress progress = {.planned = json_array_size(plan), .start_ns = mu_now_ns(), .parts = json_object()};
    size_t i;
    json_t *parameters;
    json_array_foreach ((json_t *)plan, i, parameters) {
        struct mu_error failure = {0};
        progress.done = i;
        if (mu_probe_is_done(measurements, parameters)) {
            progress.skipped++;
            continue;
        }
        show_progress(&progress, parameters, NULL);
        const uint64_t start = mu_now_ns();
        do run_one(info, selftest, path, parameters, measurements, &failure, err);
        while (err->status == MU_OK && failure.status == MU_OK && !mu_probe_is_done(measurements, parameters));
        if (err->status == MU_INTERRUPTED) break;
        count_time(&progress, parameters, mu_now_ns() - start);
        progress.done = i + 1;
        show_progress(&progress, parameters, mu_status_outcome(failure.status));
        if (failure.status != MU_OK) fprintf(stderr, "    %s\n", failure.message);
        if (err->status != MU_OK) break;
    }
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    show_times(&progress);
    json_decref(progress.parts);
    if (progress.skipped != 0)
        fprintf(stderr, "muster: %zu of %zu experiments were in %s already (--restart does them anew)\n",
                progress.skipped, progress.planned, path);
    return err->status;
}

/* What was measured before, or nothing, with the file moved aside. */
static int load(const char *path, const struct mu_device_info *info, bool restart, json_t **measurements,
                struct mu_error *err)
{
    char old[PATH_MAX + 8], note[256];
    if (restart) {
        snprintf(old, sizeof old, "%s.old", path);
        if (rename(path, old) != 0 && errno != ENOENT)
            return mu_fail(err, MU_IO, "%s: cannot move it aside: %s", path, strerror(errno));
    }
    if (mu_probe_load(path, info, measurements, note, err) != MU_OK) return err->status;
    if (note[0] != '\0') fprintf(stderr, "muster: %s\n", note);
    return MU_OK;
}

/* The profile beside the file: whole, or the old one. */
static int write_profile(const struct mu_device_info *info, const struct mu_selftest *selftest,
                         const json_t *measurements, struct mu_error *err)
{
    struct mu_profile profile;
    char path[PATH_MAX];
    mu_probe_summarise(info, selftest, measurements, &profile);
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    return mu_profile_write(path, &profile, err);
}

int mu_probe_chip(const struct mu_device_info *info, const struct mu_probe_options *options, json_t **measurements,
                  struct mu_error *err)
{
    struct mu_selftest selftest;
    char path[PATH_MAX];
    *measurements = NULL;
    if (mu_selftest_get(info, !options->restart, &selftest, err) != MU_OK ||
        mu_results_make(info->chip, err) != MU_OK ||
        mu_results_path(info->chip, MU_PROBE_FILE, path, sizeof path, err) != MU_OK ||
        load(path, info, options->restart, measurements, err) != MU_OK)
        return err->status;
    json_t *plan = mu_probe_plan(info, &selftest, options);
    if (plan == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: the plan of a probe");
    run_plan(info, &selftest, path, plan, *measurements, err);
    json_decref(plan);
    if (err->status == MU_OK && options->app == NULL) write_profile(info, &selftest, *measurements, err);
    if (err->status == MU_OK && selftest.trust == MU_REFUSED)
        mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", info->name, selftest.reason);
    return err->status;
}
