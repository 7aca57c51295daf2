/* Prints grids as plain text: no wider than the terminal, and in colours. */
#include "base/grid_private.h"
#include "base/memory.h"
#include "base/units.h"

#include <string.h>

/* Escape sequences that begin a tone, begin a heading, and end both. */
static const char *const tone_begins[] = {
    [MU_TONE_PLAIN] = "", [MU_TONE_GOOD] = "\033[32m", [MU_TONE_BAD] = "\033[31m"};
static const char heading_begins[] = "\033[1m", all_ends[] = "\033[0m";

/* A shortened text keeps at least LEAST_SHORTENED characters, the last of which says that more follow. A last column
 * whose texts may exceed SENTENCE characters is printed below its row, indented by INDENT. */
enum { LEAST_SHORTENED = 10, SENTENCE = 24, INDENT = 4, NOWHERE = -1 };
static const char more[] = "…";

/* The layout of a grid: the width of each column, 0 if it is left out, and the width of its longest text. */
struct layout {
    const struct mu_grid *grid;
    const struct mu_grid_look *look;
    size_t *widths, *longest;
    size_t last;     /* the rightmost column that is shown */
    size_t shown;    /* columns */
    ptrdiff_t below; /* the column whose texts stand below the rows; or NOWHERE */
    FILE *to;
};

/* Returns the width of a text in characters; one in UTF-8 may take several bytes. */
static size_t width_of_part(const char *text, size_t bytes)
{
    size_t characters = 0;
    for (size_t i = 0; i < bytes; i++) characters += (text[i] & 0xc0) != 0x80;
    return characters;
}

static size_t width_of(const char *text)
{
    return width_of_part(text, strlen(text));
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
    memcpy(layout->longest, layout->widths, grid->column_count * sizeof *layout->widths);
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

/* Returns true if all rows have this text in the column. */
static bool is_constant(const struct mu_grid *grid, size_t column)
{
    char first[MU_CELL_BYTES], next[MU_CELL_BYTES];
    for (size_t r = 1; r < grid->row_count; r++)
        if (strcmp(mu_cell_show(&mu_grid_cells(grid, 0)[column], first),
                   mu_cell_show(&mu_grid_cells(grid, r)[column], next)) != 0)
            return false;
    return grid->row_count > 1;
}

/* Returns true if all rows have the same in the column. This and the next two functions tell which columns may be left
 * out, in this order. */
static bool is_the_same_everywhere(const struct layout *layout, size_t column)
{
    return is_left(layout->grid, column) && column + 1 != layout->grid->column_count &&
           is_constant(layout->grid, column);
}

static bool is_minor(const struct layout *layout, size_t column)
{
    return (layout->grid->columns[column].flags & MU_COLUMN_MINOR) != 0;
}

/* Counts the cells of a column that hold a figure. A text there says why there is none. */
static size_t count_figures(const struct mu_grid *grid, size_t column)
{
    size_t figures = 0;
    for (size_t r = 0; r < grid->row_count; r++) figures += mu_grid_cells(grid, r)[column].kind > MU_CELL_TEXT;
    return figures;
}

/* Returns true if a column with numbers is shown before this one. */
static bool follows_number(const struct layout *layout, size_t column)
{
    while (column-- > 0)
        if (!is_left(layout->grid, column) && layout->widths[column] != 0) return true;
    return false;
}

/* Returns true for a column of numbers other than the first; a table needs at least one number. */
static bool is_another_number(const struct layout *layout, size_t column)
{
    size_t others = 0;
    for (size_t c = 0; c < layout->grid->column_count; c++)
        others += c != column && !is_left(layout->grid, c) && layout->widths[c] != 0;
    const bool kept = (layout->grid->columns[column].flags & MU_COLUMN_KEPT) != 0;
    return !is_left(layout->grid, column) && !kept && others != 0;
}

/* Shortens the texts, one character at a time from the column that is widest. Returns false if the rest still does not
 * fit. */
static bool shorten(struct layout *layout)
{
    while (!fits(layout)) {
        size_t *widest = NULL;
        for (size_t c = 0; c < layout->grid->column_count; c++)
            if (is_left(layout->grid, c) && layout->widths[c] > (widest != NULL ? *widest : LEAST_SHORTENED))
                widest = &layout->widths[c];
        if (widest == NULL) return false;
        (*widest)--;
    }
    return true;
}

/* Leaves out one more column, and restores the widths of the others. It takes the first column that a number follows,
 * else the last one. */
static void drop_another(struct layout *layout)
{
    const size_t count = layout->grid->column_count;
    size_t first = count;
    for (size_t c = count; c > 0; c--) {
        if (layout->widths[c - 1] == 0) continue;
        layout->widths[c - 1] = layout->longest[c - 1];
        if (is_left(layout->grid, c - 1)) first = c - 1;
    }
    layout->widths[first < count && follows_number(layout, count) ? first : layout->last] = 0;
}

/* Moves the last column below its rows if it holds sentences. */
static void put_below(struct layout *layout)
{
    const size_t last = layout->grid->column_count - 1;
    if (fits(layout) || !is_left(layout->grid, last) || layout->longest[last] <= SENTENCE || layout->shown == 1) return;
    layout->below = (ptrdiff_t)last;
    layout->widths[last] = 0;
}

/* Leaves out columns that `may_go` allows until the rest fits. Those with the fewest figures go first, and among equals
 * the last one. */
static void drop_what_may_go(struct layout *layout, bool (*may_go)(const struct layout *, size_t))
{
    while (!fits(layout)) {
        size_t *next = NULL, least = 0;
        for (size_t c = layout->grid->column_count; c > 0; c--) {
            if (layout->widths[c - 1] == 0 || !may_go(layout, c - 1)) continue;
            const size_t figures = count_figures(layout->grid, c - 1);
            if (next != NULL && figures >= least) continue;
            next = &layout->widths[c - 1];
            least = figures;
        }
        if (next == NULL) return;
        *next = 0;
    }
}

static void make_room(struct layout *layout)
{
    static bool (*const may_go[])(const struct layout *, size_t) = {is_the_same_everywhere, is_minor,
                                                                    is_another_number};
    for (size_t way = 0; way < sizeof may_go / sizeof may_go[0]; way++) drop_what_may_go(layout, may_go[way]);
    put_below(layout);
    while (!shorten(layout)) drop_another(layout);
}

/* ---- Lines ---- */

/* Returns how many bytes the first characters of a text take. */
static size_t bytes_of(const char *text, size_t characters)
{
    size_t bytes = 0;
    for (; text[bytes] != '\0'; bytes++)
        if ((text[bytes] & 0xc0) != 0x80 && characters-- == 0) break;
    return bytes;
}

static void print_cell(const struct layout *layout, size_t column, const char *text, const char *begins)
{
    const size_t used = width_of(text), width = layout->widths[column], pad = used < width ? width - used : 0;
    const size_t bytes = used > width ? bytes_of(text, width - 1) : strlen(text);
    const bool left = is_left(layout->grid, column), coloured = layout->look->colours && begins[0] != '\0';
    fprintf(layout->to, "%*s%s%.*s%s%s%*s", left ? 0 : (int)pad, "", coloured ? begins : "", (int)bytes, text,
            used > width ? more : "", coloured ? all_ends : "", left && column != layout->last ? (int)pad : 0, "");
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

/* Prints a text, indented, and broken between words if it is wider than the look allows. */
static void print_broken(const struct layout *layout, size_t indent, const char *text)
{
    size_t used = 0;
    fprintf(layout->to, "%*s", (int)indent, "");
    while (*text != '\0') {
        const size_t bytes = strcspn(text, " ");
        const size_t width = width_of_part(text, bytes);
        if (used != 0 && layout->look->width != 0 && indent + used + 1 + width > layout->look->width) {
            fprintf(layout->to, "\n%*s", (int)indent, "");
            used = 0;
        }
        fprintf(layout->to, "%s%.*s", used != 0 ? " " : "", (int)bytes, text);
        used += width + (used != 0);
        text += bytes;
        if (*text == ' ') text++;
    }
    fputc('\n', layout->to);
}

static void print_row(const struct layout *layout, size_t row)
{
    char buffer[MU_CELL_BYTES];
    const struct mu_cell *cells = mu_grid_cells(layout->grid, row);
    for (size_t c = 0; c < layout->grid->column_count; c++)
        if (layout->widths[c] != 0) print_cell(layout, c, mu_cell_show(&cells[c], buffer), tone_begins[cells[c].tone]);
    if (layout->below != NOWHERE && cells[layout->below].kind != MU_CELL_EMPTY)
        print_broken(layout, INDENT, mu_cell_show(&cells[layout->below], buffer));
}

/* Returns true if a row's only figures are in columns that are left out. */
static bool is_idle(const struct layout *layout, size_t row)
{
    const struct mu_cell *cells = mu_grid_cells(layout->grid, row);
    bool elsewhere = false;
    for (size_t c = 0; c < layout->grid->column_count; c++) {
        if (is_left(layout->grid, c) || cells[c].kind == MU_CELL_EMPTY) continue;
        if (layout->widths[c] != 0) return false;
        elsewhere = true;
    }
    return elsewhere;
}

static size_t count_idle(const struct layout *layout)
{
    size_t idle = 0;
    for (size_t r = 0; r < layout->grid->row_count; r++) idle += is_idle(layout, r);
    return idle;
}

/* Returns true if the column is left out. */
static bool is_out(const struct layout *layout, size_t column)
{
    return layout->widths[column] == 0 && (ptrdiff_t)column != layout->below;
}

static bool is_short(const struct layout *layout, size_t column)
{
    return layout->widths[column] != 0 && layout->widths[column] < layout->longest[column];
}

static size_t count_columns(const struct layout *layout, bool (*is)(const struct layout *, size_t))
{
    size_t count = 0;
    for (size_t c = 0; c < layout->grid->column_count; c++) count += is(layout, c);
    return count;
}

/* Appends the titles of the columns that `is` selects to a text, of which `used` bytes are used. Returns how many are
 * used then. */
static size_t list_columns(const struct layout *layout, bool (*is)(const struct layout *, size_t), char *text,
                           size_t bytes, size_t used)
{
    char buffer[MU_CELL_BYTES];
    const struct mu_grid *grid = layout->grid;
    for (size_t c = 0, listed = 0; c < grid->column_count && used < bytes; c++) {
        if (!is(layout, c)) continue;
        used += (size_t)snprintf(text + used, bytes - used, "%s %s", listed++ != 0 ? "," : "", grid->columns[c].title);
        if (used < bytes && is_out(layout, c) && is_the_same_everywhere(layout, c))
            used +=
                (size_t)snprintf(text + used, bytes - used, " (%s)", mu_cell_show(&mu_grid_cells(grid, 0)[c], buffer));
    }
    return used;
}

/* Prints what is missing: "Left out to fit 80 columns: chip (h200), portable; shortened: input; --wide shows all." */
static void note_left_out(const struct layout *layout)
{
    char text[2048];
    const bool out = count_columns(layout, is_out) != 0, is_shortened = count_columns(layout, is_short) != 0;
    if (!out && !is_shortened) return;
    size_t used = (size_t)snprintf(text, sizeof text, "%s to fit %zu columns:", out ? "Left out" : "Shortened",
                                   layout->look->width);
    used = list_columns(layout, out ? is_out : is_short, text, sizeof text, used);
    const size_t idle = count_idle(layout);
    if (idle != 0 && used < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, "; %zu row%s without a figure in the others", idle,
                                 mu_plural(idle));
    if (out && is_shortened && used < sizeof text) {
        used += (size_t)snprintf(text + used, sizeof text - used, "; shortened:");
        used = list_columns(layout, is_short, text, sizeof text, used);
    }
    if (used < sizeof text) snprintf(text + used, sizeof text - used, "; --wide shows all.");
    print_broken(layout, 0, text);
}

/* Prints a text below the grid. One that fits into a line keeps its blanks. */
static void print_text(const struct layout *layout, const char *text)
{
    if (layout->look->width != 0 && width_of(text) > layout->look->width)
        print_broken(layout, 0, text);
    else
        fprintf(layout->to, "%s\n", text);
}

static void print_notes(const struct layout *layout)
{
    const char *note;
    if (mu_grid_note_at(layout->grid, 0) != NULL || count_columns(layout, is_out) != 0 ||
        count_columns(layout, is_short) != 0)
        fputc('\n', layout->to);
    for (size_t i = 0; (note = mu_grid_note_at(layout->grid, i)) != NULL; i++) print_text(layout, note);
    note_left_out(layout);
}

static void print_rows(const struct layout *layout)
{
    bool ruled = false;
    for (size_t r = 0; r < layout->grid->row_count; r++) {
        ruled = ruled || (layout->grid->ruled[r] && r > 0);
        if (is_idle(layout, r)) continue;
        if (ruled) print_line(layout);
        ruled = false;
        print_row(layout, r);
    }
}

void mu_grid_print_text(const struct mu_grid *grid, const struct mu_grid_look *look, FILE *to)
{
    struct layout layout = {.grid = grid, .look = look, .to = to, .below = NOWHERE};
    layout.widths = mu_calloc(2 * grid->column_count, sizeof *layout.widths, "column widths", grid->err);
    if (layout.widths == NULL) return;
    layout.longest = layout.widths + grid->column_count;
    measure_columns(&layout);
    make_room(&layout);
    if (look->colours) fputs(heading_begins, to);
    print_text(&layout, grid->title);
    if (look->colours) fputs(all_ends, to);
    fputc('\n', to);
    for (size_t c = 0; c < grid->column_count; c++)
        if (layout.widths[c] != 0) print_cell(&layout, c, grid->columns[c].title, heading_begins);
    if (layout.below != NOWHERE) print_broken(&layout, INDENT, grid->columns[layout.below].title);
    print_line(&layout);
    print_rows(&layout);
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
