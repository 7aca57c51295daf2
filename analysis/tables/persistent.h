/* What the persistent-threads study measured, by points: the ways of doing the same work, and how they compare. */
#ifndef MU_ANALYSIS_TABLES_PERSISTENT_H
#define MU_ANALYSIS_TABLES_PERSISTENT_H

#include "base/error.h"
#include "base/grid.h"
#include "statistics/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define MU_PERSISTENT_FILE "persistent.jsonl"

/* A way at a point, in the quickest of its forms: with those groups, or that many levels between two read-backs. */
struct mu_pt_time {
    const json_t *measurement; /* borrowed; NULL: the way has no times there */
    struct mu_level level;
    double ns; /* e to the level */
};

/* Calls visit for each point of an experiment that ended well, in the order of the measurements, until it fails. */
typedef int (*mu_pt_visit)(void *context, const json_t *measurements, const json_t *point, struct mu_error *err);
int mu_pt_each_point(const json_t *measurements, const char *experiment, mu_pt_visit visit, void *context,
                     struct mu_error *err);

/* MU_NO_MEMORY. */
int mu_pt_time_of(const json_t *measurements, const json_t *point, const char *way, struct mu_pt_time *time,
                  struct mu_error *err);

/* The speedup of a over b, that is, time of b / time of a; false where one of them has no times. */
bool mu_pt_speedup(const struct mu_pt_time *a, const struct mu_pt_time *b, struct mu_ratio *speedup);

/* Cells: a time with its interval, divided by `parts`; a speedup with its interval; a whole number of the measurement.
 * Empty where there is none. */
void mu_pt_time_cell(struct mu_grid *grid, const struct mu_pt_time *time, double parts);
void mu_pt_speedup_cell(struct mu_grid *grid, const struct mu_pt_time *a, const struct mu_pt_time *b);
void mu_pt_count_cell(struct mu_grid *grid, const struct mu_pt_time *time, const char *name);

#endif
