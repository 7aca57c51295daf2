/* muster chip: from a new chip to its rows in the tables, and to a file that others can import. */
#ifndef MU_HARNESS_COMMANDS_CHIP_H
#define MU_HARNESS_COMMANDS_CHIP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define MU_CHIP_APPS 32

/* The command line. */
struct mu_chip_arguments {
    const char *device, *suite;     /* add */
    const char *apps[MU_CHIP_APPS]; /* add: apps; none: all of the suite */
    size_t app_count;
    double budget_s;     /* add */
    uint32_t units;      /* add: compute units; 0: as reported or found */
    const char *subject; /* pack: the chip, NULL if there is only one; import: the pack */
    const char *chip;    /* add, import: name that the chip gets; NULL: its own */
    const char *output;  /* pack: the file; import: the folder of results */
    struct mu_error err;
};

/* Measures a device, stage by stage, into the user's own folder of results. A stage that has not ended when its part of
 * the budget is over continues at the next call. Errors of stages are reported at the end. Fails with MU_INTERRUPTED,
 * MU_DEVICE, MU_IO or MU_NO_MEMORY. */
int mu_chip_add(const struct mu_chip_arguments *arguments, struct mu_error *err);

/* Packs a chip's folder of the user's results into one file (records/packs/pack.h), without the names of hosts and
 * folders. Fails with MU_USAGE if there is no such chip, MU_INPUT, MU_IO, MU_LIMIT or MU_NO_MEMORY. */
int mu_chip_pack(const struct mu_chip_arguments *arguments, struct mu_error *err);

/* Adds a pack to the folder of results of a checkout, as <folder>/chips/<chip>: the records that are new, the profile
 * if there is none, and a page. Then makes checksums and pages anew. Fails with MU_USAGE if another device has the
 * name, MU_INPUT for a damaged pack, MU_IO, MU_LIMIT or MU_NO_MEMORY; the chip's folder is then as before. */
int mu_chip_import(const struct mu_chip_arguments *arguments, struct mu_error *err);

#endif
