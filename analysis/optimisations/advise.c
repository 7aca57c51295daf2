#include "analysis/optimisations/advise.h"

#include "analysis/optimisations/left_out.h"
#include "analysis/optimisations/table.h"
#include "base/memory.h"
#include "records/optimisations/stored.h"

#include <string.h>

/* The strategies that runs can take, by what muster advise tells of. */
static const struct {
    enum mu_strategy_index strategy;
    enum mu_strategy_kind kind;
} taken[] = {
    {MU_STRATEGY_GLOBAL, MU_TAKE_GLOBAL},
    {MU_STRATEGY_CHIP, MU_TAKE_CHIP},
    {MU_STRATEGY_APP, MU_TAKE_APP},
    {MU_STRATEGY_INPUT, MU_TAKE_INPUT},
};
enum { TAKEN = sizeof taken / sizeof taken[0] };

/* All that is known, and whom the advice is for. */
struct advice {
    const struct mu_optimised_tests *tests;
    struct mu_strategies strategies;
    const char *chip;
    struct mu_ratio *ratios; /* room for one a test */
};

static bool is_for(const struct mu_partition *partition, const char *chip)
{
    return partition->chip == NULL || strcmp(partition->chip, chip) == 0;
}

/* Returns the partition's app, input or chip. */
static const char *name_of(const struct mu_partition *partition)
{
    if (partition->app != NULL) return partition->app;
    if (partition->input != NULL) return partition->input;
    return partition->chip != NULL ? partition->chip : "all";
}

/* Fills in the speedups of the partition's configuration on the chip's own tests in it, and returns how many. */
static size_t speed_up(const struct advice *advice, const struct mu_partition *partition)
{
    size_t count = 0;
    for (size_t i = 0; i < advice->tests->count; i++) {
        const struct mu_optimised_test *test = &advice->tests->tests[i];
        if (strcmp(test->chip, advice->chip) != 0) continue;
        if ((partition->app != NULL && strcmp(partition->app, test->app) != 0) ||
            (partition->input != NULL && strcmp(partition->input, test->input) != 0))
            continue;
        count +=
            mu_configured_ratio(test, MU_BASELINE, partition->configuration, MU_ALL_SAMPLES, &advice->ratios[count]);
    }
    return count;
}

static void advice_row(struct mu_grid *grid, const struct advice *advice, const struct mu_strategy *strategy,
                       const struct mu_partition *partition)
{
    const size_t here = speed_up(advice, partition);
    struct mu_ratio speedup;
    if (here == 0) return;
    mu_ratio_mean(advice->ratios, here, &speedup);
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", strategy->name);
    mu_grid_text(grid, "%s", name_of(partition));
    mu_grid_number(grid, (double)partition->tests, 0);
    mu_optimised_configuration_cell(grid, partition->configuration);
    mu_grid_number(grid, (double)here, 0);
    mu_optimised_ratio_cell(grid, &speedup);
}

static void fill_advice(struct mu_grids *grids, const struct advice *advice)
{
    struct mu_grid *grid = mu_grids_add(grids, "advice", "What the study says of %s", advice->chip);
    mu_grid_column(grid, "strategy", "strategy", MU_COLUMN_LEFT);
    mu_grid_column(grid, "partition", "for", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tests", "tests", 0);
    mu_grid_column(grid, "configuration", "enable", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tests_here", "tests here", 0);
    mu_grid_column(grid, "speedup", "speedup here", MU_COLUMN_INTERVAL);
    for (int i = 0; i < TAKEN; i++) {
        const struct mu_strategy *strategy = &advice->strategies.of[taken[i].strategy];
        for (size_t j = 0; j < strategy->count; j++)
            if (is_for(&strategy->partitions[j], advice->chip))
                advice_row(grid, advice, strategy, &strategy->partitions[j]);
    }
    mu_optimised_notes(grid, advice->tests);
    mu_grid_note(grid,
                 "tests: those that the strategy was made of, on all chips. speedup here: the geometric mean over "
                 "this chip's tests of baseline / the configuration, by the samples that it was made of.");
    mu_grid_note(grid, "A run takes a strategy with --strategy=global, chip, app or input, once muster advise --write "
                       "has kept them.");
}

static void verdict_row(struct mu_grid *grid, const struct mu_strategy *strategy, const struct mu_partition *partition,
                        unsigned optimisation)
{
    const struct mu_verdict *verdict = &partition->verdicts[optimisation];
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", strategy->name);
    mu_grid_text(grid, "%s", name_of(partition));
    mu_grid_text(grid, "%s", mu_optimisations[optimisation].name);
    mu_grid_flag(grid, verdict->enabled);
    if (verdict->enabled) mu_grid_tone(grid, MU_TONE_GOOD);
    mu_grid_number(grid, (double)verdict->count, 0);
    mu_grid_number(grid, 100 * verdict->faster, 0);
    mu_grid_number(grid, verdict->median, 3);
    mu_grid_number(grid, verdict->p, 4);
}

static void fill_verdicts(struct mu_grids *grids, const struct advice *advice, bool all)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "reasons", "Why: what each optimisation does where it makes a difference");
    mu_grid_column(grid, "strategy", "strategy", MU_COLUMN_LEFT);
    mu_grid_column(grid, "partition", "for", MU_COLUMN_LEFT);
    mu_grid_column(grid, "optimisation", "optimisation", MU_COLUMN_LEFT);
    mu_grid_column(grid, "enabled", "enable", MU_COLUMN_LEFT);
    mu_grid_column(grid, "pairs", "pairs", 0);
    mu_grid_column(grid, "faster_percent", "faster (%)", 0);
    mu_grid_column(grid, "median", "median on / off", 0);
    mu_grid_column(grid, "p", "p", 0);
    for (int i = 0; i < TAKEN; i++) {
        const struct mu_strategy *strategy = &advice->strategies.of[taken[i].strategy];
        if (!all && taken[i].kind != MU_TAKE_GLOBAL && taken[i].kind != MU_TAKE_CHIP) continue;
        for (size_t j = 0; j < strategy->count; j++)
            for (unsigned k = 0; k < MU_OPTIMISATIONS && is_for(&strategy->partitions[j], advice->chip); k++)
                verdict_row(grid, strategy, &strategy->partitions[j], k);
    }
    mu_grid_note(grid,
                 "pairs: configurations with the optimisation and without it, of one test, that differ "
                 "confidently. It is enabled where Mann and Whitney's test of their ratios against 1 has p < 0.05 "
                 "and the median is below 1.");
}

/* ---- What runs take ---- */

static void keep_partition(struct mu_json *to, const char *name, const struct mu_partition *partition)
{
    struct mu_json kept = mu_json_object();
    char text[MU_CONFIGURATION_TEXT];
    mu_configuration_format(partition->configuration, text);
    mu_json_set_text(&kept, "enabled", text);
    mu_json_set_number(&kept, "tests", partition->tests);
    mu_json_set_part(to, name, &kept);
}

/* Strategies app and input are objects by app and input, the others have one partition for the chip. */
static json_t *keep(const struct advice *advice, struct mu_error *err)
{
    struct mu_json all = mu_json_object();
    mu_json_set_text(&all, "chip", advice->chip);
    for (int i = 0; i < TAKEN; i++) {
        const struct mu_strategy *strategy = &advice->strategies.of[taken[i].strategy];
        const bool many = taken[i].kind == MU_TAKE_APP || taken[i].kind == MU_TAKE_INPUT;
        struct mu_json by_name = mu_json_object();
        for (size_t j = 0; j < strategy->count; j++) {
            const struct mu_partition *partition = &strategy->partitions[j];
            if (!is_for(partition, advice->chip)) continue;
            keep_partition(many ? &by_name : &all, many ? name_of(partition) : mu_strategy_members[taken[i].kind],
                           partition);
        }
        if (many)
            mu_json_set_part(&all, mu_strategy_members[taken[i].kind], &by_name);
        else
            mu_json_release(&by_name);
    }
    return mu_json_take(&all, "strategies", err);
}

int mu_advise(const struct mu_advice_request *request, struct mu_grids *grids, json_t **strategies)
{
    const struct mu_table_request everything = {.root = request->root};
    struct mu_optimised_data loaded;
    struct advice advice = {.chip = request->chip};
    struct mu_error *err = grids->err;
    size_t here = 0;
    if (strategies != NULL) *strategies = NULL;
    if (mu_optimised_load(&everything, &loaded, err) == MU_OK) {
        advice.tests = &loaded.tests;
        for (size_t i = 0; i < loaded.tests.count; i++) here += strcmp(loaded.tests.tests[i].chip, request->chip) == 0;
        if (here == 0)
            mu_fail(err, MU_USAGE, "no records of suite irgl on chip '%s' under %s (see doc/optimisations.md)",
                    request->chip, request->root);
        advice.ratios = mu_malloc(loaded.tests.count, sizeof *advice.ratios, "ratios", err);
        if (err->status == MU_OK && mu_strategies_make(&loaded.tests, &advice.strategies, err) == MU_OK) {
            fill_advice(grids, &advice);
            mu_left_out_add(&loaded.tests, request->chip, grids);
            fill_verdicts(grids, &advice, request->plain_rows);
            if (strategies != NULL) *strategies = keep(&advice, err);
        }
    }
    mu_free(advice.ratios);
    mu_strategies_release(&advice.strategies);
    mu_optimised_release(&loaded);
    return err->status;
}
