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

/* Returns where the measurements of the chip of `start` end. */
static size_t end_of_chip(const struct mu_study *study, size_t start)
{
    size_t end = start;
    while (end < study->count && strcmp(study->measurements[end].chip, study->measurements[start].chip) == 0) end++;
    return end;
}

/* Adds the row of a chip and variant, whose measurements are among those from `start` to before `end`. */
static void add_counts(struct mu_grid *grid, const struct mu_study *study, size_t start, size_t end,
                       const bool shown[OUTCOMES])
{
    const struct mu_measurement *first = &study->measurements[start];
    size_t counts[OUTCOMES] = {0};
    for (size_t i = start; i < end; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        if (strcmp(measurement->variant, first->variant) != 0) continue;
        for (size_t r = 0; r < measurement->record_count; r++) counts[index_of(measurement->every[r].outcome)]++;
    }
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", first->chip);
    mu_grid_text(grid, "%s", first->variant);
    for (size_t o = 0; o < OUTCOMES; o++)
        if (shown[o]) mu_grid_number(grid, (double)counts[o], 0);
}

/* Adds the rows of a chip: one for each variant, in the order in which they come. */
static void add_chip(struct mu_grid *grid, const struct mu_study *study, size_t start, size_t end,
                     const bool shown[OUTCOMES])
{
    enum { VARIANTS_MAX = 32 }; /* more than a program can name; what is beyond is compared with all before it */
    const char *seen[VARIANTS_MAX];
    size_t count = 0;
    for (size_t i = start; i < end; i++) {
        const char *variant = study->measurements[i].variant;
        bool known = false;
        for (size_t v = 0; v < count && !known; v++) known = strcmp(seen[v], variant) == 0;
        for (size_t j = start; j < i && count == VARIANTS_MAX && !known; j++)
            known = strcmp(study->measurements[j].variant, variant) == 0;
        if (known) continue;
        if (count < VARIANTS_MAX) seen[count++] = variant;
        add_counts(grid, study, i, end, shown);
    }
}

/* Counts processes by outcome. An outcome has a column only if it occurs; `ok` always has one. */
static void fill_counts(struct mu_grid *grid, const struct mu_study *study)
{
    bool shown[OUTCOMES] = {true};
    for (size_t i = 0; i < study->count; i++)
        for (size_t r = 0; r < study->measurements[i].record_count; r++)
            shown[index_of(study->measurements[i].every[r].outcome)] = true;
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    for (size_t o = 0; o < OUTCOMES; o++)
        if (shown[o]) mu_grid_column(grid, outcomes[o], outcomes[o], 0);
    for (size_t chip = 0, end; chip < study->count; chip = end) {
        end = end_of_chip(study, chip);
        add_chip(grid, study, chip, end, shown);
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
            const struct mu_process *process = &measurement->every[r];
            if (strcmp(process->outcome, "ok") == 0) continue;
            mu_grid_row(grid);
            mu_table_key_cells(grid, measurement);
            mu_grid_text(grid, "%s", measurement->variant);
            mu_table_count_cell(grid, measurement->workgroup);
            mu_grid_text(grid, "%s", process->outcome);
            mu_grid_text(grid, "%.160s", process->message);
        }
    }
    if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "Every run ended well.");
}

/* Loads all runs, with the failures of the optimisation study's hundreds of configurations. */
static int load(const struct mu_table_request *request, struct mu_table_data *data, struct mu_error *err)
{
    struct mu_table_request all = *request;
    all.studied = true;
    return mu_table_load(&all, MU_STUDY_MEASURED, data, err);
}

/* Fills in the two tables; for programs one alone, since a CSV file has rows of one kind. */
static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    if (load(request, &data, grids->err) != MU_OK) return grids->err->status;
    fill_counts(mu_grids_add(grids, "outcomes", "Outcomes: processes by how they ended"), &data.study);
    if (!request->plain_rows) fill_failures(mu_grids_add(grids, "failures", "Runs that did not end well"), &data.study);
    mu_table_release(&data);
    return grids->err->status;
}

static int fill_only_failures(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    if (load(request, &data, grids->err) != MU_OK) return grids->err->status;
    fill_failures(mu_grids_add(grids, "failures", "Runs that did not end well"), &data.study);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_outcomes = {"outcomes", "how runs ended, and those that did not end well", fill};
const struct mu_table mu_table_failures = {"failures", "the runs that did not end well", fill_only_failures};
