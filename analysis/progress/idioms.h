/* Blocking idioms as programs of transitions.h, after chapter 6 of the thesis: those of table 6.1, alone and behind a
 * discovery protocol, and one that needs what two schedulers promise. And idioms that are in use (section 6.6), of
 * groups with native ids, and of groups that take a ticket and work in the order in which they came. */
#ifndef MU_ANALYSIS_PROGRESS_IDIOMS_H
#define MU_ANALYSIS_PROGRESS_IDIOMS_H

#include "analysis/progress/transitions.h"

enum mu_lts_idiom {
    MU_LTS_MUTEX,             /* figure 6.2 */
    MU_LTS_BARRIER,           /* example 6.6: of three threads */
    MU_LTS_BARRIER_TEAM,      /* of the threads that the discovery protocol finds (algorithm 6.1, without the boxes) */
    MU_LTS_BARRIER_LOBE,      /* of the threads that its form for LOBE finds (algorithm 6.1, with the boxes) */
    MU_LTS_ONE_WAY,           /* figure 6.3: thread 1 waits for thread 0 */
    MU_LTS_ONE_WAY_DOWN,      /* thread 0 waits for thread 1 */
    MU_LTS_TWO_WAY,           /* figure 6.3: each waits for the other */
    MU_LTS_TWO_WAY_TEAM,      /* the same where the discovery protocol has found both */
    MU_LTS_MUTEX_AND_ONE_WAY, /* section 6.7: allowed by HSA+OBE, and by neither of the two */
    MU_LTS_MUTEX_AND_ONE_WAY_TICKETED, /* the same for groups that take tickets, and for ids counted from the other end
                                        */
    MU_LTS_MUTEX_AND_ONE_WAY_REVERSED,
    MU_LTS_SCAN, /* scan with decoupled look-back: waits for groups before it until one knows their sum */
    MU_LTS_SCAN_TICKETED,
    MU_LTS_SCAN_REVERSED,
    MU_LTS_SPMV, /* matrix times vector: the groups that share a row wait for the first of them */
    MU_LTS_SPMV_TICKETED,
    MU_LTS_SPMV_REVERSED,
    MU_LTS_TRIANGULAR, /* sparse triangular solve: each row waits for those that it depends on, here all before it */
    MU_LTS_TRIANGULAR_TICKETED,
    MU_LTS_TRIANGULAR_REVERSED,
    MU_LTS_LAST_GROUP, /* reduction: the last group to come does the rest */
    MU_LTS_IDIOMS
};
extern const struct mu_lts_program mu_lts_idioms[MU_LTS_IDIOMS];

#endif
