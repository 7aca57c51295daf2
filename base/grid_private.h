/* What a grid is made of: for base/grid.c, which fills it, and base/grid_print.c, which prints it. */
#ifndef MU_BASE_GRID_PRIVATE_H
#define MU_BASE_GRID_PRIVATE_H

#include "base/grid.h"

enum mu_cell_kind { MU_CELL_EMPTY, MU_CELL_TEXT, MU_CELL_NUMBER, MU_CELL_TIME };

struct mu_cell {
    enum mu_cell_kind kind;
    char *text; /* of MU_CELL_TEXT */
    double value, low, high;
    bool has_interval;
    int decimals;
    char mark[24]; /* may be empty */
};

struct mu_column {
    char *name, *title;
    unsigned flags;
};

struct mu_grid {
    const char *name;
    char *title;
    struct mu_column *columns;
    struct mu_cell *cells; /* row by row */
    bool *ruled;           /* per row: below a line */
    char **notes;
    size_t column_count, row_count, note_count;
    size_t filled; /* cells of the last row */
    struct mu_error *err;
};

#endif
