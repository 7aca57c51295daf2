/* muster table load: what a load beside a cooperative plan gets, and what that costs the plan (thesis, figures 5.6
 * and 5.7, tables 5.5 and 5.6). */
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

/* The numbers that the records of a row have together. */
enum { RUN, GATHER, TASK, PERIOD, SERIES };
static const char *const members[SERIES] = {
    [RUN] = "samples_ns", [GATHER] = "load_gather_ns", [TASK] = "load_task_ns", [PERIOD] = "load_period_ns"};

struct series {
    double *values;
    size_t count;
};

/* What tells rows apart. */
enum { CHIP, APP, INPUT, LOAD, ASKED, RESIZING, TEXTS };
struct row {
    const char *text[TEXTS]; /* the records' */
    double workgroup, asked, team, groups, barriers, wanted_ns, alone_ns;
    size_t plan;   /* rows of the same chip, app, input and workgroup size have the same */
    double run_ns; /* the median of RUN */
    struct series series[SERIES];
};

struct rows {
    struct row *rows;
    size_t count;
    struct mu_json keys;
    double *alone_ns; /* the time of each plan without a load; 0: unknown */
};

static const char *const read_members[] = {"workgroup",
                                           "team",
                                           "barriers",
                                           "variant",
                                           "outcome",
                                           "chip",
                                           "app",
                                           "input",
                                           "configuration.load",
                                           "configuration.load_groups",
                                           "configuration.resizing",
                                           "configuration.stress",
                                           "load_task",
                                           "samples_ns",
                                           "load_gather_ns",
                                           "load_task_ns",
                                           "load_period_ns",
                                           NULL};

static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void describe(const json_t *record, struct row *row)
{
    const json_t *configuration = json_object_get(record, "configuration"),
                 *task = json_object_get(record, "load_task");
    const struct {
        const json_t *from;
        const char *name;
    } texts[TEXTS] = {{record, "chip"},
                      {record, "app"},
                      {record, "input"},
                      {configuration, "load"},
                      {configuration, "load_groups"},
                      {configuration, "resizing"}};
    *row = (struct row){.workgroup = number_of(record, "workgroup"),
                        .team = number_of(record, "team"),
                        .groups = number_of(task, "groups"),
                        .barriers = number_of(record, "barriers"),
                        .wanted_ns = number_of(task, "period_ns"),
                        .alone_ns = number_of(task, "alone_ns")};
    for (size_t i = 0; i < TEXTS; i++) row->text[i] = mu_json_text(texts[i].from, texts[i].name);
    row->asked = number_of(configuration, "load_groups");
}

static json_t *number_key(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

/* So many texts of the row, and where `load` is one of them the number of workgroups that it asks for. */
static json_t *key_of(const struct row *row, size_t texts)
{
    struct mu_json key = mu_json_array();
    for (size_t i = 0; i < texts; i++) mu_json_append_text(&key, row->text[i]);
    mu_json_append(&key, number_key(row->workgroup));
    if (texts > ASKED) mu_json_append(&key, number_key(row->asked));
    return mu_json_take(&key, "a row's key", NULL);
}

static int add_numbers(struct series *series, const json_t *numbers, struct mu_error *err)
{
    const size_t more = json_array_size(numbers);
    if (more == 0) return MU_OK;
    void *values = series->values;
    if (mu_resize(&values, series->count + more, sizeof *series->values, "times", err) != MU_OK) return err->status;
    series->values = values;
    for (size_t i = 0; i < more; i++) series->values[series->count++] = json_number_value(json_array_get(numbers, i));
    return MU_OK;
}

/* Not those under random schedules, which are no measure of time. */
static bool is_wanted(const json_t *record)
{
    const json_t *stress = json_object_get(json_object_get(record, "configuration"), "stress");
    return mu_json_is(record, "variant", "cooperative") && mu_json_is(record, "outcome", "ok") &&
           !json_is_number(stress);
}

static int add_record(struct rows *rows, const json_t *record, struct mu_error *err)
{
    struct row row;
    describe(record, &row);
    size_t at;
    if (mu_json_place(&rows->keys, key_of(&row, TEXTS), &at)) {
        at = rows->count;
        void *grown = rows->rows;
        if (mu_resize(&grown, rows->count + 1, sizeof row, "rows", err) != MU_OK) return err->status;
        rows->rows = grown;
        rows->rows[rows->count++] = row;
    }
    for (size_t i = 0; i < SERIES; i++)
        if (add_numbers(&rows->rows[at].series[i], json_object_get(record, members[i]), err) != MU_OK) break;
    return err->status;
}

static double quantile(struct series *series, double share)
{
    if (series->count == 0) return (double)NAN;
    gsl_sort(series->values, 1, series->count);
    return gsl_stats_quantile_from_sorted_data(series->values, 1, series->count, share);
}

static bool has_load(const struct row *row)
{
    return row->text[LOAD][0] != '\0' && strcmp(row->text[LOAD], "none") != 0;
}

/* The medians of all rows, and those without a load by their plans. */
static int time_rows(struct rows *rows, struct mu_error *err)
{
    struct mu_json plans = mu_json_object();
    rows->alone_ns = mu_calloc(rows->count + 1, sizeof *rows->alone_ns, "times", err);
    for (size_t i = 0; i < rows->count && rows->alone_ns != NULL; i++) {
        struct row *row = &rows->rows[i];
        row->run_ns = quantile(&row->series[RUN], 0.5);
        mu_json_place(&plans, key_of(row, LOAD), &row->plan);
        double *alone_ns = &rows->alone_ns[row->plan];
        if (!has_load(row) && *alone_ns == 0 && row->run_ns > 0) *alone_ns = row->run_ns;
    }
    if (plans.lost || rows->keys.lost) mu_fail(err, MU_NO_MEMORY, "out of memory: rows");
    mu_json_release(&plans);
    return err->status;
}

static void add_row(struct mu_grid *grid, const struct rows *rows, struct row *row)
{
    const double run = row->run_ns, alone = rows->alone_ns[row->plan];
    mu_grid_row(grid);
    for (size_t i = 0; i < TEXTS; i++)
        if (i != ASKED) mu_grid_text(grid, "%s", row->text[i]);
    mu_grid_number(grid, row->team, 0);
    mu_grid_number(grid, row->groups, 0);
    mu_grid_number(grid, (double)row->series[TASK].count, 0);
    mu_grid_time(grid, quantile(&row->series[GATHER], 0.5));
    mu_grid_time(grid, quantile(&row->series[GATHER], 1));
    mu_grid_time(grid, quantile(&row->series[TASK], 0.5));
    mu_grid_time(grid, quantile(&row->series[PERIOD], 0.5));
    mu_grid_time(grid, row->wanted_ns);
    mu_grid_time(grid, run);
    mu_grid_number(grid, alone > 0 ? run / alone : (double)NAN, 3);
    mu_grid_number(grid, row->wanted_ns / (row->wanted_ns - row->alone_ns), 3);
    mu_grid_number(grid, row->barriers / (run * 1e-9), 0);
}

static void add_columns(struct mu_grid *grid)
{
    static const char *const lefts[] = {"chip", "app", "input", "load", "resizing"};
    static const struct {
        const char *name, *title;
    } rights[] = {{"team", "team"},
                  {"groups", "groups"},
                  {"tasks", "tasks"},
                  {"gather_ns", "gather"},
                  {"gather_most_ns", "gather, most"},
                  {"task_ns", "task"},
                  {"period_ns", "period"},
                  {"period_asked_ns", "asked"},
                  {"run_ns", "plan"},
                  {"slowdown", "slowdown"},
                  {"preempted", "preempted"},
                  {"barriers_per_s", "barriers/s"}};
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++)
        mu_grid_column(grid, lefts[i], lefts[i], MU_COLUMN_LEFT);
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++)
        mu_grid_column(grid, rights[i].name, rights[i].title, 0);
}

static void release(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < SERIES; k++) mu_free(rows->rows[i].series[k].values);
    mu_free(rows->rows);
    mu_free(rows->alone_ns);
    mu_json_release(&rows->keys);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct rows rows = {.keys = mu_json_object()};
    struct mu_kept_records kept = {.wants = is_wanted};
    const struct mu_record_sink sink = {read_members, mu_kept_take, &kept};
    struct mu_grid *grid = mu_grids_add(grids, "load", "A load beside cooperative plans");
    add_columns(grid);
    mu_table_read(request, &sink, grids->err);
    for (size_t i = 0; i < kept.places && grids->err->status == MU_OK; i++)
        if (kept.records[i] != NULL) add_record(&rows, kept.records[i], grids->err);
    if (grids->err->status == MU_OK) time_rows(&rows, grids->err);
    for (size_t i = 0; i < rows.count && grids->err->status == MU_OK; i++)
        if (has_load(&rows.rows[i])) add_row(grid, &rows, &rows.rows[i]);
    mu_grid_note(grid,
                 "gather: from a request until its workgroups are parked; task: from there until it is done; period: "
                 "from one request to the next. Medians over all requests of all samples.");
    mu_grid_note(grid,
                 "slowdown: of the plan, over the same without a load; preempted: what preemption of the whole kernel "
                 "would cost, P / (P - D), with the period that is asked for and the task's time on all workgroups.");
    release(&rows);
    mu_kept_release(&kept);
    return grids->err->status;
}

const struct mu_table mu_table_beside = {"load", "what a load beside cooperative plans gets, and costs", fill};
