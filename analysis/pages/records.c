#include "analysis/pages/records.h"

#include "analysis/tables/probe_results.h"
#include "base/json.h"
#include "base/units.h"
#include "records/measurements.h"

#include <string.h>

enum { DAY_BYTES = sizeof "2026-11-28" };

struct counts {
    struct mu_json chips; /* by name */
    double runs, samples, measurements;
    char first[DAY_BYTES], last[DAY_BYTES]; /* empty: of no day yet */
};

static void note_date(struct counts *counts, const char *date)
{
    if (date == NULL || strlen(date) < DAY_BYTES - 1) return;
    if (counts->first[0] == '\0' || strncmp(date, counts->first, DAY_BYTES - 1) < 0)
        snprintf(counts->first, DAY_BYTES, "%s", date);
    if (strncmp(date, counts->last, DAY_BYTES - 1) > 0) snprintf(counts->last, DAY_BYTES, "%s", date);
}

static void note_chip(struct counts *counts, const char *chip)
{
    mu_json_set_flag(&counts->chips, chip, true);
}

/* Runs, by the rows of the table that lists their origins. */
static int count_runs(struct mu_filled_tables *tables, const struct mu_table_request *request, struct counts *counts,
                      struct mu_error *err)
{
    static const char *const names[] = {"chip", "runs", "samples", "first", "last"};
    size_t places[sizeof names / sizeof names[0]] = {0};
    const struct mu_table *origins = mu_table_find("provenance", err);
    const struct mu_grids *grids = origins != NULL ? mu_filled_find(tables, origins, request, err) : NULL;
    if (grids == NULL) return err->status;
    const struct mu_grid *grid = grids->grid[0];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) mu_grid_find_column(grid, names[i], &places[i]);
    for (size_t r = 0; r < mu_grid_rows(grid); r++) {
        note_chip(counts, mu_grid_cell_text(grid, r, places[0]));
        counts->runs += mu_grid_cell_number(grid, r, places[1]);
        counts->samples += mu_grid_cell_number(grid, r, places[2]);
        note_date(counts, mu_grid_cell_text(grid, r, places[3]));
        note_date(counts, mu_grid_cell_text(grid, r, places[4]));
    }
    return err->status;
}

/* Measurements in the files of that name. */
static int count_measurements(const struct mu_table_request *request, const char *file, struct counts *counts,
                              struct mu_error *err)
{
    json_t *chips = NULL, *measurements, *measurement;
    const char *chip;
    size_t i;
    if (mu_survey_results_load(request, file, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, measurements) {
            note_chip(counts, chip);
            counts->measurements += (double)json_array_size(measurements);
            json_array_foreach (measurements, i, measurement) note_date(counts, mu_json_text(measurement, "date"));
        }
    }
    json_decref(chips);
    return err->status;
}

int mu_page_records(struct mu_filled_tables *tables, const struct mu_table_request *request, FILE *to,
                    struct mu_error *err)
{
    struct counts counts = {.chips = mu_json_object()};
    count_runs(tables, request, &counts, err);
    if (request->set_count == 0 && err->status == MU_OK &&
        count_measurements(request, MU_PROBE_FILE, &counts, err) == MU_OK)
        count_measurements(request, MU_LITMUS_FILE, &counts, err);
    const size_t chips = json_object_size(counts.chips.value);
    if (counts.chips.lost) mu_fail(err, MU_NO_MEMORY, "out of memory for the names of chips");
    mu_json_release(&counts.chips);
    if (err->status != MU_OK) return err->status;
    if (chips == 0) {
        fputs("There are no records yet.", to);
        return MU_OK;
    }
    fprintf(to, "Made by `muster reports` from the records of %zu chip%s: %.0f run%s with %.0f sample%s", chips,
            mu_plural(chips), counts.runs, mu_plural((uint64_t)counts.runs), counts.samples,
            mu_plural((uint64_t)counts.samples));
    if (counts.measurements > 0)
        fprintf(to, ", and %.0f measurement%s of probes and litmus tests", counts.measurements,
                mu_plural((uint64_t)counts.measurements));
    if (counts.first[0] != '\0') fprintf(to, ", from %s to %s", counts.first, counts.last);
    fputs(".", to);
    return MU_OK;
}
