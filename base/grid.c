#include "base/grid.h"

#include "base/grid_private.h"
#include "base/memory.h"
#include "base/plain.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *const mu_grid_format_names[MU_GRID_FORMATS] = {"text", "csv", "markdown", "latex", "json", "cells"};

bool mu_grid_is_for_programs(enum mu_grid_format format)
{
    return format == MU_GRID_CSV || format == MU_GRID_JSON;
}

static bool is_usable(const struct mu_grid *grid)
{
    return grid != NULL && grid->err->status == MU_OK;
}

__attribute__((format(printf, 2, 0))) static char *format_text(struct mu_error *err, const char *format,
                                                               va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? mu_malloc((size_t)length + 1, 1, "a cell's text", err) : NULL;
    if (text == NULL) {
        mu_fail(err, MU_NO_MEMORY, "cannot format a cell");
        return NULL;
    }
    vsnprintf(text, (size_t)length + 1, format, arguments);
    mu_make_plain(text, "");
    return text;
}

struct mu_grid *mu_grids_add(struct mu_grids *grids, const char *name, const char *title, ...)
{
    va_list arguments;
    if (grids->err->status != MU_OK ||
        mu_resize((void **)&grids->grid, grids->count + 1, sizeof *grids->grid, "grids", grids->err) != MU_OK)
        return NULL;
    struct mu_grid *grid = mu_calloc(1, sizeof *grid, "a grid", grids->err);
    if (grid == NULL) return NULL;
    grids->grid[grids->count++] = grid;
    grid->name = name;
    grid->err = grids->err;
    va_start(arguments, title);
    grid->title = format_text(grids->err, title, arguments);
    va_end(arguments);
    return grid->title != NULL ? grid : NULL;
}

static void free_grid(struct mu_grid *grid)
{
    for (size_t i = 0; i < grid->column_count; i++) {
        mu_free(grid->columns[i].name);
        mu_free(grid->columns[i].title);
    }
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++) mu_free(grid->cells[i].text);
    for (size_t i = 0; i < grid->note_count; i++) mu_free(grid->notes[i].text);
    mu_free(grid->columns);
    mu_free(grid->cells);
    mu_free(grid->ruled);
    mu_free(grid->notes);
    mu_free(grid->title);
    mu_free(grid);
}

void mu_grids_release(struct mu_grids *grids)
{
    for (size_t i = 0; i < grids->count; i++) free_grid(grids->grid[i]);
    mu_free(grids->grid);
    grids->grid = NULL;
    grids->count = 0;
}

void mu_grid_column(struct mu_grid *grid, const char *name, const char *title, unsigned flags)
{
    if (!is_usable(grid)) return;
    if (mu_resize((void **)&grid->columns, grid->column_count + 1, sizeof *grid->columns, "columns", grid->err) !=
        MU_OK)
        return;
    struct mu_column *column = &grid->columns[grid->column_count++];
    *column = (struct mu_column){.flags = flags};
    column->name = mu_strdup(name, grid->err);
    column->title = mu_strdup(title, grid->err);
    if (column->name != NULL) mu_make_plain(column->name, "");
    if (column->title != NULL) mu_make_plain(column->title, "");
}

static void begin_row(struct mu_grid *grid, bool ruled)
{
    size_t cells = 0;
    if (!is_usable(grid)) return;
    if (!mu_mul_size(grid->row_count + 1, grid->column_count, &cells)) {
        mu_fail(grid->err, MU_NO_MEMORY, "%s: too many rows", grid->name);
        return;
    }
    if (mu_resize((void **)&grid->cells, cells, sizeof *grid->cells, "cells", grid->err) != MU_OK ||
        mu_resize((void **)&grid->ruled, grid->row_count + 1, sizeof *grid->ruled, "rows", grid->err) != MU_OK)
        return;
    memset(grid->cells + cells - grid->column_count, 0, grid->column_count * sizeof *grid->cells);
    grid->ruled[grid->row_count++] = ruled;
    grid->filled = 0;
}

void mu_grid_row(struct mu_grid *grid)
{
    begin_row(grid, false);
}

void mu_grid_rule(struct mu_grid *grid)
{
    begin_row(grid, true);
}

/* Returns the next cell of the row, filled with zeros; NULL if the row is full or an error is pending. */
static struct mu_cell *next_cell(struct mu_grid *grid)
{
    if (!is_usable(grid)) return NULL;
    if (grid->row_count == 0 || grid->filled == grid->column_count) {
        mu_fail(grid->err, MU_LIMIT, "%s: row %zu has more cells than the %zu columns", grid->name, grid->row_count,
                grid->column_count);
        return NULL;
    }
    return &grid->cells[(grid->row_count - 1) * grid->column_count + grid->filled++];
}

/* Returns the cell that was filled last; NULL if there is none. */
static struct mu_cell *last_cell(struct mu_grid *grid)
{
    if (!is_usable(grid) || grid->row_count == 0 || grid->filled == 0) return NULL;
    return &grid->cells[(grid->row_count - 1) * grid->column_count + grid->filled - 1];
}

void mu_grid_empty(struct mu_grid *grid)
{
    next_cell(grid);
}

void mu_grid_text(struct mu_grid *grid, const char *format, ...)
{
    va_list arguments;
    struct mu_cell *cell = next_cell(grid);
    if (cell == NULL) return;
    va_start(arguments, format);
    cell->text = format_text(grid->err, format, arguments);
    va_end(arguments);
    cell->kind = cell->text != NULL ? MU_CELL_TEXT : MU_CELL_EMPTY;
}

static void add_number(struct mu_grid *grid, enum mu_cell_kind kind, double value, int decimals)
{
    struct mu_cell *cell = next_cell(grid);
    if (cell == NULL || !isfinite(value)) return;
    cell->kind = kind;
    cell->value = value;
    cell->decimals = decimals;
}

void mu_grid_number(struct mu_grid *grid, double value, int decimals)
{
    add_number(grid, MU_CELL_NUMBER, value, decimals);
}

void mu_grid_flag(struct mu_grid *grid, bool value)
{
    struct mu_cell *cell = next_cell(grid);
    if (cell == NULL) return;
    cell->kind = MU_CELL_FLAG;
    cell->value = value;
}

void mu_grid_time(struct mu_grid *grid, double ns)
{
    add_number(grid, MU_CELL_TIME, ns, 0);
}

void mu_grid_interval(struct mu_grid *grid, double low, double high)
{
    struct mu_cell *cell = last_cell(grid);
    if (cell == NULL || cell->kind < MU_CELL_NUMBER || !isfinite(low) || !isfinite(high)) return;
    cell->low = low;
    cell->high = high;
    cell->has_interval = true;
}

void mu_grid_sessions(struct mu_grid *grid, size_t sessions)
{
    struct mu_cell *cell = last_cell(grid);
    if (cell == NULL || !cell->has_interval) return;
    cell->sessions = (unsigned)sessions & 0x7fffffff;
    grid->columns[grid->filled - 1].tells_sessions |= sessions != 0;
}

void mu_grid_mark(struct mu_grid *grid, const char *format, ...)
{
    va_list arguments;
    struct mu_cell *cell = last_cell(grid);
    if (cell == NULL) return;
    const size_t length = strlen(cell->mark);
    va_start(arguments, format);
    vsnprintf(cell->mark + length, sizeof cell->mark - length, format, arguments);
    va_end(arguments);
}

void mu_grid_tone(struct mu_grid *grid, enum mu_tone tone)
{
    struct mu_cell *cell = last_cell(grid);
    if (cell != NULL) cell->tone = tone;
}

void mu_grid_note(struct mu_grid *grid, const char *format, ...)
{
    va_list arguments;
    if (!is_usable(grid) ||
        mu_resize((void **)&grid->notes, grid->note_count + 1, sizeof *grid->notes, "notes", grid->err) != MU_OK)
        return;
    va_start(arguments, format);
    char *text = format_text(grid->err, format, arguments);
    va_end(arguments);
    if (text != NULL) grid->notes[grid->note_count++] = (struct mu_note){text, NULL};
}

void mu_grid_note_mark(struct mu_grid *grid, const char *mark, const char *text)
{
    const size_t before = grid != NULL ? grid->note_count : 0;
    mu_grid_note(grid, "%s", text);
    if (grid != NULL && grid->note_count > before) grid->notes[before].mark = mark;
}

size_t mu_grid_rows(const struct mu_grid *grid)
{
    return grid != NULL ? grid->row_count : 0;
}
