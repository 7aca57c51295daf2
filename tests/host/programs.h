/* The executions of a launch, sorted by what their work-items do.
 *
 * A program is a sequence of accesses for each work-item, with the words and what is written; what is found is not part
 * of it. Executions of one program differ in what its accesses found. Words that one work-item alone uses, and those
 * that nobody writes, are left out: nothing is ordered by them. So are the barriers of groups of one work-item. */
#ifndef MU_TESTS_HOST_PROGRAMS_H
#define MU_TESTS_HOST_PROGRAMS_H

#include "tests/host/record.h"

#define PROGRAM_MAX_ITEMS 6
#define PROGRAM_MAX_WORDS 64
#define PROGRAMS_MOST     64 /* of a launch */

#define PROGRAM_MAX_VALUES 32 /* that an access finds */

/* How what an access finds matters to the program. */
enum program_finding {
    FINDS_NOTHING,
    FINDS_ITS_WAY,  /* a read-modify-write, and the end of a wait: had it found anything else, the work-item would have
                       gone another way, so that the program would be another one */
    FINDS_A_RESULT, /* all others: this is what synchronisation is there to make right */
};

struct program_event {
    enum record_kind kind;
    enum program_finding finding;
    struct host_access access; /* of RECORD_ACCESS */
    uint word;                 /* its number in the program */
    uint written;              /* by RECORD_WRITE */
};

/* Different lists of `width` values, of which there are `count`. */
struct program_values {
    uint width, count, room;
    uint *values;
};

struct program {
    uint items, workgroup, words;
    const volatile uint *addresses[PROGRAM_MAX_WORDS];
    bool is_atomic[PROGRAM_MAX_WORDS];
    uint counts[PROGRAM_MAX_ITEMS];
    struct program_event *events[PROGRAM_MAX_ITEMS];
    unsigned long executions;
    struct program_values ways[PROGRAM_MAX_ITEMS]; /* what each work-item's FINDS_ITS_WAY found, in order */
    struct program_values results;                 /* what the FINDS_A_RESULT of all of them found */
};

struct program_list {
    struct program programs[PROGRAMS_MOST];
    uint count;
    bool is_whole; /* nothing was larger than there is room for */
};

/* Adds the execution that tests/host/record.h holds just now: for a launch's `end`. */
void programs_note(struct program_list *list, uint items, uint workgroup);

/* The different values that way `number` of an item's (counted from 0) found. Returns how many there are; `values` has
 * room for PROGRAM_MAX_VALUES. */
uint program_way(const struct program *program, uint item, uint number, uint *values);

/* Releases what the list holds, which is then empty. */
void programs_clear(struct program_list *list);

#endif
