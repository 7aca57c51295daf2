#include "analysis/pages/asked.h"

#include "base/memory.h"
#include "base/user/nearest.h"

#include <stddef.h>
#include <string.h>

/* What `muster table` takes as options, as markers name it. */
static const struct option {
    const char *name;
    size_t place; /* of the text in the request */
} options[] = {{"only-chip", offsetof(struct mu_table_request, chip)},
               {"only-app", offsetof(struct mu_table_request, app)},
               {"only-input", offsetof(struct mu_table_request, input)},
               {"only-variant", offsetof(struct mu_table_request, variant)}};
enum { OPTIONS = sizeof options / sizeof options[0] };
static const char from[] = "from", with[] = "with", paper[] = "paper";

/* ---- Words ---- */

/* Adds a set; "./file" and "../file" are beside the page. */
static int add_set(const char *path, const char *set, struct mu_asked *asked, struct mu_error *err)
{
    const char *slash = strrchr(path, '/');
    const bool beside = slash != NULL && (strncmp(set, "./", 2) == 0 || strncmp(set, "../", 3) == 0);
    char *own = beside ? mu_format(err, "%.*s/%s", (int)(slash - path), path, set) : mu_strdup(set, err);
    if (own == NULL ||
        mu_resize((void **)&asked->sets, asked->set_count + 1, sizeof *asked->sets, "sets", err) != MU_OK)
        mu_free(own);
    else
        asked->sets[asked->set_count++] = own;
    return err->status;
}

static int set_text(struct mu_table_request *request, const struct option *option, const char *value,
                    struct mu_error *err)
{
    const char **text = (const char **)(void *)((char *)request + option->place);
    if (*text != NULL) return mu_fail(err, MU_USAGE, "%s= stands there twice", option->name);
    *text = value;
    return MU_OK;
}

/* Adds "column=value", or "column!=value", of which the column ends in the exclamation mark. */
static int add_filter(struct mu_asked *asked, char *column, const char *value, struct mu_error *err)
{
    const size_t length = strlen(column);
    const bool excludes = length > 0 && column[length - 1] == '!';
    if (excludes) column[length - 1] = '\0';
    if (mu_resize((void **)&asked->filters, asked->filter_count + 1, sizeof *asked->filters, "filters", err) == MU_OK)
        asked->filters[asked->filter_count++] = (struct mu_row_filter){column, value, excludes};
    return err->status;
}

/* Takes "name=value", which is split already: an option, or else a filter of rows. */
static int take_pair(const char *path, char *name, const char *value, struct mu_asked *asked, struct mu_error *err)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (strcmp(name, options[i].name) == 0) return set_text(&asked->request, &options[i], value, err);
    if (strcmp(name, from) == 0) return add_set(path, value, asked, err);
    if (strcmp(name, with) != 0) return add_filter(asked, name, value, err);
    if (strcmp(value, paper) != 0) return mu_fail(err, MU_USAGE, "with=%s: there is only with=paper", value);
    asked->request.paper = true;
    return MU_OK;
}

static int take_word(const char *path, char *word, struct mu_asked *asked, struct mu_error *err)
{
    char *equals = strchr(word, '=');
    if (equals != NULL) {
        *equals = '\0';
        return take_pair(path, word, equals + 1, asked, err);
    }
    if (mu_resize((void **)&asked->columns, asked->column_count + 1, sizeof *asked->columns, "columns", err) == MU_OK)
        asked->columns[asked->column_count++] = word;
    return err->status;
}

/* Takes "table" or "table/grid". */
static int take_table(char *word, struct mu_asked *asked, struct mu_error *err)
{
    char *slash = strchr(word, '/');
    if (slash != NULL) {
        *slash = '\0';
        asked->grid = slash + 1;
    }
    asked->table = mu_table_find(word, err);
    return err->status;
}

/* Checks that a marker of records has only options and a chip. */
static int check_records(const struct mu_asked *asked, struct mu_error *err)
{
    const struct mu_row_filter *filter = asked->filters;
    const bool of_chip = asked->filter_count == 1 && !filter->excludes && strcmp(filter->column, "chip") == 0;
    if (asked->column_count == 0 && (asked->filter_count == 0 || of_chip)) return MU_OK;
    return mu_fail(err, MU_USAGE, "'%s' is no option, and a marker of records has those and chip=CHIP alone",
                   asked->column_count > 0 ? asked->columns[0] : filter->column);
}

int mu_asked_read(const char *path, struct mu_marker *marker, struct mu_asked *asked, struct mu_error *err)
{
    size_t next = 0;
    *asked = (struct mu_asked){0};
    if (marker->kind != MU_MARKER_RECORDS) {
        if (marker->word_count == 0) return mu_fail(err, MU_USAGE, "the marker names no table");
        take_table(marker->words[next++], asked, err);
    }
    while (next < marker->word_count && err->status == MU_OK) take_word(path, marker->words[next++], asked, err);
    if (marker->kind == MU_MARKER_CELL && asked->column_count != 1)
        mu_fail(err, MU_USAGE, "a cell is of one column, and the marker names %zu", asked->column_count);
    if (marker->kind == MU_MARKER_RECORDS && err->status == MU_OK) check_records(asked, err);
    asked->request.sets = (const char *const *)asked->sets;
    asked->request.set_count = asked->set_count;
    asked->request.plain_rows = asked->column_count > 0 || asked->filter_count > 0;
    return err->status;
}

void mu_asked_release(struct mu_asked *asked)
{
    for (size_t i = 0; i < asked->set_count; i++) mu_free(asked->sets[i]);
    mu_free(asked->sets);
    mu_free(asked->filters);
    mu_free(asked->columns);
    *asked = (struct mu_asked){0};
}

/* ---- Grids ---- */

static size_t count_columns(const struct mu_asked *asked)
{
    return asked->column_count + asked->filter_count;
}

static const char *column_at(const struct mu_asked *asked, size_t i)
{
    return i < asked->column_count ? asked->columns[i] : asked->filters[i - asked->column_count].column;
}

static bool has_name(const struct mu_asked *asked, const struct mu_grid *grid)
{
    return asked->grid == NULL || strcmp(mu_grid_name(grid), asked->grid) == 0;
}

bool mu_asked_has(const struct mu_asked *asked, const struct mu_grid *grid)
{
    size_t place;
    for (size_t i = 0; i < count_columns(asked); i++)
        if (!mu_grid_find_column(grid, column_at(asked, i), &place)) return false;
    return has_name(asked, grid);
}

/* Names that a message lists, and the one that is nearest to a word. */
struct names {
    char list[1024];
    struct mu_nearest nearest;
};

static void add_name(struct names *names, const char *name)
{
    const size_t used = strlen(names->list);
    mu_nearest_try(&names->nearest, name);
    snprintf(names->list + used, sizeof names->list - used, "%s%s", used > 0 ? ", " : "", name);
}

/* Returns true if one of the grids of that name has the column; else their columns. */
static bool is_column(const struct mu_asked *asked, const struct mu_grids *grids, const char *column,
                      struct names *names)
{
    size_t place;
    for (size_t g = 0; g < grids->count; g++) {
        if (!has_name(asked, grids->grid[g])) continue;
        if (mu_grid_find_column(grids->grid[g], column, &place)) return true;
        for (size_t c = 0; c < mu_grid_columns(grids->grid[g]); c++)
            add_name(names, mu_grid_column_name(grids->grid[g], c));
    }
    return false;
}

static bool is_grid(const struct mu_asked *asked, const struct mu_grids *grids, struct names *names)
{
    for (size_t g = 0; g < grids->count; g++) {
        if (has_name(asked, grids->grid[g])) return true;
        add_name(names, mu_grid_name(grids->grid[g]));
    }
    return false;
}

int mu_asked_check(const struct mu_asked *asked, const struct mu_grids *grids, struct mu_error *err)
{
    char hint[MU_HINT_BYTES];
    struct names names = {.list = "", .nearest = {.word = asked->grid}};
    for (size_t g = 0; g < grids->count; g++)
        if (mu_asked_has(asked, grids->grid[g])) return MU_OK;
    if (!is_grid(asked, grids, &names))
        return mu_fail(err, MU_USAGE, "table '%s' has no part '%s'%s; there are: %s", asked->table->name, asked->grid,
                       mu_nearest_hint(&names.nearest, hint, sizeof hint), names.list);
    for (size_t i = 0; i < count_columns(asked); i++) {
        names = (struct names){.list = "", .nearest = {.word = column_at(asked, i)}};
        if (!is_column(asked, grids, column_at(asked, i), &names))
            return mu_fail(err, MU_USAGE, "table '%s' has no column '%s'%s; there are: %s", asked->table->name,
                           column_at(asked, i), mu_nearest_hint(&names.nearest, hint, sizeof hint), names.list);
    }
    return mu_fail(err, MU_USAGE, "no part of table '%s' has all columns that the marker names", asked->table->name);
}

/* Returns true if the row passes the filter, or another one that names a value of the same column. */
static bool passes(const struct mu_asked *asked, const struct mu_grid *grid, size_t row,
                   const struct mu_row_filter *filter)
{
    size_t place;
    if (!mu_grid_find_column(grid, filter->column, &place)) return false;
    if (filter->excludes) return !mu_grid_cell_is(grid, row, place, filter->value);
    for (size_t i = 0; i < asked->filter_count; i++) {
        const struct mu_row_filter *other = &asked->filters[i];
        if (!other->excludes && strcmp(other->column, filter->column) == 0 &&
            mu_grid_cell_is(grid, row, place, other->value))
            return true;
    }
    return false;
}

static bool is_wanted(const struct mu_asked *asked, const struct mu_grid *grid, size_t row)
{
    for (size_t i = 0; i < asked->filter_count; i++)
        if (!passes(asked, grid, row, &asked->filters[i])) return false;
    return true;
}

int mu_asked_part(const struct mu_asked *asked, const struct mu_grid *grid, struct mu_grid_part *part,
                  struct mu_error *err)
{
    const size_t all = mu_grid_columns(grid), count = asked->column_count > 0 ? asked->column_count : all;
    size_t *rows = mu_malloc(mu_grid_rows(grid), sizeof *rows, "rows of a page", err);
    size_t *columns = mu_malloc(count, sizeof *columns, "columns of a page", err);
    *part = (struct mu_grid_part){.rows = rows, .columns = columns};
    for (size_t r = 0; r < mu_grid_rows(grid) && err->status == MU_OK; r++)
        if (is_wanted(asked, grid, r)) rows[part->row_count++] = r;
    for (size_t c = 0; c < count && err->status == MU_OK; c++) {
        columns[c] = c;
        if (asked->column_count > 0) mu_grid_find_column(grid, asked->columns[c], &columns[c]);
        part->column_count++;
    }
    return err->status;
}
