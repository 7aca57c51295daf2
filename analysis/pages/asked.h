/* What a marker asks for: a table of some records, and which of its rows and columns (doc/reports.md). */
#ifndef MU_ANALYSIS_PAGES_ASKED_H
#define MU_ANALYSIS_PAGES_ASKED_H

#include "analysis/pages/markers.h"
#include "analysis/tables/tables.h"

/* A row is wanted if its cell in the column is one of the values that are named for that column, or, where `not` is
 * set, if it is not the value. */
struct mu_row_filter {
    const char *column, *value;
    bool excludes;
};

struct mu_asked {
    const struct mu_table *table; /* NULL: of MU_MARKER_RECORDS */
    const char *grid;             /* of a table of several grids only that of this name; NULL: all */
    struct mu_table_request request;
    char **sets; /* of the request */
    size_t set_count;
    struct mu_row_filter *filters;
    const char **columns;
    size_t filter_count, column_count;
};

/* Reads the words of a marker of the page `path`, which it takes apart, and which must outlive *asked. MU_USAGE for an
 * unknown table or option, a cell of no or of several columns, and a marker of records that names any column, but for
 * chip=CHIP. Release with mu_asked_release, also after a failure. */
int mu_asked_read(const char *path, struct mu_marker *marker, struct mu_asked *asked, struct mu_error *err);

/* Fails with MU_USAGE where none of the table's grids has a grid's name or all the columns that are asked for. */
int mu_asked_check(const struct mu_asked *asked, const struct mu_grids *grids, struct mu_error *err);

/* Returns true if the grid is asked for: it has the name and the columns. */
bool mu_asked_has(const struct mu_asked *asked, const struct mu_grid *grid);

/* Cuts out the part of such a grid that is asked for. Release with mu_grid_part_release, also after a failure. */
int mu_asked_part(const struct mu_asked *asked, const struct mu_grid *grid, struct mu_grid_part *part,
                  struct mu_error *err);

/* Accepts zeros. */
void mu_asked_release(struct mu_asked *asked);

#endif
