/* Tables that were filled, kept, so that all markers of all pages which ask for the same one share it. */
#ifndef MU_ANALYSIS_PAGES_FILLED_H
#define MU_ANALYSIS_PAGES_FILLED_H

#include "analysis/tables/reading.h"
#include "analysis/tables/tables.h"

struct mu_filled;

/* Fill with zeros; release with mu_filled_release. */
struct mu_filled_tables {
    struct mu_filled *filled;
    size_t count;
    struct mu_shared_records reading; /* the records, of which all tables are */
};

/* Returns the grids of a table, borrowed until the next call. NULL with the status of the table in err. A request that
 * names no reading of its own shares that of the tables. */
const struct mu_grids *mu_filled_find(struct mu_filled_tables *tables, const struct mu_table *table,
                                      const struct mu_table_request *request, struct mu_error *err);

/* Accepts zeros. */
void mu_filled_release(struct mu_filled_tables *tables);

#endif
