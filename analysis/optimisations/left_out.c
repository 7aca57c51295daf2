#include "analysis/optimisations/left_out.h"

#include "analysis/optimisations/table.h"
#include "base/memory.h"

#include <string.h>

/* What is left out, one after the other. */
static const struct {
    unsigned unknown;
    const char *name;
} dimensions[] = {{MU_BY_CHIP, "chip"}, {MU_BY_APP, "app"}, {MU_BY_INPUT, "input"}};
enum { DIMENSIONS = sizeof dimensions / sizeof dimensions[0] };

static const char *value_of(const struct mu_optimised_test *test, unsigned unknown)
{
    return unknown == MU_BY_CHIP ? test->chip : unknown == MU_BY_APP ? test->app : test->input;
}

/* ---- Choosing ---- */

static bool came_before(const struct mu_optimised_tests *tests, size_t end, unsigned unknown)
{
    for (size_t i = 0; i < end; i++)
        if (strcmp(value_of(&tests->tests[i], unknown), value_of(&tests->tests[end], unknown)) == 0) return true;
    return false;
}

/* Chooses for the tests that share the value of the test `first`, by strategies made from the others, which `room`
 * takes. */
static int choose(const struct mu_optimised_tests *tests, size_t first, unsigned unknown,
                  struct mu_optimised_test *room, struct mu_left_out *left_out, struct mu_error *err)
{
    const char *value = value_of(&tests->tests[first], unknown);
    struct mu_optimised_tests others = {.tests = room};
    struct mu_strategies strategies;
    for (size_t i = 0; i < tests->count; i++)
        if (strcmp(value_of(&tests->tests[i], unknown), value) != 0) room[others.count++] = tests->tests[i];
    if (mu_strategies_make_without(&others, unknown, &strategies, err) == MU_OK)
        for (size_t i = first; i < tests->count; i++)
            for (int s = 0; s < MU_STRATEGIES; s++) {
                const enum mu_strategy_index index = (enum mu_strategy_index)s;
                if (left_out->chosen[s] == NULL || strcmp(value_of(&tests->tests[i], unknown), value) != 0) continue;
                if (!mu_strategy_choose(&strategies, index, &tests->tests[i], &left_out->chosen[s][i]))
                    left_out->chosen[s][i] = MU_CONFIGURATIONS;
            }
    mu_strategies_release(&strategies);
    return err->status;
}

int mu_left_out_choose(const struct mu_optimised_tests *tests, unsigned unknown, struct mu_left_out *left_out,
                       struct mu_error *err)
{
    struct mu_optimised_test *room = mu_malloc(tests->count, sizeof *room, "tests", err);
    *left_out = (struct mu_left_out){0};
    for (int s = 0; s < MU_STRATEGIES; s++)
        if (mu_strategy_serves((enum mu_strategy_index)s, unknown))
            left_out->chosen[s] = mu_malloc(tests->count, sizeof *left_out->chosen[s], "configurations", err);
    for (size_t i = 0; i < tests->count && err->status == MU_OK; i++)
        if (!came_before(tests, i, unknown)) choose(tests, i, unknown, room, left_out, err);
    mu_free(room);
    return err->status;
}

void mu_left_out_release(struct mu_left_out *left_out)
{
    for (int s = 0; s < MU_STRATEGIES; s++) mu_free(left_out->chosen[s]);
    *left_out = (struct mu_left_out){0};
}

/* ---- The table ---- */

/* Fills in the geometric mean over tests of the time of one choice over that of another. Returns false where no test
 * has both. */
static bool compare(const struct mu_optimised_tests *tests, const unsigned *chosen, const unsigned *other,
                    struct mu_ratio *ratios, struct mu_ratio *mean)
{
    size_t count = 0;
    if (chosen == NULL || other == NULL) return false;
    for (size_t i = 0; i < tests->count; i++)
        if (chosen[i] != MU_CONFIGURATIONS && other[i] != MU_CONFIGURATIONS)
            count += mu_configured_ratio(&tests->tests[i], chosen[i], other[i], MU_JUDGING, &ratios[count]);
    if (count > 0) mu_ratio_mean(ratios, count, mean);
    return count > 0;
}

/* Adds the strategy over the constant that it has to beat. That is one configuration for all, or for that strategy
 * itself nothing enabled. */
static void constant_cells(struct mu_grid *grid, const struct mu_optimised_tests *tests,
                           const struct mu_left_out *left_out, int strategy, struct mu_ratio *ratios)
{
    const int constant = strategy == MU_STRATEGY_GLOBAL ? MU_STRATEGY_BASELINE : MU_STRATEGY_GLOBAL;
    struct mu_ratio mean;
    if (strategy == MU_STRATEGY_BASELINE || strategy == MU_STRATEGY_ORACLE ||
        !compare(tests, left_out->chosen[strategy], left_out->chosen[constant], ratios, &mean)) {
        mu_grid_empty(grid);
        mu_grid_empty(grid);
        return;
    }
    const bool beats = mean.confident && mean.value < 1;
    mu_optimised_ratio_cell(grid, &mean);
    mu_grid_text(grid, "%s %s",
                 beats                              ? "better than"
                 : mean.confident && mean.value > 1 ? "worse than"
                                                    : "no better than",
                 constant == MU_STRATEGY_BASELINE ? "baseline" : "global");
    mu_grid_tone(grid, beats ? MU_TONE_GOOD : MU_TONE_BAD);
}

static int add_row(struct mu_grid *grid, const struct mu_optimised_tests *tests, const struct mu_left_out *left_out,
                   int strategy, struct mu_error *err)
{
    struct mu_ratio *ratios = mu_malloc(tests->count, sizeof *ratios, "ratios", err);
    struct mu_score score;
    if (ratios != NULL && mu_chosen_score(tests, left_out->chosen[strategy], &score, err) == MU_OK) {
        mu_grid_number(grid, (double)score.faster, 0);
        mu_grid_number(grid, (double)score.same, 0);
        mu_grid_number(grid, (double)score.slower, 0);
        mu_grid_number(grid, (double)score.failed, 0);
        mu_grid_number(grid, (double)score.tests, 0);
        if (score.tests > 0)
            mu_optimised_ratio_cell(grid, &score.over_oracle);
        else
            mu_grid_empty(grid);
        constant_cells(grid, tests, left_out, strategy, ratios);
    }
    mu_free(ratios);
    return err->status;
}

/* Leaves only the tests of a chip, and what was chosen for them. */
static void keep_chip(struct mu_optimised_tests *tests, struct mu_left_out *left_out, const char *chip)
{
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++) {
        if (strcmp(tests->tests[i].chip, chip) != 0) continue;
        for (int s = 0; s < MU_STRATEGIES; s++)
            if (left_out->chosen[s] != NULL) left_out->chosen[s][kept] = left_out->chosen[s][i];
        tests->tests[kept++] = tests->tests[i];
    }
    tests->count = kept;
}

static int add_dimension(struct mu_grid *grid, const struct mu_optimised_tests *tests, const char *chip, int d,
                         struct mu_error *err)
{
    struct mu_left_out left_out;
    struct mu_strategies names;
    struct mu_optimised_tests judged = {mu_malloc(tests->count, sizeof *judged.tests, "tests", err), tests->count};
    const struct mu_optimised_tests none = {0};
    if (judged.tests != NULL) memcpy(judged.tests, tests->tests, tests->count * sizeof *judged.tests);
    mu_strategies_make_without(&none, 0, &names, err);
    if (mu_left_out_choose(tests, dimensions[d].unknown, &left_out, err) == MU_OK && judged.tests != NULL) {
        if (chip != NULL) keep_chip(&judged, &left_out, chip);
        for (int s = 0; s < MU_STRATEGIES && err->status == MU_OK; s++) {
            if (left_out.chosen[s] == NULL) continue;
            mu_grid_row(grid);
            mu_grid_text(grid, "%s", dimensions[d].name);
            mu_grid_text(grid, "%s", names.of[s].name);
            add_row(grid, &judged, &left_out, s, err);
        }
    }
    mu_strategies_release(&names);
    mu_left_out_release(&left_out);
    mu_free(judged.tests);
    return err->status;
}

int mu_left_out_add(const struct mu_optimised_tests *tests, const char *chip, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "left-out", "Strategies on chips, apps and inputs that they were not made from");
    mu_grid_column(grid, "left_out", "not seen", MU_COLUMN_LEFT);
    mu_grid_column(grid, "strategy", "strategy", MU_COLUMN_LEFT);
    mu_grid_column(grid, "speedups", "speedups", 0);
    mu_grid_column(grid, "no_change", "no change", 0);
    mu_grid_column(grid, "slowdowns", "slowdowns", 0);
    mu_grid_column(grid, "failed", "no choice", MU_COLUMN_MINOR);
    mu_grid_column(grid, "tests", "tests", MU_COLUMN_MINOR);
    mu_grid_column(grid, "over_oracle", "time / oracle's", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "over_constant", "time / constant's", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "verdict", "verdict", MU_COLUMN_LEFT);
    for (int d = 0; d < DIMENSIONS && tests->count > 0 && grids->err->status == MU_OK; d++)
        add_dimension(grid, tests, chip, d, grids->err);
    mu_optimised_notes(grid, tests);
    if (tests->count == 0) return grids->err->status;
    mu_grid_note(grid,
                 "Each test gets the configuration of strategies that are made without the tests of its chip, app "
                 "or input (not seen). What knows tests by what is left out cannot choose, and is not shown.");
    mu_grid_note(grid, "constant: of global the baseline, of others global, made without the same tests. A strategy "
                       "that is no better than that is not worth its partitions.");
    return grids->err->status;
}
