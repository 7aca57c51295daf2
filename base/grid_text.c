/* Prints grids as plain text: on a terminal no wider than it is, and in colours. */
#include "base/grid_private.h"
#include "base/memory.h"

#include <string.h>

/* Escape sequences: what begins a tone, a heading, and what ends both. */
static const char *const tone_begins[] = {
    [MU_TONE_PLAIN] = "", [MU_TONE_GOOD] = "\033[32m", [MU_TONE_BAD] = "\033[31m"};
static const char heading_begins[] = "\033[1m", all_ends[] = "\033[0m";

/* A grid as it is laid out: the width of each column, 0 for those that are left out. */
struct layout {
    const struct mu_grid *grid;
    const struct mu_grid_look *look;
    size_t *widths;
    size_t last;  /* the rightmost column that is shown */
    size_t shown; /* columns */
    FILE *to;
};

/* Counted in characters: those of UTF-8 may take several bytes. */
static size_t width_of(const char *text)
{
    size_t characters = 0;
    for (; *text != '\0'; text++) characters += (*text & 0xc0) != 0x80;
    return characters;
}

static bool is_left(const struct mu_grid *grid, size_t column)
{
    return (grid->columns[column].flags & MU_COLUMN_LEFT) != 0;
}

/* ---- Which columns fit ---- */

static void measure_columns(struct layout *layout)
{
    char buffer[MU_CELL_BYTES];
    const struct mu_grid *grid = layout->grid;
    for (size_t c = 0; c < grid->column_count; c++) {
        layout->widths[c] = width_of(grid->columns[c].title);
        if (layout->widths[c] == 0) layout->widths[c] = 1;
    }
    for (size_t r = 0; r < grid->row_count; r++)
        for (size_t c = 0; c < grid->column_count; c++) {
            const size_t width = width_of(mu_cell_show(&mu_grid_cells(grid, r)[c], buffer));
            if (width > layout->widths[c]) layout->widths[c] = width;
        }
}

static bool fits(struct layout *layout)
{
    size_t width = 0;
    layout->shown = 0;
    for (size_t c = 0; c < layout->grid->column_count; c++) {
        if (layout->widths[c] == 0) continue;
        width += layout->widths[c] + (layout->shown != 0 ? 2 : 0);
        layout->shown++;
        layout->last = c;
    }
    return layout->look->width == 0 || width <= layout->look->width || layout->shown <= 1;
}

/* Whether all rows have this text in the column. */
static bool is_constant(const struct mu_grid *grid, size_t column)
{
    char first[MU_CELL_BYTES], next[MU_CELL_BYTES];
    for (size_t r = 1; r < grid->row_count; r++)
        if (strcmp(mu_cell_show(&mu_grid_cells(grid, 0)[column], first),
                   mu_cell_show(&mu_grid_cells(grid, r)[column], next)) != 0)
            return false;
    return grid->row_count > 1;
}

/* The ways to make room, in this order. */
static bool is_the_same_everywhere(const struct mu_grid *grid, size_t column)
{
    return is_left(grid, column) && column + 1 != grid->column_count && is_constant(grid, column);
}

static bool is_minor(const struct mu_grid *grid, size_t column)
{
    return (grid->columns[column].flags & MU_COLUMN_MINOR) != 0;
}

static bool is_no_key(const struct mu_grid *grid, size_t column)
{
    return !is_left(grid, column);
}

static bool is_any(const struct mu_grid *grid, size_t column)
{
    return column < grid->column_count;
}

static void make_room(struct layout *layout)
{
    static bool (*const may_go[])(const struct mu_grid *, size_t) = {is_the_same_everywhere, is_minor, is_no_key,
                                                                     is_any};
    for (size_t way = 0; way < sizeof may_go / sizeof may_go[0]; way++)
        for (size_t c = layout->grid->column_count; c > 0 && !fits(layout); c--)
            if (may_go[way](layout->grid, c - 1)) layout->widths[c - 1] = 0;
    fits(layout);
}

/* ---- Lines ---- */

static void print_cell(const struct layout *layout, size_t column, const char *text, const char *begins)
{
    const size_t used = width_of(text), width = layout->widths[column], pad = used < width ? width - used : 0;
    const bool left = is_left(layout->grid, column), coloured = layout->look->colours && begins[0] != '\0';
    fprintf(layout->to, "%*s%s%s%s%*s", left ? 0 : (int)pad, "", coloured ? begins : "", text, coloured ? all_ends : "",
            left && column != layout->last ? (int)pad : 0, "");
    fputs(column == layout->last ? "\n" : "  ", layout->to);
}

static void print_line(const struct layout *layout)
{
    for (size_t c = 0; c < layout->grid->column_count; c++) {
        if (layout->widths[c] == 0) continue;
        for (size_t i = 0; i < layout->widths[c]; i++) fputc('-', layout->to);
        fputs(c == layout->last ? "\n" : "  ", layout->to);
    }
}

static void print_row(const struct layout *layout, size_t row)
{
    char buffer[MU_CELL_BYTES];
    const struct mu_cell *cells = mu_grid_cells(layout->grid, row);
    for (size_t c = 0; c < layout->grid->column_count; c++)
        if (layout->widths[c] != 0) print_cell(layout, c, mu_cell_show(&cells[c], buffer), tone_begins[cells[c].tone]);
}

/* A line of text, broken between words where it is too long for the look. */
static void print_broken(const struct layout *layout, const char *text)
{
    size_t used = 0;
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " ");
        char word[MU_CELL_BYTES];
        snprintf(word, sizeof word, "%.*s", (int)bytes, text);
        const size_t width = width_of(word);
        if (used != 0 && layout->look->width != 0 && used + 1 + width > layout->look->width) {
            fputc('\n', layout->to);
            used = 0;
        }
        fprintf(layout->to, "%s%.*s", used != 0 ? " " : "", (int)bytes, text);
        used += width + (used != 0);
        text += bytes;
        if (*text == ' ') text++;
    }
    fputc('\n', layout->to);
}

/* "Left out to fit 80 columns: chip (h200), portable; --wide shows all." */
static void note_left_out(const struct layout *layout)
{
    char buffer[MU_CELL_BYTES], text[2048];
    const struct mu_grid *grid = layout->grid;
    size_t used = (size_t)snprintf(text, sizeof text, "Left out to fit %zu columns:", layout->look->width);
    if (layout->shown == grid->column_count) return;
    for (size_t c = 0, out = 0; c < grid->column_count && used < sizeof text; c++) {
        if (layout->widths[c] != 0) continue;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s %s", out++ != 0 ? "," : "", grid->columns[c].title);
        if (used < sizeof text && is_the_same_everywhere(grid, c))
            used += (size_t)snprintf(text + used, sizeof text - used, " (%s)",
                                     mu_cell_show(&mu_grid_cells(grid, 0)[c], buffer));
    }
    if (used < sizeof text) snprintf(text + used, sizeof text - used, "; --wide shows all.");
    print_broken(layout, text);
}

/* A text that a line holds stays as it is, blanks and all. */
static void print_text(const struct layout *layout, const char *text)
{
    if (layout->look->width != 0 && width_of(text) > layout->look->width)
        print_broken(layout, text);
    else
        fprintf(layout->to, "%s\n", text);
}

static void print_notes(const struct layout *layout)
{
    const char *note;
    if (mu_grid_note_at(layout->grid, 0) != NULL || layout->shown != layout->grid->column_count)
        fputc('\n', layout->to);
    for (size_t i = 0; (note = mu_grid_note_at(layout->grid, i)) != NULL; i++) print_text(layout, note);
    note_left_out(layout);
}

void mu_grid_print_text(const struct mu_grid *grid, const struct mu_grid_look *look, FILE *to)
{
    struct layout layout = {.grid = grid, .look = look, .to = to};
    layout.widths = mu_calloc(grid->column_count, sizeof *layout.widths, "column widths", grid->err);
    if (layout.widths == NULL) return;
    measure_columns(&layout);
    make_room(&layout);
    if (look->colours) fputs(heading_begins, to);
    print_text(&layout, grid->title);
    if (look->colours) fputs(all_ends, to);
    fputc('\n', to);
    for (size_t c = 0; c < grid->column_count; c++)
        if (layout.widths[c] != 0) print_cell(&layout, c, grid->columns[c].title, heading_begins);
    print_line(&layout);
    for (size_t r = 0; r < grid->row_count; r++) {
        if (grid->ruled[r] && r > 0) print_line(&layout);
        print_row(&layout, r);
    }
    print_notes(&layout);
    mu_free(layout.widths);
}

int mu_grids_show(const struct mu_grids *grids, const struct mu_grid_look *look, FILE *to)
{
    for (size_t i = 0; i < grids->count && grids->err->status == MU_OK; i++) {
        if (i > 0) fputc('\n', to);
        mu_grid_print_text(grids->grid[i], look, to);
    }
    return grids->err->status;
}
