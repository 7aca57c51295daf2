/* muster table load: the means over the plans (thesis, figure 5.7). */
#include "analysis/cooperative/load.h"
#include "base/memory.h"

#include <string.h>

/* Rows of one chip, load, part of the workgroups and way to resize, by the first of them. */
struct mean {
    const struct row *first;
    size_t plans, with_period;
    struct mu_class slowdowns;
    double periods_ns, alone_ns;
};

static int add_to_mean(const struct rows *rows, const struct row *row, struct mean *mean, struct mu_error *err)
{
    struct mu_ratio slowdown;
    bool is_idle;
    mean->plans++;
    mean->alone_ns += row->alone_ns;
    if (row->series[PERIOD].has_level) {
        mean->periods_ns += mu_processes_ns(&row->series[PERIOD]);
        mean->with_period++;
    }
    return mu_load_slowdown(rows, row, &slowdown, &is_idle) ? mu_class_add(&mean->slowdowns, &slowdown, row, err)
                                                            : MU_OK;
}

/* Adds how many of a mean's plans it is over, unless all have a figure. */
static void mark_some(struct mu_grid *grid, size_t some, size_t plans)
{
    if (some > 0 && some < plans) mu_grid_mark(grid, " (%zu/%zu)", some, plans);
}

static void add_mean_row(struct mu_grid *grid, const struct mean *mean, bool of_plans)
{
    const double wanted_ns = mean->first->wanted_ns, alone_ns = mean->alone_ns / (double)mean->plans;
    static const size_t shown[] = {CHIP, LOAD, ASKED, RESIZING};
    const struct row *slowest = mean->slowdowns.of;
    char name[256] = "";
    if (slowest != NULL) snprintf(name, sizeof name, "%s %s", slowest->text[APP], slowest->text[INPUT]);
    mu_grid_row(grid);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        if (of_plans || shown[i] != RESIZING) mu_grid_text(grid, "%s", mean->first->text[shown[i]]);
    mu_grid_number(grid, (double)mean->plans, 0);
    mu_class_mean_cell(grid, &mean->slowdowns);
    mark_some(grid, mean->slowdowns.count, mean->plans);
    mu_class_greatest_cells(grid, &mean->slowdowns, name);
    mu_grid_number(grid, wanted_ns / (wanted_ns - alone_ns), 3);
    mu_grid_time(grid, mean->periods_ns / (double)mean->with_period);
    mark_some(grid, mean->with_period, mean->plans);
    mu_grid_time(grid, wanted_ns);
}

static struct mu_grid *add_mean_grid(struct mu_grids *grids, bool of_plans)
{
    struct mu_grid *grid =
        of_plans ? mu_grids_add(grids, "load-means", "A load beside cooperative plans, means over the plans")
                 : mu_grids_add(grids, "stealing-load-means", "A load beside work-stealing apps, means over the apps");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "load", "load", MU_COLUMN_LEFT);
    mu_grid_column(grid, "asked_for", "asked for", MU_COLUMN_LEFT);
    if (of_plans) mu_grid_column(grid, "resizing", "resizing", MU_COLUMN_LEFT);
    mu_grid_column(grid, of_plans ? "plans" : "apps", of_plans ? "plans" : "apps", 0);
    mu_class_mean_column(grid);
    mu_class_greatest_columns(grid);
    mu_grid_column(grid, "preempted", "preempted", 0);
    mu_grid_column(grid, "period_ns", "period", 0);
    mu_grid_column(grid, "period_asked_ns", "asked", 0);
    mu_grid_note(grid,
                 "asked for: the workgroups that a task gets, by --load-groups%s. slowdown: geometric mean, most: "
                 "the greatest, and whose it is; period: arithmetic mean of the typical ones (thesis, figure "
                 "5.7, of the class of %s; the other one is in table %s).",
                 of_plans ? "; one leaves at one barrier of either kind" : "",
                 of_plans ? "global barriers" : "work stealing", of_plans ? "stealing" : "load");
    mu_grid_note(grid, "(n/m): n of the m have it. Where there is no record without tasks there is no slowdown, and "
                       "where no second request was made no period.");
    return grid;
}

/* Puts rows together. Rows are sorted by plan first, so that means come in the order of the first plan that has them.
 */
static int gather_means(const struct rows *rows, struct mean *means, size_t *count, struct mu_error *err)
{
    struct mu_json keys = mu_json_object();
    for (size_t i = 0; i < rows->count && err->status == MU_OK; i++) {
        const struct row *row = &rows->rows[i];
        if (!mu_load_is(row)) continue;
        struct mu_json key = mu_json_array();
        size_t at;
        for (size_t k = 0; k < TEXTS; k++)
            if (k != APP && k != INPUT) mu_json_append_text(&key, row->text[k]);
        if (mu_json_place(&keys, mu_json_take(&key, "a mean's key", err), &at)) means[at].first = row;
        if (keys.lost)
            mu_fail(err, MU_NO_MEMORY, "out of memory: means");
        else
            add_to_mean(rows, row, &means[at], err);
    }
    *count = json_object_size(keys.value);
    mu_json_release(&keys);
    return err->status;
}

int mu_load_add_means(const struct rows *rows, struct mu_grids *grids)
{
    size_t count = 0;
    struct mu_grid *grid = add_mean_grid(grids, rows->of_plans);
    struct mean *means = mu_calloc(rows->count + 1, sizeof *means, "means", grids->err);
    if (means == NULL) return grids->err->status;
    if (gather_means(rows, means, &count, grids->err) == MU_OK)
        for (size_t i = 0; i < count; i++) add_mean_row(grid, &means[i], rows->of_plans);
    for (size_t i = 0; i < rows->count; i++) mu_class_release(&means[i].slowdowns);
    mu_free(means);
    return grids->err->status;
}
