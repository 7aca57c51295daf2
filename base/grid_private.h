/* The parts of a grid, shared by base/grid.c, which fills it, and base/grid_print.c, which prints it. */
#ifndef MU_BASE_GRID_PRIVATE_H
#define MU_BASE_GRID_PRIVATE_H

#include "base/grid.h"

enum mu_cell_kind { MU_CELL_EMPTY, MU_CELL_TEXT, MU_CELL_FLAG, MU_CELL_NUMBER, MU_CELL_TIME };

/* A cell. Large tables have many, so the members are ordered without gaps. */
struct mu_cell {
    char *text; /* of MU_CELL_TEXT */
    double value, low, high;
    char mark[24]; /* may be empty */
    enum mu_cell_kind kind;
    enum mu_tone tone;
    int decimals;
    unsigned has_interval : 1, sessions : 31; /* sessions that the interval spans; 0: not told */
};

struct mu_column {
    char *name, *title;
    unsigned flags;
    bool tells_sessions; /* it has an interval of which is told how many sessions it spans */
};

/* A line below the grid. */
struct mu_note {
    char *text;
    const char *mark; /* it explains this mark, and is shown only where a cell has it; NULL: always */
};

struct mu_grid {
    const char *name;
    char *title;
    struct mu_column *columns;
    struct mu_cell *cells; /* row by row */
    bool *ruled;           /* per row: below a line */
    struct mu_note *notes;
    size_t column_count, row_count, note_count;
    size_t filled; /* cells of the last row */
    struct mu_error *err;
};

/* Bytes of a buffer for what people see of a cell without a text of its own. */
enum { MU_CELL_BYTES = MU_GRID_CELL_BYTES };

/* Returns what people see of a cell: either `buffer`, of MU_CELL_BYTES, or the cell's own text. */
const char *mu_cell_show(const struct mu_cell *cell, char *buffer);

/* Returns the cells of a row. */
const struct mu_cell *mu_grid_cells(const struct mu_grid *grid, size_t row);

/* Returns the i-th note of the table that is to be shown; NULL behind the last. */
const char *mu_grid_own_note_at(const struct mu_grid *grid, size_t i);

/* Returns note i of those for people; NULL behind the last. The notes that explain "[wide]" and "*" come last, if cells
 * have these. */
const char *mu_grid_note_at(const struct mu_grid *grid, size_t i);

/* Prints a text, escaped for Markdown. */
void mu_grid_print_markdown_text(const char *text, FILE *to);

/* Prints the grid as plain text. When memory runs out, that is the grid's error. */
void mu_grid_print_text(const struct mu_grid *grid, const struct mu_grid_look *look, FILE *to);

#endif
