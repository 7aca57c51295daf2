/* muster table summary: one row for each app and input, with the times of its three variants and their ratios.
 * Campaigns end in this table, too. */
#include "analysis/baseline.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <string.h>

enum { VARIANTS = 3, RATIOS = 2 };
static const char *const variant_names[VARIANTS] = {"multi-kernel", "portable", "specialised"};
static const char *const ratio_names[RATIOS] = {"speedup", "slowdown"};

/* A row that has been shown, for the means: ratio i is that of variants i and i + 1. */
struct row {
    const char *app;
    bool counts[RATIOS];
    struct mu_ratio ratios[RATIOS];
};

/* The rows so far of a chip and set. */
struct means {
    struct row *rows;
    size_t count;
    struct mu_ratio *gathered; /* room for the ratios of a mean */
    size_t scopes[3];          /* how many ratios have each scope, of all chips */
};

static void add_columns(struct mu_grid *grid)
{
    mu_table_key_columns(grid);
    for (size_t i = 0; i < VARIANTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_ns", i == 0 ? "multi_kernel" : variant_names[i]);
        mu_grid_column(grid, name, variant_names[i], MU_COLUMN_INTERVAL | MU_COLUMN_MINOR);
    }
    for (size_t i = 0; i < RATIOS; i++)
        mu_grid_column(grid, ratio_names[i], ratio_names[i], MU_COLUMN_INTERVAL | MU_COLUMN_KEPT);
}

static void add_row(struct mu_grid *grid, const struct mu_measurement *const variants[VARIANTS],
                    const struct mu_measurement *first, struct means *means, bool plain)
{
    mu_grid_row(grid);
    mu_table_key_cells(grid, first);
    for (size_t i = 0; i < VARIANTS; i++) mu_table_time_cell(grid, variants[i], plain);
    struct row *row = &means->rows[means->count++];
    *row = (struct row){.app = first->app};
    for (size_t i = 0; i < RATIOS; i++) {
        row->counts[i] = mu_table_counts(variants[i]) && mu_table_counts(variants[i + 1]);
        if (!row->counts[i]) {
            mu_grid_empty(grid);
            continue;
        }
        mu_ratio_of(&variants[i]->level, &variants[i + 1]->level, &row->ratios[i]);
        means->scopes[row->ratios[i].scope]++;
        mu_table_ratio_cell(grid, &row->ratios[i], 2);
    }
}

/* Adds the mean of a ratio over the apps of a suite ("lonestar/"; "": all). */
static void mean_cell(struct mu_grid *grid, const struct means *means, size_t ratio, const char *suite)
{
    size_t rows = 0, count = 0;
    struct mu_ratio mean;
    for (size_t i = 0; i < means->count; i++) {
        if (strncmp(means->rows[i].app, suite, strlen(suite)) != 0) continue;
        rows++;
        if (means->rows[i].counts[ratio]) means->gathered[count++] = means->rows[i].ratios[ratio];
    }
    if (count == 0) {
        mu_grid_text(grid, "none of %zu", rows);
        return;
    }
    mu_ratio_mean(means->gathered, count, &mean);
    mu_table_ratio_cell(grid, &mean, 2);
    if (count < rows) mu_grid_mark(grid, " (%zu/%zu)", count, rows);
}

static void mean_row(struct mu_grid *grid, const struct mu_measurement *place, const struct means *means,
                     const char *suite)
{
    mu_grid_text(grid, "%s", place->chip);
    mu_table_set_cell(grid, place);
    mu_grid_text(grid, "%s", suite[0] != '\0' ? suite : "all");
    mu_grid_text(grid, "geometric mean");
    for (size_t i = 0; i < VARIANTS; i++) mu_grid_empty(grid);
    for (size_t i = 0; i < RATIOS; i++) mean_cell(grid, means, i, suite);
}

/* Adds the means of a chip and set: of each suite where there are several, and of all. */
static void add_means(struct mu_grid *grid, const struct mu_measurement *place, struct means *means)
{
    char suite[64] = "";
    size_t suites = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < means->count; i++) {
            const char *app = means->rows[i].app;
            const size_t length = strcspn(app, "/") + 1;
            if (i > 0 && strncmp(app, means->rows[i - 1].app, length) == 0) continue;
            snprintf(suite, sizeof suite, "%.*s", (int)length, app);
            if (pass == 0) {
                suites++;
            } else if (suites > 1) {
                i == 0 ? mu_grid_rule(grid) : mu_grid_row(grid);
                mean_row(grid, place, means, suite);
            }
        }
    suites > 1 ? mu_grid_row(grid) : mu_grid_rule(grid);
    mean_row(grid, place, means, "");
    means->count = 0;
}

/* Collects the measurements of one app and input, which begin at `start`, by variant. Returns where the next begin. */
static size_t collect(const struct mu_study *study, size_t start, const struct mu_measurement *variants[VARIANTS])
{
    const struct mu_measurement *first = &study->measurements[start];
    size_t end = start;
    for (size_t v = 0; v < VARIANTS; v++) variants[v] = NULL;
    for (; end < study->count; end++) {
        const struct mu_measurement *next = &study->measurements[end];
        if (mu_compare_places(next, first) != 0 || mu_compare_benchmarks(next, first) != 0) break;
        for (size_t v = 0; v < VARIANTS; v++)
            if (strcmp(next->variant, variant_names[v]) == 0) variants[v] = next;
    }
    return end;
}

static void fill_grid(const struct mu_study *study, bool plain, struct means *means, struct mu_grid *grid)
{
    const struct mu_measurement *variants[VARIANTS];
    add_columns(grid);
    for (size_t i = 0, end; i < study->count; i = end) {
        end = collect(study, i, variants);
        add_row(grid, variants, &study->measurements[i], means, plain);
        if (end < study->count && mu_compare_places(&study->measurements[end], &study->measurements[i]) == 0) continue;
        if (!plain) add_means(grid, &study->measurements[i], means);
    }
    mu_grid_note(grid, "speedup: multi-kernel / portable; slowdown: portable / specialised. " MU_NOT_CONFIDENT_NOTE
                       " (n/m): the mean is over n of m tests.");
    mu_table_scope_note(grid, means->scopes);
}

static int fill_study(const struct mu_study *study, bool plain, struct mu_grids *grids)
{
    struct means means = {0};
    struct mu_grid *grid = mu_grids_add(grids, "summary", "Times of the variants (median, interval at 95 %%)");
    means.rows = mu_malloc(study->count, sizeof *means.rows, "rows", grids->err);
    means.gathered = mu_malloc(study->count, sizeof *means.gathered, "ratios", grids->err);
    if (means.rows != NULL && means.gathered != NULL) fill_grid(study, plain, &means, grid);
    mu_free(means.rows);
    mu_free(means.gathered);
    return grids->err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    mu_study_take_baselines(&data.study, grids->err);
    fill_study(&data.study, request->plain_rows, grids);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_summary = {"summary", "times of the three variants side by side, and their ratios",
                                          fill};
