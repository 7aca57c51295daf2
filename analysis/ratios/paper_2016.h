/* Figures published in 2016, for `muster table --paper`.
 *
 * Tyler Sorensen, Alastair F. Donaldson, Mark Batty, Ganesh Gopalakrishnan and Zvonimir Rakamarić: "Portable
 * Inter-workgroup Barrier Synchronisation for GPUs", OOPSLA 2016, Tables 1 and 4. */
#ifndef MU_ANALYSIS_RATIOS_PAPER_2016_H
#define MU_ANALYSIS_RATIOS_PAPER_2016_H

#include "analysis/tables/tables.h"
#include "base/grid.h"

#include <stddef.h>

enum { MU_PAPER_CHIPS = 8 };

/* The halves of Table 4: multi-kernel / barrier for Pannotia, portable / specialised for Lonestar. */
enum mu_paper_half { MU_PAPER_SPEEDUP, MU_PAPER_SLOWDOWN, MU_PAPER_NEITHER };

struct mu_paper_column {
    enum mu_paper_half half;
    const char *app, *input; /* "pannotia/bc", "128k" */
    const char *patterns[6]; /* of inputs of ours that are the same or of its kind and size (fnmatch), up to NULL */
    double ratios[MU_PAPER_CHIPS]; /* in the order of mu_paper_chips */
};

/* Short names, as in Table 1. */
extern const char *const mu_paper_chips[MU_PAPER_CHIPS];

/* The columns of Table 4; the last has no app. */
extern const struct mu_paper_column mu_paper_table4[];

/* Returns the column beside which an app and input of ours stand; NULL when there is none. */
const struct mu_paper_column *mu_paper_find(enum mu_paper_half half, const char *app, const char *input);

/* How the figures stand beside ours: not at all; a column for each chip; or one of their range, where a terminal has no
 * room for eight. */
enum mu_paper_look { MU_PAPER_HIDDEN, MU_PAPER_BY_CHIP, MU_PAPER_RANGE };
enum mu_paper_look mu_paper_look_of(const struct mu_table_request *request, enum mu_paper_half half);

/* Add the columns; a row's cells, empty for NULL; the geometric means of those whose app begins so, or of all (NULL).
 * None if they are hidden. */
void mu_paper_columns(struct mu_grid *grid, enum mu_paper_look look);
void mu_paper_cells(struct mu_grid *grid, enum mu_paper_look look, const struct mu_paper_column *column);
void mu_paper_mean_cells(struct mu_grid *grid, enum mu_paper_look look, enum mu_paper_half half, const char *app);

/* What Figures 9 and 10 tell of each chip beside the geometric mean. */
enum mu_paper_figure { MU_PAPER_MEDIAN, MU_PAPER_LEAST, MU_PAPER_GREATEST, MU_PAPER_FIGURES };
extern const char *const mu_paper_figures[MU_PAPER_FIGURES];

/* Returns that figure of ratios, which are put in order; NAN for none. mu_paper_figure_cells adds those of the
 * published ones. */
double mu_paper_figure(double *ratios, size_t count, enum mu_paper_figure figure);
void mu_paper_figure_cells(struct mu_grid *grid, enum mu_paper_look look, enum mu_paper_half half,
                           enum mu_paper_figure figure);

/* Notes that say where the figures come from. */
void mu_paper_notes(struct mu_grid *grid, enum mu_paper_look look, enum mu_paper_half half);

#endif
