/* muster table history: the time of each test at one commit after the other. */
#include "analysis/parts/parts.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One measurement, of a commit and a driver. */
struct entry {
    const struct mu_measurement *measurement;
    const char *commit, *driver;
};

struct history {
    struct mu_parts eras;
    struct entry *entries;
    size_t entry_count;
};

/* Tells of which part a record is (mu_part_texts): an era, which is a commit with a driver. */
static void era_of(const struct mu_measurement *record, const char *texts[MU_PART_TEXTS])
{
    texts[0] = record->commit;
    texts[1] = record->driver;
}

static void release(struct history *history)
{
    mu_parts_release(&history->eras);
    mu_free(history->entries);
}

/* Entries of one test stand together, the oldest first. */
static int compare_tests(const struct entry *a, const struct entry *b)
{
    int order = mu_compare_places(a->measurement, b->measurement);
    if (order == 0) order = mu_compare_benchmarks(a->measurement, b->measurement);
    return order != 0 ? order : strcmp(a->measurement->variant, b->measurement->variant);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_tests(a, b);
    if (order == 0) order = strcmp(a->measurement->last_date, b->measurement->last_date);
    return order != 0 ? order : strcmp(a->commit, b->commit);
}

static int make_history(struct mu_study_draft *draft, struct history *history, struct mu_error *err)
{
    size_t count = 0;
    if (mu_parts_make(draft, era_of, &history->eras, err) != MU_OK) return err->status;
    for (size_t i = 0; i < history->eras.count; i++) count += history->eras.parts[i].study.count;
    history->entries = mu_malloc(count, sizeof *history->entries, "measurements", err);
    if (history->entries == NULL) return err->status;
    for (size_t i = 0; i < history->eras.count; i++) {
        const struct mu_part *era = &history->eras.parts[i];
        for (size_t j = 0; j < era->study.count; j++)
            history->entries[history->entry_count++] =
                (struct entry){&era->study.measurements[j], era->texts[0], era->texts[1]};
    }
    if (count > 0) qsort(history->entries, count, sizeof *history->entries, compare_entries);
    return MU_OK;
}

static void add_columns(struct mu_grid *grid)
{
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "date", "date", MU_COLUMN_LEFT);
    mu_grid_column(grid, "commit", "commit", MU_COLUMN_LEFT);
    mu_grid_column(grid, "driver", "driver", MU_COLUMN_LEFT | MU_COLUMN_MINOR);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "ratio", "against the one before", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "samples", "samples", MU_COLUMN_MINOR);
}

/* Adds the time of `now` over that of `before`, which may be NULL. */
static void ratio_cell(struct mu_grid *grid, const struct mu_measurement *now, const struct mu_measurement *before)
{
    struct mu_ratio ratio;
    if (!mu_table_counts(now) || !mu_table_counts(before)) {
        mu_grid_empty(grid);
        return;
    }
    mu_ratio_of(&now->level, &before->level, &ratio);
    mu_table_ratio_cell(grid, &ratio, 3);
    if (mu_table_is_confident(&ratio)) mu_grid_tone(grid, ratio.value > 1 ? MU_TONE_BAD : MU_TONE_GOOD);
}

static void add_row(struct mu_grid *grid, const struct entry *entry, const struct entry *before, bool plain)
{
    const struct mu_measurement *measurement = entry->measurement;
    mu_grid_row(grid);
    mu_table_key_cells(grid, measurement);
    mu_grid_text(grid, "%s", measurement->variant);
    mu_grid_text(grid, plain ? "%s" : "%.10s", measurement->last_date);
    mu_grid_text(grid, "%s", entry->commit);
    mu_grid_text(grid, "%s", entry->driver);
    mu_table_time_cell(grid, measurement, plain);
    ratio_cell(grid, measurement, before != NULL ? before->measurement : NULL);
    mu_grid_number(grid, (double)measurement->sample_count, 0);
}

/* Adds the tests that were measured more than once, or, where the user chose among tests, all that are left. */
static size_t add_tests(struct mu_grid *grid, const struct history *history, bool all, bool plain)
{
    size_t left_out = 0;
    for (size_t i = 0, end; i < history->entry_count; i = end) {
        end = i + 1;
        while (end < history->entry_count && compare_tests(&history->entries[i], &history->entries[end]) == 0) end++;
        if (!all && end == i + 1) {
            left_out++;
            continue;
        }
        for (size_t j = i; j < end; j++)
            add_row(grid, &history->entries[j], j > i ? &history->entries[j - 1] : NULL, plain);
    }
    return left_out;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_study_draft draft;
    struct history history = {0};
    const bool all = request->app != NULL || request->input != NULL || request->variant != NULL;
    struct mu_grid *grid = mu_grids_add(grids, "history", "Times of each test from commit to commit");
    add_columns(grid);
    if (mu_table_draft(request, MU_STUDY_MEASURED, &draft, grids->err) == MU_OK &&
        make_history(&draft, &history, grids->err) == MU_OK) {
        const size_t left_out = add_tests(grid, &history, all, request->plain_rows);
        mu_grid_note(grid, "A row is a commit of muster and a driver; the last column but one is the time over that of "
                           "the row before: above 1 is slower. " MU_NOT_CONFIDENT_NOTE);
        if (left_out != 0)
            mu_grid_note(grid,
                         "%zu tests were measured at one commit only: --app, --input and --variant show them too.",
                         left_out);
        if (history.entry_count == 0) mu_grid_note(grid, "No results.");
    }
    release(&history);
    mu_study_draft_release(&draft);
    return grids->err->status;
}

const struct mu_table mu_table_history = {"history", "the time of each test from commit to commit", fill};
