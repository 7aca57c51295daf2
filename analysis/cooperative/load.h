/* The rows of muster table load, shared by its files. */
#ifndef MU_ANALYSIS_COOPERATIVE_LOAD_H
#define MU_ANALYSIS_COOPERATIVE_LOAD_H

#include "analysis/cooperative/processes.h"
#include "base/grid.h"
#include "base/json.h"
#include "records/words.h"

#include <stddef.h>

/* The series of numbers that a row collects from its records. */
enum { RUN, GATHER, TASK, PERIOD, SERIES };

/* The texts of a row. ASKED: the workgroups that its tasks get, as --load-groups names them. */
enum { CHIP, APP, INPUT, LOAD, ASKED, RESIZING, TEXTS };
struct row {
    const char *text[TEXTS];
    double team, groups, barriers, wanted_ns, alone_ns;
    size_t plan;   /* equal in rows that differ only in their load and in how the team is resized for it … */
    size_t kernel; /* … and equal in those of them whose kernel and team are the same, too */
    struct mu_processes series[SERIES];
};

struct rows {
    struct row *rows;
    size_t count;
    struct mu_json keys, plans, kernels, sessions;
    const struct row **idle, **alone; /* by kernel: the row of load idle; by plan: one without a load; NULL: none */
    struct mu_words words;
};

bool mu_load_is(const struct row *row); /* whether the row has a load, which asks for workgroups */

/* Gets the plan's time divided by that beside load idle, or else by that without a load. Returns false if neither is
 * known; *is_idle tells which. */
bool mu_load_slowdown(const struct rows *rows, const struct row *row, struct mu_ratio *slowdown, bool *is_idle);

/* Adds a grid with means over plans: a row for each chip, load, share of the workgroups and way of resizing. */
int mu_load_add_means(const struct rows *rows, struct mu_grids *grids);

#endif
