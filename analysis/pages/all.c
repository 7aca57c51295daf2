#include "analysis/pages/all.h"

#include "analysis/pages/filled.h"
#include "base/memory.h"
#include "base/sink.h"

#include <errno.h>
#include <stdlib.h>
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

static int write_file(const struct writing *writing, const char *name, const char *text, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    char *path = mu_format(err, "%s/%s", writing->all->folder, name);
    if (path != NULL && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, text);
        mu_sink_close(sink, MU_OK, err);
    }
    mu_free(path);
    return err->status;
}

/* Writes grids in one format as <name>.<suffix>. */
static int write_grids(const struct writing *writing, const char *name, const struct format *format,
                       const struct mu_grids *grids, struct mu_error *err)
{
    char *text = NULL, *file = mu_format(err, "%s.%s", name, format->suffix);
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) mu_fail(err, MU_NO_MEMORY, "%s: out of memory", name);
    if (to != NULL && mu_grids_print(grids, format->format, to) != MU_OK)
        mu_fail(err, grids->err->status, "%s", grids->err->message);
    if (to != NULL && fclose(to) != 0) mu_fail(err, MU_NO_MEMORY, "%s: out of memory", name);
    if (err->status == MU_OK) write_file(writing, file, text, err);
    free(text);
    mu_free(file);
    return err->status;
}

/* Writes a table in all formats, or with the figures of 2016. */
static int write_table(struct writing *writing, const struct mu_table *table, bool paper, struct mu_error *err)
{
    struct mu_table_request request = {.root = writing->all->root, .paper = paper};
    char *name = mu_format(err, "%s%s", table->name, paper ? "-2016" : "");
    for (size_t i = 0; i < FORMATS && err->status == MU_OK; i++) {
        request.plain_rows = mu_grid_is_for_programs(formats[i].format);
        if (paper && (request.plain_rows || formats[i].format == MU_GRID_LATEX)) continue;
        const struct mu_grids *grids = mu_filled_find(&writing->tables, table, &request, err);
        if (grids != NULL) write_grids(writing, name, &formats[i], grids, err);
    }
    mu_free(name);
    return err->status;
}

static int write_titles(const struct writing *writing, struct mu_error *err)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for titles");
    for (size_t i = 0; mu_tables[i] != NULL; i++) fprintf(to, "%s %s\n", mu_tables[i]->name, mu_tables[i]->purpose);
    if (fclose(to) != 0) mu_fail(err, MU_NO_MEMORY, "out of memory for titles");
    if (err->status == MU_OK) write_file(writing, "titles.txt", text, err);
    free(text);
    return err->status;
}

int mu_all_tables_write(const struct mu_all_tables *all, struct mu_error *err)
{
    struct writing writing = {.all = all};
    size_t count = 0;
    while (mu_tables[count] != NULL) count++;
    if (mkdir(all->folder, 0777) != 0 && errno != EEXIST)
        return mu_fail(err, MU_IO, "%s: cannot make the folder: %s", all->folder, strerror(errno));
    for (size_t i = 0; i < count && err->status == MU_OK; i++) {
        if (all->tell != NULL) all->tell(all->context, mu_tables[i]->name, i, count);
        write_table(&writing, mu_tables[i], false, err);
    }
    for (size_t i = 0; i < sizeof with_paper / sizeof with_paper[0] && err->status == MU_OK; i++) {
        const struct mu_table *table = mu_table_find(with_paper[i], err);
        if (table != NULL) write_table(&writing, table, true, err);
    }
    if (err->status == MU_OK) write_titles(&writing, err);
    mu_filled_release(&writing.tables);
    return err->status;
}
