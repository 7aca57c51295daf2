/* muster table resizing: cooperative plans whose team gets a random size behind each barrier (--stress), and whether
 * all of them were right. */
#include "analysis/tables/common.h"
#include "analysis/tables/reading.h"
#include "base/memory.h"

#include <string.h>

static const char *const read_members[] = {"chip",
                                           "app",
                                           "input",
                                           "variant",
                                           "outcome",
                                           "check",
                                           "team",
                                           "configuration.resizing",
                                           "configuration.stress",
                                           "resized",
                                           "left",
                                           "came",
                                           "least_team",
                                           "samples_ns",
                                           NULL};

/* What tells rows apart. */
enum { CHIP, APP, INPUT, RESIZING, TEXTS };
struct row {
    const char *text[TEXTS]; /* the records' */
    uint64_t team, runs, failed, barriers, left, came, least;
};

static bool is_wanted(const json_t *record)
{
    const json_t *stress = json_object_get(json_object_get(record, "configuration"), "stress");
    return mu_json_is(record, "variant", "cooperative") && json_is_number(stress);
}

/* Returns true if both are of one team, plan and way to resize. */
static bool same(const struct row *a, const struct row *b)
{
    bool same = a->team == b->team;
    for (size_t i = 0; i < TEXTS; i++) same = same && strcmp(a->text[i], b->text[i]) == 0;
    return same;
}

/* Fills in a row from a record of runs. All of them are right unless it says that one failed, which was the last. */
static void describe(const json_t *record, struct row *row)
{
    const bool ok = mu_json_is(record, "outcome", "ok") && mu_json_is(record, "check", "passed");
    *row =
        (struct row){.text = {mu_json_text(record, "chip"), mu_json_text(record, "app"), mu_json_text(record, "input"),
                              mu_json_text(json_object_get(record, "configuration"), "resizing")},
                     .team = mu_json_number(record, "team"),
                     .runs = json_array_size(json_object_get(record, "samples_ns")),
                     .failed = ok ? 0 : 1,
                     .barriers = mu_json_number(record, "resized"),
                     .left = mu_json_number(record, "left"),
                     .came = mu_json_number(record, "came"),
                     .least = mu_json_number(record, "least_team")};
}

static int add_record(struct row **rows, size_t *count, const json_t *record, struct mu_error *err)
{
    struct row row;
    describe(record, &row);
    size_t at = 0;
    while (at < *count && !same(&(*rows)[at], &row)) at++;
    if (at == *count) {
        void *grown = *rows;
        if (mu_resize(&grown, *count + 1, sizeof row, "rows", err) != MU_OK) return err->status;
        *rows = grown;
        (*rows)[(*count)++] = row;
        return MU_OK;
    }
    row.runs += (*rows)[at].runs;
    row.failed += (*rows)[at].failed;
    (*rows)[at] = row;
    return MU_OK;
}

static void add_row(struct mu_grid *grid, const struct row *row)
{
    const uint64_t numbers[] = {row->team, row->runs, row->failed, row->barriers, row->left, row->came, row->least};
    mu_grid_row(grid);
    for (size_t i = 0; i < TEXTS; i++) mu_grid_text(grid, "%s", row->text[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) mu_grid_number(grid, (double)numbers[i], 0);
}

static void add_columns(struct mu_grid *grid)
{
    static const char *const lefts[] = {"chip", "app", "input", "resizing"};
    static const char *const rights[] = {"team", "runs", "failed", "barriers", "left", "came", "least"};
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++)
        mu_grid_column(grid, lefts[i], lefts[i], MU_COLUMN_LEFT);
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++) mu_grid_column(grid, rights[i], rights[i], 0);
    mu_grid_note(grid,
                 "Every run has another random schedule, and every result is checked; failed: wrong, a deadlock, or "
                 "anything else but right.");
    mu_grid_note(grid,
                 "barriers: of the last run, at which the team's size changed; left, came: workgroups that did so "
                 "there; least: the smallest team there.");
}

/* Takes in one record (struct mu_gather). */
static int take(void *state, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    return mu_kept_take(state, record != NULL && is_wanted(record) ? record : NULL, place, err);
}

const struct mu_gather mu_resizing_gather = {read_members, sizeof(struct mu_kept_records), take, mu_kept_release};

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "resizing", "Cooperative plans under random schedules");
    struct row *rows = NULL;
    size_t count = 0;
    add_columns(grid);
    const struct mu_kept_records *kept = mu_gather(request, &mu_resizing_gather, grids->err);
    for (size_t i = 0; kept != NULL && i < kept->places && grids->err->status == MU_OK; i++)
        if (kept->records[i] != NULL) add_record(&rows, &count, kept->records[i], grids->err);
    for (size_t i = 0; i < count && grids->err->status == MU_OK; i++) add_row(grid, &rows[i]);
    if (count == 0) mu_grid_note(grid, "No records: see muster run --variant=cooperative --stress=1.");
    mu_free(rows);
    mu_gathered_release(request, &mu_resizing_gather, (void *)kept);
    return grids->err->status;
}

const struct mu_table mu_table_resizing = {"resizing", "cooperative plans under random schedules, and failures", fill};
