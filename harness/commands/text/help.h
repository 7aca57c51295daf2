/* The short helps: `muster COMMAND --help` in one screen for the commands that have many options, --help=TOPIC for a
 * part of them, and `muster help WORD` for whatever has that name. All of it is made of the rows of options, tables,
 * apps and terms; the tables in help.c only choose among them. */
#ifndef MU_HARNESS_COMMANDS_TEXT_HELP_H
#define MU_HARNESS_COMMANDS_TEXT_HELP_H

#include "base/error.h"
#include "base/user/nearest.h"

#include <argp.h>
#include <stdbool.h>

/* The topic of --help that stands for argp's own help, with every option. */
#define MU_HELP_ALL "all"

/* What --help=TOPIC begins with to ask for the command's own options with a name, or a part of it; none is no error. */
#define MU_HELP_FIND '?'

/* Prints the help of a command ("muster run") on a topic, or its one screen for NULL. Returns false, having printed
 * nothing, where that is argp's to print: for "all", and for a command without such a screen. A topic that is not known
 * is MU_USAGE. */
bool mu_help_print(const struct argp *argp, const char *command, const char *topic, struct mu_error *err);

/* Prints what is known of a word: terms, tables, an app, options of tests. Returns false where there is nothing. */
bool mu_help_word(const char *word);

/* Tries the names of all of that. */
void mu_help_try(struct mu_nearest *nearest);

#endif
