/* `muster help terms`: explains the terms in the output of commands. */
#ifndef MU_HARNESS_COMMANDS_TEXT_TERMS_H
#define MU_HARNESS_COMMANDS_TEXT_TERMS_H

#include "base/user/nearest.h"

#include <stdbool.h>

/* Last line of a command whose output has many of these terms. */
#define MU_TERMS_HINT "`muster help terms` explains the words."

/* Prints all terms to standard output. */
void mu_terms_print(void);

/* Prints the terms whose names contain the word. Returns false if there are none. */
bool mu_terms_print_word(const char *word);

/* Offers the names of all terms as candidates for a misspelled word. */
void mu_terms_try(struct mu_nearest *nearest);

#endif
