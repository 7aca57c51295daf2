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
    {"margin", KEY_MARGIN, "PERCENT", 0, "What is surely within this is equivalent (default: 5)", 0},
    {"session-effect", KEY_SESSION, "PERCENT", 0,
     "What sessions differ by, a standard deviation: for sets of different sessions, of which one has only one "
     "(default: "
     "nothing is shown of these)",
     0},
    {"junit", KEY_JUNIT, "FILE", 0,
     "Also write a JUnit report: a test that is slower or broken has failed (default: none)", 0},
    {0},
};

struct arguments {
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
        if (state->arg_num == 0)
            arguments->request.a = text;
        else if (state->arg_num == 1)
            arguments->request.b = text;
        else
            mu_fail(&arguments->err, MU_USAGE, "'%s' is too much: compare takes two result sets", text);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2) mu_fail(&arguments->err, MU_USAGE, "compare what? It takes two result sets");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What the comparison came to, as a status: a comparison of nothing is not a good one. */
static int judge(const struct mu_comparison_request *request, const struct mu_comparison_result *result,
                 struct mu_error *err)
{
    if (result->slower + result->faster + result->equivalent + result->not_shown + result->broken + result->fixed == 0)
        return mu_fail(err, MU_USAGE, "nothing was compared: no test of %s is one of %s that ended well in either",
                       request->a, request->b);
    return result->slower + result->broken != 0 ? MU_WRONG : MU_OK;
}

int mu_cmd_compare(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_format_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        options,
        parse,
        "A B",
        "Compares two result sets, test by test: are the times of B longer than those of A?\v"
        "A set is a file of records, a folder of such files, or a chip under the folder of results (MUSTER_RESULTS, "
        "else results); SET@LABEL takes the records of one label.\n\n"
        "Exit codes: 0 no test is slower or broken in B, 1 some are, 2 usage or input, or nothing could be compared.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {.request.margin = 0.05};
    struct mu_error *err = &arguments.err;
    struct mu_grids grids = {.err = err};
    struct mu_comparison_result result = {0};
    struct mu_junit junit = {0};
    int status = MU_OK;
    mu_arguments_parse(&argp, argc, argv, &arguments, err);
    mu_pass_error(&arguments.output.err, err);
    const char *const sets[] = {arguments.request.a, arguments.request.b};
    if (err->status == MU_OK) arguments.request.root = mu_results_reading_root(sets, 2, stderr);
    if (arguments.junit != NULL) arguments.request.junit = &junit;
    if (err->status == MU_OK && mu_compare_sets(&arguments.request, &grids, &result) == MU_OK &&
        mu_output_print(&arguments.output, &grids) == MU_OK)
        status = judge(&arguments.request, &result, err);
    if (err->status == MU_OK && arguments.junit != NULL) mu_junit_write(&junit, "muster compare", arguments.junit, err);
    mu_junit_release(&junit);
    mu_finish_output(err);
    mu_grids_release(&grids);
    return err->status == MU_OK ? mu_status_exit_code(status) : mu_report(err);
}
