/* What analysis/ratios/ratio.h promises. */
#include "analysis/ratios/matrix.h"

#include "analysis/baseline.h"
#include "analysis/cooperative/classes.h"
#include "analysis/medians.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void release(struct mu_ratio_matrix *matrix)
{
    mu_free(matrix->places);
    mu_free(matrix->benchmarks);
    mu_free(matrix->pairs);
    mu_free(matrix->gathered);
}

static int compare_pointers(const void *left, const void *right)
{
    return mu_compare_benchmarks(*(const struct mu_measurement *const *)left,
                                 *(const struct mu_measurement *const *)right);
}

/* Finds the places and the benchmarks of a study. The caller releases the matrix. */
static int find_axes(const struct mu_study *study, struct mu_ratio_matrix *matrix, struct mu_error *err)
{
    size_t kept = 0;
    matrix->places = mu_malloc(study->count, sizeof *matrix->places, "chips", err);
    matrix->benchmarks = mu_malloc(study->count, sizeof *matrix->benchmarks, "benchmarks", err);
    if (matrix->places == NULL || matrix->benchmarks == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *next = &study->measurements[i];
        if (i == 0 || mu_compare_places(next, &study->measurements[i - 1]) != 0)
            matrix->places[matrix->place_count++] = next;
        matrix->benchmarks[i] = next;
    }
    if (study->count > 0) qsort(matrix->benchmarks, study->count, sizeof *matrix->benchmarks, compare_pointers);
    for (size_t i = 0; i < study->count; i++)
        if (kept == 0 || mu_compare_benchmarks(matrix->benchmarks[kept - 1], matrix->benchmarks[i]) != 0)
            matrix->benchmarks[kept++] = matrix->benchmarks[i];
    matrix->benchmark_count = kept;
    return MU_OK;
}

static int make_matrix(const struct mu_study *study, const struct mu_ratio_of_variants *comparison,
                       struct mu_ratio_matrix *matrix, struct mu_error *err)
{
    size_t cells = 0;
    const int status = find_axes(study, matrix, err);
    if (status != MU_OK) return status;
    if (!mu_mul_size(matrix->place_count, matrix->benchmark_count, &cells))
        return mu_fail(err, MU_NO_MEMORY, "too many results");
    matrix->pairs = mu_calloc(cells, sizeof *matrix->pairs, "ratios", err);
    matrix->gathered = mu_calloc(cells, sizeof *matrix->gathered, "ratios", err);
    if (matrix->pairs == NULL || matrix->gathered == NULL) return MU_NO_MEMORY;
    struct mu_ratio_pair *pair = matrix->pairs;
    for (size_t row = 0; row < matrix->benchmark_count; row++)
        for (size_t place = 0; place < matrix->place_count; place++, pair++) {
            const struct mu_measurement *at = matrix->places[place], *benchmark = matrix->benchmarks[row];
            pair->numerator = mu_study_find(study, at, benchmark, comparison->numerator);
            pair->denominator = mu_study_find(study, at, benchmark, comparison->denominator);
            pair->counts = mu_table_counts(pair->numerator) && mu_table_counts(pair->denominator);
            if (pair->counts) mu_ratio_of(&pair->numerator->level, &pair->denominator->level, &pair->ratio);
        }
    return MU_OK;
}

/* ---- Cells ---- */

/* Adds the cell of a pair that has no ratio, which says why: "portable: deadlock". It is empty where the chip ran
 * neither variant. */
static void failure_cell(struct mu_grid *grid, const struct mu_ratio_pair *pair,
                         const struct mu_ratio_of_variants *comparison)
{
    char outcome[128];
    const bool first = !mu_table_counts(pair->numerator);
    if (pair->numerator == NULL && pair->denominator == NULL) {
        mu_grid_empty(grid);
        return;
    }
    mu_table_show_outcome(first ? pair->numerator : pair->denominator, outcome, sizeof outcome);
    mu_grid_text(grid, "%s: %s", first ? comparison->numerator : comparison->denominator, outcome);
}

static bool is_run(const struct mu_ratio_pair *pair)
{
    return pair->numerator != NULL || pair->denominator != NULL;
}

/* Returns true if all places have run the benchmark, and whether it counts at all of them. */
static bool is_shared(const struct mu_ratio_matrix *matrix, size_t benchmark, bool *counts)
{
    bool shared = true;
    *counts = true;
    for (size_t place = 0; place < matrix->place_count; place++) {
        shared = shared && is_run(mu_ratio_pair_of(matrix, benchmark, place));
        *counts = *counts && mu_ratio_pair_of(matrix, benchmark, place)->counts;
    }
    return shared;
}

/* Which benchmarks a mean is over: those whose app begins so (NULL: all); of them those that the place has, or those
 * that all places have. */
struct scope {
    const char *app;
    bool shared;
};

/* Gathers the ratios of a place that a mean is over. Returns how many; *all is how many there would be had all counted.
 */
static size_t gather(const struct mu_ratio_matrix *matrix, size_t place, const struct scope *scope, size_t *all)
{
    size_t count = 0;
    *all = 0;
    for (size_t i = 0; i < matrix->benchmark_count; i++) {
        const struct mu_ratio_pair *pair = mu_ratio_pair_of(matrix, i, place);
        bool counts = pair->counts;
        if (scope->app != NULL && strncmp(matrix->benchmarks[i]->app, scope->app, strlen(scope->app)) != 0) continue;
        if (scope->shared ? !is_shared(matrix, i, &counts) : !is_run(pair)) continue;
        ++*all;
        if (counts) matrix->gathered[count++] = pair->ratio;
    }
    return count;
}

/* Adds the geometric mean of a place's ratios. The cell also says how many ratios are missing from the mean. */
static void mean_cell(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, size_t place,
                      const struct scope *scope)
{
    struct mu_ratio mean;
    size_t all;
    const size_t count = gather(matrix, place, scope, &all);
    if (count == 0) {
        if (all == 0)
            mu_grid_empty(grid);
        else
            mu_grid_text(grid, "none of %zu", all);
        return;
    }
    mu_ratio_mean(matrix->gathered, count, &mean);
    mu_table_ratio_cell(grid, &mean, 2);
    if (count < all) mu_grid_mark(grid, " (%zu/%zu)", count, all);
}

/* ---- Rows ---- */

/* Adds the row of a mean, below a line where it is the first of its kind. */
static void mean_row(struct mu_grid *grid, const struct mu_ratio_matrix *matrix,
                     const struct mu_ratio_of_variants *comparison, const struct scope *scope, enum mu_paper_look paper)
{
    mu_grid_text(grid, "%s", scope->app != NULL ? scope->app : "all");
    mu_grid_text(grid, "geometric mean%s", scope->shared ? ", shared inputs" : "");
    for (size_t place = 0; place < matrix->place_count; place++) mean_cell(grid, matrix, place, scope);
    if (!scope->shared) mu_paper_mean_cells(grid, paper, comparison->half, scope->app);
}

static void benchmark_row(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, size_t row,
                          const struct mu_ratio_of_variants *comparison, enum mu_paper_look paper)
{
    const struct mu_measurement *benchmark = matrix->benchmarks[row];
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", benchmark->app);
    mu_grid_text(grid, "%s", benchmark->shown);
    for (size_t place = 0; place < matrix->place_count; place++) {
        const struct mu_ratio_pair *pair = mu_ratio_pair_of(matrix, row, place);
        if (pair->counts)
            mu_table_ratio_cell(grid, &pair->ratio, 2);
        else
            failure_cell(grid, pair, comparison);
    }
    mu_paper_cells(grid, paper, mu_paper_find(comparison->half, benchmark->app, benchmark->input));
}

/* Adds rows of the published figures that have no row of ours to stand beside. */
static void paper_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, enum mu_paper_half half,
                       enum mu_paper_look paper)
{
    for (const struct mu_paper_column *column = mu_paper_table4; column->app != NULL; column++) {
        bool shown = column->half != half;
        for (size_t i = 0; i < matrix->benchmark_count && !shown; i++)
            shown = mu_paper_find(half, matrix->benchmarks[i]->app, matrix->benchmarks[i]->input) == column;
        if (shown) continue;
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", column->app);
        mu_grid_text(grid, "(2016: %s)", column->input);
        for (size_t place = 0; place < matrix->place_count; place++) mu_grid_empty(grid);
        mu_paper_cells(grid, paper, column);
    }
}

static void mean_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix,
                      const struct mu_ratio_of_variants *comparison, enum mu_paper_look paper)
{
    static const char *const suites[] = {"lonestar/", "pannotia/", NULL};
    size_t rows = 0, all;
    for (size_t i = 0; i < matrix->benchmark_count; i++) {
        const struct scope app = {.app = matrix->benchmarks[i]->app};
        if (i > 0 && strcmp(app.app, matrix->benchmarks[i - 1]->app) == 0) continue;
        rows++ == 0 ? mu_grid_rule(grid) : mu_grid_row(grid);
        mean_row(grid, matrix, comparison, &app, paper);
    }
    for (size_t i = 0; i < 3; i++) {
        const struct scope own = {.app = suites[i]}, shared = {.app = suites[i], .shared = true};
        i == 0 ? mu_grid_rule(grid) : mu_grid_row(grid);
        mean_row(grid, matrix, comparison, &own, paper);
        if (matrix->place_count < 2 || (gather(matrix, 0, &shared, &all) == 0 && all == 0)) continue;
        mu_grid_row(grid);
        mean_row(grid, matrix, comparison, &shared, paper);
    }
}

/* Returns the place with the most ratios that have a published one beside them; among equals that with the most of
 * all. */
static size_t best_beside_paper(const struct mu_ratio_matrix *matrix, enum mu_paper_half half)
{
    size_t best = 0, most = 0;
    for (size_t place = 0; place < matrix->place_count; place++) {
        size_t weight = 0;
        for (size_t i = 0; i < matrix->benchmark_count; i++) {
            const struct mu_measurement *benchmark = matrix->benchmarks[i];
            if (!mu_ratio_pair_of(matrix, i, place)->counts) continue;
            weight += mu_paper_find(half, benchmark->app, benchmark->input) != NULL ? matrix->benchmark_count : 1;
        }
        if (weight <= most) continue;
        most = weight;
        best = place;
    }
    return best;
}

/* Adds the column of a place, whose heading names its clock if another one has another clock. */
static void place_column(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, size_t at, unsigned flags)
{
    const struct mu_measurement *place = matrix->places[at];
    char name[160];
    bool several = false;
    for (size_t i = 0; i < matrix->place_count; i++)
        several = several || strcmp(matrix->places[i]->clock, place->clock) != 0;
    snprintf(name, sizeof name, "%s%s%s%s%s%s", place->chip, place->set[0] != '\0' ? " " : "", place->set,
             several ? " (" : "", several ? mu_table_clock_name(place->clock) : "", several ? ")" : "");
    mu_grid_column(grid, name, name, MU_COLUMN_INTERVAL | flags);
}

/* Notes what the intervals of the ratios leave out, and what a cost below none is. */
static void ratio_notes(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, enum mu_paper_half half)
{
    size_t scopes[3] = {0}, below = 0;
    for (size_t i = 0; i < matrix->benchmark_count * matrix->place_count; i++) {
        const struct mu_ratio *ratio = &matrix->pairs[i].ratio;
        if (!matrix->pairs[i].counts) continue;
        scopes[ratio->scope]++;
        below += mu_table_is_confident(ratio) && ratio->value < 1;
    }
    mu_table_scope_note(grid, scopes);
    if (half == MU_PAPER_SLOWDOWN && below > 0)
        mu_grid_note(
            grid,
            "%zu of %zu are below 1 with confidence. Not knowing the chip makes nothing faster: the two programs "
            "differ in the layout of code and, where tuned apart, in workgroup or team (table same-size). Such a ratio "
            "is no gain, but shows by how much these alone may move a ratio.",
            below, scopes[0] + scopes[1] + scopes[2]);
}

static void fill_matrix(struct mu_grid *grid, const struct mu_ratio_matrix *matrix,
                        const struct mu_ratio_of_variants *comparison, enum mu_paper_look paper, struct mu_error *err)
{
    const size_t best = best_beside_paper(matrix, comparison->half);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    for (size_t i = 0; i < matrix->place_count; i++)
        place_column(grid, matrix, i, paper == MU_PAPER_HIDDEN ? 0 : i != best ? MU_COLUMN_MINOR : MU_COLUMN_KEPT);
    mu_paper_columns(grid, paper);
    for (size_t row = 0; row < matrix->benchmark_count; row++) benchmark_row(grid, matrix, row, comparison, paper);
    if (paper != MU_PAPER_HIDDEN) paper_rows(grid, matrix, comparison->half, paper);
    if (matrix->benchmark_count > 0 || paper != MU_PAPER_HIDDEN) mean_rows(grid, matrix, comparison, paper);
    if (comparison->half == MU_PAPER_NEITHER && matrix->benchmark_count > 0) mu_ratio_greatest_rows(grid, matrix);
    if (paper != MU_PAPER_HIDDEN) mu_ratio_figure_rows(grid, matrix, comparison->half, paper, err);
    mu_grid_note(grid, "[low, high]: interval at 95 %%. " MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(grid, "-: not run on this chip in this set. (n/m): the mean is over n of the m tests that were; the "
                       "others failed or are missing.");
    if (matrix->place_count > 1)
        mu_grid_note(grid,
                     "Each column's means are over its own inputs; those over shared inputs, which all columns have, "
                     "may be compared.");
    ratio_notes(grid, matrix, comparison->half);
    if (paper != MU_PAPER_HIDDEN && matrix->benchmark_count == 0)
        mu_grid_note(grid, "There are no results here: all figures are those of 2016.");
    if (paper != MU_PAPER_HIDDEN) mu_paper_notes(grid, paper, comparison->half);
}

/* Returns the typical time of a measurement; NAN for none. */
static double time_of(const struct mu_measurement *measurement)
{
    return measurement != NULL && mu_table_counts(measurement) ? exp(measurement->level.log_value) : (double)NAN;
}

/* Adds one row for each ratio, for programs. */
static void fill_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix,
                      const struct mu_ratio_of_variants *comparison)
{
    mu_table_key_columns(grid);
    mu_grid_column(grid, comparison->name, comparison->name, MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "confident", "confident", 0);
    mu_grid_column(grid, "numerator_ns", comparison->numerator, 0);
    mu_grid_column(grid, "denominator_ns", comparison->denominator, 0);
    mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
    mu_grid_column(grid, "clock", "clock", MU_COLUMN_LEFT);
    for (size_t i = 0; i < matrix->benchmark_count * matrix->place_count; i++) {
        const struct mu_ratio_pair *pair = &matrix->pairs[i];
        const struct mu_measurement *benchmark = matrix->benchmarks[i / matrix->place_count];
        if (!is_run(pair)) continue;
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", matrix->places[i % matrix->place_count]->chip);
        mu_table_set_cell(grid, matrix->places[i % matrix->place_count]);
        mu_grid_text(grid, "%s", benchmark->app);
        mu_grid_text(grid, "%s", benchmark->shown);
        mu_grid_number(grid, pair->counts ? pair->ratio.value : NAN, 4);
        if (pair->ratio.has_interval) mu_grid_interval(grid, pair->ratio.low, pair->ratio.high);
        mu_grid_sessions(grid, pair->ratio.spans);
        if (pair->counts)
            mu_grid_flag(grid, mu_table_is_confident(&pair->ratio));
        else
            mu_grid_empty(grid);
        mu_grid_time(grid, time_of(pair->numerator));
        mu_grid_time(grid, time_of(pair->denominator));
        if (pair->counts)
            mu_grid_text(grid, "ok");
        else
            failure_cell(grid, pair, comparison);
        mu_grid_text(grid, "%s", matrix->places[i % matrix->place_count]->clock);
    }
}

int mu_ratio_table(const struct mu_table_request *request, const struct mu_ratio_of_variants *comparison,
                   struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_ratio_matrix matrix = {0};
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    if (comparison->half == MU_PAPER_NEITHER) {
        mu_study_keep_sets_with(&data.study, comparison->numerator);
        mu_study_keep_sets_with(&data.study, comparison->denominator);
    }
    mu_study_choose(&data.study);
    mu_study_take_baselines(&data.study, grids->err);
    mu_medians_add(request, &data.study, grids->err);
    if (comparison->only_cold) mu_study_keep_sets_with(&data.study, "portable-cold");
    if (make_matrix(&data.study, comparison, &matrix, grids->err) == MU_OK) {
        struct mu_grid *grid = mu_grids_add(grids, comparison->name, "%s", comparison->title);
        if (request->plain_rows)
            fill_rows(grid, &matrix, comparison);
        else
            fill_matrix(grid, &matrix, comparison, mu_paper_look_of(request, comparison->half), grids->err);
        mu_medians_note(grid, &data.study);
        mu_table_study_notes(grid, &data.study);
        if (comparison->half == MU_PAPER_NEITHER) mu_cooperative_add_classes(request, &matrix, grids);
    }
    release(&matrix);
    mu_table_release(&data);
    return grids->err->status;
}
