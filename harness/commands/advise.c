/* muster advise */
#include "analysis/optimisations/advise.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "harness/device/device_list.h"
#include "records/optimisations/stored.h"
#include "records/results.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

enum option_key { KEY_CHIP = 256, KEY_DEVICE, KEY_WRITE };

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "The chip, named as its folder of results; needs no device (default: the device's)",
     0},
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)", 0},
    {"write", KEY_WRITE, NULL, 0, "Write the strategies into the chip's folder of results, where --strategy finds them",
     0},
    {0},
};

struct arguments {
    const char *chip, *device;
    bool write;
    struct mu_output output;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {{KEY_CHIP, &arguments->chip, NULL},
                                               {KEY_DEVICE, &arguments->device, NULL},
                                               {KEY_WRITE, NULL, &arguments->write},
                                               {0}};
    if (key == ARGP_KEY_INIT) state->child_inputs[0] = &arguments->output;
    return mu_arguments_options(places, key, text, state, &arguments->err);
}

static void advise(const struct arguments *arguments, const char *chip, struct mu_error *err)
{
    const struct mu_advice_request request = {.root = mu_results_reading_root(),
                                              .chip = chip,
                                              .plain_rows = mu_grid_is_for_programs(arguments->output.format)};
    struct mu_grids grids = {.err = err};
    json_t *strategies = NULL;
    if (mu_advise(&request, &grids, arguments->write ? &strategies : NULL) == MU_OK &&
        mu_output_print(&arguments->output, &grids) == MU_OK && arguments->write &&
        mu_strategies_write(chip, strategies, err) == MU_OK)
        fprintf(stderr, "muster: kept in %s/%s/%s\n", mu_results_root(), chip, MU_STRATEGIES_FILE);
    json_decref(strategies);
    mu_grids_release(&grids);
}

int mu_cmd_advise(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_format_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options,
                                     parse,
                                     NULL,
                                     "Shows which optimisations of graph programs pay on a chip, judged by the records "
                                     "of suite irgl under the folder of results. There is a line for the chip, for "
                                     "each program and for each input, with the number of tests and the effect.",
                                     children,
                                     NULL,
                                     NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.err;
    struct mu_device_info info;
    mu_arguments_parse(&argp, argc, argv, &arguments, err);
    mu_pass_error(&arguments.output.err, err);
    const char *chip = arguments.chip;
    if (arguments.chip != NULL && arguments.device != NULL)
        mu_fail(err, MU_USAGE, "--chip and --device: one of them names the chip");
    if (err->status == MU_OK && chip == NULL && mu_device_choose(arguments.device, &info, NULL, err) == MU_OK)
        chip = info.chip;
    if (err->status == MU_OK) advise(&arguments, chip, err);
    mu_finish_output(err);
    return mu_report(err);
}
