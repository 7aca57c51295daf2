/* muster table plain: how far the study's plain programs, each test in its fastest configuration, are from the apps
 * that were tuned by hand for the same problem. */
#include "analysis/optimisations/table.h"

#include <string.h>

/* A prefix tells the programs of a problem. */
static const struct {
    const char *problem, *plain, *tuned[2];
} problems[] = {
    {"breadth-first search", "irgl/bfs-", {"lonestar/bfs", NULL}},
    {"shortest paths", "irgl/sssp-", {"lonestar/sssp", "pannotia/sssp"}},
    {"independent set", "irgl/mis-", {"pannotia/mis", NULL}},
    {"spanning forest", "irgl/mst-", {"lonestar/mst", NULL}},
};
enum {
    PROBLEMS = sizeof problems / sizeof problems[0],
    TUNED = sizeof problems[0].tuned / sizeof problems[0].tuned[0]
};

/* A test in its fastest configuration, which the choosing half tells. */
struct plain {
    const struct mu_optimised_test *test;
    unsigned configuration;
};

static bool is_plain_of(const struct mu_optimised_test *test, size_t problem)
{
    return strncmp(test->app, problems[problem].plain, strlen(problems[problem].plain)) == 0;
}

static bool same_graph(const struct mu_optimised_test *a, const struct mu_optimised_test *b)
{
    return strcmp(a->chip, b->chip) == 0 && strcmp(a->shown, b->shown) == 0;
}

/* Returns the fastest configuration of the problem's programs on the chip and graph of `like`. */
static struct plain find_plain(const struct mu_optimised_tests *tests, const struct mu_optimised_test *like,
                               size_t problem)
{
    struct plain best = {0};
    double least = 0;
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        unsigned configuration = 0;
        if (!is_plain_of(test, problem) || !same_graph(test, like) ||
            !mu_best_of(test, MU_CONFIGURATIONS - 1, &configuration))
            continue;
        const double time = test->configured[configuration].levels[MU_CHOOSING].log_value;
        if (best.test != NULL && time >= least) continue;
        best = (struct plain){test, configuration};
        least = time;
    }
    return best;
}

/* Returns the fastest measurement of the problem's tuned apps on the chip and graph of `like`; NULL for none. */
static const struct mu_measurement *find_tuned(const struct mu_study *study, const struct mu_optimised_test *like,
                                               size_t problem)
{
    const struct mu_measurement *best = NULL;
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        bool is_tuned = false;
        for (size_t j = 0; j < TUNED && problems[problem].tuned[j] != NULL; j++)
            is_tuned = is_tuned || strcmp(measurement->app, problems[problem].tuned[j]) == 0;
        if (!is_tuned || !mu_table_counts(measurement) || strcmp(measurement->chip, like->chip) != 0 ||
            strcmp(measurement->shown, like->shown) != 0)
            continue;
        if (best == NULL || measurement->level.log_value < best->level.log_value) best = measurement;
    }
    return best;
}

static void add_row(struct mu_grid *grid, size_t problem, const struct plain *plain, const struct mu_measurement *tuned,
                    size_t scopes[3])
{
    const struct mu_level *level = &plain->test->configured[plain->configuration].levels[MU_JUDGING];
    struct mu_ratio ratio;
    mu_ratio_of(level, &tuned->level, &ratio);
    scopes[ratio.scope]++;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", plain->test->chip);
    mu_grid_text(grid, "%s", problems[problem].problem);
    mu_grid_text(grid, "%s", plain->test->shown);
    mu_grid_text(grid, "%s", plain->test->app);
    mu_optimised_configuration_cell(grid, plain->configuration);
    mu_grid_time(grid, exp(level->log_value));
    mu_grid_text(grid, "%s", tuned->app);
    mu_grid_text(grid, "%s", tuned->variant);
    mu_table_time_cell(grid, tuned, false);
    mu_optimised_ratio_cell(grid, &ratio);
}

/* Adds a row for each chip and graph on which both sides of a problem were measured. */
static void add_problem(struct mu_grid *grid, const struct mu_optimised_data *loaded, size_t problem, size_t scopes[3])
{
    const struct mu_optimised_tests *tests = &loaded->tests;
    for (size_t i = 0; i < tests->count; i++) {
        const struct mu_optimised_test *test = &tests->tests[i];
        bool is_first = is_plain_of(test, problem);
        for (size_t j = 0; j < i && is_first; j++)
            is_first = !is_plain_of(&tests->tests[j], problem) || !same_graph(&tests->tests[j], test);
        if (!is_first) continue;
        const struct plain plain = find_plain(tests, test, problem);
        const struct mu_measurement *tuned = find_tuned(&loaded->data.study, test, problem);
        if (plain.test != NULL && tuned != NULL) add_row(grid, problem, &plain, tuned, scopes);
    }
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_optimised_data loaded;
    size_t scopes[3] = {0};
    if (mu_optimised_load(request, &loaded, grids->err) == MU_OK) {
        struct mu_grid *grid =
            mu_grids_add(grids, "plain", "Plain programs beside the apps tuned for the same problem");
        mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
        mu_grid_column(grid, "problem", "problem", MU_COLUMN_LEFT);
        mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
        mu_grid_column(grid, "program", "program", MU_COLUMN_LEFT);
        mu_grid_column(grid, "configuration", "enabled", MU_COLUMN_LEFT);
        mu_grid_column(grid, "plain_ns", "time", 0);
        mu_grid_column(grid, "app", "tuned app", MU_COLUMN_LEFT);
        mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
        mu_grid_column(grid, "tuned_ns", "its time", MU_COLUMN_INTERVAL);
        mu_grid_column(grid, "ratio", "time / its time", MU_COLUMN_INTERVAL);
        for (size_t problem = 0; problem < PROBLEMS; problem++) add_problem(grid, &loaded, problem, scopes);
        mu_optimised_notes(grid, &loaded.tests);
        if (loaded.tests.count > 0 && scopes[0] + scopes[1] + scopes[2] == 0)
            mu_grid_note(grid, "No graph on which both were measured.");
        mu_grid_note(grid,
                     "Of each problem's programs the one with the fastest configuration, chosen by one half of its "
                     "samples and timed by the other; of its tuned apps the fastest measurement of any variant and "
                     "set. Only graphs on which both were measured.");
    }
    mu_optimised_release(&loaded);
    return grids->err->status;
}

const struct mu_table mu_table_plain = {"plain", "the optimisation study's programs beside this suite's apps", fill};
