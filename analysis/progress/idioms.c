#include "analysis/progress/idioms.h"

/* Shared words, all 0 at the start. */
enum { MUTEX, CLOSED, COUNT, ARRIVED, FLAG_0, FLAG_1, FOUND_0 = COUNT, FOUND_1 = ARRIVED, NOTHING = CLOSED };

/* clang-format off */
#define END                       {MU_LTS_END, 0, 0, 0, 0}
#define LOCK                      {MU_LTS_LOCK, MUTEX, 0, 0, 0}
#define UNLOCK                    {MU_LTS_STORE, MUTEX, 0, 0, 0}
#define STORE(word, value)        {MU_LTS_STORE, word, value, 0, 0}
#define ADD(word)                 {MU_LTS_ADD, word, 1, 0, 0}
#define MAX(word, value)          {MU_LTS_MAX, word, value, 0, 0}
#define AWAIT(word, value)        {MU_LTS_AWAIT, word, value, 0, 0}
#define AWAIT_WORD(word, other)   {MU_LTS_AWAIT_WORD, word, other, 0, 0}
#define IF(word, value, target)   {MU_LTS_JUMP_EQUAL, word, value, target, 0}
#define ABOVE(word, value, target) {MU_LTS_JUMP_ABOVE, word, value, target, 0}

#define BARRIER {ADD(ARRIVED), AWAIT(ARRIVED, 3), END}

/* The first part of algorithm 6.1: a thread that comes while the poll is open is counted, and then closes it; one that
 * comes late leaves by step 10. The second part is a barrier of as many as were counted. */
#define BARRIER_TEAM                                                                                                   \
    {LOCK, IF(CLOSED, 1, 10), ADD(COUNT), UNLOCK,                                                                      \
     LOCK, STORE(CLOSED, 1), UNLOCK,                                                                                   \
     ADD(ARRIVED), AWAIT_WORD(ARRIVED, COUNT), END,                                                                    \
     UNLOCK, END}

/* The same for LOBE: the team is everybody up to the highest id that has come, so that one that comes late and has a
 * lower id stays. */
#define BARRIER_LOBE(id)                                                                                               \
    {LOCK, IF(CLOSED, 0, 4), ABOVE(COUNT, id, 4), IF(CLOSED, 1, 12), MAX(COUNT, (id) + 1), UNLOCK,                     \
     LOCK, STORE(CLOSED, 1), UNLOCK,                                                                                   \
     ADD(ARRIVED), AWAIT_WORD(ARRIVED, COUNT), END,                                                                    \
     UNLOCK, END}

/* Algorithm 6.1 for two threads, each of which leaves a mark; then each waits for the other, if that is there. */
#define TWO_WAY_TEAM(found, flag, other_found, other_flag)                                                             \
    {LOCK, IF(CLOSED, 1, 11), STORE(found, 1), UNLOCK,                                                                 \
     LOCK, STORE(CLOSED, 1), UNLOCK,                                                                                   \
     STORE(flag, 1), IF(other_found, 0, 10), AWAIT(other_flag, 1), END,                                                \
     UNLOCK, END}

#define TAKE(value, target)       {MU_LTS_TAKE, COUNT, value, target, 0}
#define GO(target)                IF(NOTHING, 0, target)

/* The parts of a scan. The first part's sum is at once that of all up to it (2). The second publishes its own (1), then
 * adds the one before. The third looks back until it finds a sum of all (2), past those that only have their own (1).
 * `at` is the number of the first step. */
#define SCAN_FIRST      STORE(FLAG_0, 2), END
#define SCAN_SECOND     STORE(FLAG_1, 1), AWAIT(FLAG_0, 2), STORE(FLAG_1, 2), END
#define SCAN_THIRD(at)  IF(FLAG_1, 2, (at) + 4), IF(FLAG_1, 1, (at) + 3), GO(at), AWAIT(FLAG_0, 2), END

/* A ticket is the number of groups that have taken one. */
#define SCAN_TICKETED                                                                                                  \
    {TAKE(0, 12), TAKE(1, 8), ADD(COUNT), SCAN_THIRD(3), SCAN_SECOND, SCAN_FIRST}

#define SHARE_FIRST STORE(FLAG_0, 1), END
#define SHARE_OTHER AWAIT(FLAG_0, 1), END
#define SPMV_TICKETED {TAKE(0, 4), ADD(COUNT), SHARE_OTHER, SHARE_FIRST}

#define ROW_FIRST  STORE(FLAG_0, 1), END
#define ROW_SECOND AWAIT(FLAG_0, 1), STORE(FLAG_1, 1), END
#define ROW_THIRD  AWAIT(FLAG_0, 1), AWAIT(FLAG_1, 1), END
#define TRIANGULAR_TICKETED {TAKE(0, 9), TAKE(1, 6), ADD(COUNT), ROW_THIRD, ROW_SECOND, ROW_FIRST}

#define BOTH_FIRST    LOCK, UNLOCK, STORE(FLAG_0, 1), END
#define BOTH_SECOND   LOCK, UNLOCK, AWAIT(FLAG_0, 1), END
#define BOTH_TICKETED {TAKE(0, 6), ADD(COUNT), BOTH_SECOND, BOTH_FIRST}

#define LAST_GROUP {TAKE(0, 4), TAKE(1, 4), ADD(COUNT), STORE(FLAG_0, 1), END}

const struct mu_lts_program mu_lts_idioms[MU_LTS_IDIOMS] = {
    [MU_LTS_MUTEX] = {"mutex", "each of two takes a mutex once", 2, {{LOCK, UNLOCK, END}, {LOCK, UNLOCK, END}}},
    [MU_LTS_BARRIER] = {"barrier", "a barrier of three", 3, {BARRIER, BARRIER, BARRIER}},
    [MU_LTS_BARRIER_TEAM] = {"barrier-team", "a barrier of those of three whom the discovery protocol finds", 3,
                             {BARRIER_TEAM, BARRIER_TEAM, BARRIER_TEAM}},
    [MU_LTS_BARRIER_LOBE] = {"barrier-lobe", "the same with the protocol for LOBE, which keeps native ids", 3,
                             {BARRIER_LOBE(0), BARRIER_LOBE(1), BARRIER_LOBE(2)}},
    [MU_LTS_ONE_WAY] = {"one-way", "thread 1 waits for what thread 0 produces", 2,
                        {{STORE(FLAG_0, 1), END}, {AWAIT(FLAG_0, 1), END}}},
    [MU_LTS_ONE_WAY_DOWN] = {"one-way-descending", "thread 0 waits for what thread 1 produces", 2,
                             {{AWAIT(FLAG_1, 1), END}, {STORE(FLAG_1, 1), END}}},
    [MU_LTS_TWO_WAY] = {"two-way", "each produces, then waits for the other", 2,
                        {{STORE(FLAG_0, 1), AWAIT(FLAG_1, 1), END}, {STORE(FLAG_1, 1), AWAIT(FLAG_0, 1), END}}},
    [MU_LTS_TWO_WAY_TEAM] = {"two-way-team", "the same where the discovery protocol finds both", 2,
                             {TWO_WAY_TEAM(FOUND_0, FLAG_0, FOUND_1, FLAG_1),
                              TWO_WAY_TEAM(FOUND_1, FLAG_1, FOUND_0, FLAG_0)}},
    [MU_LTS_MUTEX_AND_ONE_WAY] = {"mutex-and-one-way", "each takes a mutex, then thread 1 waits for thread 0", 2,
                                  {{BOTH_FIRST}, {BOTH_SECOND}}},
    [MU_LTS_MUTEX_AND_ONE_WAY_TICKETED] = {"mutex-and-one-way-ticketed", "the same by tickets", 2,
                                           {BOTH_TICKETED, BOTH_TICKETED}},
    [MU_LTS_MUTEX_AND_ONE_WAY_REVERSED] = {"mutex-and-one-way-reversed", "the same, thread 0 waiting for thread 1", 2,
                                           {{BOTH_SECOND}, {BOTH_FIRST}}},
    [MU_LTS_SCAN] = {"scan", "a scan of three parts with decoupled look-back, by native ids", 3,
                     {{SCAN_FIRST}, {SCAN_SECOND}, {SCAN_THIRD(0)}}},
    [MU_LTS_SCAN_TICKETED] = {"scan-ticketed", "the same by tickets", 3,
                              {SCAN_TICKETED, SCAN_TICKETED, SCAN_TICKETED}},
    [MU_LTS_SCAN_REVERSED] = {"scan-reversed", "the same by ids counted from the other end", 3,
                              {{SCAN_THIRD(0)}, {SCAN_SECOND}, {SCAN_FIRST}}},
    [MU_LTS_SPMV] = {"spmv", "three groups share a row, which the first of them prepares, by native ids", 3,
                     {{SHARE_FIRST}, {SHARE_OTHER}, {SHARE_OTHER}}},
    [MU_LTS_SPMV_TICKETED] = {"spmv-ticketed", "the same by tickets", 3,
                              {SPMV_TICKETED, SPMV_TICKETED, SPMV_TICKETED}},
    [MU_LTS_SPMV_REVERSED] = {"spmv-reversed", "the same by ids counted from the other end", 3,
                              {{SHARE_OTHER}, {SHARE_OTHER}, {SHARE_FIRST}}},
    [MU_LTS_TRIANGULAR] = {"triangular", "three rows, each of which waits for those before it, by native ids", 3,
                           {{ROW_FIRST}, {ROW_SECOND}, {ROW_THIRD}}},
    [MU_LTS_TRIANGULAR_TICKETED] = {"triangular-ticketed", "the same by tickets", 3,
                                    {TRIANGULAR_TICKETED, TRIANGULAR_TICKETED, TRIANGULAR_TICKETED}},
    [MU_LTS_TRIANGULAR_REVERSED] = {"triangular-reversed", "the same by ids counted from the other end", 3,
                                    {{ROW_THIRD}, {ROW_SECOND}, {ROW_FIRST}}},
    [MU_LTS_LAST_GROUP] = {"last-group", "the last of three to come sums up", 3, {LAST_GROUP, LAST_GROUP, LAST_GROUP}},
};
/* clang-format on */
