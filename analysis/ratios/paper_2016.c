#include "analysis/ratios/paper_2016.h"

#include "statistics/statistics.h"

#include <fnmatch.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

const char *const mu_paper_chips[MU_PAPER_CHIPS] = {"980", "K5200", "6100", "5500", "R9", "R7", "T628-4", "T628-2"};

/* In print, the rows R9 and R7 of Table 4 are exchanged. The means, medians and extremes of Figures 9 and 10, and Table
 * 3.4 of Sorensen's thesis, show which is which. */
const struct mu_paper_column mu_paper_table4[] = {
    {MU_PAPER_SPEEDUP,
     "pannotia/bc",
     "128k",
     {"*1k_128k*", "uniform:10:64", NULL},
     {1.10, 1.02, 2.13, 1.66, 1.62, 1.51, 2.34, 1.78}},
    {MU_PAPER_SPEEDUP,
     "pannotia/bc",
     "1M",
     {"*2k_1M*", "uniform:11:256", NULL},
     {1.02, 0.98, 1.31, 1.22, 1.16, 1.16, 1.12, 1.02}},
    {MU_PAPER_SPEEDUP,
     "pannotia/color",
     "eco",
     {"*ecology1*", "grid2d:1000x1000", "grid2d:1000", NULL},
     {1.07, 1.04, 1.26, 1.22, 1.68, 1.13, 0.65, 0.63}},
    {MU_PAPER_SPEEDUP,
     "pannotia/color",
     "circ",
     {"*G3_circuit*", "road:1259", NULL},
     {1.02, 0.85, 1.15, 1.13, 1.08, 0.55, 0.51, 0.57}},
    {MU_PAPER_SPEEDUP,
     "pannotia/mis",
     "eco",
     {"*ecology1*", "grid2d:1000x1000", "grid2d:1000", NULL},
     {1.05, 1.02, 1.41, 1.29, 1.40, 0.99, 0.38, 0.51}},
    {MU_PAPER_SPEEDUP,
     "pannotia/mis",
     "circ",
     {"*G3_circuit*", "road:1259", NULL},
     {0.97, 0.93, 1.28, 1.15, 1.20, 0.92, 0.30, 0.43}},
    {MU_PAPER_SPEEDUP,
     "pannotia/sssp",
     "usa",
     {"*USA*", "road:4894", "road:1034", "road:514", NULL},
     {0.99, 0.92, 1.20, 1.34, 1.05, 0.85, 0.22, 0.33}},
    {MU_PAPER_SLOWDOWN,
     "lonestar/bfs",
     "2e23",
     {"uniform:23*", "*2e23*", "uniform:20*", NULL},
     {1.38, 1.30, 1.08, 1.09, 2.53, 1.41, 0.78, 0.75}},
    {MU_PAPER_SLOWDOWN,
     "lonestar/bfs",
     "rmat22",
     {"rmat:22*", "*rmat22*", "rmat:20*", NULL},
     {1.29, 1.43, 1.11, 1.11, 2.09, 1.34, 0.76, 0.66}},
    {MU_PAPER_SLOWDOWN,
     "lonestar/mst",
     "2e20",
     {"uniform:20*", "*2e20*", NULL},
     {1.34, 1.29, 1.05, 1.03, 1.43, 1.05, 1.05, 1.04}},
    {MU_PAPER_SLOWDOWN,
     "lonestar/mst",
     "usa",
     {"*USA*", "road:4894", "road:1034", NULL},
     {1.80, 1.54, 1.06, 1.05, 2.01, 1.35, 1.09, 1.05}},
    {MU_PAPER_SLOWDOWN,
     "lonestar/sssp",
     "2e23",
     {"uniform:23*", "*2e23*", "uniform:20*", NULL},
     {1.09, 1.08, 1.03, 1.03, 1.40, 0.93, 0.77, 0.65}},
    {MU_PAPER_SLOWDOWN,
     "lonestar/sssp",
     "rmat22",
     {"rmat:22*", "*rmat22*", "rmat:20*", NULL},
     {1.10, 1.14, 1.00, 1.04, 1.17, 1.00, 0.61, 0.59}},
    {0},
};

const struct mu_paper_column *mu_paper_find(enum mu_paper_half half, const char *app, const char *input)
{
    for (const struct mu_paper_column *column = mu_paper_table4; column->app != NULL; column++) {
        if (column->half != half || strcmp(column->app, app) != 0) continue;
        for (const char *const *pattern = column->patterns; *pattern != NULL; pattern++)
            if (fnmatch(*pattern, input, 0) == 0) return column;
    }
    return NULL;
}

/* Names of tests, one column of ours and eight of theirs take so many characters. */
enum { ROOM_BY_CHIP = 120 };

enum mu_paper_look mu_paper_look_of(const struct mu_table_request *request, enum mu_paper_half half)
{
    if (!request->paper || half == MU_PAPER_NEITHER) return MU_PAPER_HIDDEN;
    return request->width == 0 || request->width >= ROOM_BY_CHIP ? MU_PAPER_BY_CHIP : MU_PAPER_RANGE;
}

void mu_paper_columns(struct mu_grid *grid, enum mu_paper_look look)
{
    if (look != MU_PAPER_HIDDEN) mu_grid_column(grid, "original", "for", MU_COLUMN_LEFT);
    if (look == MU_PAPER_RANGE) mu_grid_column(grid, "2016", "2016: 8 chips", MU_COLUMN_KEPT);
    for (size_t i = 0; look == MU_PAPER_BY_CHIP && i < MU_PAPER_CHIPS; i++)
        mu_grid_column(grid, mu_paper_chips[i], mu_paper_chips[i], 0);
}

/* Adds the original's name (NULL: none), and the cells of one figure for each chip (NULL: none). */
static void add_cells(struct mu_grid *grid, enum mu_paper_look look, const char *original, const double *ratios)
{
    if (look != MU_PAPER_HIDDEN && original != NULL) mu_grid_text(grid, "%s", original);
    if (look != MU_PAPER_HIDDEN && original == NULL) mu_grid_empty(grid);
    double low = INFINITY, high = -INFINITY;
    for (size_t chip = 0; chip < MU_PAPER_CHIPS && look != MU_PAPER_HIDDEN; chip++) {
        if (look == MU_PAPER_BY_CHIP && ratios != NULL) mu_grid_number(grid, ratios[chip], 2);
        if (look == MU_PAPER_BY_CHIP && ratios == NULL) mu_grid_empty(grid);
        if (ratios == NULL) continue;
        low = fmin(low, ratios[chip]);
        high = fmax(high, ratios[chip]);
    }
    if (look == MU_PAPER_RANGE && ratios != NULL) mu_grid_text(grid, "%.2f to %.2f", low, high);
    if (look == MU_PAPER_RANGE && ratios == NULL) mu_grid_empty(grid);
}

void mu_paper_cells(struct mu_grid *grid, enum mu_paper_look look, const struct mu_paper_column *column)
{
    add_cells(grid, look, column != NULL ? column->input : NULL, column != NULL ? column->ratios : NULL);
}

void mu_paper_mean_cells(struct mu_grid *grid, enum mu_paper_look look, enum mu_paper_half half, const char *app)
{
    double means[MU_PAPER_CHIPS];
    size_t count = 0;
    for (size_t chip = 0; chip < MU_PAPER_CHIPS; chip++) {
        double ratios[16];
        count = 0;
        for (const struct mu_paper_column *column = mu_paper_table4; column->app != NULL; column++)
            if (column->half == half && (app == NULL || strncmp(column->app, app, strlen(app)) == 0) && count < 16)
                ratios[count++] = column->ratios[chip];
        means[chip] = count > 0 ? mu_geometric_mean(ratios, count) : (double)NAN;
    }
    add_cells(grid, look, NULL, count > 0 ? means : NULL);
}

const char *const mu_paper_figures[MU_PAPER_FIGURES] = {"median", "least", "greatest"};

double mu_paper_figure(double *ratios, size_t count, enum mu_paper_figure figure)
{
    if (count == 0) return (double)NAN;
    gsl_sort(ratios, 1, count);
    return figure == MU_PAPER_MEDIAN  ? gsl_stats_median_from_sorted_data(ratios, 1, count)
           : figure == MU_PAPER_LEAST ? ratios[0]
                                      : ratios[count - 1];
}

void mu_paper_figure_cells(struct mu_grid *grid, enum mu_paper_look look, enum mu_paper_half half,
                           enum mu_paper_figure figure)
{
    double figures[MU_PAPER_CHIPS];
    for (size_t chip = 0; chip < MU_PAPER_CHIPS; chip++) {
        double ratios[16];
        size_t count = 0;
        for (const struct mu_paper_column *column = mu_paper_table4; column->app != NULL; column++)
            if (column->half == half && count < 16) ratios[count++] = column->ratios[chip];
        figures[chip] = mu_paper_figure(ratios, count, figure);
    }
    add_cells(grid, look, NULL, figures);
}

void mu_paper_notes(struct mu_grid *grid, enum mu_paper_look look, enum mu_paper_half half)
{
    mu_grid_note(grid,
                 "%s: Sorensen and others, OOPSLA 2016, Table 4, on the original inputs (rows R9 and R7 as "
                 "in its Figures 9 and 10; in the table they have changed places). Beside a generated input stands "
                 "the original whose place it takes (for), of its kind and, but for the largest, of its size.",
                 look == MU_PAPER_RANGE ? "2016, the lowest and the highest of eight chips" : "980 to T628-2");
    if (half == MU_PAPER_SPEEDUP)
        mu_grid_note(grid, "The paper has no speedups for Lonestar: its Lonestar apps had no multi-kernel variant.");
    else
        mu_grid_note(grid, "The paper has no slowdowns for Pannotia: its Pannotia apps had no specialised variant.");
}
