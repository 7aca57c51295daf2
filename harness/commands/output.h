/* The options that all commands with tables have, and the printing of tables. */
#ifndef MU_HARNESS_COMMANDS_OUTPUT_H
#define MU_HARNESS_COMMANDS_OUTPUT_H

#include "base/error.h"
#include "base/grid.h"

#include <argp.h>
#include <stdio.h>

struct mu_output {
    enum mu_grid_format format;
    bool wide;           /* print tables in full width */
    const char *colour;  /* "auto", "always" or "never"; NULL: auto */
    struct mu_error err; /* first error in the command line */
};

/* Options --json, --wide and --color: a child for a command's argp, whose input is a struct mu_output of zeros. */
extern const struct argp mu_output_argp;

/* The same, and --format with the formats of grids. */
extern const struct argp mu_output_format_argp;

/* Returns how many characters a line of text may have: the terminal's width; 0: no limit. */
size_t mu_output_width(const struct mu_output *output);

/* Prints grids to standard output. Text fits the terminal unless --wide is set. Colours are used if they are asked for,
 * or on a terminal (other than a dumb one) if the environment variable NO_COLOR is unset or empty. Returns the status
 * of grids->err. */
int mu_output_print(const struct mu_output *output, const struct mu_grids *grids);

/* Prints a table (muster table) of the records in one file. */
int mu_output_table(const struct mu_output *output, const char *name, const char *path, struct mu_error *err);

#endif
