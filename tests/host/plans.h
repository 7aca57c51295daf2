/* Whole plans on the host machine: flags, a counter and a sum as variants/teams/roles.clh has them, used by random
 * plans, in teams that shrink and grow.
 *
 * A work-item of the machine stands for a workgroup, and the barrier of the machine for the global one, which has tests
 * of its own: so what is interleaved are the accesses of steps and of plans alone. A slot that is parked behind barrier
 * p and joins behind barrier k repeats the steps in between without elements, while the others are in the step behind
 * k, and reads what rank 0 has recorded, as in variants/cooperative/barrier.clh. */
#ifndef MU_TESTS_HOST_PLANS_H
#define MU_TESTS_HOST_PLANS_H

#include "tests/host/machine.h"

#include <stdbool.h>

#define PLAN_MOST_SLOTS  3
#define PLAN_MOST_OPS    8 /* steps and questions of a round */
#define PLAN_MOST_ROUNDS 3
#define PLAN_MOST_STEPS  (PLAN_MOST_OPS * PLAN_MOST_ROUNDS)

enum plan_kind { PLAN_STAMP, PLAN_COUNT, PLAN_ADD, PLAN_PASS, PLAN_STAMPED, PLAN_COUNTED, PLAN_SUM, PLAN_KINDS };

/* A step or a question. */
struct plan_op {
    enum plan_kind kind;
    uint flag;                       /* which one of two */
    uint on;                         /* bit r: in round r, from 0, the step has elements, or the question is asked */
    bool if_odd;                     /* … and only where what has been read so far is odd */
    bool left_out;                   /* a step that is not on is left out, and else has no elements */
    uint elements[PLAN_MOST_ROUNDS]; /* bits: those that stamp, count or add */
    uint ahead;                      /* of a question: it asks for a later round than the step was told; mostly 0 */
};

struct plan {
    uint slots, rounds, ops;
    uint number[PLAN_MOST_ROUNDS]; /* what flags are told as the number of a round */
    struct plan_op op[PLAN_MOST_OPS];
    uint size[PLAN_MOST_STEPS + 1]; /* of the team behind each barrier; the first is `slots` */
};

/* Protocols that were tried and are wrong, one for each reason; PLAN_RIGHT is the present one. */
enum plan_mutant {
    PLAN_RIGHT,
    PLAN_LATEST,   /* one word with the last round that was stamped, compared with >= */
    PLAN_PARITY,   /* two words by parity of the round, compared with == */
    PLAN_BARRIERS, /* two words by parity of the step */
    PLAN_ROUND,    /* two words that take turns by stamping step, and hold rounds */
    PLAN_IDLE,     /* steps without elements stamp, too */
    PLAN_PARKED,   /* a slot that repeats steps stamps, too */
    PLAN_MUTANTS
};

/* What the sequential meaning of a plan is. */
struct plan_meaning {
    bool refused; /* it breaks a rule, and ends in an error */
    uint read;    /* a number made of all that was read */
};

struct plan plan_random(uint64_t seed);
struct plan_meaning plan_meaning(const struct plan *plan);

/* Runs the plan on the present machine, whose `end` of a launch judges: explore_fault where a slot that ends in the
 * team has read something else, or a rule was found broken that is not, or the other way round. Returns how many runs
 * were wrong, which is for machines that go on; -1 without memory. */
int plan_run(const struct plan *plan, enum plan_mutant mutant, void (*wrong)(const char *what));

#endif
