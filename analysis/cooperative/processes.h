/* Times of one thing by several processes, put together: their level, and cells that show it. */
#ifndef MU_ANALYSIS_COOPERATIVE_PROCESSES_H
#define MU_ANALYSIS_COOPERATIVE_PROCESSES_H

#include "base/error.h"
#include "base/grid.h"
#include "base/json.h"
#include "statistics/statistics.h"

#include <stdbool.h>
#include <stddef.h>

/* Fill with zeros; release with mu_processes_release. */
struct mu_processes {
    struct mu_samples *samples; /* of each process */
    size_t count, values;       /* of processes, and of all their numbers */
    double most;                /* the greatest number */
    bool has_level;             /* behind mu_processes_level */
    struct mu_level level;
};

/* Returns the number of a record's session: how many different ones were seen before the first of it. */
size_t mu_processes_session(struct mu_json *sessions, const json_t *record);

/* Adds an array of nanoseconds as those of another process; an empty one is none. 0 counts as 1, since levels are means
 * of logarithms: it is a time below the tick of a clock. Fails with MU_NO_MEMORY. */
int mu_processes_add(struct mu_processes *processes, const json_t *numbers, size_t session, struct mu_error *err);

/* Finds the level, where there are numbers. Fails with MU_NO_MEMORY. */
int mu_processes_level(struct mu_processes *processes, struct mu_error *err);

/* Gets how many times longer one takes than the other. Returns false if either has no level. */
bool mu_processes_ratio(const struct mu_processes *numerator, const struct mu_processes *denominator,
                        struct mu_ratio *ratio);

/* Returns the typical time; NAN if there is none. */
double mu_processes_ns(const struct mu_processes *processes);

/* Adds a cell with the typical time and its interval; empty if there is none. */
void mu_processes_cell(struct mu_grid *grid, const struct mu_processes *processes);

/* Does the same with a ratio. NULL: an empty cell. */
void mu_processes_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio);

/* A class of tests: their ratios, and which of them has the greatest. Fill with zeros; release with mu_class_release.
 */
struct mu_class {
    struct mu_ratio *ratios;
    size_t count, greatest; /* its place */
    const void *of;         /* borrowed: what it is of */
};

/* Adds a test's ratio. Fails with MU_NO_MEMORY. */
int mu_class_add(struct mu_class *class, const struct mu_ratio *ratio, const void *of, struct mu_error *err);

/* Add columns, and cells: the geometric mean of the ratios, which the caller may mark, … */
void mu_class_mean_column(struct mu_grid *grid);
void mu_class_mean_cell(struct mu_grid *grid, const struct mu_class *class);
/* … and the greatest of them, with the name of what it is of. */
void mu_class_greatest_columns(struct mu_grid *grid);
void mu_class_greatest_cells(struct mu_grid *grid, const struct mu_class *class, const char *name);

void mu_class_release(struct mu_class *class);

void mu_processes_release(struct mu_processes *processes);

#endif
