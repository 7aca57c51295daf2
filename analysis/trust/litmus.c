/* muster table litmus: what litmus tests saw of each atomics path, as it is used and without its order. */
#include "analysis/trust/litmus.h"
#include "analysis/tables/probe_results.h"
#include "records/measurements.h"

#include <math.h>
#include <string.h>

static const char *place_of(const json_t *measurement)
{
    static const char *const places[] = {"far",         "near",         "far, line",         "near, line",
                                         "far, stress", "near, stress", "far, line, stress", "near, line, stress"};
    if (json_object_get(measurement, "near") == NULL) return "";
    return places[mu_json_flag(measurement, "near") + 2 * mu_json_flag(measurement, "same_line") +
                  4 * mu_json_flag(measurement, "stress")];
}

static bool is_same_test(const json_t *a, const json_t *b)
{
    static const char *const parameters[] = {"experiment", "atomics", "form"};
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        if (strcmp(mu_json_text(json_object_get(a, "parameters"), parameters[i]),
                   mu_json_text(json_object_get(b, "parameters"), parameters[i])) != 0)
            return false;
    return strcmp(mu_json_text(a, "test"), mu_json_text(b, "test")) == 0;
}

static void add_to(struct mu_litmus_total *total, const json_t *measurement)
{
    const double instances = mu_json_real(measurement, "instances"), weak = mu_json_real(measurement, "weak");
    const double rate = instances > 0 ? 1e6 * weak / instances : 0;
    total->instances += instances;
    total->weak += weak;
    if (rate <= total->most) return;
    total->most = rate;
    total->where = place_of(measurement);
}

struct mu_litmus_total mu_litmus_total_of(const json_t *measurements, const json_t *of)
{
    struct mu_litmus_total total = {0, 0, 0, ""};
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (is_same_test(of, measurement)) add_to(&total, measurement);
    return total;
}

bool mu_litmus_is_first(const json_t *measurements, size_t i)
{
    const json_t *measurement = json_array_get(measurements, i);
    bool is_first = json_object_get(measurement, "test") != NULL;
    for (size_t before = 0; before < i && is_first; before++)
        is_first = !is_same_test(json_array_get(measurements, before), measurement);
    return is_first;
}

double mu_litmus_per_million(const struct mu_litmus_total *total)
{
    return total->instances > 0 ? 1e6 * total->weak / total->instances : NAN;
}

static void add_row(struct mu_grid *grid, const char *chip, const json_t *measurements, const json_t *first)
{
    const struct mu_litmus_total total = mu_litmus_total_of(measurements, first);
    const json_t *of = json_object_get(first, "parameters");
    const bool forbidden = mu_json_flag(first, "forbidden");
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_json_text(of, "experiment"));
    mu_grid_text(grid, "%s", mu_json_text(first, "test"));
    mu_grid_text(grid, "%s", mu_json_text(of, "atomics"));
    mu_grid_text(grid, "%s", mu_json_text(of, "form"));
    mu_grid_text(grid, "%s", mu_json_text(first, "outcome_of_interest"));
    mu_grid_number(grid, total.instances / 1e6, 3);
    mu_grid_number(grid, mu_litmus_per_million(&total), 3);
    mu_grid_number(grid, total.most, 3);
    mu_grid_text(grid, "%s", total.where);
    mu_grid_text(grid, "%s", !forbidden ? "allowed" : total.weak > 0 ? "FORBIDDEN AND SEEN" : "forbidden");
}

/* A row at the first measurement of each test. */
static void add_chip(struct mu_grid *grid, const char *chip, const json_t *measurements)
{
    for (size_t i = 0; i < json_array_size(measurements); i++)
        if (mu_litmus_is_first(measurements, i)) add_row(grid, chip, measurements, json_array_get(measurements, i));
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "litmus", "What litmus tests saw, of a million instances");
    json_t *chips = NULL, *measurements;
    const char *chip;
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "experiment", "experiment", MU_COLUMN_LEFT);
    mu_grid_column(grid, "test", "test", MU_COLUMN_LEFT);
    mu_grid_column(grid, "atomics", "atomics", MU_COLUMN_LEFT);
    mu_grid_column(grid, "form", "form", MU_COLUMN_LEFT);
    mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
    mu_grid_column(grid, "million_instances", "millions", 0);
    mu_grid_column(grid, "per_million", "per million", 0);
    mu_grid_column(grid, "most_per_million", "at most", 0);
    mu_grid_column(grid, "where", "where", MU_COLUMN_LEFT);
    mu_grid_column(grid, "verdict", "verdict", MU_COLUMN_LEFT);
    if (mu_survey_results_load(request, MU_LITMUS_FILE, &chips, grids->err) == MU_OK) {
        json_object_foreach (chips, chip, measurements) add_chip(grid, chip, measurements);
        if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster litmus.");
    }
    json_decref(chips);
    return grids->err->status;
}

const struct mu_table mu_table_litmus = {"litmus", "what litmus tests saw of each atomics path, barrier and mutex",
                                         fill};
