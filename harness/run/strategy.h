/* Optimisations by strategy: --strategy asks for what the study of suite irgl has found to pay. */
#ifndef MU_HARNESS_RUN_STRATEGY_H
#define MU_HARNESS_RUN_STRATEGY_H

#include "harness/run/asked.h"

#include <jansson.h>

/* Reads the strategies kept of the chip, if the test asks for one: *strategies is the caller's (json_decref), or NULL.
 * MU_USAGE if it asks and there are none. */
int mu_strategy_facts(const struct mu_asked *asked, const char *chip, json_t **strategies, struct mu_error *err);

/* Asks for the variant, the workgroup size and the app's build options of the strategy that the test names, each where
 * nobody has decided. MU_USAGE: the app has no optimisations, or the study says nothing of it. */
int mu_strategy_ask(const json_t *strategies, struct mu_asked *asked, struct mu_error *err);

#endif
