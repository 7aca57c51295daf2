/* A stage of a longer work: another command of this program, in a process of its own. */
#ifndef MU_HARNESS_COMMANDS_CHIP_STAGE_H
#define MU_HARNESS_COMMANDS_CHIP_STAGE_H

#include "base/error.h"

#include <stdbool.h>

struct mu_stage {
    const char *const *words; /* of the command line, from the command on; NULL behind the last */
    double seconds;           /* after which it is interrupted, as by Ctrl-C, so that it keeps what it has */
    bool quiet;               /* what it prints to standard output is left out */
    int exit_code;            /* how it ended; -1: by a signal */
    bool cut;                 /* it was interrupted since its time was over */
};

/* Runs it to its end. MU_INTERRUPTED after a signal to this process, which the stage gets, too; MU_IO. */
int mu_stage_run(struct mu_stage *stage, struct mu_error *err);

#endif
