/* muster table conditions: forms that know more or less when a sample is taken, side by side. These are portable cold
 * and warm, specialised at its proven bound and as tuned, multi-kernel, and the first launches of processes. */
#include "analysis/baseline.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <string.h>

/* Columns of times: a form, by the name that the study gives to a measurement's variant, and what a reader sees. */
enum { MULTI_KERNEL, COLD, WARM, BOUND, SPECIALISED, FIRST, TIMES };
static const struct {
    const char *variant, *name, *title;
} times[TIMES] = {
    [MULTI_KERNEL] = {"multi-kernel", "multi_kernel_ns", "multi-kernel"},
    [COLD] = {"portable-cold", "cold_ns", "cold"},
    [WARM] = {"portable", "warm_ns", "warm"},
    [BOUND] = {"specialised-bound", "bound_ns", "bound"},
    [SPECIALISED] = {"specialised", "specialised_ns", "specialised"},
    [FIRST] = {"portable-first", "first_ns", "first"},
};

/* Columns of ratios. */
enum { RATIOS = 4 };
static const struct {
    const char *name, *title;
    int numerator, denominator;
} ratios[RATIOS] = {
    {"speedup_cold", "speedup cold", MULTI_KERNEL, COLD},
    {"speedup_warm", "speedup warm", MULTI_KERNEL, WARM},
    {"slowdown_cold", "slowdown cold", COLD, BOUND},
    {"slowdown_warm", "slowdown warm", WARM, SPECIALISED},
};

/* The ratios so far of a chip and set, for its means. */
struct means {
    struct mu_ratio *gathered[RATIOS];
    size_t counts[RATIOS], rows;
    size_t scopes[3];
};

static void add_columns(struct mu_grid *grid)
{
    mu_table_key_columns(grid);
    for (size_t i = 0; i < TIMES; i++) {
        mu_grid_column(grid, times[i].name, times[i].title, MU_COLUMN_INTERVAL | MU_COLUMN_MINOR);
        if (i == MULTI_KERNEL) mu_grid_column(grid, "form", "form", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    }
    for (size_t i = 0; i < RATIOS; i++) mu_grid_column(grid, ratios[i].name, ratios[i].title, MU_COLUMN_INTERVAL);
}

/* Adds the form of multi-kernel that its time is of. */
static void form_cell(struct mu_grid *grid, const struct mu_measurement *multi_kernel)
{
    if (multi_kernel == NULL)
        mu_grid_empty(grid);
    else
        mu_grid_text(grid, "%s",
                     multi_kernel->better == NULL                              ? "elements, not chosen"
                     : strcmp(multi_kernel->better, "multi-kernel-fixed") == 0 ? "fixed"
                                                                               : "elements");
}

static void add_row(struct mu_grid *grid, const struct mu_measurement *const forms[TIMES],
                    const struct mu_measurement *first, struct means *means, bool plain)
{
    mu_grid_row(grid);
    mu_table_key_cells(grid, first);
    means->rows++;
    for (size_t i = 0; i < TIMES; i++) {
        mu_table_time_cell(grid, forms[i], plain);
        if (mu_table_counts(forms[i]) && forms[WARM] != NULL && strcmp(forms[i]->commit, forms[WARM]->commit) != 0)
            mu_grid_mark(grid, " (other commit)");
        if (i == MULTI_KERNEL) form_cell(grid, forms[i]);
    }
    for (size_t i = 0; i < RATIOS; i++) {
        const struct mu_measurement *a = forms[ratios[i].numerator], *b = forms[ratios[i].denominator];
        if (!mu_table_counts(a) || !mu_table_counts(b)) {
            mu_grid_empty(grid);
            continue;
        }
        struct mu_ratio *ratio = &means->gathered[i][means->counts[i]++];
        mu_ratio_of(&a->level, &b->level, ratio);
        means->scopes[ratio->scope]++;
        mu_table_ratio_cell(grid, ratio, 3);
    }
}

static void add_means(struct mu_grid *grid, const struct mu_measurement *place, struct means *means)
{
    mu_grid_rule(grid);
    mu_grid_text(grid, "%s", place->chip);
    mu_table_set_cell(grid, place);
    mu_grid_text(grid, "all");
    mu_grid_text(grid, "geometric mean");
    for (size_t i = 0; i < TIMES + 1; i++) mu_grid_empty(grid);
    for (size_t i = 0; i < RATIOS; i++) {
        struct mu_ratio mean;
        if (means->counts[i] == 0) {
            mu_grid_text(grid, "none of %zu", means->rows);
            continue;
        }
        mu_ratio_mean(means->gathered[i], means->counts[i], &mean);
        mu_table_ratio_cell(grid, &mean, 3);
        if (means->counts[i] < means->rows) mu_grid_mark(grid, " (%zu/%zu)", means->counts[i], means->rows);
        means->counts[i] = 0;
    }
    means->rows = 0;
}

/* Collects the measurements of one app and input, which begin at `start`. Returns where the next begin. */
static size_t collect(const struct mu_study *study, size_t start, const struct mu_measurement *forms[TIMES])
{
    const struct mu_measurement *first = &study->measurements[start];
    size_t end = start;
    for (size_t i = 0; i < TIMES; i++) forms[i] = NULL;
    for (; end < study->count; end++) {
        const struct mu_measurement *next = &study->measurements[end];
        if (mu_compare_places(next, first) != 0 || mu_compare_benchmarks(next, first) != 0) break;
        for (size_t i = 0; i < TIMES; i++)
            if (strcmp(next->variant, times[i].variant) == 0) forms[i] = next;
    }
    return end;
}

static void fill_grid(const struct mu_study *study, bool plain, struct means *means, struct mu_grid *grid)
{
    const struct mu_measurement *forms[TIMES];
    add_columns(grid);
    for (size_t i = 0, end; i < study->count; i = end) {
        end = collect(study, i, forms);
        add_row(grid, forms, &study->measurements[i], means, plain);
        if (end < study->count && mu_compare_places(&study->measurements[end], &study->measurements[i]) == 0) continue;
        if (!plain) add_means(grid, &study->measurements[i], means);
    }
    mu_grid_note(grid,
                 "cold, warm, first: portable; bound: specialised at its proven bound, at the workgroup size of cold; "
                 "specialised: as tuned. other commit: than that of warm.");
    mu_grid_note(grid, "speedup: multi-kernel / portable. slowdown cold: cold / bound; slowdown warm: warm / "
                       "specialised. " MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(
        grid,
        "form: of multi-kernel; where both were measured the better one, chosen by a half of the processes and timed "
        "by the other, as a mean over many ways to halve them.");
    mu_table_scope_note(grid, means->scopes);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct means means = {0};
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    mu_study_take_baselines(&data.study, grids->err);
    for (size_t i = 0; i < RATIOS; i++)
        means.gathered[i] = mu_malloc(data.study.count, sizeof *means.gathered[i], "ratios", grids->err);
    if (grids->err->status == MU_OK)
        fill_grid(&data.study, request->plain_rows, &means,
                  mu_grids_add(grids, "conditions", "Portable cold and warm, beside specialised and multi-kernel"));
    for (size_t i = 0; i < RATIOS; i++) mu_free(means.gathered[i]);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_conditions = {"conditions",
                                             "portable cold and warm, beside specialised and multi-kernel", fill};
