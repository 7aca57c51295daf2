/* `muster help terms`: the words of what the commands print. */
#ifndef MU_HARNESS_COMMANDS_TEXT_TERMS_H
#define MU_HARNESS_COMMANDS_TEXT_TERMS_H

/* How a command whose output has many of these words ends. */
#define MU_TERMS_HINT "`muster help terms` explains the words."

/* Prints all terms to standard output. */
void mu_terms_print(void);

#endif
