/* The rows of muster table load, shared by its files. */
#ifndef MU_ANALYSIS_COOPERATIVE_LOAD_H
#define MU_ANALYSIS_COOPERATIVE_LOAD_H

#include "base/grid.h"
#include "base/json.h"
#include "records/words.h"

#include <stddef.h>

/* The series of numbers that a row collects from its records. */
enum { RUN, GATHER, TASK, PERIOD, SERIES };
struct series {
    double *values;
    size_t count;
};

/* The texts of a row. ASKED: the workgroups that its tasks get, as --load-groups names them. */
enum { CHIP, APP, INPUT, LOAD, ASKED, RESIZING, TEXTS };
struct row {
    const char *text[TEXTS];
    double team, groups, barriers, wanted_ns, alone_ns;
    size_t plan;   /* equal in rows that differ only in their load and in how the team is resized for it */
    double run_ns; /* the median of RUN */
    struct series series[SERIES];
};

struct rows {
    struct row *rows;
    size_t count;
    struct mu_json keys, plans;
    double *alone_ns; /* the time of each plan without a load; 0: unknown */
    struct mu_words words;
};

/* Returns a quantile of the numbers, which it sorts; NAN if there are none. */
double mu_load_quantile(struct series *series, double share);

bool mu_load_is(const struct row *row); /* whether the row has a load */

/* Returns the plan's time divided by that without a load; NAN: unknown. */
double mu_load_slowdown(const struct rows *rows, const struct row *row);

/* Adds a grid with means over plans: a row for each chip, load, share of the workgroups and way of resizing. */
int mu_load_add_means(const struct rows *rows, struct mu_grids *grids);

#endif
