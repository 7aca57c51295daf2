/* muster table load: the means over the plans (thesis, figure 5.7). */
#include "analysis/cooperative/load.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Rows of one chip, load, part of the workgroups and way to resize, by the first of them. */
struct mean {
    const struct row *first, *slowest;
    size_t plans, with_slowdown, with_period;
    double slowdown_logs, most, periods_ns, alone_ns; /* most: the slowdown of the slowest */
};

static void add_to_mean(const struct rows *rows, struct row *row, struct mean *mean)
{
    const double slowdown = mu_load_slowdown(rows, row), period_ns = mu_load_quantile(&row->series[PERIOD], 0.5);
    mean->plans++;
    mean->alone_ns += row->alone_ns;
    if (slowdown > 0) {
        mean->slowdown_logs += log(slowdown);
        mean->with_slowdown++;
        if (slowdown > mean->most) mean->slowest = row;
        if (slowdown > mean->most) mean->most = slowdown;
    }
    if (period_ns > 0) {
        mean->periods_ns += period_ns;
        mean->with_period++;
    }
}

/* Adds how many of a mean's plans it is over, unless all have a figure. */
static void mark_some(struct mu_grid *grid, size_t some, size_t plans)
{
    if (some > 0 && some < plans) mu_grid_mark(grid, " (%zu/%zu)", some, plans);
}

static void add_mean_row(struct mu_grid *grid, const struct mean *mean)
{
    const double wanted_ns = mean->first->wanted_ns, alone_ns = mean->alone_ns / (double)mean->plans;
    static const size_t shown[] = {CHIP, LOAD, ASKED, RESIZING};
    mu_grid_row(grid);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) mu_grid_text(grid, "%s", mean->first->text[shown[i]]);
    mu_grid_number(grid, (double)mean->plans, 0);
    mu_grid_number(grid, exp(mean->slowdown_logs / (double)mean->with_slowdown), 3);
    mark_some(grid, mean->with_slowdown, mean->plans);
    if (mean->slowest != NULL) {
        mu_grid_number(grid, mean->most, 3);
        mu_grid_text(grid, "%s %s", mean->slowest->text[APP], mean->slowest->text[INPUT]);
    } else {
        mu_grid_empty(grid);
        mu_grid_empty(grid);
    }
    mu_grid_number(grid, wanted_ns / (wanted_ns - alone_ns), 3);
    mu_grid_time(grid, mean->periods_ns / (double)mean->with_period);
    mark_some(grid, mean->with_period, mean->plans);
    mu_grid_time(grid, wanted_ns);
}

static struct mu_grid *add_mean_grid(struct mu_grids *grids)
{
    static const char *const lefts[] = {"chip", "load", "asked_for", "resizing"};
    struct mu_grid *grid = mu_grids_add(grids, "load-means", "A load beside cooperative plans, means over the plans");
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++)
        mu_grid_column(grid, lefts[i], strcmp(lefts[i], "asked_for") == 0 ? "asked for" : lefts[i], MU_COLUMN_LEFT);
    mu_grid_column(grid, "plans", "plans", 0);
    mu_grid_column(grid, "slowdown", "slowdown", 0);
    mu_grid_column(grid, "most_slowdown", "most", 0);
    mu_grid_column(grid, "most_of", "of", MU_COLUMN_LEFT);
    mu_grid_column(grid, "preempted", "preempted", 0);
    mu_grid_column(grid, "period_ns", "period", 0);
    mu_grid_column(grid, "period_asked_ns", "asked", 0);
    mu_grid_note(grid, "asked for: the workgroups that a task gets, by --load-groups. slowdown: geometric mean over "
                       "the plans, most: the greatest, and whose it is; period: arithmetic mean of their medians "
                       "(thesis, figure 5.7).");
    mu_grid_note(grid, "(n/m): n of the m plans have it. A plan without a record without a load has no slowdown, and "
                       "one that had no second request has no period.");
    return grid;
}

int mu_load_add_means(const struct rows *rows, struct mu_grids *grids)
{
    struct mu_grid *grid = add_mean_grid(grids);
    struct mu_json keys = mu_json_object();
    struct mean *means = mu_calloc(rows->count + 1, sizeof *means, "means", grids->err);
    for (size_t i = 0; i < rows->count && means != NULL; i++) {
        struct row *row = &rows->rows[i];
        if (!mu_load_is(row)) continue;
        struct mu_json key = mu_json_array();
        size_t at;
        for (size_t k = 0; k < TEXTS; k++)
            if (k != APP && k != INPUT) mu_json_append_text(&key, row->text[k]);
        if (mu_json_place(&keys, mu_json_take(&key, "a mean's key", grids->err), &at)) means[at].first = row;
        add_to_mean(rows, row, &means[at]);
    }
    if (keys.lost) mu_fail(grids->err, MU_NO_MEMORY, "out of memory: means");
    const size_t count = json_object_size(keys.value);
    for (size_t i = 0; i < count && means != NULL && grids->err->status == MU_OK; i++) add_mean_row(grid, &means[i]);
    mu_json_release(&keys);
    mu_free(means);
    return grids->err->status;
}
