/* Choices: the values that an option may have, by name. */
#ifndef MU_BASE_CHOICE_H
#define MU_BASE_CHOICE_H

#include "base/error.h"

/* A choice of the command line: the name, and one line for people. A table of choices ends in a row whose name is NULL;
 * its rows stand in the order of an enum. */
struct mu_choice {
    const char *name, *purpose;
};

/* Finds the row called `name` and puts its number into *index. Fails with MU_USAGE, naming `option` and listing the
 * choices. */
int mu_choice_find(const struct mu_choice *table, const char *option, const char *name, int *index,
                   struct mu_error *err);

#endif
