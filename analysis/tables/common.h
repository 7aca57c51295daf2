/* What the tables of records share. */
#ifndef MU_ANALYSIS_TABLES_COMMON_H
#define MU_ANALYSIS_TABLES_COMMON_H

#include "analysis/study.h"
#include "analysis/tables/tables.h"
#include "base/grid.h"
#include "records/sets.h"

#include <math.h>

/* The records that a request names, put together. Release with mu_table_release, also after a failure. */
struct mu_table_data {
    struct mu_study study;
};

/* Loads the request's records of the kinds asked for (study.h), of its chip only where it names one. */
int mu_table_load(const struct mu_table_request *request, unsigned kinds, struct mu_table_data *data,
                  struct mu_error *err);

/* Does the same for one of several that are compared: `sessions` as for mu_study_finish. */
int mu_table_load_with(const struct mu_table_request *request, unsigned kinds, json_t *sessions,
                       struct mu_table_data *data, struct mu_error *err);
void mu_table_release(struct mu_table_data *data);

/* Does the same, but the records are not put together yet. The caller releases the draft, also after a failure. */
int mu_table_draft(const struct mu_table_request *request, unsigned kinds, struct mu_study_draft *draft,
                   struct mu_error *err);

/* Hands the request's records to the sink; NULL in the place of a record that the request does not want. */
int mu_table_read(const struct mu_table_request *request, const struct mu_record_sink *sink, struct mu_error *err);

/* Records that a table keeps as they are, by their places, so that one which stands for another replaces it; NULL for
 * one that is not wanted. */
struct mu_kept_records {
    json_t **records;
    size_t places;
};
int mu_kept_take(struct mu_kept_records *kept, json_t *record, size_t place, struct mu_error *err);
void mu_kept_release(void *kept);

/* Add the columns chip, app, input, and their cells. */
void mu_table_test_columns(struct mu_grid *grid);
void mu_table_test_cells(struct mu_grid *grid, const struct mu_measurement *measurement);

/* Do the same with the set behind the chip. Single runs are of no set. */
void mu_table_key_columns(struct mu_grid *grid);
void mu_table_set_cell(struct mu_grid *grid, const struct mu_measurement *measurement);
void mu_table_key_cells(struct mu_grid *grid, const struct mu_measurement *measurement);

/* Adds a ratio with its interval. " ~" marks one that is not confident: its interval does not exclude 1, or a side has
 * one process, so that what processes differ by is not in it. */
void mu_table_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio, int decimals);
bool mu_table_is_confident(const struct mu_ratio *ratio);

/* What notes say of the mark. */
#define MU_NOT_CONFIDENT_NOTE "~: the interval does not exclude 1, or is of a single process."

/* Notes below a table of ratios how many are of different sessions. */
void mu_table_scope_note(struct mu_grid *grid, const size_t scopes[3]);

/* Return what a clock times, in two words for people; and whether the study has times of two clocks. */
const char *mu_table_clock_name(const char *clock);
bool mu_table_has_clocks(const struct mu_study *study);

/* Notes below a table of the study: of which clock times are, where they are not of the present one alone, and what
 * names of chips mean that have a number behind them. */
void mu_table_study_notes(struct mu_grid *grid, const struct mu_study *study);

/* Adds a count, empty when it is 0 (unknown). */
void mu_table_count_cell(struct mu_grid *grid, size_t count);

/* Adds the time of a measurement with its interval; if a process failed, or all did, the outcome in its place
 * ("deadlock in 1 of 5"), which plain rows leave to another column. NULL: "missing". */
void mu_table_time_cell(struct mu_grid *grid, const struct mu_measurement *measurement, bool plain);

/* Writes the outcome as the cell above has it. */
void mu_table_show_outcome(const struct mu_measurement *measurement, char *text, size_t bytes);

/* Returns true if the request's filters let the measurement through. */
bool mu_table_wants(const struct mu_table_request *request, const struct mu_measurement *measurement);

/* Returns true if the measurement has a time that counts: no process of it failed. Accepts NULL. */
bool mu_table_counts(const struct mu_measurement *measurement);

#endif
