/* What the files of muster table load share: its rows. */
#ifndef MU_ANALYSIS_COOPERATIVE_LOAD_H
#define MU_ANALYSIS_COOPERATIVE_LOAD_H

#include "base/grid.h"
#include "base/json.h"
#include "records/words.h"

#include <stddef.h>

/* The numbers that the records of a row have together. */
enum { RUN, GATHER, TASK, PERIOD, SERIES };
struct series {
    double *values;
    size_t count;
};

/* What a row shows as text. ASKED: the workgroups that its tasks get, as --load-groups names them. */
enum { CHIP, APP, INPUT, LOAD, ASKED, RESIZING, TEXTS };
struct row {
    const char *text[TEXTS];
    double team, groups, barriers, wanted_ns, alone_ns;
    size_t plan;   /* rows that differ in nothing but their load, and how the team is resized for it, have the same */
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

/* A quantile of the numbers, which are sorted; NAN: there are none. */
double mu_load_quantile(struct series *series, double share);

bool mu_load_is(const struct row *row); /* whether the row has a load */

/* The plan's time over that without a load; NAN: unknown. */
double mu_load_slowdown(const struct rows *rows, const struct row *row);

/* Adds a grid with the means over the plans of a chip, a load, a part of the workgroups and a way to resize. */
int mu_load_add_means(const struct rows *rows, struct mu_grids *grids);

#endif
