/* The grid of loads: a row for each plan or work-stealing app, load, and share of the workgroups. */
#include "analysis/cooperative/load.h"
#include "analysis/tables/common.h"

#include <stdlib.h>

/* Adds the cell of a slowdown; a mark tells over what, where that is not load idle. */
static void slowdown_cell(struct mu_grid *grid, const struct rows *rows, const struct row *row)
{
    struct mu_ratio slowdown;
    bool is_idle;
    const bool known = mu_load_slowdown(rows, row, &slowdown, &is_idle);
    mu_processes_ratio_cell(grid, known ? &slowdown : NULL);
    if (known && !is_idle) mu_grid_mark(grid, " (none)");
}

static void add_row(struct mu_grid *grid, const struct rows *rows, const struct row *row)
{
    mu_grid_row(grid);
    for (size_t i = 0; i < TEXTS; i++)
        if (i == INPUT && !rows->of_plans)
            mu_grid_number(grid, strtod(row->text[i], NULL), 0);
        else if (i != ASKED && (i != RESIZING || rows->of_plans))
            mu_grid_text(grid, "%s", row->text[i]);
    mu_grid_number(grid, row->team, 0);
    mu_grid_number(grid, row->groups, 0);
    mu_grid_number(grid, (double)row->series[RUN].count, 0);
    mu_grid_number(grid, (double)row->series[TASK].values, 0);
    mu_processes_cell(grid, &row->series[GATHER]);
    mu_grid_time(grid, row->series[GATHER].count != 0 ? row->series[GATHER].most : (double)NAN);
    mu_processes_cell(grid, &row->series[TASK]);
    mu_processes_cell(grid, &row->series[PERIOD]);
    mu_grid_time(grid, row->wanted_ns);
    mu_processes_cell(grid, &row->series[RUN]);
    slowdown_cell(grid, rows, row);
    mu_grid_number(grid, row->wanted_ns / (row->wanted_ns - row->alone_ns), 3);
    if (rows->of_plans) mu_grid_number(grid, row->barriers / (mu_processes_ns(&row->series[RUN]) * 1e-9), 0);
}

static void add_columns(struct mu_grid *grid, bool of_plans)
{
    static const struct {
        const char *name, *title, *title_of_stealing;
        unsigned is;
        bool of_plans;
    } columns[] = {{"team", "team", NULL, 0, false},
                   {"groups", "groups", NULL, 0, false},
                   {"processes", "processes", NULL, 0, false},
                   {"tasks", "tasks", NULL, 0, false},
                   {"gather_ns", "gather", NULL, MU_COLUMN_INTERVAL, false},
                   {"gather_most_ns", "gather, most", NULL, 0, false},
                   {"task_ns", "task", NULL, MU_COLUMN_INTERVAL, false},
                   {"period_ns", "period", NULL, MU_COLUMN_INTERVAL, false},
                   {"period_asked_ns", "asked", NULL, 0, false},
                   {"run_ns", "plan", "run", MU_COLUMN_INTERVAL, false},
                   {"slowdown", "slowdown", NULL, MU_COLUMN_INTERVAL, false},
                   {"preempted", "preempted", NULL, 0, false},
                   {"barriers_per_s", "barriers/s", NULL, 0, true}};
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    if (of_plans)
        mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    else
        mu_grid_column(grid, "size", "size", 0);
    mu_grid_column(grid, "load", "load", MU_COLUMN_LEFT);
    if (of_plans) mu_grid_column(grid, "resizing", "resizing", MU_COLUMN_LEFT);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const char *title = columns[i].title_of_stealing;
        if (of_plans || !columns[i].of_plans)
            mu_grid_column(grid, columns[i].name, of_plans || title == NULL ? columns[i].title : title, columns[i].is);
    }
}

static void add_notes(struct mu_grid *grid, bool of_plans)
{
    mu_grid_note(grid,
                 "gather: from a request until its workgroups %s; task: from there until it is done; period: from one "
                 "request to the next. Means over the processes of the medians of each.",
                 of_plans ? "are parked" : "have left the team");
    mu_grid_note(grid, "light, medium, heavy: the thesis's (table 5.3), tasks of 3, 3 and 10 ms on all workgroups "
                       "every 70, 40 and 40 ms; brief is not.");
    mu_grid_note(grid,
                 "slowdown: over the same kernel and team with load idle, in which nothing asks; (none): over the "
                 "kernel that has no load, whose team may be larger. " MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(grid, "preempted: what preemption of the whole kernel would cost, P / (P - D), with the period that "
                       "is asked for and the task's time on all workgroups.");
    if (of_plans)
        mu_grid_note(grid, "Plans differ in any option but those of the load; rows that look alike are of different "
                           "kernels, drivers or inputs.");
}

int mu_load_add_grid(const struct rows *rows, struct mu_grids *grids)
{
    struct mu_grid *grid = rows->of_plans ? mu_grids_add(grids, "load", "A load beside cooperative plans")
                                          : mu_grids_add(grids, "stealing-load", "A load beside work-stealing apps");
    add_columns(grid, rows->of_plans);
    for (size_t i = 0; i < rows->count; i++)
        if (mu_load_is(&rows->rows[i])) add_row(grid, rows, &rows->rows[i]);
    add_notes(grid, rows->of_plans);
    return grids->err->status;
}
