/* The command line of a command, with a hint for an option that is misspelled. */
#ifndef MU_HARNESS_COMMANDS_ARGUMENTS_H
#define MU_HARNESS_COMMANDS_ARGUMENTS_H

#include "base/error.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the value of an option goes: a text, or a flag that it was given. */
struct mu_argument_place {
    int key;
    const char **text;
    bool *given;
};

/* Stores an option's value in the place of its key; the list of places ends in key 0. ARGP_ERR_UNKNOWN if the key is
 * not there. */
error_t mu_arguments_store(const struct mu_argument_place *places, int key, const char *text);

/* Does the same for a command that takes only options: mu_arguments_refuse refuses an argument. */
error_t mu_arguments_options(const struct mu_argument_place *places, int key, const char *text,
                             const struct argp_state *state, struct mu_error *err);

/* Stores the one app that a command takes as its argument; none or several end the program. ARGP_ERR_UNKNOWN for any
 * other key. */
error_t mu_arguments_app(const char **app, int key, const char *text, const struct argp_state *state);

/* Refuses a value of --input that no process which measures can read: the command's own standard input. Unless one
 * process alone reads it, a pipe or a device is refused, too. Fails with MU_USAGE. */
int mu_arguments_input(const char *text, bool once, struct mu_error *err);

/* Fails with MU_USAGE, naming an argument of a command that takes only options. */
int mu_arguments_refuse(const struct argp_state *state, const char *text, struct mu_error *err);

/* The option --units for a command's table; and a function that reads its value. */
#define MU_UNITS_OPTION(key, group)                                                                                    \
    {                                                                                                                  \
        "units", key, "N", 0,                                                                                          \
            "How many compute units the device has, where its driver tells it wrongly (default: those it "             \
            "tells; where it tells one, those that were found)",                                                       \
            group                                                                                                      \
    }
int mu_arguments_units(const char *text, uint32_t *units, struct mu_error *err);

/* Parses a command line by argp. Before that, fails with MU_USAGE for a misspelled long option, naming the one that was
 * meant, and for an unknown topic of --help=TOPIC. Ends the program for --help and --usage, with an error if the text
 * cannot be written, and for what argp refuses. */
int mu_arguments_parse(const struct argp *argp, int argc, char **argv, void *input, struct mu_error *err);

#endif
