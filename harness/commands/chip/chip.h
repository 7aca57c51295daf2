/* muster chip: from a new chip to its rows in the tables, and to a file that others can import. */
#ifndef MU_HARNESS_COMMANDS_CHIP_H
#define MU_HARNESS_COMMANDS_CHIP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define MU_CHIP_APPS 32

/* What the command line says. */
struct mu_chip_arguments {
    const char *device, *suite;     /* add */
    const char *apps[MU_CHIP_APPS]; /* add: none for all of the suite */
    size_t app_count;
    double budget_s;     /* add */
    uint32_t units;      /* add; 0: as they are told or found */
    const char *subject; /* pack: the chip, or NULL where there is only one; import: the pack */
    const char *chip;    /* add, import: the name that it gets; NULL: its own */
    const char *output;  /* pack: the file; import: the folder of results */
    struct mu_error err;
};

/* Measures a device, stage by stage, into the user's own folder of results. A stage that has not ended when its part of
 * the budget is over goes on at the next call. Errors of a stage are told at the end; MU_INTERRUPTED, MU_DEVICE, MU_IO,
 * MU_NO_MEMORY. */
int mu_chip_add(const struct mu_chip_arguments *arguments, struct mu_error *err);

/* Makes one file of a chip's folder in the user's own results (records/packs/pack.h), without the names of hosts and
 * folders. MU_USAGE for a chip that is not there; MU_INPUT, MU_IO, MU_LIMIT, MU_NO_MEMORY. */
int mu_chip_pack(const struct mu_chip_arguments *arguments, struct mu_error *err);

/* Takes a pack into the folder of results of a checkout, as <folder>/chips/<chip>: records that are not there yet, the
 * profile where there is none, and a page; then makes sums and pages anew. MU_USAGE where another device has the name;
 * MU_INPUT for what is no pack or damaged; MU_IO, MU_LIMIT, MU_NO_MEMORY. Whatever fails, the chip's folder is as it
 * was. */
int mu_chip_import(const struct mu_chip_arguments *arguments, struct mu_error *err);

#endif
