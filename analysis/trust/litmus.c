/* muster table litmus: what litmus tests saw of each atomics path, as it is used and without its order. */
#include "analysis/trust/litmus.h"
#include "analysis/tables/probe_results.h"
#include "base/memory.h"
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

/* Returns what tells tests apart. The caller releases it. */
static json_t *key_of(const json_t *measurement, const char *form)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    return json_pack("[s, s, s, s]", mu_json_text(parameters, "experiment"), mu_json_text(parameters, "atomics"), form,
                     mu_json_text(measurement, "test"));
}

static const char *form_of(const json_t *measurement)
{
    return mu_json_text(json_object_get(measurement, "parameters"), "form");
}

int mu_litmus_gather(const json_t *measurements, struct mu_litmus_tests *tests, struct mu_error *err)
{
    size_t i, place;
    json_t *measurement;
    tests->places = mu_json_object();
    tests->tests = mu_calloc(json_array_size(measurements) + 1, sizeof *tests->tests, "litmus tests", err);
    if (tests->tests == NULL) return err->status;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (json_object_get(measurement, "test") == NULL) continue;
        if (mu_json_place(&tests->places, key_of(measurement, form_of(measurement)), &place))
            tests->tests[place = tests->count++] = (struct mu_litmus_test){measurement, {0, 0, 0, ""}};
        add_to(&tests->tests[place].total, measurement);
    }
    return tests->places.lost ? mu_fail(err, MU_NO_MEMORY, "out of memory: litmus tests") : MU_OK;
}

void mu_litmus_release(struct mu_litmus_tests *tests)
{
    mu_free(tests->tests);
    mu_json_release(&tests->places);
}

const struct mu_litmus_test *mu_litmus_find_form(struct mu_litmus_tests *tests, const struct mu_litmus_test *test,
                                                 const char *form)
{
    size_t place;
    mu_json_place(&tests->places, key_of(test->first, form), &place);
    return place < tests->count ? &tests->tests[place] : NULL;
}

double mu_litmus_per_million(const struct mu_litmus_total *total)
{
    return total->instances > 0 ? 1e6 * total->weak / total->instances : NAN;
}

/* Returns true if it is a test of a few accesses whose outcome is forbidden and was seen. */
static bool add_row(struct mu_grid *grid, const char *chip, const struct mu_litmus_test *test)
{
    const json_t *first = test->first;
    const struct mu_litmus_total total = test->total;
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
    return forbidden && total.weak > 0 &&
           (mu_json_is(of, "experiment", "shapes") || mu_json_is(of, "experiment", "stressed"));
}

/* Returns true if any of them was forbidden and seen. */
static bool add_chip(struct mu_grid *grid, const char *chip, const json_t *measurements, struct mu_error *err)
{
    bool seen = false;
    struct mu_litmus_tests tests = {0};
    mu_litmus_gather(measurements, &tests, err);
    for (size_t i = 0; i < tests.count && err->status == MU_OK; i++)
        seen = add_row(grid, chip, &tests.tests[i]) || seen;
    mu_litmus_release(&tests);
    return seen;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "litmus", "What litmus tests saw, of a million instances");
    json_t *chips = NULL, *measurements;
    const char *chip;
    bool seen = false;
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
        json_object_foreach (chips, chip, measurements) seen = add_chip(grid, chip, measurements, grids->err) || seen;
        if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster litmus.");
        if (seen)
            mu_grid_note(
                grid,
                "FORBIDDEN AND SEEN: on that device, muster litmus --reduced=FOLDER writes each such test of a few "
                "accesses as a program of its own, for people who write the driver.");
    }
    json_decref(chips);
    return grids->err->status;
}

const struct mu_table mu_table_litmus = {"litmus", "what litmus tests saw of each atomics path, barrier and mutex",
                                         fill};
