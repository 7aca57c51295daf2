/* Prints grids. A format is a row of a table: how to begin and end a grid, and how to print a row of strings. */
#include "base/grid.h"
#include "base/grid_private.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What people see of a cell ---- */

/* Printed behind an interval whose samples are all from one session. */
#define ONE_SESSION "*"

/* Returns true if an interval is so wide that it says nothing; it is replaced by a mark. */
static bool is_wide(const struct mu_cell *cell)
{
    return cell->value > 0 && (cell->low < cell->value / 10 || cell->high > cell->value * 10);
}

static void show_number(const struct mu_cell *cell, char *text, size_t bytes)
{
    const int decimals = mu_decimals_of(cell->value, cell->decimals);
    if (cell->has_interval && is_wide(cell))
        snprintf(text, bytes, "%.*f [wide]", decimals, cell->value);
    else if (cell->has_interval)
        snprintf(text, bytes, "%.*f [%.*f, %.*f]", decimals, cell->value, decimals, cell->low, decimals, cell->high);
    else
        snprintf(text, bytes, "%.*f", decimals, cell->value);
}

static void show_flag(const struct mu_cell *cell, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", cell->value != 0 ? "yes" : "no");
}

/* Writes a time, with its interval in the unit of the value: "12.3 ms [12.1, 12.6]". */
static void show_time(const struct mu_cell *cell, char *text, size_t bytes)
{
    char value[32];
    mu_show_time(cell->value, value, sizeof value);
    if (!cell->has_interval) {
        snprintf(text, bytes, "%s", value);
        return;
    }
    if (is_wide(cell)) {
        snprintf(text, bytes, "%s [wide]", value);
        return;
    }
    struct mu_time_unit unit;
    mu_time_unit(cell->value, &unit);
    snprintf(text, bytes, "%s [%.*f, %.*f]", value, unit.decimals, cell->low / unit.ns, unit.decimals,
             cell->high / unit.ns);
}

const char *mu_cell_show(const struct mu_cell *cell, char *buffer)
{
    static void (*const shows[])(const struct mu_cell *, char *, size_t) = {
        [MU_CELL_FLAG] = show_flag, [MU_CELL_NUMBER] = show_number, [MU_CELL_TIME] = show_time};
    if (cell->kind == MU_CELL_EMPTY) return "-";
    if (cell->kind == MU_CELL_TEXT && cell->mark[0] == '\0') return cell->text;
    if (cell->kind == MU_CELL_TEXT)
        snprintf(buffer, MU_CELL_BYTES, "%s", cell->text);
    else
        shows[cell->kind](cell, buffer, MU_CELL_BYTES);
    const size_t length = strlen(buffer);
    snprintf(buffer + length, MU_CELL_BYTES - length, "%s%s", cell->sessions == 1 ? ONE_SESSION : "", cell->mark);
    return buffer;
}

const struct mu_cell *mu_grid_cells(const struct mu_grid *grid, size_t row)
{
    return grid->cells + row * grid->column_count;
}

static bool has_wide_interval(const struct mu_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (grid->cells[i].has_interval && is_wide(&grid->cells[i])) return true;
    return false;
}

static bool has_one_session(const struct mu_grid *grid)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (grid->cells[i].sessions == 1) return true;
    return false;
}

static bool has_mark(const struct mu_grid *grid, const char *mark)
{
    for (size_t i = 0; i < grid->row_count * grid->column_count; i++)
        if (strstr(grid->cells[i].mark, mark) != NULL) return true;
    return false;
}

const char *mu_grid_own_note_at(const struct mu_grid *grid, size_t i)
{
    for (size_t at = 0; at < grid->note_count; at++) {
        const struct mu_note *note = &grid->notes[at];
        if ((note->mark == NULL || has_mark(grid, note->mark)) && i-- == 0) return note->text;
    }
    return NULL;
}

const char *mu_grid_note_at(const struct mu_grid *grid, size_t i)
{
    const char *note = mu_grid_own_note_at(grid, i);
    if (note != NULL) return note;
    size_t shown = 0;
    while (mu_grid_own_note_at(grid, shown) != NULL) shown++;
    const char *own[2];
    size_t count = 0;
    if (has_wide_interval(grid))
        own[count++] = "[wide]: the interval reaches below a tenth of the value or above ten times the value.";
    if (has_one_session(grid))
        own[count++] = ONE_SESSION
            ": the interval is within one session: what differs between sessions, such as days and machines, is not in "
            "it.";
    return i - shown < count ? own[i - shown] : NULL;
}

static bool is_left(const struct mu_grid *grid, size_t column)
{
    return (grid->columns[column].flags & MU_COLUMN_LEFT) != 0;
}

/* ---- CSV (RFC 4180, but for the line ends) ---- */

static void print_quoted(const char *text, FILE *to)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

/* Prints the columns that tell how many sessions the intervals span: their names, or their values in a row. */
static void print_csv_sessions(const struct mu_grid *grid, const struct mu_cell *row, FILE *to)
{
    for (size_t c = 0; c < grid->column_count; c++) {
        if (!grid->columns[c].tells_sessions) continue;
        if (row == NULL)
            fprintf(to, ",%s_sessions", grid->columns[c].name);
        else if (row[c].sessions != 0)
            fprintf(to, ",%zu", (size_t)row[c].sessions);
        else
            fputc(',', to);
    }
    fputc('\n', to);
}

static void print_csv_cell(const struct mu_cell *cell, unsigned flags, FILE *to)
{
    if (cell->kind == MU_CELL_TEXT) print_quoted(cell->text, to);
    if (cell->kind >= MU_CELL_FLAG) fprintf(to, "%.10g", cell->value);
    if ((flags & MU_COLUMN_INTERVAL) == 0) return;
    if (cell->has_interval)
        fprintf(to, ",%.10g,%.10g", cell->low, cell->high);
    else
        fputs(",,", to);
}

static void print_csv(const struct mu_grid *grid, FILE *to)
{
    for (size_t c = 0; c < grid->column_count; c++) {
        const struct mu_column *column = &grid->columns[c];
        if (c > 0) fputc(',', to);
        print_quoted(column->name, to);
        if ((column->flags & MU_COLUMN_INTERVAL) != 0) fprintf(to, ",%s_low,%s_high", column->name, column->name);
    }
    print_csv_sessions(grid, NULL, to);
    for (size_t r = 0; r < grid->row_count; r++) {
        for (size_t c = 0; c < grid->column_count; c++) {
            if (c > 0) fputc(',', to);
            print_csv_cell(&mu_grid_cells(grid, r)[c], grid->columns[c].flags, to);
        }
        print_csv_sessions(grid, mu_grid_cells(grid, r), to);
    }
}

/* ---- Markdown and LaTeX ---- */

/* A character that is special in a format, and how it is printed. */
struct escape {
    char character;
    const char *replacement;
};

static const struct escape markdown_escapes[] = {{'\\', "\\\\"}, {'|', "\\|"}, {'*', "\\*"}, {'<', "&lt;"},
                                                 {'&', "&amp;"}, {'\n', " "},  {'\0', NULL}};
static const struct escape latex_escapes[] = {{'&', "\\&"},
                                              {'%', "\\%"},
                                              {'$', "\\$"},
                                              {'#', "\\#"},
                                              {'_', "\\_"},
                                              {'{', "\\{"},
                                              {'}', "\\}"},
                                              {'~', "\\textasciitilde{}"},
                                              {'^', "\\textasciicircum{}"},
                                              {'\\', "\\textbackslash{}"},
                                              {'<', "\\textless{}"},
                                              {'>', "\\textgreater{}"},
                                              {'\n', " "},
                                              {'\0', NULL}};

static void print_escaped(const char *text, const struct escape *escapes, FILE *to)
{
    for (; *text != '\0'; text++) {
        const struct escape *escape = escapes;
        while (escape->character != '\0' && escape->character != *text) escape++;
        if (escape->character != '\0')
            fputs(escape->replacement, to);
        else
            fputc(*text, to);
    }
}

void mu_grid_print_markdown_text(const char *text, FILE *to)
{
    print_escaped(text, markdown_escapes, to);
}

static void print_markdown(const struct mu_grid *grid, FILE *to)
{
    char buffer[MU_CELL_BYTES];
    fputs("**", to);
    print_escaped(grid->title, markdown_escapes, to);
    fputs("**\n\n|", to);
    for (size_t c = 0; c < grid->column_count; c++) {
        fputc(' ', to);
        print_escaped(grid->columns[c].title, markdown_escapes, to);
        fputs(" |", to);
    }
    fputs("\n|", to);
    for (size_t c = 0; c < grid->column_count; c++) fputs(is_left(grid, c) ? "---|" : "---:|", to);
    fputc('\n', to);
    for (size_t r = 0; r < grid->row_count; r++) {
        fputc('|', to);
        for (size_t c = 0; c < grid->column_count; c++) {
            fputc(' ', to);
            print_escaped(mu_cell_show(&mu_grid_cells(grid, r)[c], buffer), markdown_escapes, to);
            fputs(" |", to);
        }
        fputc('\n', to);
    }
    const char *note;
    for (size_t i = 0; (note = mu_grid_note_at(grid, i)) != NULL; i++) {
        fputc('\n', to);
        print_escaped(note, markdown_escapes, to);
        fputc('\n', to);
    }
}

/* Prints LaTeX that needs no package. */
static void print_latex(const struct mu_grid *grid, FILE *to)
{
    char buffer[MU_CELL_BYTES];
    fputs("\\begin{table}\n\\centering\n\\begin{tabular}{", to);
    for (size_t c = 0; c < grid->column_count; c++) fputc(is_left(grid, c) ? 'l' : 'r', to);
    fputs("}\n\\hline\n", to);
    for (size_t c = 0; c < grid->column_count; c++) {
        if (c > 0) fputs(" & ", to);
        print_escaped(grid->columns[c].title, latex_escapes, to);
    }
    fputs(" \\\\\n\\hline\n", to);
    for (size_t r = 0; r < grid->row_count; r++) {
        if (grid->ruled[r] && r > 0) fputs("\\hline\n", to);
        for (size_t c = 0; c < grid->column_count; c++) {
            if (c > 0) fputs(" & ", to);
            print_escaped(mu_cell_show(&mu_grid_cells(grid, r)[c], buffer), latex_escapes, to);
        }
        fputs(" \\\\\n", to);
    }
    fputs("\\hline\n\\end{tabular}\n\\caption{", to);
    print_escaped(grid->title, latex_escapes, to);
    const char *note;
    for (size_t i = 0; (note = mu_grid_note_at(grid, i)) != NULL; i++) {
        fputs(i == 0 ? ". " : " ", to);
        print_escaped(note, latex_escapes, to);
    }
    fprintf(to, "}\n\\label{tab:%s}\n\\end{table}\n", grid->name);
}

/* ---- JSON: one line a grid ---- */

static void print_line_of_json(const struct mu_grid *grid, struct mu_json *all, FILE *to)
{
    json_t *object = mu_json_take(all, grid->name, grid->err);
    if (object != NULL && json_dumpf(object, to, JSON_COMPACT | JSON_REAL_PRECISION(10)) != 0)
        mu_fail(grid->err, MU_IO, "%s: cannot print as JSON", grid->name);
    fputc('\n', to);
    json_decref(object);
}

static void add_json_cell(struct mu_json *row, const struct mu_column *column, const struct mu_cell *cell)
{
    char name[128];
    if (cell->kind == MU_CELL_EMPTY || cell->kind == MU_CELL_TEXT)
        mu_json_set_text(row, column->name, cell->kind == MU_CELL_TEXT ? cell->text : NULL);
    else if (cell->kind == MU_CELL_FLAG)
        mu_json_set_flag(row, column->name, cell->value != 0);
    else
        mu_json_set_real(row, column->name, cell->value);
    if ((column->flags & MU_COLUMN_INTERVAL) == 0 || !cell->has_interval) return;
    snprintf(name, sizeof name, "%.100s_low", column->name);
    mu_json_set_real(row, name, cell->low);
    snprintf(name, sizeof name, "%.100s_high", column->name);
    mu_json_set_real(row, name, cell->high);
    if (cell->sessions == 0) return;
    snprintf(name, sizeof name, "%.100s_sessions", column->name);
    mu_json_set_number(row, name, cell->sessions);
}

static void print_json(const struct mu_grid *grid, FILE *to)
{
    struct mu_json all = mu_json_object(), rows = mu_json_array(), notes = mu_json_array();
    for (size_t r = 0; r < grid->row_count; r++) {
        struct mu_json row = mu_json_object();
        for (size_t c = 0; c < grid->column_count; c++)
            add_json_cell(&row, &grid->columns[c], &mu_grid_cells(grid, r)[c]);
        mu_json_append_part(&rows, &row);
    }
    const char *note;
    for (size_t i = 0; (note = mu_grid_own_note_at(grid, i)) != NULL; i++) mu_json_append_text(&notes, note);
    mu_json_set_text(&all, "name", grid->name);
    mu_json_set_text(&all, "title", grid->title);
    mu_json_set_part(&all, "rows", &rows);
    mu_json_set_part(&all, "notes", &notes);
    print_line_of_json(grid, &all, to);
}

/* ---- Cells: what people read, as JSON, one line a grid (doc/muster.1) ---- */

static void print_cells(const struct mu_grid *grid, FILE *to)
{
    char buffer[MU_CELL_BYTES];
    struct mu_json all = mu_json_object(), columns = mu_json_array(), rows = mu_json_array(), notes = mu_json_array();
    for (size_t c = 0; c < grid->column_count; c++) {
        struct mu_json column = mu_json_object();
        mu_json_set_text(&column, "title", grid->columns[c].title);
        mu_json_set_flag(&column, "left", is_left(grid, c));
        mu_json_append_part(&columns, &column);
    }
    for (size_t r = 0; r < grid->row_count; r++) {
        struct mu_json row = mu_json_array();
        for (size_t c = 0; c < grid->column_count; c++)
            mu_json_append_text(&row, mu_cell_show(&mu_grid_cells(grid, r)[c], buffer));
        mu_json_append_part(&rows, &row);
    }
    const char *note;
    for (size_t i = 0; (note = mu_grid_note_at(grid, i)) != NULL; i++) mu_json_append_text(&notes, note);
    mu_json_set_text(&all, "title", grid->title);
    mu_json_set_part(&all, "columns", &columns);
    mu_json_set_part(&all, "rows", &rows);
    mu_json_set_part(&all, "notes", &notes);
    print_line_of_json(grid, &all, to);
}

static void print_text(const struct mu_grid *grid, FILE *to)
{
    const struct mu_grid_look any = {0};
    mu_grid_print_text(grid, &any, to);
}

int mu_grids_print(const struct mu_grids *grids, enum mu_grid_format format, FILE *to)
{
    static void (*const prints[MU_GRID_FORMATS])(const struct mu_grid *, FILE *) = {
        print_text, print_csv, print_markdown, print_latex, print_json, print_cells};
    for (size_t i = 0; i < grids->count && grids->err->status == MU_OK; i++) {
        if (i > 0 && format < MU_GRID_JSON) fputc('\n', to);
        prints[format](grids->grid[i], to);
    }
    return grids->err->status;
}
