/* Records of the optimisation study with known answers: the times of a configuration are what a test says. */
#ifndef MU_TESTS_OPTIMISED_RECORDS_H
#define MU_TESTS_OPTIMISED_RECORDS_H

#include "records/optimisations/configurations.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Where a record comes from. */
struct made_test {
    const char *chip, *app, *input;
};

static inline json_t *made_samples(double ns, double noise)
{
    json_t *samples = json_array();
    for (int i = 0; i < 8; i++) json_array_append_new(samples, json_real(ns * (1 + noise * (i - 3.5) / 3.5)));
    return samples;
}

/* One process: the test in a configuration, with eight samples around `ns`, which differ by up to `noise`. */
static inline json_t *made_record(const struct made_test *test, unsigned configuration, double ns, double noise)
{
    json_t *record = json_object(), *options = json_object();
    char comparison[256];
    const bool wide = (configuration & MU_OPTIMISATION_BIT(MU_OPT_SZ256)) != 0;
    const int fg = (configuration & MU_OPTIMISATION_BIT(MU_OPT_FG8)) != 0   ? 8
                   : (configuration & MU_OPTIMISATION_BIT(MU_OPT_FG1)) != 0 ? 1
                                                                            : 0;
    const char *variant = (configuration & MU_OPTIMISATION_BIT(MU_OPT_OITERGB)) != 0 ? "portable" : "multi-kernel";
    const bool coop = (configuration & MU_OPTIMISATION_BIT(MU_OPT_COOP_CV)) != 0,
               sg = (configuration & MU_OPTIMISATION_BIT(MU_OPT_SG)) != 0,
               wg = (configuration & MU_OPTIMISATION_BIT(MU_OPT_WG)) != 0;
    snprintf(comparison, sizeof comparison, "%s %s seed=1 coop_cv=%s fg=%d sg=%s wg=%s", test->app, test->input,
             coop ? "on" : "off", fg, sg ? "on" : "off", wg ? "on" : "off");
    json_object_set_new(options, "coop_cv", json_boolean(coop));
    json_object_set_new(options, "sg", json_string(sg ? "on" : "off"));
    json_object_set_new(options, "wg", json_string(wg ? "on" : "off"));
    json_object_set_new(options, "fg", fg == 0 ? json_string("off") : json_integer(fg));
    json_object_set_new(options, "variant", json_string(variant));
    json_object_set_new(options, "workgroup", json_integer(wide ? 256 : 128));
    json_object_set_new(record, "schema", json_integer(3));
    json_object_set_new(record, "kind", json_string("measure"));
    json_object_set_new(record, "chip", json_string(test->chip));
    json_object_set_new(record, "app", json_string(test->app));
    json_object_set_new(record, "input", json_string(test->input));
    json_object_set_new(record, "variant", json_string(variant));
    json_object_set_new(record, "workgroup", json_integer(wide ? 256 : 128));
    json_object_set_new(record, "comparison", json_string(comparison));
    json_object_set_new(record, "configuration", options);
    json_object_set_new(
        record, "configuration_from",
        json_pack("{s:s,s:s,s:s,s:s}", "coop_cv", "option", "sg", "option", "wg", "option", "fg", "option"));
    snprintf(comparison, sizeof comparison, "%016x", configuration);
    json_object_set_new(record, "configuration_hash", json_string(comparison));
    json_object_set_new(record, "outcome", json_string("ok"));
    json_object_set_new(record, "samples_ns", made_samples(ns, noise));
    return record;
}

/* Two processes of it, a little apart. */
static inline void make_point(json_t *records, const struct made_test *test, unsigned configuration, double ns)
{
    json_array_append_new(records, made_record(test, configuration, ns * 0.9998, 0.0004));
    json_array_append_new(records, made_record(test, configuration, ns * 1.0002, 0.0004));
}

/* All configurations of the optimisations in `available`; each enabled one multiplies the time by its factor. */
static inline void make_points(json_t *records, const struct made_test *test, unsigned available,
                               const double factors[MU_OPTIMISATIONS])
{
    for (unsigned set = 0; set < MU_CONFIGURATIONS; set++) {
        double ns = 1e8;
        if (!mu_is_configuration(set) || (set & ~available) != 0) continue;
        for (unsigned i = 0; i < MU_OPTIMISATIONS; i++)
            if ((set & MU_OPTIMISATION_BIT(i)) != 0) ns *= factors[i];
        make_point(records, test, set, ns);
    }
}

#endif
