/* Measurements of the persistent-threads study by points: implementations of the same work, and how they compare. */
#ifndef MU_ANALYSIS_PERSISTENT_POINTS_H
#define MU_ANALYSIS_PERSISTENT_POINTS_H

#include "analysis/tables/common.h"
#include "base/error.h"
#include "base/grid.h"
#include "statistics/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* An implementation at a point, in its fastest form (number of groups, or of levels between two read-backs). Its time
 * comes from samples that did not choose the form. */
struct mu_pt_time {
    const json_t *measurement; /* borrowed; NULL: the implementation has no times there */
    struct mu_level level;
    double ns; /* e to the level */
};

/* Calls `visit` for each point of an experiment that ended well, in the order of the measurements, until it fails. */
typedef int (*mu_pt_visit)(void *context, const json_t *measurements, const json_t *point, struct mu_error *err);
int mu_pt_each_point(const json_t *measurements, const char *experiment, mu_pt_visit visit, void *context,
                     struct mu_error *err);

/* Computes the times of `count` implementations, by name. Fails with MU_NO_MEMORY. */
int mu_pt_times_of(const json_t *measurements, const json_t *point, const char *const *implementations, size_t count,
                   struct mu_pt_time *times, struct mu_error *err);

/* Computes the speedup of a over b: the time of b divided by that of a. Returns false if one has no times. */
bool mu_pt_speedup(const struct mu_pt_time *a, const struct mu_pt_time *b, struct mu_ratio *speedup);

/* What notes say of the forms, and of the mark behind ratios. */
#define MU_PT_NOTE                                                                                                     \
    "Of several forms, such as teams, half of the samples choose the quickest and the other half tells its time, as "  \
    "a "                                                                                                               \
    "mean over many halves. Each time is of one process. " MU_NOT_CONFIDENT_NOTE

/* Cells: a time with its interval, divided by `parts`; a speedup with its interval; both times and the speedup of what
 * stays over launches; a whole number of the measurement. Empty where there is none. */
void mu_pt_time_cell(struct mu_grid *grid, const struct mu_pt_time *time, double parts);
void mu_pt_speedup_cell(struct mu_grid *grid, const struct mu_pt_time *a, const struct mu_pt_time *b);
void mu_pt_pair_cells(struct mu_grid *grid, const struct mu_pt_time *launches, const struct mu_pt_time *stay,
                      double parts);
void mu_pt_count_cell(struct mu_grid *grid, const struct mu_pt_time *time, const char *name);

/* A grid that is being filled, from the measurements of a chip: what rows get as their context. */
struct mu_pt_filling {
    struct mu_grid *grid;
    const char *chip;
};

/* The grids of use cases 1 and 3, and their rows. */
struct mu_grid *mu_pt_add_gap(struct mu_grids *grids);
struct mu_grid *mu_pt_add_handover(struct mu_grids *grids);
struct mu_grid *mu_pt_add_reduce(struct mu_grids *grids);
struct mu_grid *mu_pt_add_stages(struct mu_grids *grids);
int mu_pt_gap_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err);
int mu_pt_handover_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err);
int mu_pt_reduce_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err);
int mu_pt_stages_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err);

#endif
