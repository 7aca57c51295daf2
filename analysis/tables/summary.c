/* muster table summary: one row for each app and input, with the times of its three variants and their ratios.
 * Campaigns end in this table, too. */
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <string.h>

enum { VARIANTS = 3, RATIOS = 2 };
static const char *const variant_names[VARIANTS] = {"multi-kernel", "portable", "specialised"};
static const char *const ratio_names[RATIOS] = {"speedup", "slowdown"};

/* The ratios of a chip so far, for its geometric means: ratio i is that of variants i and i + 1. */
struct means {
    struct mu_ratio *ratios[RATIOS];
    size_t counts[RATIOS], rows;
};

static void add_columns(struct mu_grid *grid)
{
    mu_table_key_columns(grid);
    for (size_t i = 0; i < VARIANTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_ns", i == 0 ? "multi_kernel" : variant_names[i]);
        mu_grid_column(grid, name, variant_names[i], MU_COLUMN_INTERVAL);
    }
    for (size_t i = 0; i < RATIOS; i++) mu_grid_column(grid, ratio_names[i], ratio_names[i], MU_COLUMN_INTERVAL);
}

static void ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio)
{
    mu_grid_number(grid, ratio->value, 2);
    if (ratio->has_interval) mu_grid_interval(grid, ratio->low, ratio->high);
    if (ratio->has_interval && !ratio->confident) mu_grid_mark(grid, " ~");
}

static void add_row(struct mu_grid *grid, const struct mu_measurement *const variants[VARIANTS],
                    const struct mu_measurement *first, struct means *means, bool plain)
{
    mu_grid_row(grid);
    mu_table_key_cells(grid, first);
    for (size_t i = 0; i < VARIANTS; i++) mu_table_time_cell(grid, variants[i], plain);
    means->rows++;
    for (size_t i = 0; i < RATIOS; i++) {
        if (!mu_table_counts(variants[i]) || !mu_table_counts(variants[i + 1])) {
            mu_grid_empty(grid);
            continue;
        }
        struct mu_ratio *ratio = &means->ratios[i][means->counts[i]++];
        mu_ratio_of(&variants[i]->level, &variants[i + 1]->level, ratio);
        ratio_cell(grid, ratio);
    }
}

static void add_means(struct mu_grid *grid, const char *chip, struct means *means)
{
    mu_grid_rule(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "all");
    mu_grid_text(grid, "geometric mean");
    for (size_t i = 0; i < VARIANTS; i++) mu_grid_empty(grid);
    for (size_t i = 0; i < RATIOS; i++) {
        struct mu_ratio mean;
        if (means->counts[i] == 0) {
            mu_grid_text(grid, "none of %zu", means->rows);
            continue;
        }
        mu_ratio_mean(means->ratios[i], means->counts[i], &mean);
        ratio_cell(grid, &mean);
        if (means->counts[i] < means->rows) mu_grid_mark(grid, " (%zu/%zu)", means->counts[i], means->rows);
        means->counts[i] = 0;
    }
    means->rows = 0;
}

/* Collects the measurements of one app and input, which begin at `start`, by variant. Returns where the next begin. */
static size_t collect(const struct mu_study *study, size_t start, const struct mu_measurement *variants[VARIANTS])
{
    const struct mu_measurement *first = &study->measurements[start];
    size_t end = start;
    for (size_t v = 0; v < VARIANTS; v++) variants[v] = NULL;
    for (; end < study->count; end++) {
        const struct mu_measurement *next = &study->measurements[end];
        if (strcmp(next->chip, first->chip) != 0 || mu_compare_benchmarks(next, first) != 0) break;
        for (size_t v = 0; v < VARIANTS; v++)
            if (strcmp(next->variant, variant_names[v]) == 0) variants[v] = next;
    }
    return end;
}

static int fill_study(const struct mu_study *study, bool plain, struct mu_grids *grids)
{
    struct means means = {0};
    const struct mu_measurement *variants[VARIANTS];
    struct mu_grid *grid = mu_grids_add(grids, "summary", "Times of the variants (median, interval at 95 %%)");
    add_columns(grid);
    for (size_t i = 0; i < RATIOS; i++)
        means.ratios[i] = mu_malloc(study->count, sizeof *means.ratios[i], "ratios", grids->err);
    for (size_t i = 0, end; i < study->count && grids->err->status == MU_OK; i = end) {
        end = collect(study, i, variants);
        add_row(grid, variants, &study->measurements[i], &means, plain);
        if (!plain && (end == study->count || strcmp(study->measurements[end].chip, study->measurements[i].chip) != 0))
            add_means(grid, study->measurements[i].chip, &means);
    }
    for (size_t i = 0; i < RATIOS; i++) mu_free(means.ratios[i]);
    mu_grid_note(grid, "speedup: multi-kernel / portable; slowdown: portable / specialised. ~: the interval does not "
                       "exclude 1. (n/m): the mean is over n of m tests.");
    return grids->err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    fill_study(&data.study, request->plain_rows, grids);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_summary = {"summary", "the three variants side by side, and their ratios", fill};
