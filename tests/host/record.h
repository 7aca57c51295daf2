/* What each work-item of an execution has done, in its order: its atomic accesses with what they found, its group's
 * barriers, and its plain accesses. The exploring machine keeps it where its setup asks for that. What was done in a
 * poll in vain is taken out again, as in the execution.
 *
 * Of plain accesses a read is left out behind another plain access of the work-item to the same word, as long as there
 * is nothing but plain accesses in between: without a race it finds the same. */
#ifndef MU_TESTS_HOST_RECORD_H
#define MU_TESTS_HOST_RECORD_H

#include "tests/host/memory.h"

#define RECORD_MOST 512 /* events of a work-item */

enum record_kind { RECORD_ACCESS, RECORD_READ, RECORD_WRITE, RECORD_ARRIVE, RECORD_WAIT };

struct record_event {
    enum record_kind kind;
    struct host_access access; /* of RECORD_ACCESS; of the plain ones the word alone */
    uint value;                /* that was found, or plainly written */
};

/* A new execution. */
void record_begin(void);

void record_access(uint item, const struct host_access *access, uint found);
void record_plain(uint item, const void *address, size_t size, bool writes);
void record_barrier(uint item, enum record_kind kind);
void record_end(uint item); /* of its kernel */

/* How many events an item has; back to that number of them. */
uint record_count(uint item);
void record_cut(uint item, uint count);

/* The events of an item, which are there until the next execution begins. */
const struct record_event *record_events(uint item);

/* Whether all events had room. */
bool record_is_whole(void);

#endif
