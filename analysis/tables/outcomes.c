/* muster table outcomes: how many processes ended in which way, and each test that did not end well. */
#include "analysis/tables/common.h"

#include <string.h>

/* The names of all outcomes, in the order of the statuses. */
#define MU_OUTCOME_NAME(name, value, text, exit_code, outcome) outcome,
static const char *const outcomes[] = {MU_STATUS_TABLE(MU_OUTCOME_NAME) "other"};
enum { OUTCOMES = sizeof outcomes / sizeof outcomes[0] };

static size_t index_of(const char *outcome)
{
    size_t i = 0;
    while (i + 1 < OUTCOMES && strcmp(outcomes[i], outcome) != 0) i++;
    return i;
}

static void count_records(const struct mu_study *study, const char *chip, const char *variant, size_t counts[OUTCOMES])
{
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        if (strcmp(measurement->chip, chip) != 0 || strcmp(measurement->variant, variant) != 0) continue;
        for (size_t r = 0; r < measurement->record_count; r++)
            counts[index_of(mu_json_text(measurement->records[r], "outcome"))]++;
    }
}

static bool is_first(const struct mu_study *study, size_t at)
{
    const struct mu_measurement *measurement = &study->measurements[at];
    for (size_t i = 0; i < at; i++)
        if (strcmp(study->measurements[i].chip, measurement->chip) == 0 &&
            strcmp(study->measurements[i].variant, measurement->variant) == 0)
            return false;
    return true;
}

/* Counts processes by outcome. An outcome has a column only if it occurs; `ok` always has one. */
static void fill_counts(struct mu_grid *grid, const struct mu_study *study)
{
    bool shown[OUTCOMES] = {true};
    for (size_t i = 0; i < study->count; i++)
        for (size_t r = 0; r < study->measurements[i].record_count; r++)
            shown[index_of(mu_json_text(study->measurements[i].records[r], "outcome"))] = true;
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    for (size_t o = 0; o < OUTCOMES; o++)
        if (shown[o]) mu_grid_column(grid, outcomes[o], outcomes[o], 0);
    for (size_t i = 0; i < study->count; i++) {
        size_t counts[OUTCOMES] = {0};
        if (!is_first(study, i)) continue;
        count_records(study, study->measurements[i].chip, study->measurements[i].variant, counts);
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", study->measurements[i].chip);
        mu_grid_text(grid, "%s", study->measurements[i].variant);
        for (size_t o = 0; o < OUTCOMES; o++)
            if (shown[o]) mu_grid_number(grid, (double)counts[o], 0);
    }
}

static void fill_failures(struct mu_grid *grid, const struct mu_study *study)
{
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
    mu_grid_column(grid, "message", "message", MU_COLUMN_LEFT);
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        for (size_t r = 0; r < measurement->record_count; r++) {
            const json_t *record = measurement->records[r];
            if (strcmp(mu_json_text(record, "outcome"), "ok") == 0) continue;
            mu_grid_row(grid);
            mu_table_key_cells(grid, measurement);
            mu_grid_text(grid, "%s", measurement->variant);
            mu_table_count_cell(grid, measurement->workgroup);
            mu_grid_text(grid, "%s", mu_json_text(record, "outcome"));
            mu_grid_text(grid, "%.160s", mu_json_text(record, "message"));
        }
    }
    if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "Every run ended well.");
}

/* For programs the two tables come apart: a CSV file has rows of one kind. */
static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    fill_counts(mu_grids_add(grids, "outcomes", "Outcomes: processes by how they ended"), &data.study);
    if (!request->plain_rows) fill_failures(mu_grids_add(grids, "failures", "Runs that did not end well"), &data.study);
    mu_table_release(&data);
    return grids->err->status;
}

static int fill_only_failures(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    fill_failures(mu_grids_add(grids, "failures", "Runs that did not end well"), &data.study);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_outcomes = {"outcomes", "how runs ended, and those that did not end well", fill};
const struct mu_table mu_table_failures = {"failures", "the runs that did not end well", fill_only_failures};
