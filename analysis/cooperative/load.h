/* What a load beside cooperative kernels gets, and what it costs: rows that muster table load has of plans, and muster
 * table stealing of the work-stealing apps. */
#ifndef MU_ANALYSIS_COOPERATIVE_LOAD_H
#define MU_ANALYSIS_COOPERATIVE_LOAD_H

#include "analysis/cooperative/processes.h"
#include "base/grid.h"
#include "base/json.h"
#include "records/words.h"

#include <stddef.h>

/* The series of numbers that a row collects from its records. */
enum { RUN, GATHER, TASK, PERIOD, SERIES };

/* The texts of a row. INPUT: of a work-stealing app its size. ASKED: the workgroups that its tasks get, as
 * --load-groups names them. RESIZING: "" of work-stealing apps. */
enum { CHIP, APP, INPUT, LOAD, ASKED, RESIZING, TEXTS };
struct row {
    const char *text[TEXTS];
    double team, groups, barriers, wanted_ns, alone_ns;
    size_t plan;   /* equal in rows that differ only in their load and in how the team is resized for it … */
    size_t kernel; /* … and equal in those of them whose kernel and team are the same, too */
    struct mu_processes series[SERIES];
};

/* Make with mu_load_rows; release with mu_load_rows_release. */
struct rows {
    bool of_plans; /* else of work-stealing apps */
    struct row *rows;
    size_t count;
    struct mu_json keys, plans, kernels, sessions;
    const struct row **idle, **alone; /* by kernel: the row of load idle; by plan: one without a load; NULL: none */
    struct mu_words words;
};

struct rows mu_load_rows(bool of_plans);
void mu_load_rows_release(struct rows *rows);

/* Adds the numbers of a process, an array for each series, to the row that is like this one, or to this one where there
 * is none. Fails with MU_NO_MEMORY. */
int mu_load_rows_add(struct rows *rows, const struct row *row, const json_t *record,
                     const json_t *const numbers[SERIES], struct mu_error *err);

/* Sorts the rows, and finds their times and what those with a load are compared with. Call it behind the last addition.
 * Fails with MU_NO_MEMORY. */
int mu_load_rows_time(struct rows *rows, struct mu_error *err);

bool mu_load_is(const struct row *row); /* whether the row has a load, which asks for workgroups */

/* Gets the time divided by that beside load idle, or else by that without a load. Returns false if neither is known;
 * *is_idle tells which. */
bool mu_load_slowdown(const struct rows *rows, const struct row *row, struct mu_ratio *slowdown, bool *is_idle);

/* Add a grid of the rows that have a load, and one of means over them: a row for each chip, load, share of the
 * workgroups and way of resizing. */
int mu_load_add_grid(const struct rows *rows, struct mu_grids *grids);
int mu_load_add_means(const struct rows *rows, struct mu_grids *grids);

#endif
