/* muster table ranking: every configuration applied to all tests, by the number of tests that it slows down (thesis,
 * table 4.4). */
#include "analysis/optimisations/table.h"
#include "base/memory.h"

#include <stdlib.h>

enum { SHOWN = 5 }; /* of the best and of the worst, for people */

struct rank {
    unsigned configuration;
    size_t slower, same, faster, failed;
    bool has_mean;
    struct mu_ratio speedup; /* the geometric mean over the tests */
};

/* Compares as the thesis ranks: fewest slowdowns first, then most speedups. A test that a configuration fails counts as
 * slowed down. */
static int compare_ranks(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;
    if (a->slower + a->failed != b->slower + b->failed) return a->slower + a->failed < b->slower + b->failed ? -1 : 1;
    if (a->faster != b->faster) return a->faster > b->faster ? -1 : 1;
    return (a->configuration > b->configuration) - (a->configuration < b->configuration);
}

/* Applies a configuration to all tests; `ratios` has room for all. */
static struct rank rank_of(const struct mu_optimised_tests *tests, unsigned configuration, struct mu_ratio *ratios)
{
    struct rank rank = {.configuration = configuration};
    size_t count = 0;
    for (size_t i = 0; i < tests->count; i++) {
        struct mu_ratio *speedup = &ratios[count];
        if (!mu_configured_ratio(&tests->tests[i], MU_BASELINE, configuration, MU_ALL_SAMPLES, speedup)) {
            rank.failed++;
            continue;
        }
        count++;
        if (!speedup->confident)
            rank.same++;
        else if (speedup->value > 1)
            rank.faster++;
        else
            rank.slower++;
    }
    rank.has_mean = count > 0;
    if (rank.has_mean) mu_ratio_mean(ratios, count, &rank.speedup);
    return rank;
}

static void add_row(struct mu_grid *grid, const struct rank *rank, size_t place)
{
    mu_grid_number(grid, (double)place, 0);
    mu_optimised_configuration_cell(grid, rank->configuration);
    mu_grid_number(grid, (double)rank->slower, 0);
    mu_grid_number(grid, (double)rank->same, 0);
    mu_grid_number(grid, (double)rank->faster, 0);
    mu_grid_number(grid, (double)rank->failed, 0);
    if (rank->has_mean)
        mu_optimised_ratio_cell(grid, &rank->speedup);
    else
        mu_grid_empty(grid);
}

static void fill_ranks(struct mu_grid *grid, const struct mu_optimised_tests *tests, struct mu_ratio *ratios,
                       bool plain)
{
    struct rank ranks[MU_CONFIGURATIONS];
    unsigned available = 0;
    size_t count = 0;
    for (size_t i = 0; i < tests->count; i++) available |= tests->tests[i].available;
    for (unsigned i = 1; i < MU_CONFIGURATIONS; i++) {
        if (!mu_is_configuration(i) || (i & ~available) != 0) continue;
        ranks[count] = rank_of(tests, i, ratios);
        count += ranks[count].has_mean;
    }
    if (count > 0) qsort(ranks, count, sizeof *ranks, compare_ranks);
    for (size_t i = 0; i < count; i++) {
        if (!plain && i >= SHOWN && i + SHOWN < count) continue;
        if (!plain && i >= SHOWN && i + SHOWN == count)
            mu_grid_rule(grid);
        else
            mu_grid_row(grid);
        add_row(grid, &ranks[i], i + 1);
    }
    if (!plain && count > SHOWN + SHOWN)
        mu_grid_note(grid, "The first and the last %d of %zu configurations; --format=csv has all.", (int)SHOWN, count);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK) {
        struct mu_ratio *ratios = mu_malloc(loaded.tests.count, sizeof *ratios, "ratios", grids->err);
        struct mu_grid *grid =
            mu_grids_add(grids, "ranking", "Configurations applied to all tests, by the tests that they slow down");
        mu_grid_column(grid, "rank", "rank", 0);
        mu_grid_column(grid, "configuration", "enabled", MU_COLUMN_LEFT);
        mu_grid_column(grid, "slowdowns", "slowdowns", 0);
        mu_grid_column(grid, "no_change", "no change", 0);
        mu_grid_column(grid, "speedups", "speedups", 0);
        mu_grid_column(grid, "failed", "failed", MU_COLUMN_MINOR);
        mu_grid_column(grid, "speedup", "mean speedup", MU_COLUMN_INTERVAL);
        if (ratios != NULL) fill_ranks(grid, &loaded.tests, ratios, request->plain_rows);
        mu_optimised_notes(grid, &loaded.tests);
        if (loaded.tests.count > 0)
            mu_grid_note(grid, "Against the baseline, by all samples. A test without an optimisation stands with the "
                               "configuration without it. failed: the configuration or the baseline has no time, which "
                               "counts as a slowdown for the rank.");
        mu_free(ratios);
    }
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_ranking = {"ranking", "sets of optimisations, by how many tests they slow down", fill};
