/* What `muster probe` measured on the chips under the folder of results, for the tables that show it. */
#ifndef MU_ANALYSIS_TABLES_PROBE_RESULTS_H
#define MU_ANALYSIS_TABLES_PROBE_RESULTS_H

#include "analysis/tables/tables.h"
#include "base/grid.h"
#include "base/json.h"
#include "statistics/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Adds what one measurement says to a grid: a row, several or none. `others` are those of its chip, for mu_probe_find.
 */
typedef void (*mu_probe_row)(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement);

/* Calls `row` for each measurement of the experiment `kind` that ended well, on every chip that the request names, in
 * the order of the chips' names and of the measurements; without any rows, a note says so. Only measurements that hold
 * count (mu_measurements_current). A set of the request is the name of a chip, its folder, or a file of measurements,
 * also packed. The status of grids->err: MU_USAGE for a set that is none; MU_INPUT, MU_IO or
 * MU_NO_MEMORY. */
int mu_probe_fill(const struct mu_table_request *request, struct mu_grids *grids, struct mu_grid *grid,
                  const char *kind, mu_probe_row row);

/* Calls visit for every folder under the roots of the results, by name, until it fails; a root that is not there has
 * none. Folders of no chip come too. The status of the last visit. */
typedef int (*mu_folder_visit)(const char *folder, void *context, struct mu_error *err);
int mu_results_each_folder(const char *roots, mu_folder_visit visit, void *context, struct mu_error *err);

/* Load the measurements by chip: an object of arrays, for what needs more than one kind of them.
 * mu_survey_results_load: those of another survey, whose file in a chip's folder has this name. */
int mu_probe_results_load(const struct mu_table_request *request, json_t **chips, struct mu_error *err);
int mu_survey_results_load(const struct mu_table_request *request, const char *file, json_t **chips,
                           struct mu_error *err);

/* Returns true if a measurement is of that kind of experiment, and ended well. */
bool mu_probe_is(const json_t *measurement, const char *kind);

/* Returns a whole number of the measurement's parameters; 0 if there is none. */
uint32_t mu_probe_parameter(const json_t *measurement, const char *name);

/* Returns the microbenchmark of OOPSLA 2016 that a measurement is of: "11", "1W", "L1" or "LW": local memory, then
 * workgroup, least or most. */
const char *mu_probe_microbenchmark(const json_t *measurement);

/* The first of the chip's measurements of "recall" by a roll call, or of "barrier" by a barrier, which `way` names,
 * that is of the same workgroup, and of the same local memory or team; of "bound", for which `way` is "", too. NULL if
 * there is none. */
const json_t *mu_probe_find(const json_t *others, const char *kind, const char *way, const json_t *like);

/* Returns the bound measured for the same workgroup and local memory on this chip; 0 if there is none. */
uint32_t mu_probe_bound_of(const json_t *others, const json_t *measurement);

/* Computes mean and standard deviation of an array of numbers; false for an empty one. */
bool mu_probe_mean(const json_t *measurement, const char *name, double *mean, double *deviation);

/* Computes median and interval of an array of numbers; false for an empty one. */
bool mu_probe_samples(const json_t *measurement, const char *name, struct mu_summary *summary);

/* Returns what a copy of an array beyond the caches reads and writes on this chip, in GB/s; 0 if it was not measured.
 * chip_measurements may be NULL. */
double mu_probe_bandwidth(const json_t *chip_measurements);

/* Adds a cell with the median time of the samples called name, and its interval; empty if there are none. */
void mu_probe_time_cell(struct mu_grid *grid, const json_t *measurement, const char *name);

#endif
