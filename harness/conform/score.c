/* How sensitive the memory tests are on a device: the share of their mutants that they observe (after Levine and
 * others, "MC Mutants", ASPLOS 2023). */
#include "harness/conform/conform.h"

#include "harness/litmus/litmus.h"
#include "records/profile.h"
#include "records/results.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define CONFIDENCE 0.95

/* Returns true if a shape in this form has an outcome that the order forbids and this form allows. Either half of the
 * order alone forbids load buffering (LB), so its halved forms are no mutants. */
static bool is_mutant(const struct mu_litmus_shape *shape, int form)
{
    const bool halved = form != MU_LITMUS_RELAXED && strcmp(shape->name, "LB") == 0;
    return shape->forbidden && !shape->forbidden_relaxed && !halved;
}

/* Adds one mutant's instances to the score. */
static void count(struct mu_conform *conform, const struct mu_litmus_shape *shape, int form)
{
    const char *path = mu_atomics_paths[conform->info->atomics].name;
    struct mu_conform_score *score = &conform->score;
    double instances = 0, weak = 0;
    json_t *measurement;
    size_t i;
    json_array_foreach (conform->measurements, i, measurement) {
        const json_t *of = json_object_get(measurement, "parameters");
        if (!mu_json_is(measurement, "test", shape->name) || !mu_json_is(of, "form", mu_litmus_form_names[form]) ||
            !mu_json_is(of, "atomics", path))
            continue;
        instances += mu_json_real(measurement, "instances");
        weak += mu_json_real(measurement, "weak");
    }
    if (!(instances > 0)) return;
    score->mutants++;
    if (!(weak > 0)) return;
    score->observed++;
    if (score->rarest <= 0 || weak / instances < score->rarest) score->rarest = weak / instances;
}

void mu_conform_count_mutants(struct mu_conform *conform)
{
    conform->score = (struct mu_conform_score){0};
    for (const struct mu_litmus_shape *shape = mu_litmus_shape_table; shape->name != NULL; shape++)
        for (int form = MU_LITMUS_RELAXED; mu_litmus_form_names[form] != NULL; form++)
            if (is_mutant(shape, form)) count(conform, shape, form);
}

/* Computes with (1 - p)^n, the probability that none of n instances has an outcome of probability p. */
bool mu_conform_would_have_seen(const struct mu_conform_score *score, double instances)
{
    return score->rarest > 0 && instances * log1p(-fmin(score->rarest, 0.5)) <= log(1 - CONFIDENCE);
}

int mu_conform_keep_score(const struct mu_conform *conform, struct mu_error *err)
{
    const struct mu_device_info *info = conform->info;
    char path[PATH_MAX];
    struct mu_profile profile;
    if (conform->score.mutants == 0) return MU_OK;
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    if (access(path, F_OK) != 0) return MU_OK;
    if (mu_profile_read(path, &profile, err) != MU_OK) return err->status;
    if (strcmp(profile.chip_device, info->name) != 0 || strcmp(profile.chip_driver, info->driver) != 0) return MU_OK;
    profile.litmus_mutants = (uint32_t)conform->score.mutants;
    profile.litmus_observed = (uint32_t)conform->score.observed;
    return mu_profile_write(path, &profile, err);
}
