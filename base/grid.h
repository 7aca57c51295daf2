/* Grids: rows and columns of texts and numbers, printed as plain text, CSV, Markdown, LaTeX or JSON, or as cells.
 *
 * A grid is filled from left to right and from top to bottom: its columns first, then for each row mu_grid_row and one
 * call a cell. Calls that fail (out of memory, too many cells in a row) leave the reason in the grid's error, and all
 * later calls do nothing, so that only mu_grids_print, or the error, needs to be looked at.
 *
 *     struct mu_grid *grid = mu_grids_add(grids, "occupancy", "Occupancy bounds of %s", chip);
 *     mu_grid_column(grid, "workgroup", "workgroup", 0);
 *     mu_grid_column(grid, "bound", "bound", 0);
 *     mu_grid_row(grid);
 *     mu_grid_number(grid, 1024, 0);
 *     mu_grid_number(grid, 264, 0);
 */
#ifndef MU_BASE_GRID_H
#define MU_BASE_GRID_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum mu_grid_format {
    MU_GRID_TEXT,
    MU_GRID_CSV,
    MU_GRID_MARKDOWN,
    MU_GRID_LATEX,
    MU_GRID_JSON,  /* values, for programs that compute with them */
    MU_GRID_CELLS, /* JSON of what people read, for programs that show it */
    MU_GRID_FORMATS
};

/* Names of the formats, by the enum: "text", "csv", "markdown", "latex", "json", "cells". */
extern const char *const mu_grid_format_names[MU_GRID_FORMATS];

/* Properties of a column. */
enum {
    MU_COLUMN_LEFT = 1,     /* texts, set to the left; else numbers, set to the right */
    MU_COLUMN_INTERVAL = 2, /* cells may have intervals: CSV has the columns <name>_low and <name>_high as well */
    MU_COLUMN_MINOR = 4,    /* left out before others where a terminal is narrow */
    MU_COLUMN_KEPT = 8,     /* numbers for which texts are rather shortened than that they are left out */
};

/* How a reader should take a cell: green, red or no colour. */
enum mu_tone { MU_TONE_PLAIN, MU_TONE_GOOD, MU_TONE_BAD };

/* How plain text looks. */
struct mu_grid_look {
    size_t width; /* characters of a line; 0: any number. For it columns are left out but for one number, and rows
                   * that would have none, texts are shortened, sentences at the end of rows are put below them, and
                   * notes are broken. */
    bool colours; /* by the escape sequences of terminals */
};

/* Returns true for CSV and JSON, which have no titles for people and no rows of means. */
bool mu_grid_is_for_programs(enum mu_grid_format format);

struct mu_grid;

/* Several grids, printed one below the other. Fill with zeros and set err (not NULL, outlives the grids). Release with
 * mu_grids_release. */
struct mu_grids {
    struct mu_grid **grid;
    size_t count;
    struct mu_error *err;
};

/* Adds an empty grid. `name` (a constant) labels it in LaTeX; the title is for people and is left out of CSV. Returns
 * NULL only after a failure; all functions below accept that NULL. */
struct mu_grid *mu_grids_add(struct mu_grids *grids, const char *name, const char *title, ...)
    __attribute__((format(printf, 3, 4)));

/* Frees the grids; accepts zeros. */
void mu_grids_release(struct mu_grids *grids);

/* Adds a column before the first row. `name` is CSV's, with the unit ("median_ns"); `title` is for people. Both are
 * copied. */
void mu_grid_column(struct mu_grid *grid, const char *name, const char *title, unsigned flags);

/* Begins a row; cells that the row before lacks are empty. mu_grid_rule does the same below a line. */
void mu_grid_row(struct mu_grid *grid);
void mu_grid_rule(struct mu_grid *grid);

/* One cell each. mu_grid_empty: "-" for people, nothing in CSV. mu_grid_number: `decimals` digits after the point for
 * people (more where they would all be 0, see mu_decimals_of), all in CSV. mu_grid_flag: "yes" or "no" for people, 1 or
 * 0 in CSV, a boolean in JSON. mu_grid_time: "12.3 ms" for people, nanoseconds in CSV. mu_grid_interval gives the cell
 * before it, a number or a time, its interval, of which people see "[wide]" where it goes beyond a factor of ten; a
 * note explains that. mu_grid_sessions says how many sessions that interval spans: for people an interval within one
 * has the mark "*" behind it, which a note explains; CSV and JSON have a column <name>_sessions, CSV behind all others.
 * mu_grid_mark appends a short mark to what people see of the cell before it; further marks follow it. A number that is
 * not finite is an empty cell. */
void mu_grid_empty(struct mu_grid *grid);
void mu_grid_text(struct mu_grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
void mu_grid_number(struct mu_grid *grid, double value, int decimals);
void mu_grid_flag(struct mu_grid *grid, bool value);
void mu_grid_time(struct mu_grid *grid, double ns);
void mu_grid_interval(struct mu_grid *grid, double low, double high);
void mu_grid_sessions(struct mu_grid *grid, size_t sessions);
void mu_grid_mark(struct mu_grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives the cell before it a tone. */
void mu_grid_tone(struct mu_grid *grid, enum mu_tone tone);

/* Adds a line below the grid, for people; left out of CSV. */
void mu_grid_note(struct mu_grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a note that explains a mark. `mark` and `text` are constants. The note is shown only if a cell has the mark. */
void mu_grid_note_mark(struct mu_grid *grid, const char *mark, const char *text);

size_t mu_grid_rows(const struct mu_grid *grid);

/* Return the number of columns, and the name of a column in CSV. Columns are numbered from 0. */
size_t mu_grid_columns(const struct mu_grid *grid);
const char *mu_grid_column_name(const struct mu_grid *grid, size_t column);

/* Return a column's title for people, and whether its cells may have intervals. */
const char *mu_grid_column_title(const struct mu_grid *grid, size_t column);
bool mu_grid_has_intervals(const struct mu_grid *grid, size_t column);

/* Finds the column of that name; returns false if the grid has none. */
bool mu_grid_find_column(const struct mu_grid *grid, const char *name, size_t *column);

/* Returns the name with which the grid was added. */
const char *mu_grid_name(const struct mu_grid *grid);

/* Returns true if a cell equals `value`, either as people see it or as in CSV; "-" equals an empty cell. A `value` that
 * ends in a star matches as a prefix. */
bool mu_grid_cell_is(const struct mu_grid *grid, size_t row, size_t column, const char *value);

/* Return the text of a cell, NULL if it has none; and its number, 0 if it has none. */
const char *mu_grid_cell_text(const struct mu_grid *grid, size_t row, size_t column);
double mu_grid_cell_number(const struct mu_grid *grid, size_t row, size_t column);

/* Gets the cell's interval, and the number of sessions that it spans (0: unknown). Returns false if it has none. */
bool mu_grid_cell_interval(const struct mu_grid *grid, size_t row, size_t column, double *low, double *high,
                           size_t *sessions);

/* Returns what people see of a cell: either `buffer`, or the cell's own text. */
enum { MU_GRID_CELL_BYTES = 512 };
const char *mu_grid_cell_show(const struct mu_grid *grid, size_t row, size_t column, char *buffer);

/* Some rows and columns of a grid, by number, in the order in which they are to stand. mu_grid_part_release frees these
 * lists, which come from mu_malloc. */
struct mu_grid_part {
    size_t *rows, *columns;
    size_t row_count, column_count;
};
void mu_grid_part_release(struct mu_grid_part *part);

/* Adds a grid that consists of the part, with title and notes of the whole. */
void mu_grids_add_part(struct mu_grids *grids, const struct mu_grid *from, const struct mu_grid_part *part);

/* Prints the cells of one column in some rows as Markdown. One cell is printed as it is; of several numbers or times
 * the least and the greatest; of several texts each distinct one. "–" if all are empty. */
void mu_grid_print_cells(const struct mu_grid *grid, const struct mu_grid_part *part, FILE *to);

/* Prints all grids, in CSV separated by empty lines. Returns the status of err. Does not check `to` for write errors,
 * which the caller does when it closes the file. */
int mu_grids_print(const struct mu_grids *grids, enum mu_grid_format format, FILE *to);

/* Prints all grids as plain text with that look. Columns that do not fit are left out and named below. First go
 * left-aligned columns with the same text in every row, then minor columns, then others that are not left-aligned.
 * Within each kind, columns with the fewest figures go first, and among equals the last one. Rows whose only figures
 * are in such columns are left out and counted. */
int mu_grids_show(const struct mu_grids *grids, const struct mu_grid_look *look, FILE *to);

#endif
