/* muster predict */
#include "analysis/prediction/predict.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "records/results.h"

#include <argp.h>
#include <stdlib.h>

struct arguments {
    const char **files;
    size_t file_count;
    struct mu_output output;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->output;
        return 0;
    case ARGP_KEY_ARG:
        arguments->files[arguments->file_count++] = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        mu_fail(&arguments->err, MU_USAGE,
                "from which run? (muster run APP --variant=multi-kernel --trace --json >FILE)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int mu_cmd_predict(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_format_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        NULL,
        parse,
        "FILE...",
        "Predicts the times of all variants, and the best workgroup sizes and teams, from a run of multi-kernel: a "
        "file of records such as `muster run APP --variant=multi-kernel --trace --json` prints. The rest comes from "
        "the chip's profile and from results of other inputs under the folder of results. `muster table prediction` "
        "shows how large the errors of such predictions are.",
        children,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.err;
    struct mu_grids grids = {.err = err};
    arguments.files = calloc((size_t)argc, sizeof *arguments.files);
    if (arguments.files == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory");
    if (err->status == MU_OK) mu_arguments_parse(&argp, argc, argv, &arguments, err);
    mu_pass_error(&arguments.output.err, err);
    if (err->status == MU_OK) {
        const struct mu_predict_request request = {
            .root = mu_results_reading_root(), .files = arguments.files, .file_count = arguments.file_count};
        if (mu_predict(&request, &grids) == MU_OK) mu_output_print(&arguments.output, &grids);
    }
    mu_finish_output(err);
    mu_grids_release(&grids);
    free(arguments.files);
    return mu_report(err);
}
