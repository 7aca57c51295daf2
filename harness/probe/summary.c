/* From measurements to a profile. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "base/memory.h"
#include "harness/run/resolve.h"
#include "records/measurements.h"
#include "records/scheduler_models.h"
#include "statistics/statistics.h"
#include "variants/launch/execution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_BARRIERS 8
#define MAX_POINTS   128
#define WORTH        0.05 /* the share of a run's time that a barrier must save to be said to pay */

static bool is_kind(const json_t *measurement, const char *kind)
{
    return mu_json_is(json_object_get(measurement, "parameters"), "experiment", kind);
}

static uint32_t parameter_of(const json_t *measurement, const char *name)
{
    return mu_json_count(json_object_get(measurement, "parameters"), name);
}

double mu_probe_median(const json_t *measurement, const char *name)
{
    size_t count = 0;
    struct mu_summary summary = {0};
    double *values = mu_json_numbers(json_object_get(measurement, name), &count, NULL);
    if (values == NULL || count == 0 || mu_summarise(values, count, &summary, NULL) != MU_OK) summary.median = 0;
    mu_free(values);
    return summary.median;
}

uint32_t mu_probe_patience_found(const json_t *measurements)
{
    struct {
        uint32_t workgroup, local_bytes, full;
    } kernels[8] = {0};
    size_t i, count = 0;
    json_t *measurement;
    uint32_t largest = 0;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        size_t k = 0;
        if (!is_kind(measurement, "patience") || json_object_get(measurement, "patience") == NULL) continue;
        const uint32_t workgroup = parameter_of(measurement, "workgroup");
        const uint32_t local_bytes = parameter_of(measurement, "local_bytes");
        while (k < count && (kernels[k].workgroup != workgroup || kernels[k].local_bytes != local_bytes)) k++;
        if (k == sizeof kernels / sizeof kernels[0]) continue;
        if (k == count) count++;
        kernels[k].workgroup = workgroup;
        kernels[k].local_bytes = local_bytes;
        /* In order of patience: one that was not enough takes back what smaller ones seemed to be. */
        if (!json_is_true(json_object_get(measurement, "full")))
            kernels[k].full = 0;
        else if (kernels[k].full == 0)
            kernels[k].full = mu_json_count(measurement, "patience");
    }
    for (size_t k = 0; k < count; k++) {
        if (kernels[k].full == 0) return 0;
        if (kernels[k].full > largest) largest = kernels[k].full;
    }
    return largest;
}

/* Returns the patience, or a larger one that was verified in its place. */
static uint32_t grow(const json_t *measurements, uint32_t patience)
{
    size_t i;
    json_t *measurement;
    if (patience == 0) return 0;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const uint32_t tried = mu_json_count(measurement, "patience");
        if (!is_kind(measurement, "verify") || tried < patience) continue;
        patience = tried;
        if (json_is_false(json_object_get(measurement, "full")) && tried <= UINT32_MAX / MU_PATIENCE_STEP)
            patience *= MU_PATIENCE_STEP;
    }
    return patience;
}

uint32_t mu_probe_choose_patience(const json_t *measurements)
{
    const uint32_t found = mu_probe_patience_found(measurements);
    uint32_t margin = found > UINT32_MAX / MU_PATIENCE_MARGIN ? 1 : MU_PATIENCE_MARGIN;
    double slowest_ns = 0;
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!is_kind(measurement, "patience") || mu_json_count(measurement, "patience") != found) continue;
        const double ns = mu_probe_median(measurement, "ns");
        if (ns > slowest_ns) slowest_ns = ns;
    }
    while (margin > 1 && slowest_ns * margin > MU_PATIENCE_MOST_NS) margin /= 2;
    const uint32_t patience = found * margin;
    return grow(measurements, patience != 0 && patience < MU_PATIENCE_LEAST ? MU_PATIENCE_LEAST : patience);
}

uint32_t mu_probe_yield_polls(const json_t *measurements)
{
    double ns[2][32] = {{0}}, least = INFINITY; /* threads apart, together; by the logarithm of the polls */
    uint32_t best = 0;
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const uint32_t polls = mu_json_count(measurement, "polls");
        if (!is_kind(measurement, "yield") || polls == 0) continue;
        ns[mu_json_is(measurement, "threads", "together")][31 - __builtin_clz(polls)] =
            mu_probe_median(measurement, "ns");
    }
    for (uint32_t log = 0; log < 32; log++) {
        const double product = ns[0][log] * ns[1][log];
        if (product <= 0 || product >= least) continue;
        least = product;
        best = 1u << log;
    }
    return best;
}

/* Returns true if some patience was verified with these parameters. */
static bool is_verified(const json_t *measurements, const json_t *parameters)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (json_equal(json_object_get(measurement, "parameters"), parameters) &&
            json_is_true(json_object_get(measurement, "full")))
            return true;
    return false;
}

/* Fills in the patience: none where a microbenchmark's could not be verified. */
static void take_patience(const json_t *measurements, struct mu_profile *profile)
{
    size_t i;
    json_t *measurement;
    uint32_t verified = 0, runs = UINT32_MAX;
    profile->rollcall_patience_found = mu_probe_patience_found(measurements);
    if (profile->rollcall_patience_found == 0) return;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!is_kind(measurement, "verify")) continue;
        if (!is_verified(measurements, json_object_get(measurement, "parameters"))) return;
        if (!json_is_true(json_object_get(measurement, "full"))) continue;
        const uint32_t patience = mu_json_count(measurement, "patience"), here = parameter_of(measurement, "runs");
        if (patience > verified) verified = patience;
        if (here < runs) runs = here;
    }
    if (verified == 0) return;
    profile->rollcall_patience = verified;
    profile->rollcall_patience_margin = (double)verified / profile->rollcall_patience_found;
    profile->rollcall_recall_runs = runs;
}

void mu_probe_take_bound(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    (void)info;
    const uint32_t workgroup = parameter_of(measurement, "workgroup");
    const uint32_t local_bytes = parameter_of(measurement, "local_bytes");
    const uint32_t bound = mu_json_count(measurement, "bound");
    const int size = mu_profile_size_index(workgroup);
    const bool least = local_bytes <= 1;
    profile->bound_disagreements += mu_json_count(measurement, "disagreements");
    if (!least) profile->bound_local_all_bytes = local_bytes;
    if (least && size >= 0) profile->bound[size] = bound;
    if (least && size >= 0 && !json_is_true(json_object_get(measurement, "open"))) profile->expected[size] = bound;
    if (least && workgroup == 1) profile->bound_local_one_workgroup_one = bound;
    if (!least && workgroup == 1) profile->bound_local_all_workgroup_one = bound;
    if (!least && workgroup != 1) profile->bound_local_all_workgroup_max = bound;
}

/* Fills in the bound of the largest workgroup that was measured with all local memory. */
static void take_largest(const json_t *measurements, struct mu_profile *profile)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const int size = mu_profile_size_index(parameter_of(measurement, "workgroup"));
        if (is_kind(measurement, "bound") && parameter_of(measurement, "local_bytes") > 1 && size > 0)
            profile->bound_local_one_workgroup_max = profile->bound[size];
    }
}

void mu_probe_take_launch(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    (void)info;
    const double ns = mu_probe_median(measurement, "ns");
    if (mu_json_is(measurement, "implementation", "pipelined")) profile->launch_pipelined_ns = ns;
    if (mu_json_is(measurement, "implementation", "blocking")) profile->launch_blocking_ns = ns;
    if (mu_json_is(measurement, "implementation", "word")) profile->launch_word_ns = ns;
}

static double speedup_of(const json_t *measurement)
{
    const double changed = mu_probe_median(measurement, "changed_ns");
    return changed > 0 ? mu_probe_median(measurement, "plain_ns") / changed : 0;
}

void mu_probe_take_combining(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    (void)info;
    profile->memory_subgroup_combining = speedup_of(measurement);
}

void mu_probe_take_divergence(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    (void)info;
    profile->memory_divergence = speedup_of(measurement);
}

/* Takes the largest array, which no cache holds. Bytes in a nanosecond are GB in a second. */
void mu_probe_take_copy(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    const double ns = mu_probe_median(measurement, "ns");
    (void)info;
    if (ns > 0 && parameter_of(measurement, "bytes") >= MU_BEYOND_CACHES)
        profile->memory_copy_gb_per_s = mu_json_real(measurement, "bytes_moved") / ns;
}

void mu_probe_take_cost(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    if (!mu_json_is(measurement, "rollcall", mu_rollcalls[0].name) ||
        parameter_of(measurement, "workgroup") != mu_default_workgroup(info))
        return;
    if (mu_json_count(measurement, "expected") == 0)
        profile->rollcall_cost_ns = mu_probe_median(measurement, "ns");
    else
        profile->rollcall_expected_cost_ns = mu_probe_median(measurement, "ns");
}

void mu_probe_take_progress(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    struct mu_profile *profile = summary;
    (void)info;
    char *const places[MU_SCHEDULERS] = {[MU_SCHEDULER_HSA] = profile->progress_hsa,
                                         [MU_SCHEDULER_OBE] = profile->progress_obe,
                                         [MU_SCHEDULER_HSA_OBE] = profile->progress_hsa_obe,
                                         [MU_SCHEDULER_LOBE] = profile->progress_lobe};
    profile->progress_tries = mu_json_count(measurement, "tries");
    for (int model = 0; model < MU_SCHEDULERS; model++) {
        const json_t *consistent =
            json_object_get(json_object_get(measurement, "consistent"), mu_scheduler_name((enum mu_scheduler)model));
        if (consistent != NULL)
            mu_profile_set_text(
                places[model],
                mu_profile_consistencies[mu_forward_progress_measured(measurement, (enum mu_scheduler)model)].name);
    }
}

/* ---- The choice of a barrier ---- */

/* A shape: a workgroup size and a team, and what a round of each barrier costs there; 0 where it was not measured. */
struct point {
    uint32_t workgroup, team;
    double ns[MAX_BARRIERS];
};

static size_t collect_points(const json_t *measurements, struct point points[MAX_POINTS])
{
    size_t i, count = 0;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        size_t at = 0;
        int barrier = 0;
        struct mu_error unknown = {0};
        const char *name = json_string_value(json_object_get(measurement, "barrier"));
        if (!is_kind(measurement, "barrier") || name == NULL || json_object_get(measurement, "ns") == NULL ||
            mu_choice_find(mu_barriers, "barrier", name, &barrier, &unknown) != MU_OK || barrier >= MAX_BARRIERS)
            continue;
        const uint32_t workgroup = parameter_of(measurement, "workgroup"), team = mu_json_count(measurement, "team");
        while (at < count && (points[at].workgroup != workgroup || points[at].team != team)) at++;
        if (at == MAX_POINTS) continue;
        if (at == count) points[count++] = (struct point){.workgroup = workgroup, .team = team};
        points[at].ns[barrier] = mu_probe_median(measurement, "ns");
    }
    return count;
}

/* With nothing between the barriers all arrive at once, which is the worst for counter and no matter to tree. Apps,
 * whose steps spread the arrivals out, prefer counter for longer. So tree must be ahead by more than this. */
#define TREE_MARGIN 0.05

/* Returns the sum of the logarithms of the rule's costs of barriers, with the margin for tree. The best rule makes it
 * least. So tree is ahead by the margin in the geometric mean over the shapes of the smallest team that gets it. */
static double rule_cost(const struct point *points, size_t count, uint32_t tree_from)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += points[i].team >= tree_from ? log(points[i].ns[MU_BARRIER_TREE] * (1 + TREE_MARGIN))
                                           : log(points[i].ns[MU_BARRIER_COUNTER]);
    return sum;
}

/* Below so many groups tree, whose leaves gather some dozens, is one more hop and nothing else, and the two differ by
 * noise. Teams of a CPU with fewer cores are all smaller; GPUs are measured at one, two, four … groups a unit. */
#define LEAST_TREE 64

static void take_barriers(const json_t *measurements, uint32_t workgroup, struct mu_profile *profile)
{
    struct point points[MAX_POINTS];
    size_t count = collect_points(measurements, points), used = 0;
    for (size_t i = 0; i < count; i++) {
        double *ns = points[i].ns;
        if (ns[MU_BARRIER_COUNTER] <= 0) continue;
        /* Times are differences, which noise can make nothing of: such a tree is no reason to choose it. */
        if (ns[MU_BARRIER_TREE] <= 0) ns[MU_BARRIER_TREE] = ns[MU_BARRIER_COUNTER];
        points[used++] = points[i];
    }
    if (used == 0) return;
    uint32_t tree_from = UINT32_MAX;
    for (size_t i = 0; i < used; i++)
        if (points[i].team >= LEAST_TREE &&
            rule_cost(points, used, points[i].team) < rule_cost(points, used, tree_from))
            tree_from = points[i].team;
    profile->barrier_tree_from = tree_from;
    uint32_t largest = 0;
    for (size_t i = 0; i < used; i++) {
        if (points[i].workgroup != workgroup || points[i].team < largest) continue;
        largest = points[i].team;
        profile->barrier_cost_ns = points[i].ns[mu_barrier_choose(MU_BARRIER_AUTO, largest, tree_from)];
    }
}

/* ---- The whole ---- */

/* Predicts when a global barrier pays. A run of r rounds a second spends r times t on launches and read-backs in
 * multi-kernel, and r times b on barriers in portable. It also has one roll call, which expects the size if that is
 * known. What else differs between the variants is not in it. */
static void predict(struct mu_profile *profile)
{
    const bool word = strcmp(profile->launch_readback, mu_readbacks[MU_READBACK_WORD].name) == 0;
    const double round = word ? profile->launch_word_ns : profile->launch_blocking_ns;
    const double saved = round - profile->barrier_cost_ns;
    if (profile->barrier_cost_ns <= 0 || round <= 0 || saved <= 0) return;
    profile->predict_rounds_per_second = WORTH / (saved / 1e9);
    const double once =
        profile->rollcall_expected_cost_ns > 0 ? profile->rollcall_expected_cost_ns : profile->rollcall_cost_ns;
    if (once > 0) profile->predict_rounds = once / saved;
}

static void describe(const struct mu_device_info *info, const struct mu_selftest *selftest, struct mu_profile *profile)
{
    profile->format = MU_PROFILE_FORMAT;
    mu_profile_set_text(profile->chip_name, info->chip);
    mu_profile_set_text(profile->chip_device, info->name);
    mu_profile_set_text(profile->chip_vendor, info->vendor);
    mu_profile_set_text(profile->chip_platform_name, info->platform);
    mu_profile_set_text(profile->chip_platform, info->platform_version);
    mu_profile_set_text(profile->chip_driver, info->driver);
    profile->chip_compute_units = info->compute_units;
    profile->chip_units = info->resident;
    mu_profile_set_text(profile->selftest_trust, selftest->trust == MU_TRUSTED       ? "trusted"
                                                 : selftest->trust == MU_TRUST_ALONE ? "alone"
                                                                                     : "refused");
    mu_profile_set_text(profile->selftest_reason, selftest->reason);
    mu_profile_set_text(profile->selftest_variants,
                        mu_profile_variants[selftest->trust == MU_REFUSED ? MU_PROFILE_NO_VARIANT
                                            : info->simulator             ? MU_PROFILE_MULTI_KERNEL_ONLY
                                                                          : MU_PROFILE_ALL_VARIANTS]
                            .name);
    profile->selftest_poll_ns = selftest->poll_ns;
    profile->selftest_spin_limit = selftest->spin_limit;
}

void mu_probe_summarise(const struct mu_device_info *info, const struct mu_selftest *selftest, const json_t *all,
                        struct mu_profile *profile)
{
    const uint32_t workgroup = mu_default_workgroup(info);
    json_t *measurements = mu_measurements_current(all);
    memset(profile, 0, sizeof *profile);
    describe(info, selftest, profile);
    mu_probe_tell_origin(measurements, profile);
    mu_survey_summarise(mu_probe_experiments, info, measurements, profile);
    take_largest(measurements, profile);
    take_patience(measurements, profile);
    profile->yield_polls = mu_probe_yield_polls(measurements);
    take_barriers(measurements, workgroup, profile);
    if (profile->rollcall_patience != 0) mu_profile_set_text(profile->rollcall_default, mu_rollcalls[0].name);
    /* A host that watches a word would take a core from a CPU device's own threads. */
    if (profile->launch_blocking_ns > 0 && profile->launch_word_ns > 0)
        mu_profile_set_text(
            profile->launch_readback,
            mu_readbacks[!info->cpu && profile->launch_word_ns < profile->launch_blocking_ns ? MU_READBACK_WORD
                                                                                             : MU_READBACK_BLOCKING]
                .name);
    predict(profile);
    profile->predict_crossover_fmas = mu_probe_find_crossover(measurements);
    json_decref(measurements);
}
