/* muster compare */
#include "analysis/compare.h"
#include "base/number.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "records/results.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum option_key { KEY_FORMAT = 256, KEY_MARGIN, KEY_SESSION };

static const struct argp_option options[] = {
    {"format", KEY_FORMAT, "FORMAT", 0, "text, csv, markdown, latex, json or cells (default: text)", 0},
    {"margin", KEY_MARGIN, "PERCENT", 0, "What is surely within this is equivalent (default: 5)", 0},
    {"session-effect", KEY_SESSION, "PERCENT", 0,
     "What sessions differ by, a standard deviation: for sets of different sessions, of which one has only one "
     "(default: "
     "nothing is shown of these)",
     0},
    {0},
};

struct arguments {
    struct mu_comparison_request request;
    enum mu_grid_format format;
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
    case KEY_FORMAT:
        mu_parse_format(text, &arguments->format, &arguments->err);
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

int mu_cmd_compare(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "A B",
        "Compares two result sets, test by test: are the times of B longer than those of A?\v"
        "A set is a file of records, a folder of such files, or a chip under the folder of results (MUSTER_RESULTS, "
        "else "
        "results); SET@LABEL takes the records of one label.\n\nExit codes: 0 no test is slower or broken in B, 1 some "
        "are, 2 usage or input.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.request.margin = 0.05};
    struct mu_grids grids = {.err = &arguments.err};
    struct mu_comparison_result result = {0};
    mu_arguments_parse(&argp, argc, argv, &arguments, &arguments.err);
    arguments.request.root = mu_results_root();
    if (arguments.err.status == MU_OK && mu_compare_sets(&arguments.request, &grids, &result) == MU_OK)
        mu_grids_print(&grids, arguments.format, stdout);
    mu_finish_output(&arguments.err);
    mu_grids_release(&grids);
    if (arguments.err.status == MU_OK && result.slower + result.broken > 0) return mu_status_exit_code(MU_WRONG);
    return mu_report(&arguments.err);
}
