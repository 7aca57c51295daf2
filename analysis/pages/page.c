#include "analysis/pages/page.h"

#include "analysis/pages/asked.h"
#include "analysis/pages/markers.h"
#include "analysis/pages/records.h"
#include "base/memory.h"
#include "base/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pages that are being filled in: what markers share. */
struct filling {
    const char *root;
    struct mu_filled_tables *tables;
    struct mu_page *page;
    FILE *to;
};

/* ---- What markers print ---- */

/* Prints the parts of the table's grids as Markdown. */
static int print_table(const struct mu_asked *asked, const struct mu_grids *grids, FILE *to, struct mu_error *err)
{
    struct mu_grids parts = {.err = err};
    for (size_t g = 0; g < grids->count && err->status == MU_OK; g++) {
        struct mu_grid_part part = {0};
        if (!mu_asked_has(asked, grids->grid[g])) continue;
        if (mu_asked_part(asked, grids->grid[g], &part, err) == MU_OK) mu_grids_add_part(&parts, grids->grid[g], &part);
        mu_grid_part_release(&part);
    }
    mu_grids_print(&parts, MU_GRID_MARKDOWN, to);
    mu_grids_release(&parts);
    return err->status;
}

/* Prints the cell of the first grid that has its columns. */
static int print_cell(const struct mu_asked *asked, const struct mu_grids *grids, FILE *to, struct mu_error *err)
{
    struct mu_grid_part part = {0};
    size_t g = 0;
    while (!mu_asked_has(asked, grids->grid[g])) g++;
    if (mu_asked_part(asked, grids->grid[g], &part, err) == MU_OK) mu_grid_print_cells(grids->grid[g], &part, to);
    mu_grid_part_release(&part);
    return err->status;
}

static int print_asked(struct filling *filling, const struct mu_marker *marker, struct mu_asked *asked, FILE *to,
                       struct mu_error *err)
{
    asked->request.root = filling->root;
    if (marker->kind == MU_MARKER_RECORDS) return mu_page_records(filling->tables, asked, to, err);
    const struct mu_grids *grids = mu_filled_find(filling->tables, asked->table, &asked->request, err);
    if (grids == NULL || mu_asked_check(asked, grids, err) != MU_OK) return err->status;
    return marker->kind == MU_MARKER_CELL ? print_cell(asked, grids, to, err) : print_table(asked, grids, to, err);
}

/* Prints the lines of a text, which end as those of the marker do. */
static void print_lines(const struct mu_marker *marker, const char *text, FILE *to)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n' && marker->crlf) fputc('\r', to);
        fputc(*text, to);
    }
}

/* Prints what stands between a marker and its end: a cell beside them, all else in paragraphs of its own. */
static int print_marker(struct filling *filling, struct mu_marker *marker, struct mu_error *err)
{
    struct mu_error own = {0};
    struct mu_asked asked;
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (to == NULL) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", filling->page->path);
    if (mu_asked_read(filling->page->path, marker, &asked, &own) == MU_OK)
        print_asked(filling, marker, &asked, to, &own);
    mu_asked_release(&asked);
    if (fclose(to) != 0) mu_fail(&own, MU_NO_MEMORY, "out of memory");
    if (own.status != MU_OK) {
        mu_fail(err, own.status, "%s:%zu: %s", filling->page->path, marker->line, own.message);
    } else {
        const char *around = marker->kind == MU_MARKER_CELL ? "" : "\n";
        print_lines(marker, around, filling->to);
        print_lines(marker, around, filling->to);
        print_lines(marker, text, filling->to);
        if (bytes > 0 && text[bytes - 1] != '\n') print_lines(marker, around, filling->to);
        print_lines(marker, around, filling->to);
    }
    free(text);
    return err->status;
}

/* ---- Pages ---- */

static int check_markers(const char *path, const struct mu_markers *markers, struct mu_error *err)
{
    for (size_t i = 0; i < markers->count; i++)
        if (markers->markers[i].kind == MU_MARKER_RECORDS) return MU_OK;
    if (markers->count == 0) return MU_OK;
    return mu_fail(err, MU_INPUT,
                   "%s:%zu: the page does not say from which records it is made: it has no marker 'records'", path,
                   markers->markers[0].line);
}

/* Prints the page, each marker with what it asks for. */
static int print_page(struct filling *filling, const struct mu_markers *markers, struct mu_error *err)
{
    const struct mu_source *before = &filling->page->before;
    size_t done = 0;
    for (size_t i = 0; i < markers->count && err->status == MU_OK; i++) {
        struct mu_marker *marker = &markers->markers[i];
        fwrite(before->bytes + done, 1, marker->start - done, filling->to);
        print_marker(filling, marker, err);
        done = marker->end;
    }
    fwrite(before->bytes + done, 1, before->size - done, filling->to);
    return err->status;
}

int mu_page_fill(const char *path, const char *root, struct mu_filled_tables *tables, struct mu_page *page,
                 struct mu_error *err)
{
    struct filling filling = {.root = root, .tables = tables, .page = page};
    struct mu_markers markers = {0};
    struct stat about;
    *page = (struct mu_page){.path = path};
    if (stat(path, &about) != 0) return mu_fail(err, MU_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode)) return mu_fail(err, MU_IO, "%s: no file", path);
    if (mu_source_read(path, &page->before, err) != MU_OK) return err->status;
    if ((uintmax_t)about.st_size != page->before.size)
        return mu_fail(err, MU_INPUT, "%s: a page is plain Markdown, and no packed file", path);
    mu_markers_find(path, (const char *)page->before.bytes, page->before.size, &markers, err);
    check_markers(path, &markers, err);
    page->marker_count = markers.count;
    if (err->status == MU_OK && (filling.to = open_memstream(&page->text, &page->bytes)) == NULL)
        mu_fail(err, MU_NO_MEMORY, "%s: out of memory", path);
    if (err->status == MU_OK) print_page(&filling, &markers, err);
    if (filling.to != NULL && fclose(filling.to) != 0) mu_fail(err, MU_NO_MEMORY, "%s: out of memory", path);
    mu_markers_release(&markers);
    return err->status;
}

size_t mu_page_difference(const struct mu_page *page)
{
    const char *before = (const char *)page->before.bytes;
    const size_t bytes = page->bytes < page->before.size ? page->bytes : page->before.size;
    size_t line = 1;
    for (size_t i = 0; i < bytes; i++) {
        if (before[i] != page->text[i]) return line;
        line += before[i] == '\n';
    }
    return page->bytes == page->before.size ? 0 : line;
}

int mu_page_write(const struct mu_page *page, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    struct stat about;
    /* The file's permissions hold for root, too, which may write everywhere. */
    if (stat(page->path, &about) != 0 || access(page->path, W_OK) != 0)
        return mu_fail(err, MU_IO, "%s: cannot write: %s", page->path, strerror(errno));
    if ((about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0)
        return mu_fail(err, MU_IO, "%s: cannot write: the file is read-only", page->path);
    if (mu_sink_open(page->path, &sink, err) != MU_OK) return err->status;
    mu_sink_bytes(sink, page->text, page->bytes);
    return mu_sink_close(sink, MU_OK, err);
}

void mu_page_release(struct mu_page *page)
{
    mu_source_release(&page->before);
    free(page->text);
    *page = (struct mu_page){0};
}
