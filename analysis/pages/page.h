/* A Markdown page whose markers are filled in from records (doc/reports.md). */
#ifndef MU_ANALYSIS_PAGES_PAGE_H
#define MU_ANALYSIS_PAGES_PAGE_H

#include "analysis/pages/filled.h"
#include "base/files/stream.h"

struct mu_page {
    const char *path;        /* the caller's */
    struct mu_source before; /* as it is */
    char *text;              /* filled in */
    size_t bytes;
    size_t marker_count;
};

/* Reads a page and fills it in, in memory; the tables are of the records under `root`. A page with markers must have
 * one that says from which records it is made. MU_IO, MU_INPUT, MU_USAGE, MU_NO_MEMORY; what a marker is to blame for
 * begins with page and line. Release with mu_page_release, also after a failure. */
int mu_page_fill(const char *path, const char *root, struct mu_filled_tables *tables, struct mu_page *page,
                 struct mu_error *err);

/* Returns the first line in which the page differs from what it is filled in to, from 1; 0: it does not differ. */
size_t mu_page_difference(const struct mu_page *page);

/* Puts the filled in page in the place of the file, all of it or nothing, with the file's permissions. MU_IO, also for
 * a file that must not be written. */
int mu_page_write(const struct mu_page *page, struct mu_error *err);

/* Accepts zeros. */
void mu_page_release(struct mu_page *page);

#endif
