/* Looking into grids: columns by name, cells by value, and parts of a grid. */
#include "base/grid_private.h"
#include "base/memory.h"

#include <string.h>

size_t mu_grid_columns(const struct mu_grid *grid)
{
    return grid != NULL ? grid->column_count : 0;
}

const char *mu_grid_column_name(const struct mu_grid *grid, size_t column)
{
    return grid->columns[column].name;
}

bool mu_grid_find_column(const struct mu_grid *grid, const char *name, size_t *column)
{
    for (size_t c = 0; c < mu_grid_columns(grid); c++) {
        if (strcmp(grid->columns[c].name, name) != 0) continue;
        *column = c;
        return true;
    }
    return false;
}

const char *mu_grid_column_title(const struct mu_grid *grid, size_t column)
{
    return grid->columns[column].title;
}

bool mu_grid_has_intervals(const struct mu_grid *grid, size_t column)
{
    return (grid->columns[column].flags & MU_COLUMN_INTERVAL) != 0;
}

const char *mu_grid_name(const struct mu_grid *grid)
{
    return grid->name;
}

/* ---- Cells ---- */

/* Returns true if a cell is empty or holds an empty text, as some tables have. */
static bool is_empty(const struct mu_cell *cell)
{
    return cell->kind == MU_CELL_EMPTY || (cell->kind == MU_CELL_TEXT && cell->text[0] == '\0');
}

static bool is_text(const char *text, const char *value)
{
    const size_t length = strlen(value);
    if (length > 0 && value[length - 1] == '*') return strncmp(text, value, length - 1) == 0;
    return strcmp(text, value) == 0;
}

/* Returns what CSV prints for a cell that is not empty: either `buffer` or the cell's own text. */
static const char *value_of(const struct mu_cell *cell, char buffer[MU_CELL_BYTES])
{
    if (cell->kind == MU_CELL_TEXT) return cell->text;
    snprintf(buffer, MU_CELL_BYTES, "%.10g", cell->value);
    return buffer;
}

bool mu_grid_cell_is(const struct mu_grid *grid, size_t row, size_t column, const char *value)
{
    char buffer[MU_CELL_BYTES];
    const struct mu_cell *cell = &mu_grid_cells(grid, row)[column];
    if (is_empty(cell)) return is_text("-", value);
    return is_text(mu_cell_show(cell, buffer), value) || is_text(value_of(cell, buffer), value);
}

const char *mu_grid_cell_text(const struct mu_grid *grid, size_t row, size_t column)
{
    return mu_grid_cells(grid, row)[column].text;
}

double mu_grid_cell_number(const struct mu_grid *grid, size_t row, size_t column)
{
    return mu_grid_cells(grid, row)[column].value;
}

bool mu_grid_cell_interval(const struct mu_grid *grid, size_t row, size_t column, double *low, double *high,
                           size_t *sessions)
{
    const struct mu_cell *cell = &mu_grid_cells(grid, row)[column];
    if (!cell->has_interval) return false;
    *low = cell->low;
    *high = cell->high;
    *sessions = cell->sessions;
    return true;
}

const char *mu_grid_cell_show(const struct mu_grid *grid, size_t row, size_t column, char *buffer)
{
    return mu_cell_show(&mu_grid_cells(grid, row)[column], buffer);
}

/* ---- Parts ---- */

void mu_grid_part_release(struct mu_grid_part *part)
{
    mu_free(part->rows);
    mu_free(part->columns);
    *part = (struct mu_grid_part){0};
}

/* Copies a cell into an empty one. */
static void copy_cell(const struct mu_cell *from, struct mu_cell *to, struct mu_error *err)
{
    char *text = from->text != NULL ? mu_strdup(from->text, err) : NULL;
    if (err->status != MU_OK) return;
    *to = *from;
    to->text = text;
}

static void copy_row(const struct mu_grid *from, size_t row, const struct mu_grid_part *part, struct mu_grid *to)
{
    from->ruled[row] ? mu_grid_rule(to) : mu_grid_row(to);
    for (size_t c = 0; c < part->column_count && to->err->status == MU_OK; c++)
        copy_cell(&mu_grid_cells(from, row)[part->columns[c]], &to->cells[(to->row_count - 1) * to->column_count + c],
                  to->err);
}

void mu_grids_add_part(struct mu_grids *grids, const struct mu_grid *from, const struct mu_grid_part *part)
{
    struct mu_grid *to = mu_grids_add(grids, from->name, "%s", from->title);
    if (to == NULL) return;
    for (size_t c = 0; c < part->column_count; c++) {
        const struct mu_column *column = &from->columns[part->columns[c]];
        mu_grid_column(to, column->name, column->title, column->flags);
        if (to->err->status == MU_OK) to->columns[c].tells_sessions = column->tells_sessions;
    }
    for (size_t r = 0; r < part->row_count && to->err->status == MU_OK; r++) copy_row(from, part->rows[r], part, to);
    for (size_t i = 0; i < from->note_count; i++) mu_grid_note_mark(to, from->notes[i].mark, from->notes[i].text);
}

/* ---- One column ---- */

static const struct mu_cell *cell_at(const struct mu_grid *grid, const struct mu_grid_part *part, size_t i)
{
    return &mu_grid_cells(grid, part->rows[i])[part->columns[0]];
}

/* Counts the cells that are not empty. *least and *greatest get the smallest and the largest number; for texts, the
 * first one. */
static size_t count_cells(const struct mu_grid *grid, const struct mu_grid_part *part, const struct mu_cell **least,
                          const struct mu_cell **greatest)
{
    size_t count = 0;
    for (size_t i = 0; i < part->row_count; i++) {
        const struct mu_cell *cell = cell_at(grid, part, i);
        if (is_empty(cell)) continue;
        if (count == 0 || cell->value < (*least)->value) *least = cell;
        if (count == 0 || cell->value > (*greatest)->value) *greatest = cell;
        count++;
    }
    return count;
}

/* Prints a number or a time, without its interval and mark. */
static void print_value(const struct mu_cell *cell, FILE *to)
{
    char buffer[MU_CELL_BYTES];
    struct mu_cell bare = *cell;
    bare.has_interval = false;
    bare.mark[0] = '\0';
    mu_grid_print_markdown_text(mu_cell_show(&bare, buffer), to);
}

/* Prints each distinct text once, and each number as it is. */
static void print_texts(const struct mu_grid *grid, const struct mu_grid_part *part, FILE *to)
{
    char buffer[MU_CELL_BYTES], other[MU_CELL_BYTES];
    bool any = false;
    for (size_t i = 0; i < part->row_count; i++) {
        const struct mu_cell *cell = cell_at(grid, part, i);
        const char *text = mu_cell_show(cell, buffer);
        bool known = is_empty(cell);
        for (size_t j = 0; j < i && !known; j++) known = strcmp(mu_cell_show(cell_at(grid, part, j), other), text) == 0;
        if (known) continue;
        if (any) fputs(", ", to);
        mu_grid_print_markdown_text(text, to);
        any = true;
    }
}

static bool has_texts(const struct mu_grid *grid, const struct mu_grid_part *part)
{
    for (size_t i = 0; i < part->row_count; i++) {
        const enum mu_cell_kind kind = cell_at(grid, part, i)->kind;
        if (kind == MU_CELL_TEXT || kind == MU_CELL_FLAG) return true;
    }
    return false;
}

void mu_grid_print_cells(const struct mu_grid *grid, const struct mu_grid_part *part, FILE *to)
{
    const struct mu_cell *least = NULL, *greatest = NULL;
    const size_t count = count_cells(grid, part, &least, &greatest);
    if (count == 0) {
        fputs("–", to);
    } else if (count == 1 || has_texts(grid, part)) {
        print_texts(grid, part, to);
    } else {
        print_value(least, to);
        if (greatest->value <= least->value) return;
        fputs("–", to);
        print_value(greatest, to);
    }
}
