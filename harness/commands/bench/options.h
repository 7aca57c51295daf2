/* The options of `muster bench`. */
#ifndef MU_HARNESS_COMMANDS_BENCH_OPTIONS_H
#define MU_HARNESS_COMMANDS_BENCH_OPTIONS_H

#include "harness/commands/campaign_options.h"
#include "harness/commands/output.h"

#include <stdbool.h>
#include <stdint.h>

/* Values of the options; zero or negative: take the suite's. */
struct mu_bench_arguments {
    struct mu_campaign_arguments common;
    struct mu_output output;
    const char *junit, *stamp;
    bool tune, no_tune, dry_run, brief, split;
    uint32_t min_samples, max_samples;
    double target_width, max_time_s;
    int argc;
    char **argv;
};

/* Parses a command line into *arguments, which must be zeros, and takes what no option sets from the suite. Returns the
 * status of common.err. Ends the program for --help and --usage, and for what argp refuses. */
int mu_bench_parse(int argc, char **argv, struct mu_bench_arguments *arguments);

#endif
