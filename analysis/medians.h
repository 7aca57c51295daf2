/* Medians of the published results, in one file that ships with the program and that `muster table medians` prints. If
 * the published records are not installed, tables of the user's records show these medians beside them. */
#ifndef MU_ANALYSIS_MEDIANS_H
#define MU_ANALYSIS_MEDIANS_H

#include "analysis/study.h"
#include "analysis/tables/tables.h"
#include "base/grid.h"

/* Columns of the file: their names here and there, and how a table shows them. `variance` is that of the logarithm of
 * the time. `df` has its degrees of freedom; empty: a normal distribution. Ratios are computed from these two; the
 * interval is for people. `levels` has the times of sessions, if these are told apart: "0:TIME 1:TIME". `failed` counts
 * those of the `records` that failed. */
#define MU_MEDIAN_COLUMNS(X)                                                                                           \
    X(CHIP, "chip", MU_COLUMN_LEFT)                                                                                    \
    X(SET, "set", MU_COLUMN_LEFT)                                                                                      \
    X(CLOCK, "clock", MU_COLUMN_LEFT)                                                                                  \
    X(APP, "app", MU_COLUMN_LEFT)                                                                                      \
    X(INPUT, "input", MU_COLUMN_LEFT | MU_COLUMN_MINOR)                                                                \
    X(OPTIONS, "options", MU_COLUMN_LEFT | MU_COLUMN_MINOR)                                                            \
    X(SHOWN, "shown", MU_COLUMN_LEFT)                                                                                  \
    X(VARIANT, "variant", MU_COLUMN_LEFT)                                                                              \
    X(TIME, "median_ns", MU_COLUMN_KEPT)                                                                               \
    X(LOW, "low_ns", MU_COLUMN_MINOR)                                                                                  \
    X(HIGH, "high_ns", MU_COLUMN_MINOR)                                                                                \
    X(VARIANCE, "variance", MU_COLUMN_MINOR)                                                                           \
    X(DF, "df", MU_COLUMN_MINOR)                                                                                       \
    X(LEVELS, "levels", MU_COLUMN_LEFT | MU_COLUMN_MINOR)                                                              \
    X(PROCESSES, "processes", MU_COLUMN_MINOR)                                                                         \
    X(SAMPLES, "samples", MU_COLUMN_MINOR)                                                                             \
    X(FAILED, "failed", MU_COLUMN_MINOR)                                                                               \
    X(RECORDS, "records", MU_COLUMN_MINOR)                                                                             \
    X(OUTCOME, "outcome", MU_COLUMN_LEFT | MU_COLUMN_MINOR)                                                            \
    X(DATE, "last_date", MU_COLUMN_LEFT | MU_COLUMN_MINOR)                                                             \
    X(COMMIT, "last_commit", MU_COLUMN_LEFT | MU_COLUMN_MINOR)

enum mu_median_column {
#define MU_MEDIAN_COLUMN(name, title, look) MU_MEDIAN_##name,
    MU_MEDIAN_COLUMNS(MU_MEDIAN_COLUMN)
#undef MU_MEDIAN_COLUMN
        MU_MEDIANS_WIDE
};

/* Adds the published medians to a study that mu_study_choose and mu_study_take_baselines have seen. It does so only if
 * the request is for all results and the published records are not installed. Chips are called "CHIP (published
 * medians)". Added are the sets and clocks that the study has, or all if it is empty. Fails with MU_INPUT, naming file
 * and line, MU_IO or MU_NO_MEMORY. */
int mu_medians_add(const struct mu_table_request *request, struct mu_study *study, struct mu_error *err);

/* Adds the medians of a file, whatever is installed. */
int mu_medians_read(const char *path, const struct mu_table_request *request, struct mu_study *study,
                    struct mu_error *err);

/* Adds a note that explains such rows, if the study has any. */
void mu_medians_note(struct mu_grid *grid, const struct mu_study *study);

#endif
