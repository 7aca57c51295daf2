/* The command line of a command, with a hint for an option that is misspelled. */
#ifndef MU_HARNESS_COMMANDS_ARGUMENTS_H
#define MU_HARNESS_COMMANDS_ARGUMENTS_H

#include "base/error.h"

#include <argp.h>

/* MU_USAGE for an argument of a command that takes options only. */
int mu_arguments_refuse(const struct argp_state *state, const char *text, struct mu_error *err);

/* argp_parse, but MU_USAGE, before anything is parsed, for a long option that argp does not know and that is almost one
 * that it does, and for a topic of --help=TOPIC that is not known. Ends the program for --help and --usage, with an
 * error where their text cannot be written, and for what argp refuses. */
int mu_arguments_parse(const struct argp *argp, int argc, char **argv, void *input, struct mu_error *err);

#endif
