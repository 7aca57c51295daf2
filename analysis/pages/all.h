/* Every table of some records in every format, as files. */
#ifndef MU_ANALYSIS_PAGES_ALL_H
#define MU_ANALYSIS_PAGES_ALL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct mu_all_tables {
    const char *root, *folder; /* of the records; of the files, which is made where it is missing */
    /* Called before each table with its name, and how many are done of how many; NULL: not. A failure ends all. */
    int (*tell)(void *context, const char *name, size_t done, size_t count, struct mu_error *err);
    void *context;
    bool for_page; /* only cells; else every format */
    const char *const
        *plotted; /* with for_page: tables that are written as CSV, too; NULL ends them, or there are none */
};

/* Writes <folder>/<table>.<suffix> in Markdown (md), plain text (txt), LaTeX (tex), CSV (csv), JSON (json) and cells
 * (cells.json), and those with the figures of 2016 for people as <table>-2016; and titles.txt, of which each line is a
 * table's name and what it shows. The records are read once. MU_IO, and what a table fails with. */
int mu_all_tables_write(const struct mu_all_tables *all, struct mu_error *err);

#endif
