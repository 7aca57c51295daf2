/* The optimisations of graph programs (thesis, table 4.1), and sets of them.
 *
 * A configuration says which optimisations are enabled: a bit for each. fg1 and fg8 are the two values of one option,
 * so that no configuration has both: of the 128 sets 96 are configurations. None enabled, 0, is the baseline. */
#ifndef MU_RECORDS_OPTIMISATIONS_CONFIGURATIONS_H
#define MU_RECORDS_OPTIMISATIONS_CONFIGURATIONS_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* X(name of the enum, name for people, feature class, name of the option, its value where enabled). oitergb is the
 * variant, sz256 the workgroup size; the others are build options of the apps. The order is that of table 4.5. */
#define MU_OPTIMISATION_TABLE(X)                                                                                       \
    X(SZ256, "sz256", MU_CLASS_1, "workgroup", "256")                                                                  \
    X(COOP_CV, "coop-cv", MU_CLASS_21, "coop_cv", "on")                                                                \
    X(OITERGB, "oitergb", MU_CLASS_FP, "variant", "portable")                                                          \
    X(FG1, "fg1", MU_CLASS_1, "fg", "1")                                                                               \
    X(FG8, "fg8", MU_CLASS_1, "fg", "8")                                                                               \
    X(SG, "sg", MU_CLASS_21, "sg", "on")                                                                               \
    X(WG, "wg", MU_CLASS_20, "wg", "on")

#define MU_OPTIMISATION_ENUM(symbol, ...) MU_OPT_##symbol,
enum mu_optimisation_index { MU_OPTIMISATION_TABLE(MU_OPTIMISATION_ENUM) MU_OPTIMISATIONS };
#undef MU_OPTIMISATION_ENUM

/* What a device must have: each class has all that the ones before it have. */
enum mu_feature_class { MU_CLASS_1, MU_CLASS_20, MU_CLASS_21, MU_CLASS_FP, MU_CLASSES };
extern const char *const mu_feature_classes[MU_CLASSES];

struct mu_optimisation {
    const char *name;
    enum mu_feature_class feature_class;
    const char *option, *on;
};
extern const struct mu_optimisation mu_optimisations[MU_OPTIMISATIONS];

#define MU_OPTIMISATION_BIT(index) (1u << (index))
#define MU_FG_BITS                 (MU_OPTIMISATION_BIT(MU_OPT_FG1) | MU_OPTIMISATION_BIT(MU_OPT_FG8))
#define MU_CONFIGURATIONS          (1u << MU_OPTIMISATIONS) /* numbers below this, of which 96 are configurations */
#define MU_BASELINE                0u
#define MU_NOT_STUDIED             MU_CONFIGURATIONS

/* Returns true if a set is a configuration. */
bool mu_is_configuration(unsigned set);

/* Returns the configuration with one optimisation more; enabling a value of fg disables the other one. */
unsigned mu_configuration_with(unsigned configuration, unsigned optimisation);

/* Returns the optimisations of a class and those before it. */
unsigned mu_optimisations_of_class(enum mu_feature_class feature_class);

/* "oitergb, fg8, sg", or "none". The same back, with or without spaces: MU_INPUT. */
#define MU_CONFIGURATION_TEXT 64
void mu_configuration_format(unsigned configuration, char text[MU_CONFIGURATION_TEXT]);
int mu_configuration_parse(const char *text, unsigned *configuration, struct mu_error *err);

/* The configuration of a record of the study. False for any other record: of another suite than irgl; in another form
 * (a variant that is neither multi-kernel nor portable, a condition but warm, a fixed grid, another workgroup size than
 * 128 and 256); or with optimisations that a strategy chose, since the study would then judge by its own verdict. */
#define MU_STUDY_SUITE "irgl/"
bool mu_record_optimisations(const json_t *record, unsigned *configuration);

/* Returns true if an option of an app is one that stands for optimisations. */
bool mu_is_optimisation_option(const char *name);

/* Takes the options that is_left_out names out of the label that a campaign made of the options it compared:
 * "x-workgroup=256,patience=20" becomes "x-patience=20" without workgroup. */
void mu_label_without(char *label, bool (*is_left_out)(const char *option));

/* Does the same for those that stand for optimisations, since the configuration says them. */
void mu_label_without_optimisations(char *label);

#endif
