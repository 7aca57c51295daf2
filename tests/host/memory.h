/* The memory of the exploring machine: what a read may find, and what happens before what.
 *
 * Each word remembers everything that was written to it, in modification order. In MEMORY_INTERLEAVED a read finds the
 * last write, as if one access of the whole launch were done after the other. In MEMORY_WEAK it finds any write that
 * coherence does not hide from it, and a write goes behind any that it does not know to be later: so the executions are
 * those of C11, and of OpenCL C at one scope, for relaxed, acquire and release accesses and fences, but for values out
 * of thin air (happens-before and reads-from together have no cycle). A release sequence is continued by
 * read-modify-writes only, as in C++20; OpenCL's also goes on with later stores of the same work-item, so that what
 * holds here holds there.
 *
 * Plain accesses do their work in the memory of the process. They are looked at here: two to the same four bytes, one
 * of which writes, must be ordered by happens-before, and so must a plain and an atomic one. */
#ifndef MU_TESTS_HOST_MEMORY_H
#define MU_TESTS_HOST_MEMORY_H

#include "tests/host/machine.h"

#include <stdbool.h>

#define MEMORY_MAX_ITEMS  16  /* work-items of a launch */
#define MEMORY_MAX_WORDS  64  /* words that are accessed atomically */
#define MEMORY_MAX_WRITES 255 /* in an execution, with the first values */

enum memory_model { MEMORY_INTERLEAVED, MEMORY_WEAK };

/* What somebody knows: of each work-item how far it has come, and of each word the earliest write that can still be
 * read. Writes are numbered from 1; 0 is the first value. */
struct memory_view {
    uint16_t clock[MEMORY_MAX_ITEMS];
    uint8_t earliest[MEMORY_MAX_WORDS];
};

/* Which pairs of work-items plain reads have relied on, by their groups. */
enum memory_case { MEMORY_SAME_GROUP, MEMORY_FROM_MASTER, MEMORY_TO_MASTER, MEMORY_BETWEEN_SLAVES, MEMORY_CASES };

/* A new execution. The first value of a word is what it holds when it is first accessed. */
void memory_begin(enum memory_model model, uint items, uint workgroup);

/* The writes behind which an item's access can come: those that a read finds, or that a write follows. Returns their
 * number; `behind` has room for MEMORY_MAX_WRITES. */
uint memory_options(uint item, const struct host_access *access, uint8_t *behind);

/* Does the access, behind that write, and returns what it found. `written` gets whether it has written. */
uint memory_access(uint item, const struct host_access *access, uint8_t behind, bool *written);

/* The same number for the same write in each execution that has it. */
uint64_t memory_identity(const struct host_access *access, uint8_t write);

/* The same number where all words have the same modification order, with the access unless that is NULL. */
uint64_t memory_order_after(uint item, const struct host_access *access, uint8_t behind);

/* A fence of that order. */
void memory_fence(uint item, enum host_order order);

/* What the item knows; a barrier of its workgroup joins what others know. */
struct memory_view *memory_view(uint item);
void memory_join(struct memory_view *into, const struct memory_view *from);

/* Takes back the reads that the item has done since it was marked, between which and now it has written nothing. */
void memory_mark(uint item);
void memory_take_back(uint item);

/* What the item has done so far can become known to others; what it does from now on is not part of that. */
void memory_release(uint item);

/* A plain access of the process to `size` bytes. The first race is kept. */
void memory_plain(uint item, const void *address, size_t size, bool writes);

/* The race that was found, as text; NULL without one. */
const char *memory_race(void);

/* How often a plain read was ordered behind another item's write, by case. */
const unsigned long *memory_ordered(void);

/* Puts into the words of the process what was written to them last. False when a limit was met: then nothing that was
 * found counts. */
bool memory_end(void);

#endif
