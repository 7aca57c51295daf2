/* How a command prints what it found: the options that all commands with tables have, and the printing. */
#ifndef MU_HARNESS_COMMANDS_OUTPUT_H
#define MU_HARNESS_COMMANDS_OUTPUT_H

#include "base/error.h"
#include "base/grid.h"

#include <argp.h>
#include <stdio.h>

struct mu_output {
    enum mu_grid_format format;
    bool wide;           /* as wide as it gets */
    const char *colour;  /* auto (NULL, too), always or never */
    struct mu_error err; /* what was wrong with the command line */
};

/* --json, --wide and --color: a child for a command's argp, whose input is a struct mu_output of zeros. */
extern const struct argp mu_output_argp;

/* The same, and --format of the formats of grids. */
extern const struct argp mu_output_format_argp;

/* How many characters a line of text may have: those of the terminal; 0 for any number. */
size_t mu_output_width(const struct mu_output *output);

/* Prints to standard output. Text fits a terminal, unless it is to be wide. It has colours where they are wanted, or on
 * a terminal other than a dumb one while the environment variable NO_COLOR is unset or empty. The status of grids->err.
 */
int mu_output_print(const struct mu_output *output, const struct mu_grids *grids);

/* Prints a table (muster table) of the records in one file. */
int mu_output_table(const struct mu_output *output, const char *name, const char *path, struct mu_error *err);

#endif
