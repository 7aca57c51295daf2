/* The machine that runs a launch in every way that there is, one after the other.
 *
 * Work-items are coroutines. Before each atomic access all of them stand still, and the machine decides who goes on and
 * what its access finds (tests/host/memory.h). Then it goes back to the last decision that has another outcome, and
 * runs the launch again up to there. What touches no word that others access, such as the barrier of a workgroup or a
 * plain access, is done at once, since its place among the accesses of others makes no difference.
 *
 * Partial-order reduction: two runs whose items have found the same so far, with the same modification order of each
 * word, go on in the same way. So only the first of them is followed, whatever the order of its steps was.
 *
 * A loop that waits. Either every poll is an access like any other, and the loop ends at its bound
 * (`bounded`). Or it waits for ever: a poll in vain is taken back, so that it has neither order nor cost, and what
 * comes behind it is the state before it. A state from which no end can be reached is a deadlock. */
#ifndef MU_TESTS_HOST_EXPLORE_H
#define MU_TESTS_HOST_EXPLORE_H

#include "tests/host/memory.h"
#include "tests/host/sites.h"

struct explore_setup {
    enum memory_model model;
    bool bounded;
    uint turns;    /* of a waiting loop, after which it does again what it did before; 0 means 1 */
    uint may_race; /* a word of local memory, counted from 1, the plain accesses to which are not looked at; 0: none */
    bool apart;    /* merges nothing, to test the reduction: every interleaving is an execution; `bounded` only */
    bool recorded; /* keeps what each run does: tests/host/record.h */
    unsigned long most; /* states, after which the exploration is given up; 0: no bound */
    struct weakening weakened;
};

struct explore_result {
    unsigned long states;     /* that were told apart */
    unsigned long executions; /* that came to an end, no two of them alike */
    double interleavings;     /* the orders of accesses for which the executions stand */
    bool complete;            /* neither a bound nor a fault has ended the exploration */
    bool saw_plain;           /* accesses: where the compiler has put calls before them (tests/host/plain.c) */
    char fault[320];          /* the first one; empty without one */
    unsigned long ordered[MEMORY_CASES]; /* memory_ordered */
};

/* Sets up the machine host_explorer, which stands in host_machine until explore_end. */
void explore_begin(const struct explore_setup *setup);

/* Says, in a launch's `end` or in a kernel, that this run is wrong. */
__attribute__((format(printf, 1, 2))) void explore_fault(const char *format, ...);

/* The kinds of access with an order that the runs had. */
const struct site_list *explore_sites(void);

/* The machine of threads again. Prints the accesses of the faulty run where `trace` says so. */
void explore_end(struct explore_result *result, bool trace);

#endif
