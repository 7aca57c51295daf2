#include "analysis/pages/all.h"

#include "analysis/pages/filled.h"
#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct format {
    enum mu_grid_format format;
    const char *suffix;
} formats[] = {{MU_GRID_MARKDOWN, "md"}, {MU_GRID_TEXT, "txt"},  {MU_GRID_LATEX, "tex"},
               {MU_GRID_CSV, "csv"},     {MU_GRID_JSON, "json"}, {MU_GRID_CELLS, "cells.json"}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Tables that have the figures of 2016 beside them, for people only. */
static const char *const with_paper[] = {"speedup", "slowdown"};

struct writing {
    const struct mu_all_tables *all;
    struct mu_filled_tables tables;
};

/* Opens the file of that name in the folder; NULL with MU_IO. */
static FILE *open_file(const struct mu_all_tables *all, const char *name, struct mu_error *err)
{
    char *path = mu_format(err, "%s/%s", all->folder, name);
    FILE *to = path != NULL ? fopen(path, "w") : NULL;
    if (to == NULL) mu_fail(err, MU_IO, "cannot write '%s/%s': %s", all->folder, name, strerror(errno));
    mu_free(path);
    return to;
}

static int close_file(FILE *to, const struct mu_all_tables *all, const char *name, struct mu_error *err)
{
    const bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed) return err->status;
    return mu_fail(err, MU_IO, "cannot write '%s/%s': %s", all->folder, name, strerror(errno));
}

/* Writes grids in one format as <name>.<suffix>. */
static int write_grids(const struct writing *writing, const char *name, const struct format *format,
                       const struct mu_grids *grids, struct mu_error *err)
{
    char *file = mu_format(err, "%s.%s", name, format->suffix);
    FILE *to = file != NULL ? open_file(writing->all, file, err) : NULL;
    if (to != NULL && mu_grids_print(grids, format->format, to) != MU_OK)
        mu_fail(err, grids->err->status, "%s", grids->err->message);
    if (to != NULL) close_file(to, writing->all, file, err);
    mu_free(file);
    return err->status;
}

static bool is_wanted(const struct mu_all_tables *all, const struct mu_table *table, enum mu_grid_format format)
{
    if (!all->for_page || format == MU_GRID_CELLS) return true;
    for (size_t i = 0; format == MU_GRID_CSV && all->plotted != NULL && all->plotted[i] != NULL; i++)
        if (strcmp(all->plotted[i], table->name) == 0) return true;
    return false;
}

/* Writes a table in the formats that are wanted, or with the figures of 2016. */
static int write_table(struct writing *writing, const struct mu_table *table, bool paper, struct mu_error *err)
{
    struct mu_table_request request = {.root = writing->all->root, .paper = paper};
    char *name = mu_format(err, "%s%s", table->name, paper ? "-2016" : "");
    for (size_t i = 0; i < FORMATS && err->status == MU_OK; i++) {
        if (!is_wanted(writing->all, table, formats[i].format)) continue;
        request.plain_rows = mu_grid_is_for_programs(formats[i].format);
        if (paper && (request.plain_rows || formats[i].format == MU_GRID_LATEX)) continue;
        const struct mu_grids *grids = mu_filled_find(&writing->tables, table, &request, err);
        if (grids != NULL) write_grids(writing, name, &formats[i], grids, err);
    }
    mu_free(name);
    return err->status;
}

static int write_titles(const struct mu_all_tables *all, struct mu_error *err)
{
    static const char name[] = "titles.txt";
    FILE *to = open_file(all, name, err);
    for (size_t i = 0; to != NULL && mu_tables[i] != NULL; i++)
        fprintf(to, "%s %s\n", mu_tables[i]->name, mu_tables[i]->purpose);
    return to != NULL ? close_file(to, all, name, err) : err->status;
}

int mu_all_tables_write(const struct mu_all_tables *all, struct mu_error *err)
{
    struct writing writing = {.all = all};
    size_t count = 0;
    while (mu_tables[count] != NULL) count++;
    if (mkdir(all->folder, 0777) != 0 && errno != EEXIST)
        return mu_fail(err, MU_IO, "%s: cannot make the folder: %s", all->folder, strerror(errno));
    for (size_t i = 0; i < count && err->status == MU_OK; i++) {
        if (all->tell != NULL && all->tell(all->context, mu_tables[i]->name, i, count, err) != MU_OK) break;
        write_table(&writing, mu_tables[i], false, err);
    }
    for (size_t i = 0; i < sizeof with_paper / sizeof with_paper[0] && err->status == MU_OK; i++) {
        const struct mu_table *table = mu_table_find(with_paper[i], err);
        if (table != NULL) write_table(&writing, table, true, err);
    }
    if (err->status == MU_OK) write_titles(all, err);
    mu_filled_release(&writing.tables);
    return err->status;
}
