/* The short help texts: `muster COMMAND --help` on one screen for commands with many options, --help=TOPIC for a part
 * of them, and `muster help WORD` for anything of that name. They are made from the rows of options, tables, apps and
 * terms; help.c only selects. */
#ifndef MU_HARNESS_COMMANDS_TEXT_HELP_H
#define MU_HARNESS_COMMANDS_TEXT_HELP_H

#include "base/error.h"
#include "base/user/nearest.h"

#include <argp.h>
#include <stdbool.h>

/* The topic of --help for argp's own help, with every option. */
#define MU_HELP_ALL "all"

/* First character of a topic that asks for the command's own options whose names contain the rest. None is no error. */
#define MU_HELP_FIND '?'

/* Prints the help of a command ("muster run") on a topic, or its one screen for NULL. Returns false, having printed
 * nothing, if argp is to print it: for "all", and for a command without such a screen. An unknown topic is MU_USAGE. */
bool mu_help_print(const struct argp *argp, const char *command, const char *topic, struct mu_error *err);

/* Prints everything of that name: terms, tables, an app, options of tests. Returns false if there is nothing. */
bool mu_help_word(const char *word);

/* Offers all these names as candidates for a misspelled word. */
void mu_help_try(struct mu_nearest *nearest);

#endif
