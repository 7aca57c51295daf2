/* The tables that `muster table` knows. To add one: write analysis/tables/<name>.c with its descriptor, and name it in
 * analysis/tables/tables.c. */
#ifndef MU_ANALYSIS_TABLES_TABLES_H
#define MU_ANALYSIS_TABLES_TABLES_H

#include "base/error.h"
#include "base/grid.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct mu_shared_records;

/* What a table is asked for. */
struct mu_table_request {
    const char *root;        /* the folder of all results: one folder a chip */
    const char *const *sets; /* files, folders or names of chips; none: every chip under the root */
    size_t set_count;
    const char *chip, *app, *input, *variant; /* only records of these; NULL: all. An app with its suite or without */
    size_t width;                             /* characters of a line, where it is for a terminal; 0: any number */
    bool paper;                               /* the published figures of 2016 beside ours */
    bool studied;  /* programs of the optimisation study as well, which have tables of their own; where their file or
                    * their app is named they are there anyway */
    json_t *chips; /* as in struct mu_record_sink, of sets that are compared; NULL: none */
    struct mu_shared_records *reading; /* those under the root, for several tables; NULL: none */
    bool told;       /* notes on the files of these records were printed before: none are printed again */
    bool plain_rows; /* for programs (CSV, JSON): one value a row, outcomes in a column of their own, no means */
};

struct mu_table {
    const char *name, *purpose;
    /* Adds grids to `grids`, whose err is the error: returns its status. A table for which there is nothing to show
     * adds a grid without rows, with a note that says so. */
    int (*fill)(const struct mu_table_request *request, struct mu_grids *grids);
};

/* All tables, in the order of --help; the last is NULL. */
extern const struct mu_table *const mu_tables[];

/* Returns the question that this table and those behind it answer, if it is the first of them; else NULL. */
const char *mu_table_question(const struct mu_table *table);

/* Returns the table of that name; NULL with MU_USAGE, which lists what there is. */
const struct mu_table *mu_table_find(const char *name, struct mu_error *err);

#endif
