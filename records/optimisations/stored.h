/* The strategies that `muster advise --write` stores for a chip: which optimisations the programs of suite irgl get, so
 * that runs can take them (--strategy). A file of JSON in the chip's folder of results:
 *
 *     {"chip": "h200", "global": {"enabled": "fg8, sg", "tests": 49}, "chip_wide": {"enabled": …, "tests": …},
 *      "app": {"irgl/bfs-wl": {…}, …}, "input": {"road:300": {…}, …}} */
#ifndef MU_RECORDS_OPTIMISATIONS_STORED_H
#define MU_RECORDS_OPTIMISATIONS_STORED_H

#include "base/choice.h"
#include "base/error.h"

#include <jansson.h>

#define MU_STRATEGIES_FILE "strategies.json"

/* The strategies that a run can take. */
enum mu_strategy_kind { MU_TAKE_NONE, MU_TAKE_GLOBAL, MU_TAKE_CHIP, MU_TAKE_APP, MU_TAKE_INPUT };
extern const struct mu_choice mu_strategy_kinds[];

/* The members of the file, by enum mu_strategy_kind. */
extern const char *const mu_strategy_members[];

/* Writes the file of the chip, whole or not at all. Fails with MU_IO or MU_NO_MEMORY. */
int mu_strategies_write(const char *chip, const json_t *strategies, struct mu_error *err);

/* Reads it: *strategies is the caller's (json_decref), NULL where there is no file. Fails with MU_INPUT or MU_IO. */
int mu_strategies_read(const char *chip, json_t **strategies, struct mu_error *err);

/* Finds what a kind says of an app on an input. MU_USAGE if it says nothing, MU_INPUT if that is no configuration. */
int mu_strategies_find(const json_t *strategies, enum mu_strategy_kind kind, const char *app, const char *input,
                       unsigned *configuration, struct mu_error *err);

#endif
