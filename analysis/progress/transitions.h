/* Programs of a few threads as labelled transition systems, and whether a scheduler lets them starve (thesis, sections
 * 6.4 and 6.5).
 *
 * A state says which step each thread is at and what the shared words hold; and which threads have taken a step, since
 * some schedulers promise something to those. A thread is a workgroup in all this. It is enabled until it has ended:
 * who waits takes steps that change nothing.
 *
 * A scheduler promises to go on with some threads: those that meet its criterion. It leaves a path out if some thread
 * is, from some point on, always enabled and always meets the criterion, and yet does not execute again and again:
 *
 *     for all threads t: eventually always (enabled t and criterion t) implies always eventually executes t
 *
 * What remains of the infinite paths starves: the scheduler allows a program where nothing remains. An infinite path
 * ends in a strongly connected component. The more of a component it visits, the easier the formula holds: there are
 * more states in which the criterion may fail, and more steps that threads may execute. So whole components are all
 * that has to be looked at. */
#ifndef MU_ANALYSIS_PROGRESS_TRANSITIONS_H
#define MU_ANALYSIS_PROGRESS_TRANSITIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MU_LTS_THREADS 4
#define MU_LTS_WORDS   8 /* of shared memory, 0 at the start; each holds a value up to 7 */
#define MU_LTS_STEPS   14

/* What a step does, atomically. */
enum mu_lts_operation {
    MU_LTS_END,
    MU_LTS_LOCK,       /* waits for the word to be 0, and makes it 1 */
    MU_LTS_STORE,      /* word = value */
    MU_LTS_ADD,        /* word += value */
    MU_LTS_MAX,        /* word = max(word, value) */
    MU_LTS_AWAIT,      /* waits for the word to be value */
    MU_LTS_AWAIT_WORD, /* waits for the word to be as the word of number `value` */
    MU_LTS_JUMP_EQUAL, /* goes on at `target` if the word is value */
    MU_LTS_JUMP_ABOVE, /* the same if the word is above value */
    MU_LTS_TAKE,       /* if the word is value, adds 1 to it and goes on at `target` */
    MU_LTS_EXCHANGE,   /* word = put; goes on at `target` if it was value */
    MU_LTS_COMPARE     /* if the word is value, word = put and goes on at `target`: a compare-exchange */
};

struct mu_lts_step {
    enum mu_lts_operation operation;
    unsigned word, value, target, put;
};

struct mu_lts_program {
    const char *name, *text; /* "mutex"; a line for people */
    unsigned threads;
    struct mu_lts_step steps[MU_LTS_THREADS][MU_LTS_STEPS]; /* each thread's, until MU_LTS_END */
};

/* The schedulers, from the strongest. */
enum mu_lts_scheduler {
    MU_LTS_FAIR,    /* to all threads */
    MU_LTS_LOBE,    /* to those whose id is not above that of one that has taken a step */
    MU_LTS_HSA_OBE, /* to those of HSA and those of OBE */
    MU_LTS_HSA,     /* to the lowest id that has not ended */
    MU_LTS_OBE,     /* to those that have taken a step */
    MU_LTS_UNFAIR,  /* to no thread */
    MU_LTS_SCHEDULERS
};
extern const char *const mu_lts_schedulers[MU_LTS_SCHEDULERS];

/* All states of a program. */
struct mu_lts;

/* Builds all states of a program, which must outlive *lts. Free with mu_lts_free. Fails with MU_NO_MEMORY. */
int mu_lts_explore(const struct mu_lts_program *program, struct mu_lts **lts, struct mu_error *err);

/* Frees the states; accepts NULL. */
void mu_lts_free(struct mu_lts *lts);

size_t mu_lts_states(const struct mu_lts *lts);

/* Returns true if no simpler program would do the same: each step of each thread is executed in some state, and each
 * check or exchange branches in one state and does not in another. */
bool mu_lts_needs_all(const struct mu_lts *lts);

/* Returns true if the program can end from every state. Then it ends under strong fairness, by which a step that can be
 * taken infinitely often is taken at last. None of the schedulers here is strongly fair. */
bool mu_lts_can_always_end(struct mu_lts *lts);

/* An infinite path that a scheduler allows: the threads that step, one character each, up to the cycle; and sets of
 * threads, a bit each. */
#define MU_LTS_PREFIX 64
struct mu_lts_starvation {
    char prefix[MU_LTS_PREFIX]; /* "01": thread 0, then thread 1; cut off where it is long */
    unsigned executing;         /* for ever */
    unsigned starving;          /* enabled, and never executed again */
};

/* Returns true if the scheduler lets the program starve; *starvation gets one with a shortest prefix. */
bool mu_lts_starves(struct mu_lts *lts, enum mu_lts_scheduler scheduler, struct mu_lts_starvation *starvation);

#endif
