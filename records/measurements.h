/* Measurements: what the experiments of `muster probe` found on a chip, one JSON object each, kept as JSON Lines in
 * mine/<chip>/probe.jsonl. An experiment is an object of parameters, which every measurement repeats. */
#ifndef MU_RECORDS_MEASUREMENTS_H
#define MU_RECORDS_MEASUREMENTS_H

#include "base/json.h"

#include <stdbool.h>

#define MU_PROBE_FILE  "probe.jsonl"
#define MU_LITMUS_FILE "litmus.jsonl" /* of `muster litmus` */

/* Returns true if a measurement is wanted. */
typedef bool (*mu_measurement_filter)(const json_t *measurement, const void *context);

/* Reads the measurements of a file, plain or packed, that are wanted (all of them when `wanted` is NULL), as an array.
 * A missing file has none. A last line that was cut off is left out, with a note on standard error. MU_INPUT with file
 * and line, MU_IO, MU_NO_MEMORY. */
int mu_measurements_load(const char *path, mu_measurement_filter wanted, const void *context, json_t **measurements,
                         struct mu_error *err);

/* Returns those measurements that hold, as a new array; NULL: out of memory. They are of the newest driver; of the same
 * experiment made with fewer and with more runs, as after a quick probe, the latter holds. */
json_t *mu_measurements_current(const json_t *measurements);

#endif
