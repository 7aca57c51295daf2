/* `muster help terms`: the words of what the commands print. */
#ifndef MU_HARNESS_COMMANDS_TEXT_TERMS_H
#define MU_HARNESS_COMMANDS_TEXT_TERMS_H

#include "base/user/nearest.h"

#include <stdbool.h>

/* How a command whose output has many of these words ends. */
#define MU_TERMS_HINT "`muster help terms` explains the words."

/* Prints all terms to standard output. */
void mu_terms_print(void);

/* Prints those that have the word in their names; false where there is none. */
bool mu_terms_print_word(const char *word);

/* Tries the names of all. */
void mu_terms_try(struct mu_nearest *nearest);

#endif
