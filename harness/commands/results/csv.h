/* muster results --format=csv: a row for each sample, with every field that tells two rows apart. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_CSV_H
#define MU_HARNESS_COMMANDS_RESULTS_CSV_H

#include "harness/commands/results/spool.h"

/* Prints records to standard output. A record without samples has one row, for its outcome. The columns are
 * described in doc/results-format.md; behind them stands one for each option that any of the records has. The status of
 * err. */
int mu_results_print_csv(struct mu_spool *spool, struct mu_error *err);

#endif
