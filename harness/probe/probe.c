/* The parent's side of a probe: plan, children, file, profile. */
#include "harness/probe/probe.h"

#include "base/date.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"
#include "harness/device/host.h"
#include "harness/device/placement.h"
#include "records/measurements.h"
#include "records/results.h"
#include "records/schema.h"
#include "records/store.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An experiment that takes longer has hung. */
#define DEADLINE_S 300.0

struct meter {
    size_t planned, done, skipped;
    uint64_t start_ns;
    struct mu_json parts; /* kinds of experiments: milliseconds that they took */
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
static void show_meter(const struct meter *meter, const json_t *parameters, const char *outcome)
{
    const uint64_t elapsed = (mu_now_ns() - meter->start_ns) / 1000000000;
    const size_t ran = meter->done - meter->skipped;
    const bool terminal = isatty(STDERR_FILENO);
    if (outcome == NULL && !terminal) return;
    fprintf(stderr, "%s[%zu/%zu] ", terminal ? "\r\033[K" : "", meter->done + (outcome == NULL), meter->planned);
    print_minutes("", elapsed, "");
    if (ran != 0) print_minutes(", about ", elapsed * (meter->planned - meter->done) / ran, " to go");
    fputs("  ", stderr);
    print_parameters(parameters);
    fprintf(stderr, "%s%s", outcome != NULL ? ": " : " …", outcome != NULL ? outcome : "");
    if (outcome != NULL && (!terminal || strcmp(outcome, "ok") != 0)) fputc('\n', stderr);
    fflush(stderr);
}

static void count_time(struct meter *meter, const json_t *parameters, uint64_t ns)
{
    const char *kind = mu_json_text(parameters, "experiment");
    mu_json_set_number(&meter->parts, kind, mu_json_number(meter->parts.value, kind) + ns / 1000000);
}

/* "muster: 1:05: launch 0.4 s, bound 12.1 s, …", in the order of the plan. */
static void show_times(const struct meter *meter)
{
    const char *kind, *between = "";
    json_t *milliseconds;
    if (json_object_size(meter->parts.value) == 0) return;
    print_minutes("muster: ", (mu_now_ns() - meter->start_ns) / 1000000000, ": ");
    json_object_foreach (meter->parts.value, kind, milliseconds) {
        fprintf(stderr, "%s%s %.1f s", between, kind, (double)json_integer_value(milliseconds) / 1000);
        between = ", ";
    }
    fputc('\n', stderr);
}

/* The probe of a chip: what it works on, and what is known so far. */
struct probe {
    const struct mu_device_info *info;
    struct mu_selftest selftest;
    struct mu_store store;
    json_t *measurements; /* of this driver, the fresh ones too */
};

/* One experiment that was made: what it took and how it ended. */
struct made {
    const json_t *parameters;
    const struct mu_error *failure;
    double seconds;
};

/* Puts the experiment's identity and provenance to a measurement. */
static void add_identity(const struct probe *probe, const struct made *made, size_t part, struct mu_json *measurement)
{
    char date[MU_DATE_TEXT];
    mu_date_now(date);
    mu_json_set_number(measurement, "schema", MU_RECORD_SCHEMA);
    mu_json_set_text(measurement, "kind", "probe");
    mu_json_set(measurement, "parameters", json_incref((json_t *)made->parameters));
    mu_child_add_outcome(measurement, made->failure);
    mu_json_set_number(measurement, "part", part);
    mu_json_set_text(measurement, "chip", probe->info->chip);
    mu_json_set(measurement, "device", mu_device_record(probe->info));
    mu_json_set_number(measurement, "compute_units", probe->info->compute_units);
    mu_json_set_text(measurement, "platform", probe->info->platform_version);
    mu_json_set_text(measurement, "driver", probe->info->driver);
    mu_json_set_text(measurement, "commit", mu_commit);
    mu_json_set_text(measurement, "date", date);
    mu_json_set_real(measurement, "seconds", made->seconds);
    mu_host_add(measurement, NULL);
    mu_json_set(measurement, "driver_settings", mu_settings_to_json(&probe->selftest.settings));
}

/* The measurements of an experiment, completed: an array. Without any, one says how the experiment ended. */
static json_t *complete(const struct probe *probe, const struct made *made, const json_t *found, struct mu_error *err)
{
    struct mu_json all = mu_json_array();
    const size_t count = made->failure->status == MU_OK ? json_array_size(found) : 0;
    const size_t parts = count != 0 ? count : 1;
    for (size_t i = 0; i < parts; i++) {
        char key[MU_KEY_BYTES] = "";
        struct mu_json measurement = mu_json_object();
        if (count != 0) mu_json_update(&measurement, json_array_get(found, i));
        add_identity(probe, made, i, &measurement);
        mu_json_set_number(&measurement, "parts", parts);
        mu_probe_key(probe->info, probe->measurements, made->parameters, i, key, err);
        mu_json_set_text(&measurement, "key", key);
        mu_json_append_part(&all, &measurement);
    }
    return mu_json_take(&all, "measurements", err);
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

/* One experiment in a child; its measurements go into the store. */
static int run_one(struct probe *probe, json_t *parameters, struct mu_error *failure, struct mu_error *err)
{
    json_t *response = NULL;
    const uint64_t start = mu_now_ns();
    char refusal[MU_PLACEMENT_BYTES];
    const bool place = mu_placement_allow(MU_PLACEMENT_AUTO, probe->info, refusal);
    json_t *request =
        json_pack("{s:s, s:O, s:o, s:o, s:o, s:b}", "kind", "probe", "parameters", parameters, "known",
                  mu_probe_what_is_known(probe->measurements, parameters), "device", mu_device_to_json(probe->info),
                  "selftest", mu_selftest_to_json(&probe->selftest), "place", place);
    if (request == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: an experiment");
    const struct mu_child_environment environment = {probe->info->icd, &probe->selftest.settings};
    mu_child_call(request, &environment, DEADLINE_S, &response, failure);
    const struct made made = {parameters, failure, (double)(mu_now_ns() - start) / 1e9};
    json_decref(request);
    if (failure->status == MU_INTERRUPTED) {
        json_decref(response);
        return mu_fail(err, MU_INTERRUPTED, "interrupted; the same command goes on from here");
    }
    json_t *fresh = complete(probe, &made, json_object_get(response, "measurements"), err);
    if (err->status == MU_OK && mu_store_append_all(&probe->store, fresh, err) == MU_OK &&
        json_array_extend(probe->measurements, fresh) != 0)
        mu_fail(err, MU_NO_MEMORY, "out of memory: measurements");
    json_decref(fresh);
    json_decref(response);
    return err->status == MU_OK ? check_health(probe->info, failure, err) : err->status;
}

static int run_plan(struct probe *probe, const json_t *plan, struct mu_error *err)
{
    struct meter meter = {.planned = json_array_size(plan), .start_ns = mu_now_ns(), .parts = mu_json_object()};
    size_t i;
    json_t *parameters;
    json_array_foreach ((json_t *)plan, i, parameters) {
        struct mu_error failure = {0};
        meter.done = i;
        if (mu_probe_is_done(probe->measurements, parameters)) {
            meter.skipped++;
            continue;
        }
        show_meter(&meter, parameters, NULL);
        const uint64_t start = mu_now_ns();
        do run_one(probe, parameters, &failure, err);
        while (err->status == MU_OK && failure.status == MU_OK && !mu_probe_is_done(probe->measurements, parameters));
        if (err->status == MU_INTERRUPTED) break;
        count_time(&meter, parameters, mu_now_ns() - start);
        meter.done = i + 1;
        show_meter(&meter, parameters, mu_status_outcome(failure.status));
        if (failure.status != MU_OK) fprintf(stderr, "    %s\n", failure.message);
        if (err->status != MU_OK) break;
    }
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    show_times(&meter);
    mu_json_release(&meter.parts);
    if (meter.skipped != 0)
        fprintf(stderr, "muster: %zu of %zu experiments were in %s already (--restart does them anew)\n", meter.skipped,
                meter.planned, probe->store.path);
    return err->status;
}

/* Opens the store with what was measured before, or nothing after a restart, which sets the file aside. */
static int load(struct probe *probe, bool restart, struct mu_error *err)
{
    char path[PATH_MAX], moved[PATH_MAX];
    if (mu_results_path(probe->info->chip, MU_PROBE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    if (!restart) return mu_probe_open(path, probe->info, &probe->store, &probe->measurements, err);
    if (mu_store_open(path, &probe->store, err) != MU_OK || mu_store_set_aside(&probe->store, moved, err) != MU_OK)
        return err->status;
    mu_store_close(&probe->store);
    if (moved[0] != '\0') fprintf(stderr, "muster: the measurements of an earlier probe are now in %s\n", moved);
    return mu_probe_open(path, probe->info, &probe->store, &probe->measurements, err);
}

/* The profile beside the file: whole, or the old one. */
static int write_profile(const struct probe *probe, struct mu_error *err)
{
    struct mu_profile profile;
    char path[PATH_MAX];
    mu_probe_summarise(probe->info, &probe->selftest, probe->measurements, &profile);
    if (mu_results_path(probe->info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    return mu_profile_write(path, &profile, err);
}

int mu_probe_chip(const struct mu_device_info *info, const struct mu_probe_options *options, json_t **measurements,
                  struct mu_error *err)
{
    struct probe probe = {.info = info};
    *measurements = NULL;
    if (mu_selftest_get(info, !options->restart, &probe.selftest, err) != MU_OK ||
        mu_results_make(info->chip, err) != MU_OK)
        return err->status;
    if (load(&probe, options->restart, err) == MU_OK) {
        json_t *plan = mu_probe_plan(info, &probe.selftest, options);
        if (plan == NULL)
            mu_fail(err, MU_NO_MEMORY, "out of memory: the plan of a probe");
        else
            run_plan(&probe, plan, err);
        json_decref(plan);
    }
    if (err->status == MU_OK && options->app == NULL) write_profile(&probe, err);
    if (err->status == MU_OK && probe.selftest.trust == MU_REFUSED)
        mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", info->name, probe.selftest.reason);
    mu_store_close(&probe.store);
    *measurements = probe.measurements;
    return err->status;
}
