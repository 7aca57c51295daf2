/* Every kind of work queue of variants/queues/, compiled for the host, and a kernel through which items flow. */
#ifndef MU_TESTS_HOST_QUEUES_H
#define MU_TESTS_HOST_QUEUES_H

#include "tests/host/kernel.h"

struct host_queue {
    const char *name; /* as in mu_queue_kinds */
    void (*kernel)(void *argument);
    bool one_owner; /* needs a ring for each group */
};

/* The table ends in a row without a name. */
extern const struct host_queue host_queues[];

/* Queue steal again, with a team that shrinks and grows between items (variants/cooperative/offers.clh). */
extern const struct host_queue host_offers;

struct host_flow_case;
struct host_flow_result;

struct host_flow_case {
    const struct host_queue *queue;
    uint groups, rings, slots, total, lost_after, spin_limit;
    bool stuck; /* the lock of ring 0 is held from the start */
    uint seed;  /* of host_offers: the random schedule; 0: none */
    /* Sees the result of each run, of which the exploring machine does many. May be NULL. */
    void (*judge)(const struct host_flow_case *what, const struct host_flow_result *result);
};

struct host_flow_result {
    uint lost, twice,
        wrong;       /* items that nobody took, that were taken more often than once, and that had a wrong note */
    uint unfinished; /* counted by groups that saw the end: items that did not look done */
    uint phase, rank, open;       /* the report of a wait that was given up; MU_PHASE_NONE without one */
    uint left, came, least, size; /* of host_offers: what became of the team, and its size at the end … */
    uint outside;                 /* … and how often a group was seen outside of it that had an item */
};

/* 0, or -1 without threads or memory. */
int host_flow_run(const struct host_flow_case *what, struct host_flow_result *result);

#endif
