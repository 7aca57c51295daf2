/* Medians of the published results: one file, which ships with the program, of what `muster table medians` prints.
 * Where the records themselves are not installed, tables of the user's own records have these beside them. */
#ifndef MU_ANALYSIS_MEDIANS_H
#define MU_ANALYSIS_MEDIANS_H

#include "analysis/study.h"
#include "analysis/tables/tables.h"
#include "base/grid.h"

/* The columns of the file: what they are called here and there, and how a table shows them. `variance` is that of the
 * logarithm of the time, and `df` its degrees of freedom, empty where it is normal: ratios are computed of these, while
 * the interval is for people. `levels` has the times of sessions, where those are told apart: "0:TIME 1:TIME". Of so
 * many `records` some have `failed`. */
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

/* Adds the medians of the published results to a study that mu_study_choose and mu_study_take_baselines have seen,
 * where the request is for all results and the published records are not installed: of chips called "CHIP (published
 * medians)", and of sets and clocks that the study has; of all, where it is empty. MU_INPUT, naming file and line;
 * MU_IO; MU_NO_MEMORY. */
int mu_medians_add(const struct mu_table_request *request, struct mu_study *study, struct mu_error *err);

/* The same of a file, whatever is installed. */
int mu_medians_read(const char *path, const struct mu_table_request *request, struct mu_study *study,
                    struct mu_error *err);

/* Notes below a table what such rows are, where the study has any. */
void mu_medians_note(struct mu_grid *grid, const struct mu_study *study);

#endif
