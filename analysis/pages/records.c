#include "analysis/pages/records.h"

#include "analysis/tables/probe_results.h"
#include "base/json.h"
#include "base/units.h"
#include "records/measurements.h"

#include <string.h>

enum { DAY_BYTES = sizeof "2026-11-28" };

struct counts {
    const char *chip;     /* only its records; NULL: all */
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

/* Notes the chip of a record, and returns whether its records count. */
static bool note_chip(struct counts *counts, const char *chip)
{
    if (counts->chip != NULL && strcmp(counts->chip, chip) != 0) return false;
    mu_json_set_flag(&counts->chips, chip, true);
    return true;
}

/* Counts runs, by the rows of the table that lists their origins. */
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
        if (!note_chip(counts, mu_grid_cell_text(grid, r, places[0]))) continue;
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
            if (!note_chip(counts, chip)) continue;
            counts->measurements += (double)json_array_size(measurements);
            json_array_foreach (measurements, i, measurement) note_date(counts, mu_json_text(measurement, "date"));
        }
    }
    json_decref(chips);
    return err->status;
}

/* Prints whose records they are. */
static void print_whose(const struct counts *counts, FILE *to)
{
    const size_t chips = json_object_size(counts->chips.value);
    fputs("Made by `muster reports` from ", to);
    if (counts->chip != NULL)
        fputs("this chip's records: ", to);
    else
        fprintf(to, "the records of %zu chip%s: ", chips, mu_plural(chips));
}

int mu_page_records(struct mu_filled_tables *tables, const struct mu_asked *asked, FILE *to, struct mu_error *err)
{
    const struct mu_table_request *request = &asked->request;
    struct mu_table_request all = *request;
    struct counts counts = {.chip = asked->filter_count > 0 ? asked->filters[0].value : NULL,
                            .chips = mu_json_object()};
    all.plain_rows = false; /* the table that other pages have, too */
    all.reading = &tables->reading;
    count_runs(tables, &all, &counts, err);
    if (request->set_count == 0 && err->status == MU_OK &&
        count_measurements(&all, MU_PROBE_FILE, &counts, err) == MU_OK)
        count_measurements(&all, MU_LITMUS_FILE, &counts, err);
    if (counts.chips.lost) mu_fail(err, MU_NO_MEMORY, "out of memory for the names of chips");
    if (err->status == MU_OK && json_object_size(counts.chips.value) == 0) {
        fputs("There are no records yet.", to);
    } else if (err->status == MU_OK) {
        print_whose(&counts, to);
        fprintf(to, "%.0f run%s with %.0f sample%s", counts.runs, mu_plural((uint64_t)counts.runs), counts.samples,
                mu_plural((uint64_t)counts.samples));
        if (counts.measurements > 0)
            fprintf(to, ", and %.0f measurement%s of probes and litmus tests", counts.measurements,
                    mu_plural((uint64_t)counts.measurements));
        if (counts.first[0] != '\0') fprintf(to, ", from %s to %s", counts.first, counts.last);
        fputs(".", to);
    }
    mu_json_release(&counts.chips);
    return err->status;
}
