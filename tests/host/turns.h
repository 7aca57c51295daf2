/* Launches with two sets of words of synchronisation that take turns (variants/teams/sync_layout.clh), with the first
 * and last line of a kernel as devices have them (variants/teams/kernel.clh), roll calls and barriers. */
#ifndef MU_TESTS_HOST_TURNS_H
#define MU_TESTS_HOST_TURNS_H

#include "tests/host/sync.h"

/* The two sets, and the words of each, of which there are enough for `most_groups` groups. */
struct host_sets {
    uint *words;
    size_t distance;
    uint most_groups;
};

/* All words of both sets are garbage. 0, or -1 without memory. */
int host_sets_make(struct host_sets *sets, uint most_groups);
void host_sets_free(struct host_sets *sets);

/* What the host does that clears a set. */
void host_sets_clear(struct host_sets *sets, uint set, uint groups);

struct host_turn_case;
struct host_turn_result;

/* A launch that uses one of the sets. Its team crosses so many barriers and does nothing else. */
struct host_turn_case {
    const struct host_rollcall *rollcall; /* host_native: variant specialised */
    const struct host_barrier *barrier;
    uint groups, workgroup, expected, wait, rounds, spin_limit;
    uint set;
    bool locked; /* the set begins with a lock that nobody gives back */
    /* Sees the result of each run, of which the exploring machine does many. May be NULL. */
    void (*judge)(const struct host_turn_case *what, const struct host_turn_result *result);
};

struct host_turn_result {
    uint phase;    /* of a wait that was given up; MU_PHASE_NONE if none was */
    uint team;     /* as rank 0 reports it; 0: there was none */
    bool is_right; /* every rank came to the end once, behind as many barriers as rank 0, which are all */
    uint dirty;    /* words of the other set that are not zeros, of those that a launch of as many groups uses */
};

/* Runs the launch from the sets as they are, and leaves them as it makes them. 0, or -1 without threads or memory. */
int host_turn_run(struct host_sets *sets, const struct host_turn_case *what, struct host_turn_result *result);

#endif
