/* A stage of a longer command: another command of this program, in a process of its own. */
#ifndef MU_HARNESS_COMMANDS_CHIP_STAGE_H
#define MU_HARNESS_COMMANDS_CHIP_STAGE_H

#include "base/error.h"

#include <stdbool.h>

struct mu_stage {
    const char *const *words; /* the command line, from the command's name on; ended by NULL */
    double seconds;           /* after so long it is interrupted, as by Ctrl-C, and keeps its records */
    bool quiet;               /* discard its standard output */
    int exit_code;            /* its exit code; -1: ended by a signal */
    bool cut;                 /* it was interrupted because its time was over */
};

/* Runs it to its end. Fails with MU_INTERRUPTED after a signal to this process, which the stage gets too, or MU_IO. */
int mu_stage_run(struct mu_stage *stage, struct mu_error *err);

#endif
