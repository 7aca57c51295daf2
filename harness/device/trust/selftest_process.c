/* The verdict of the self-test: as JSON, and how the parent gets it. */
#include "base/files/cache.h"
#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/trust/selftest.h"
#include "variants/launch/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The time after which a self-test has hung; on a CPU with more workers than cores it takes a few seconds. */
#define SELFTEST_DEADLINE_S 90.0

/* What a child gets when a user's deadline has passed: enough for a process to start. */
#define LEAST_S 0.1

static const char *const trust_texts[] = {"no", "alone", "yes"};

const char *mu_feature_class(const struct mu_device_info *info, const struct mu_selftest *result)
{
    if (result->trust == MU_TRUSTED) return "FP";
    if (info->atomics == MU_ATOMICS_FENCES) return "1.x";
    return result->subgroups != MU_SUBGROUPS_NONE ? "2.1" : "2.0";
}

const char *mu_trust_text(enum mu_trust trust)
{
    return trust_texts[trust];
}

json_t *mu_selftest_to_json(const struct mu_selftest *result)
{
    return json_pack("{s:s, s:b, s:s, s:I, s:f, s:I, s:s, s:s, s:s, s:I, s:s, s:o}", "barriers",
                     mu_trust_text(result->trust), "steps", result->steps, "reason", result->reason, "team",
                     (json_int_t)result->team, "poll_ns", result->poll_ns, "spin_limit", (json_int_t)result->spin_limit,
                     "yield", mu_yields[result->yield].name, "yield_reason", result->yield_reason, "subgroups",
                     mu_subgroup_paths[result->subgroups].name, "subgroup_size", (json_int_t)result->subgroup_size,
                     "subgroups_reason", result->subgroups_reason, "driver_settings",
                     mu_settings_to_json(&result->settings));
}

int mu_selftest_from_json(const json_t *object, struct mu_selftest *result, struct mu_error *err)
{
    const char *trust = "", *reason = "", *yield = "", *yield_reason = "", *subgroups = "", *subgroups_reason = "";
    int yield_index = MU_YIELD_NONE, subgroups_index = MU_SUBGROUPS_NONE;
    json_int_t team = 0, spin_limit = 0, subgroup_size = 1;
    memset(result, 0, sizeof *result);
    if (json_unpack((json_t *)object, "{s:s, s:s, s:I, s:F, s:I, s:s, s:s, s:s, s:I, s:s}", "barriers", &trust,
                    "reason", &reason, "team", &team, "poll_ns", &result->poll_ns, "spin_limit", &spin_limit, "yield",
                    &yield, "yield_reason", &yield_reason, "subgroups", &subgroups, "subgroup_size", &subgroup_size,
                    "subgroups_reason", &subgroups_reason) != 0)
        return mu_fail(err, MU_DEVICE, "a self-test's verdict is incomplete");
    for (int i = MU_REFUSED; i <= MU_TRUSTED; i++)
        if (strcmp(trust, trust_texts[i]) == 0) result->trust = (enum mu_trust)i;
    if (mu_choice_find(mu_yields, "yield", yield, &yield_index, err) != MU_OK ||
        mu_choice_find(mu_subgroup_paths, "subgroups", subgroups, &subgroups_index, err) != MU_OK)
        return MU_DEVICE;
    result->steps = json_is_true(json_object_get(object, "steps"));
    result->yield = (enum mu_yield)yield_index;
    result->subgroups = (enum mu_subgroups)subgroups_index;
    result->subgroup_size = (uint32_t)subgroup_size;
    snprintf(result->subgroups_reason, sizeof result->subgroups_reason, "%s", subgroups_reason);
    snprintf(result->yield_reason, sizeof result->yield_reason, "%s", yield_reason);
    snprintf(result->reason, sizeof result->reason, "%s", reason);
    result->team = (uint32_t)team;
    result->spin_limit = (uint32_t)spin_limit;
    return mu_settings_from_json(json_object_get(object, "driver_settings"), &result->settings, err);
}

/* Returns everything on which the verdict depends. PoCL's worker count is part of compute_units. */
static char *verdict_key(const struct mu_device_info *info, struct mu_error *err)
{
    char compilers[256];
    mu_settings_of_compilers(compilers, sizeof compilers);
    return mu_format(err, "%s\n%s\n%s\n%s\n%u\n%s\n%d\n%s\n%d\n%u\n%u\n%u\n%s\n%s", info->platform,
                     info->platform_version, info->name, info->driver, info->compute_units, info->version,
                     (int)info->atomics, info->c_standard, info->yield, info->subgroup_paths, info->watchdog_ms,
                     info->resident, compilers, mu_commit);
}

uint32_t mu_selftest_resident(const struct mu_device_info *info, const struct mu_selftest *result)
{
    const uint32_t team = result->team;
    if (info->resident != 0) return info->resident; /* a user's word */
    if (info->compute_units > 1 || team <= 1) return 0;
    return info->cpu ? team : team / MU_RESIDENT_GROUPS + (team % MU_RESIDENT_GROUPS != 0);
}

double mu_selftest_left(const struct mu_selftest *result, double usual)
{
    const uint64_t now_ns = mu_now_ns();
    if (result->until_ns == 0) return usual;
    const double left = result->until_ns > now_ns ? (double)(result->until_ns - now_ns) * 1e-9 : 0;
    return left < LEAST_S ? LEAST_S : left < usual ? left : usual;
}

/* Refuses the barriers of a device whose child failed. If that child died, another one tests the steps; a device that
 * hangs gets no more to do. */
static int ask_for_steps(const struct mu_device_info *used, const struct mu_child_environment *environment,
                         double seconds, const struct mu_error *failure, struct mu_selftest *result)
{
    json_t *response = NULL;
    struct mu_error again = {0};
    memset(result, 0, sizeof *result);
    if (failure->status != MU_DEADLINE) {
        json_t *request =
            json_pack("{s:s, s:o, s:b}", "kind", "selftest", "device", mu_device_to_json(used), "only_steps", 1);
        mu_child_call(request, environment, seconds, &response, &again);
        json_decref(request);
        if (again.status == MU_OK &&
            mu_selftest_from_json(json_object_get(response, "selftest"), result, &again) != MU_OK)
            memset(result, 0, sizeof *result);
        json_decref(response);
    }
    result->trust = MU_REFUSED;
    snprintf(result->reason, sizeof result->reason, "the self-test failed: %.200s", failure->message);
    return again.status == MU_INTERRUPTED ? MU_INTERRUPTED : MU_OK;
}

/* Runs the self-test in a child with these driver settings, until result->until_ns. */
static int ask_child(const struct mu_device_info *info, const struct mu_settings *settings, struct mu_selftest *result,
                     struct mu_error *err)
{
    const struct mu_child_environment environment = {.icd = info->icd, .settings = settings};
    struct mu_device_info used = *info;
    struct mu_selftest chosen = {.until_ns = result->until_ns};
    struct mu_error failure = {0};
    json_t *response = NULL;
    if (mu_yield_choose(info, settings, &chosen, err) != MU_OK ||
        mu_subgroups_choose(info, settings, &chosen, err) != MU_OK)
        return err->status;
    used.yield = (int)chosen.yield;
    json_t *request = json_pack("{s:s, s:o}", "kind", "selftest", "device", mu_device_to_json(&used));
    mu_child_call(request, &environment, mu_selftest_left(&chosen, SELFTEST_DEADLINE_S), &response, &failure);
    json_decref(request);
    if (failure.status == MU_OK)
        mu_selftest_from_json(json_object_get(response, "selftest"), result, err);
    else if (failure.status == MU_INTERRUPTED)
        mu_fail(err, failure.status, "%s", failure.message);
    else if (ask_for_steps(&used, &environment, mu_selftest_left(&chosen, SELFTEST_DEADLINE_S), &failure, result) !=
             MU_OK)
        mu_fail(err, MU_INTERRUPTED, "%s", failure.message);
    json_decref(response);
    result->yield = chosen.yield;
    memcpy(result->yield_reason, chosen.yield_reason, sizeof result->yield_reason);
    result->subgroups = chosen.subgroups;
    result->subgroup_size = chosen.subgroup_size;
    memcpy(result->subgroups_reason, chosen.subgroups_reason, sizeof result->subgroups_reason);
    result->settings = *settings;
    result->late = chosen.late || failure.status == MU_DEADLINE;
    return err->status;
}

/* Driver settings to try on a CPU that fails the self-test, whatever its driver: a setting that a driver does not know
 * does no harm, and only the result counts. */
static const struct {
    const char *name, *value;
    bool steps; /* for devices on which single steps are right: it would not help others */
} remedies[] = {
    /* PoCL from 4.0 on: a group's work-items run as continuations between barriers. The other methods, loops between
     * barriers, lose barriers of some kernels (6.0: tests/data/lost_barrier.cl). */
    {"POCL_WORK_GROUP_METHOD", "cbs", false},
    /* rusticl on llvmpipe, Mesa 25 and 26: its compiler crashes where a function that is called in a loop has a loop
     * and then calls one with a barrier (tests/data/inlined_barrier.c). */
    {MU_SETTING_INLINE, "1", true},
};

/* Adds to the refused verdict what the user has set in a remedy's place. */
static void note_users_setting(struct mu_selftest *result, const char *name)
{
    char reason[sizeof result->reason];
    memcpy(reason, result->reason, sizeof reason);
    snprintf(result->reason, sizeof result->reason, "%.160s (%s is set to '%.24s' here)", reason, name, getenv(name));
}

/* Gets the verdict without settings. For a CPU that is refused, tries the remedies while there is time, and takes the
 * verdict of the first that helps. */
static int judge(const struct mu_device_info *info, uint64_t until_ns, struct mu_selftest *result, struct mu_error *err)
{
    const struct mu_settings none = {0};
    result->until_ns = until_ns;
    if (ask_child(info, &none, result, err) != MU_OK) return err->status;
    if (until_ns != 0 && mu_now_ns() >= until_ns) return MU_OK;
    for (size_t i = 0; result->trust == MU_REFUSED && info->cpu && i < sizeof remedies / sizeof remedies[0]; i++) {
        struct mu_settings settings = {0};
        struct mu_selftest cured = {.until_ns = until_ns};
        if (remedies[i].steps && !result->steps) continue;
        if (getenv(remedies[i].name) != NULL)
            note_users_setting(result, remedies[i].name);
        else if (!mu_settings_add(&settings, remedies[i].name, remedies[i].value))
            continue;
        else if (ask_child(info, &settings, &cured, err) != MU_OK)
            return err->status;
        else if (cured.trust != MU_REFUSED)
            *result = cured;
    }
    return MU_OK;
}

int mu_selftest_get(const struct mu_device_info *info, bool use_cache, double deadline_s, struct mu_selftest *result,
                    struct mu_error *err)
{
    const uint64_t until_ns = deadline_s > 0 ? mu_now_ns() + (uint64_t)(deadline_s * 1e9) : 0;
    size_t bytes = 0;
    char *key = verdict_key(info, err);
    if (key == NULL) return err->status;
    char *text = use_cache ? mu_cache_get("selftest", key, strlen(key), &bytes) : NULL;
    json_t *cached = text != NULL ? json_loadb(text, bytes, 0, NULL) : NULL;
    const bool usable = cached != NULL && mu_selftest_from_json(cached, result, NULL) == MU_OK;
    if (!usable && judge(info, until_ns, result, err) == MU_OK && result->trust != MU_REFUSED && !result->late &&
        use_cache) {
        json_t *verdict = mu_selftest_to_json(result);
        char *fresh = json_dumps(verdict, JSON_COMPACT);
        if (fresh != NULL) mu_cache_put("selftest", key, strlen(key), fresh, strlen(fresh));
        free(fresh);
        json_decref(verdict);
    }
    json_decref(cached);
    mu_free(text);
    mu_free(key);
    return err->status;
}
