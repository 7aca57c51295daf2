/* muster table strategies: what algorithm 4.1 enables at each degree of specialisation (thesis, table 4.5), and how
 * good that is (figures 4.5 and 4.6). */
#include "analysis/optimisations/left_out.h"
#include "analysis/optimisations/table.h"

/* Geometric means over the oracle that the thesis prints, by enum mu_strategy_index; 0: it prints none (section 4.5.5).
 */
static const double thesis_means[MU_STRATEGIES] = {1.5, 1.31, 1.24, 1.30, 1.26, 1.24, 0, 1.15, 1};

static void score_row(struct mu_grid *grid, const struct mu_strategy *strategy, const struct mu_score *score)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", strategy->name);
    mu_grid_number(grid, (double)score->faster, 0);
    mu_grid_number(grid, (double)score->same, 0);
    mu_grid_number(grid, (double)score->slower, 0);
    mu_grid_number(grid, (double)score->failed, 0);
    mu_grid_number(grid, (double)score->tests, 0);
    if (score->tests > 0)
        mu_optimised_ratio_cell(grid, &score->over_oracle);
    else
        mu_grid_empty(grid);
    mu_grid_number(grid, score->tests > 0 ? score->over_thesis_oracle : (double)NAN, 2);
}

static void fill_scores(struct mu_grids *grids, const struct mu_optimised_tests *tests,
                        const struct mu_strategies *strategies, bool paper)
{
    struct mu_grid *grid = mu_grids_add(grids, "strategies", "Strategies: against the baseline, and over the oracle");
    struct mu_score score;
    mu_grid_column(grid, "strategy", "strategy", MU_COLUMN_LEFT);
    mu_grid_column(grid, "speedups", "speedups", 0);
    mu_grid_column(grid, "no_change", "no change", 0);
    mu_grid_column(grid, "slowdowns", "slowdowns", 0);
    mu_grid_column(grid, "failed", "failed", MU_COLUMN_MINOR);
    mu_grid_column(grid, "tests", "tests", MU_COLUMN_MINOR);
    mu_grid_column(grid, "over_oracle", "time / oracle's", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "over_thesis_oracle", "time / thesis's oracle's", 0);
    if (paper) mu_grid_column(grid, "thesis", "thesis", 0);
    for (int i = 0; i < MU_STRATEGIES && tests->count > 0; i++) {
        const enum mu_strategy_index index = (enum mu_strategy_index)i;
        if (mu_strategy_score(tests, strategies, index, &score, grids->err) != MU_OK) return;
        score_row(grid, &strategies->of[i], &score);
        if (paper) mu_grid_number(grid, thesis_means[i] > 0 ? thesis_means[i] : (double)NAN, 2);
    }
    mu_optimised_notes(grid, tests);
    if (tests->count == 0) return;
    mu_optimised_halves_note(grid);
    mu_grid_note(grid, "Tests that no configuration speeds up are left out of speedups, no change and slowdowns. "
                       "failed: the strategy's configuration, or the baseline, has no time.");
    mu_grid_note(
        grid, "thesis's oracle: it is chosen and timed by all samples, as in the thesis, so that its luck is in its "
              "time. All strategies are made from the tests that they are judged by; the next table leaves these out.");
    if (paper)
        mu_grid_note(grid, "thesis, which stands beside the thesis's oracle: Sorensen 2018, figure 4.6 and section "
                           "4.5.5, of six GPUs of 2012 to 2016.");
}

/* ---- What is enabled ---- */

static void partition_cell(struct mu_grid *grid, const char *name)
{
    mu_grid_text(grid, "%s", name != NULL ? name : "all");
}

static void partition_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "strategy", "strategy", MU_COLUMN_LEFT);
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tests", "tests", 0);
}

static void partition_cells(struct mu_grid *grid, const struct mu_strategy *strategy,
                            const struct mu_partition *partition)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", strategy->name);
    partition_cell(grid, partition->chip);
    partition_cell(grid, partition->app);
    partition_cell(grid, partition->input);
    mu_grid_number(grid, (double)partition->tests, 0);
}

/* Adds a partition's row for people, as in table 4.5: for each optimisation the share of the pairs in which it is
 * faster. */
static void enabled_row(struct mu_grid *grid, const struct mu_strategy *strategy, const struct mu_partition *partition)
{
    partition_cells(grid, strategy, partition);
    for (int i = 0; i < MU_OPTIMISATIONS; i++) {
        const struct mu_verdict *verdict = &partition->verdicts[i];
        if (verdict->count == 0) {
            mu_grid_empty(grid);
            continue;
        }
        mu_grid_text(grid, "%s%.0f %% of %zu, %.0f %%", verdict->enabled ? "yes, " : "", 100 * verdict->faster,
                     verdict->count, 100 * verdict->part);
        if (verdict->enabled) mu_grid_tone(grid, MU_TONE_GOOD);
    }
}

/* Adds a partition's rows for programs, one for each optimisation. */
static void verdict_rows(struct mu_grid *grid, const struct mu_strategy *strategy, const struct mu_partition *partition)
{
    for (int i = 0; i < MU_OPTIMISATIONS; i++) {
        const struct mu_verdict *verdict = &partition->verdicts[i];
        partition_cells(grid, strategy, partition);
        mu_grid_text(grid, "%s", mu_optimisations[i].name);
        mu_grid_flag(grid, verdict->enabled);
        mu_grid_number(grid, (double)verdict->count, 0);
        mu_grid_number(grid, verdict->faster, 4);
        mu_grid_number(grid, verdict->median, 4);
        mu_grid_number(grid, verdict->p, 4);
        mu_grid_number(grid, verdict->part, 3);
    }
}

static void fill_enabled(struct mu_grids *grids, const struct mu_optimised_tests *tests,
                         const struct mu_strategies *strategies, bool plain)
{
    static const char *const verdict_columns[] = {"enabled", "pairs", "faster", "median", "p", "part"};
    struct mu_grid *grid = mu_grids_add(grids, "enabled", "What the strategies enable (algorithm 4.1)");
    partition_columns(grid);
    if (plain) mu_grid_column(grid, "optimisation", "optimisation", MU_COLUMN_LEFT);
    for (int i = 0; plain && i < 6; i++) mu_grid_column(grid, verdict_columns[i], verdict_columns[i], 0);
    for (int i = 0; !plain && i < MU_OPTIMISATIONS; i++)
        mu_grid_column(grid, mu_optimisations[i].name, mu_optimisations[i].name, 0);
    for (int i = 0; i < MU_STRATEGIES; i++) {
        const struct mu_strategy *strategy = &strategies->of[i];
        if (!plain && i > MU_STRATEGY_INPUT) break;
        for (size_t j = 0; j < strategy->count; j++)
            plain ? verdict_rows(grid, strategy, &strategy->partitions[j])
                  : enabled_row(grid, strategy, &strategy->partitions[j]);
    }
    if (tests->count == 0) {
        mu_optimised_notes(grid, tests);
        return;
    }
    mu_grid_note(grid,
                 "yes: enabled. n %% of m: of m pairs of configurations, with the optimisation and without it, "
                 "that differ confidently, it is faster in n %%. It is enabled where Mann and Whitney's test of "
                 "the ratios against 1 has p < 0.05 and their median is below 1. Pairs of one test are not "
                 "independent: the last figure is the part of resamples of whole tests in which that is so (part).");
    mu_grid_note(grid, "-: no pair differs, or the optimisation is not available. Partitions by two dimensions: "
                       "--format=csv.");
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    struct mu_strategies strategies = {0};
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK &&
        mu_strategies_make(&loaded.tests, &strategies, grids->err) == MU_OK) {
        fill_scores(grids, &loaded.tests, &strategies, request->paper);
        mu_left_out_add(&loaded.tests, NULL, grids);
        fill_enabled(grids, &loaded.tests, &strategies, request->plain_rows);
    }
    mu_strategies_release(&strategies);
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_strategies = {"strategies", "which optimisations of graph programs pay, and where",
                                             fill};
