/* Rows of the least and greatest ratios. */
#include "analysis/ratios/matrix.h"

#include "analysis/tables/common.h"
#include "base/memory.h"

const struct mu_ratio_pair *mu_ratio_pair_of(const struct mu_ratio_matrix *matrix, size_t benchmark, size_t place)
{
    return &matrix->pairs[benchmark * matrix->place_count + place];
}

void mu_ratio_figure_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, enum mu_paper_half half,
                          enum mu_paper_look paper, struct mu_error *err)
{
    double *ratios = mu_malloc(matrix->benchmark_count + 1, sizeof *ratios, "ratios", err);
    for (int figure = 0; ratios != NULL && figure < MU_PAPER_FIGURES; figure++) {
        figure == 0 ? mu_grid_rule(grid) : mu_grid_row(grid);
        mu_grid_text(grid, "all");
        mu_grid_text(grid, "%s", mu_paper_figures[figure]);
        for (size_t place = 0; place < matrix->place_count; place++) {
            size_t count = 0;
            for (size_t i = 0; i < matrix->benchmark_count; i++) {
                const struct mu_measurement *benchmark = matrix->benchmarks[i];
                const struct mu_ratio_pair *pair = mu_ratio_pair_of(matrix, i, place);
                if (pair->counts && mu_paper_find(half, benchmark->app, benchmark->input) != NULL)
                    ratios[count++] = pair->ratio.value;
            }
            mu_grid_number(grid, mu_paper_figure(ratios, count, (enum mu_paper_figure)figure), 2);
        }
        mu_paper_figure_cells(grid, paper, half, (enum mu_paper_figure)figure);
    }
    mu_free(ratios);
}

/* Returns the test with the greatest ratio of a column; the number of tests where none counts. */
static size_t greatest_of(const struct mu_ratio_matrix *matrix, size_t place)
{
    size_t at = matrix->benchmark_count;
    for (size_t i = 0; i < matrix->benchmark_count; i++) {
        const struct mu_ratio_pair *pair = mu_ratio_pair_of(matrix, i, place);
        if (pair->counts &&
            (at == matrix->benchmark_count || pair->ratio.value > mu_ratio_pair_of(matrix, at, place)->ratio.value))
            at = i;
    }
    return at;
}

void mu_ratio_greatest_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix)
{
    for (int row = 0; row < 2; row++) {
        row == 0 ? mu_grid_rule(grid) : mu_grid_row(grid);
        mu_grid_text(grid, "all");
        mu_grid_text(grid, row == 0 ? "greatest" : "of");
        for (size_t place = 0; place < matrix->place_count; place++) {
            const size_t at = greatest_of(matrix, place);
            if (at == matrix->benchmark_count)
                mu_grid_empty(grid);
            else if (row == 0)
                mu_table_ratio_cell(grid, &mu_ratio_pair_of(matrix, at, place)->ratio, 2);
            else
                mu_grid_text(grid, "%s %s", matrix->benchmarks[at]->app, matrix->benchmarks[at]->shown);
        }
    }
}
