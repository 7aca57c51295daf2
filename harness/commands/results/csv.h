/* muster results --format=csv: a row for each sample, with every field that tells two rows apart. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_CSV_H
#define MU_HARNESS_COMMANDS_RESULTS_CSV_H

#include "harness/commands/results/spool.h"

/* Prints records to standard output. A record without samples has one row, with its outcome. doc/results-format.md
 * describes the columns; behind them stands a column for each option that any record has. Returns the status of err. */
int mu_results_print_csv(struct mu_spool *spool, struct mu_error *err);

#endif
