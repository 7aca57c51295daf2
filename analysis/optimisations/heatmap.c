/* muster table heatmap: what it costs to run a chip's tests in the configurations that are the fastest on another chip
 * (thesis, figure 4.8). */
#include "analysis/optimisations/table.h"
#include "base/memory.h"

#include <string.h>

/* All chips against all chips. */
struct map {
    const char **chips;
    size_t count;
    struct mu_ratio *cells; /* [executed on][tuned for]: the geometric mean of time / time in the chip's own fastest */
    size_t *tests;          /* that each cell is over */
    struct mu_ratio *gathered;
};

/* Returns the test of the same app, input and options on another chip; NULL for none. */
static const struct mu_optimised_test *same_test(const struct mu_optimised_tests *tests, const char *chip,
                                                 const char *key)
{
    for (size_t i = 0; i < tests->count; i++)
        if (strcmp(tests->tests[i].chip, chip) == 0 && strcmp(tests->tests[i].key, key) == 0) return &tests->tests[i];
    return NULL;
}

static size_t gather(const struct mu_optimised_tests *tests, const char *executed_on, const char *tuned_for,
                     struct mu_ratio *ratios)
{
    size_t count = 0;
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        unsigned own = 0, foreign = 0;
        if (strcmp(test->chip, executed_on) != 0) continue;
        const struct mu_optimised_test *there = same_test(tests, tuned_for, test->key);
        if (there != NULL && mu_best_of(test, MU_CONFIGURATIONS - 1, &own) &&
            mu_best_of(there, MU_CONFIGURATIONS - 1, &foreign) &&
            mu_configured_ratio(test, foreign, own, MU_JUDGING, &ratios[count]))
            count++;
    }
    return count;
}

static int make_map(const struct mu_optimised_tests *tests, struct map *map, struct mu_error *err)
{
    size_t cells = 0;
    map->chips = mu_optimised_chips(tests, &map->count, err);
    if (map->chips == NULL) return MU_NO_MEMORY;
    if (!mu_mul_size(map->count, map->count, &cells)) return mu_fail(err, MU_NO_MEMORY, "too many chips");
    map->cells = mu_calloc(cells, sizeof *map->cells, "ratios", err);
    map->tests = mu_calloc(cells, sizeof *map->tests, "counts", err);
    map->gathered = mu_calloc(tests->count > cells ? tests->count : cells, sizeof *map->gathered, "ratios", err);
    if (map->cells == NULL || map->tests == NULL || map->gathered == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < cells; i++) {
        map->tests[i] = gather(tests, map->chips[i / map->count], map->chips[i % map->count], map->gathered);
        if (map->tests[i] > 0) mu_ratio_mean(map->gathered, map->tests[i], &map->cells[i]);
    }
    return MU_OK;
}

static void release(struct map *map)
{
    mu_free(map->chips);
    mu_free(map->cells);
    mu_free(map->tests);
    mu_free(map->gathered);
}

/* Adds the geometric mean of a row or column. As in the thesis, it includes the place on the diagonal, 1. */
static void mean_cell(struct mu_grid *grid, const struct map *map, size_t line, bool row)
{
    struct mu_ratio mean;
    size_t count = 0;
    for (size_t i = 0; i < map->count; i++) {
        const size_t cell = row ? line * map->count + i : i * map->count + line;
        if (map->tests[cell] > 0) map->gathered[count++] = map->cells[cell];
    }
    if (count > 0) mu_ratio_mean(map->gathered, count, &mean);
    mu_grid_number(grid, count > 0 ? mean.value : (double)NAN, 2);
}

static void fill_matrix(struct mu_grid *grid, const struct map *map)
{
    mu_grid_column(grid, "executed_on", "executed on", MU_COLUMN_LEFT);
    for (size_t i = 0; i < map->count; i++) mu_grid_column(grid, map->chips[i], map->chips[i], 0);
    mu_grid_column(grid, "mean", "mean", 0);
    for (size_t row = 0; row < map->count; row++) {
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", map->chips[row]);
        for (size_t i = 0; i < map->count; i++)
            if (map->tests[row * map->count + i] > 0)
                mu_grid_number(grid, map->cells[row * map->count + i].value, 2);
            else
                mu_grid_empty(grid);
        mean_cell(grid, map, row, true);
    }
    if (map->count == 0) return;
    mu_grid_rule(grid);
    mu_grid_text(grid, "mean");
    for (size_t i = 0; i < map->count; i++) mean_cell(grid, map, i, false);
}

static void fill_rows(struct mu_grid *grid, const struct map *map)
{
    mu_grid_column(grid, "executed_on", "executed on", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tuned_for", "tuned for", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tests", "tests", 0);
    mu_grid_column(grid, "slowdown", "slowdown", MU_COLUMN_INTERVAL);
    for (size_t i = 0; i < map->count * map->count; i++) {
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", map->chips[i / map->count]);
        mu_grid_text(grid, "%s", map->chips[i % map->count]);
        mu_grid_number(grid, (double)map->tests[i], 0);
        if (map->tests[i] > 0)
            mu_optimised_ratio_cell(grid, &map->cells[i]);
        else
            mu_grid_empty(grid);
    }
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    struct map map = {0};
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK &&
        make_map(&loaded.tests, &map, grids->err) == MU_OK) {
        struct mu_grid *grid =
            mu_grids_add(grids, "heatmap", "Slowdown of a chip (row) in the configurations tuned for another (column)");
        if (request->plain_rows)
            fill_rows(grid, &map);
        else
            fill_matrix(grid, &map);
        mu_optimised_notes(grid, &loaded.tests);
        if (loaded.tests.count > 0) {
            mu_optimised_halves_note(grid);
            mu_grid_note(grid, "Geometric means over the tests that both chips have; 1 is the chip's own fastest "
                               "configuration of each test. The diagonal is in the means.");
        }
    }
    release(&map);
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_heatmap = {"heatmap", "what optimisations tuned for one chip cost on another chip",
                                          fill};
