/* Forward-progress tests in a process of their own: the child that makes the outcomes, and the parent that asks
 * for them or finds them in the cache. */
#include "harness/device/trust/forward_progress.h"

#include "base/files/cache.h"
#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/commit.h"
#include "harness/device/launch_defaults.h"

#include <stdlib.h>
#include <string.h>

/* The time of the polls after which a spin is starvation, and the time after which a child must have hung. On a CPU a
 * worker may have to wait for its core, unless it is given away between polls. Then a spin takes two to three times as
 * long as its polls alone. */
#define KEEPING_SPIN_S  1.0
#define YIELDING_SPIN_S 0.1
#define SPIN_S          0.25
#define DEADLINE_S      180.0

uint32_t mu_forward_progress_spin_limit(const struct mu_device_info *info, const struct mu_selftest *selftest)
{
    const double seconds = !info->cpu ? SPIN_S : selftest->yield == MU_YIELD_NONE ? KEEPING_SPIN_S : YIELDING_SPIN_S;
    return mu_polls_about(selftest->poll_ns, seconds * mu_device_core_share(info));
}

int mu_forward_progress_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_device_info info;
    struct mu_forward_progress result;
    struct mu_target target = {0};
    const uint32_t spin_limit = mu_json_count(request, "spin_limit");
    if (mu_device_from_json(json_object_get(request, "device"), &info, err) == MU_OK &&
        mu_device_open(&info, false, &target, err) == MU_OK &&
        mu_forward_progress_run(&target, &info, spin_limit, &result, err) == MU_OK)
        mu_json_set(response, "progress", mu_forward_progress_to_json(&result));
    mu_device_close(&target);
    return err->status;
}

static int ask_child(const struct mu_device_info *info, const struct mu_selftest *selftest,
                     struct mu_forward_progress *result, struct mu_error *err)
{
    json_t *response = NULL;
    const struct mu_child_environment environment = {.icd = info->icd, .settings = &selftest->settings};
    json_t *request = json_pack("{s:s, s:o, s:I}", "kind", "progress", "device", mu_device_to_json(info), "spin_limit",
                                (json_int_t)mu_forward_progress_spin_limit(info, selftest));
    if (mu_child_call(request, &environment, DEADLINE_S, &response, err) == MU_OK)
        mu_forward_progress_from_json(json_object_get(response, "progress"), result, err);
    json_decref(request);
    json_decref(response);
    return err->status;
}

int mu_forward_progress_get(const struct mu_device_info *info, const struct mu_selftest *selftest, bool use_cache,
                            struct mu_forward_progress *result, struct mu_error *err)
{
    size_t bytes = 0;
    char settings[256];
    mu_settings_text(&selftest->settings, settings, sizeof settings);
    char *key = mu_format(err, "%s\n%s\n%s\n%s\n%u\n%d\n%s\n%d\n%s\n%s", info->platform, info->platform_version,
                          info->name, info->driver, info->compute_units, (int)info->atomics, info->c_standard,
                          info->yield, settings, mu_commit);
    if (key == NULL) return err->status;
    char *text = use_cache ? mu_cache_get("progress", key, strlen(key), &bytes) : NULL;
    json_t *cached = text != NULL ? json_loadb(text, bytes, 0, NULL) : NULL;
    const bool usable = cached != NULL && mu_forward_progress_from_json(cached, result, NULL) == MU_OK;
    if (!usable && ask_child(info, selftest, result, err) == MU_OK && use_cache) {
        json_t *object = mu_forward_progress_to_json(result);
        char *fresh = json_dumps(object, JSON_COMPACT);
        if (fresh != NULL) mu_cache_put("progress", key, strlen(key), fresh, strlen(fresh));
        free(fresh);
        json_decref(object);
    }
    json_decref(cached);
    mu_free(text);
    mu_free(key);
    return err->status;
}

int mu_forward_progress_need_lobe(const struct mu_device_info *info, const struct mu_selftest *selftest, bool use_cache,
                                  struct mu_error *err)
{
    struct mu_forward_progress progress = {0};
    enum mu_idiom idiom;
    enum mu_id_order order;
    if (mu_forward_progress_get(info, selftest, use_cache, &progress, err) != MU_OK) return err->status;
    if (mu_forward_progress_consistent(&progress, MU_SCHEDULER_LOBE, &idiom, &order)) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED,
                   "device '%s' cannot do --rollcall=lobe: it is not consistent with LOBE scheduling, since of %u "
                   "workgroups the forward-progress test %s (ids %s) was not completed: %s",
                   info->name, progress.groups, mu_idiom_name(idiom), mu_id_order_name(order),
                   mu_forward_progress_outcome_name(progress.outcomes[idiom][order]));
}
