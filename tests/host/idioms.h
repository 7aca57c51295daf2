/* The idioms in use of harness/litmus/idioms.cl, and subteams (variants/teams/subteam.clh), compiled for the host: each
 * as a kernel whose result is compared word by word. */
#ifndef MU_TESTS_HOST_IDIOMS_H
#define MU_TESTS_HOST_IDIOMS_H

#include "tests/host/machine.h"

#include <stdbool.h>

struct host_idiom {
    const char *name;
    void (*kernel)(void *argument);
};

/* The table ends in a row without a name. Those whose names begin with `within` go together within a group: `step` is
 * then the unit, and `parts` is 1 where numbers count downwards. In `subteam`, `step` groups are to be the subteam. */
extern const struct host_idiom host_idioms[];

/* NULL: none of that name. */
const struct host_idiom *host_idiom_find(const char *name);

struct host_idiom_case;

/* What came of it: words of `out` that are not as expected, and the phase of a wait that was given up. */
struct host_idiom_result {
    uint wrong, phase;
};

struct host_idiom_case {
    const struct host_idiom *idiom;
    uint groups, workgroup, spin_limit;
    uint ids; /* MU_IDIOM_NATIVE … of harness/litmus/idioms.clh */
    uint step, parts;
    const uint *in, *first;
    uint *state, *out; /* before; a run leaves them as it makes them, unless `begin_anew` is set */
    uint state_count, out_count;
    const uint *expected; /* of out; may be NULL */
    /* Each run of the kernel begins with `state` and `out` as they are given: for machines that do many. */
    bool begin_anew;
    void (*judge)(const struct host_idiom_case *what, const struct host_idiom_result *result); /* may be NULL */
};

/* 0, or -1 without threads or memory. */
int host_idiom_run(const struct host_idiom_case *what, struct host_idiom_result *result);

#endif
