/* muster compare */
#include "analysis/compare.h"
#include "base/number.h"
#include "base/sink.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "records/results.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum option_key { KEY_MARGIN = 256, KEY_SESSION, KEY_JUNIT };

static const struct argp_option options[] = {
    {"margin", KEY_MARGIN, "PERCENT", 0,
     "B is equivalent if its whole interval is within this margin of A (default: 5)", 0},
    {"session-effect", KEY_SESSION, "PERCENT", 0,
     "Standard deviation between sessions; needed if the sets are of different sessions and one of them has only one "
     "(default: nothing is shown of these)",
     0},
    {"junit", KEY_JUNIT, "FILE", 0,
     "Also write a JUnit report: a test that is slower or broken has failed (default: none)", 0},
    {0},
};

enum { SETS_MAX = 16 };

struct arguments {
    const char *sets[SETS_MAX];
    size_t set_count;
    struct mu_comparison_request request;
    struct mu_output output;
    const char *junit;
    struct mu_error err;
};

static void parse_percent(struct arguments *arguments, const char *option, const char *text, double *part)
{
    double percent = 0;
    if (!mu_number_real(text, &percent) || percent < 0 || percent > 1000)
        mu_fail(&arguments->err, MU_USAGE, "--%s=%s: not a number of percent from 0 to 1000", option, text);
    *part = percent / 100;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->output;
        return 0;
    case KEY_JUNIT:
        arguments->junit = text;
        mu_sink_check(text, &arguments->err);
        return 0;
    case KEY_MARGIN:
        parse_percent(arguments, "margin", text, &arguments->request.margin);
        return 0;
    case KEY_SESSION:
        parse_percent(arguments, "session-effect", text, &arguments->request.session);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->set_count < SETS_MAX)
            arguments->sets[arguments->set_count++] = text;
        else
            mu_fail(&arguments->err, MU_USAGE, "'%s' is too much: compare takes at most %d result sets", text,
                    SETS_MAX);
        return 0;
    case ARGP_KEY_END:
        if (arguments->set_count < 2)
            mu_fail(&arguments->err, MU_USAGE, "compare what? It takes two result sets or more");
        if (arguments->set_count > 2 && arguments->junit != NULL)
            mu_fail(&arguments->err, MU_USAGE, "--junit is of a comparison of two result sets");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Returns the result of a comparison as a status. A comparison of nothing is not a good one. */
static int judge(const struct mu_comparison_request *request, const struct mu_comparison_result *result,
                 struct mu_error *err)
{
    if (result->slower + result->faster + result->equivalent + result->not_shown + result->broken + result->fixed == 0)
        return mu_fail(err, MU_USAGE, "nothing was compared: no test of %s is one of %s that ended well in either",
                       request->a, request->b);
    return result->slower + result->broken != 0 ? MU_WRONG : MU_OK;
}

/* ---- Several sets: each with each ---- */

static void add_result_row(struct mu_grid *grid, const char *a, const char *b,
                           const struct mu_comparison_result *result)
{
    const size_t timed = result->slower + result->faster + result->equivalent + result->not_shown;
    const size_t counts[] = {timed,          result->slower, result->faster, result->equivalent, result->not_shown,
                             result->broken, result->fixed};
    mu_grid_text(grid, "%s", a);
    mu_grid_text(grid, "%s", b);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) mu_grid_number(grid, (double)counts[i], 0);
    mu_grid_number(grid, 100 * (double)(result->slower + result->faster) / (double)timed, 1);
}

static void add_to(struct mu_comparison_result *all, const struct mu_comparison_result *one)
{
    all->slower += one->slower;
    all->faster += one->faster;
    all->equivalent += one->equivalent;
    all->not_shown += one->not_shown;
    all->broken += one->broken;
    all->fixed += one->fixed;
    all->incomparable += one->incomparable;
    if (one->finds_most > 0 && (all->finds_most <= 0 || one->finds_least < all->finds_least))
        all->finds_least = one->finds_least;
    if (one->finds_most > all->finds_most) all->finds_most = one->finds_most;
}

static struct mu_grid *add_all_grid(struct mu_grids *grids)
{
    static const char *const rights[][2] = {
        {"tests", "tests"},         {"slower", "slower"}, {"faster", "faster"}, {"equivalent", "equivalent"},
        {"not_shown", "not shown"}, {"broken", "broken"}, {"fixed", "fixed"},   {"different_percent", "different %"}};
    struct mu_grid *grid = mu_grids_add(grids, "compare-all", "Each set against each");
    mu_grid_column(grid, "a", "A", MU_COLUMN_LEFT);
    mu_grid_column(grid, "b", "B", MU_COLUMN_LEFT);
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++) mu_grid_column(grid, rights[i][0], rights[i][1], 0);
    mu_grid_note(grid, "tests: those that have times in both. different %%: the part of them that is slower or faster. "
                       "The last row is over all pairs of sets.");
    return grid;
}

/* Compares each set with those behind it. *status gets the worst result; `nothing` gets the message of a comparison
 * that had nothing to compare, which is printed behind the tables. */
static void compare_all(struct arguments *arguments, struct mu_grids *grids, int *status, struct mu_error *nothing)
{
    struct mu_comparison_result results[SETS_MAX * (SETS_MAX - 1) / 2] = {{0}}, all = {0};
    struct mu_comparison_request *request = &arguments->request;
    const char *const *sets = arguments->sets;
    size_t count = 0;
    for (size_t i = 0; i < arguments->set_count; i++)
        for (size_t j = i + 1; j < arguments->set_count && grids->err->status == MU_OK; j++) {
            request->a = sets[i];
            request->b = sets[j];
            if (mu_compare_sets(request, grids, &results[count]) != MU_OK) return;
            if (judge(request, &results[count], nothing) == MU_WRONG) *status = MU_WRONG;
            add_to(&all, &results[count++]);
        }
    if (arguments->set_count == 2 || grids->err->status != MU_OK) return;
    struct mu_grid *grid = add_all_grid(grids);
    count = 0;
    for (size_t i = 0; i < arguments->set_count; i++)
        for (size_t j = i + 1; j < arguments->set_count; j++) {
            mu_grid_row(grid);
            add_result_row(grid, sets[i], sets[j], &results[count++]);
        }
    mu_grid_rule(grid);
    add_result_row(grid, "all", "all", &all);
    mu_grid_note(grid, "equivalent: within %g %%.", 100 * request->margin);
    mu_comparison_finds_note(grid, &all);
}

int mu_cmd_compare(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_format_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        options,
        parse,
        "A B...",
        "Compares two result sets, test by test: are the times of B longer than those of A? Of more than two sets, "
        "each pair is compared, and a table counts the verdicts.\vA set is a file of records, a folder of such files, "
        "or a chip under the folder of results (MUSTER_RESULTS, else results); SET@LABEL takes the records of one "
        "label.\n\nExit codes: 0 no test is slower or broken in B, 1 some are, 2 usage or input, or nothing could be "
        "compared.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.request.margin = 0.05};
    struct mu_error *err = &arguments.err;
    struct mu_grids grids = {.err = err};
    struct mu_error nothing = {0};
    struct mu_junit junit = {0};
    int status = MU_OK;
    mu_arguments_parse(&argp, argc, argv, &arguments, err);
    mu_pass_error(&arguments.output.err, err);
    if (err->status == MU_OK) arguments.request.root = mu_results_reading_root();
    if (arguments.junit != NULL) arguments.request.junit = &junit;
    if (err->status == MU_OK) compare_all(&arguments, &grids, &status, &nothing);
    if (err->status == MU_OK && mu_output_print(&arguments.output, &grids) == MU_OK) mu_pass_error(&nothing, err);
    if (err->status == MU_OK && arguments.junit != NULL) mu_junit_write(&junit, "muster compare", arguments.junit, err);
    mu_junit_release(&junit);
    mu_finish_output(err);
    mu_grids_release(&grids);
    return err->status == MU_OK ? mu_status_exit_code(status) : mu_report(err);
}
