/* A program (tests/host/programs.h) as a litmus test of herd7, in its C dialect: herd7 -model rc11.cat FILE.
 *
 * Each work-item is a process. A barrier of its group is written as what it orders: an addition that acquires and
 * releases to a word of its own, and a load that acquires and must find that all have added. What an access finds is in
 * a register, r0, r1 and so on for each process; a compare-exchange finds what is behind it in the word that it expects
 * from, expect_<process>_<access>.
 *
 * Behind a read-modify-write and behind the end of a wait (FINDS_ITS_WAY) a process goes on only if it has found what
 * keeps it on this way. The condition is that nothing happens which the exploration has not found: there is no
 * execution in which all work-items have gone this way to their end, and the other accesses together (FINDS_A_RESULT)
 * have found something else than in one of the executions that were explored. Where there are no others, the condition
 * is that an execution goes this way. Numbers are those of herd7 from 7.57 on, which have 32 bits and a sign. */
#ifndef MU_TESTS_HOST_HERD_H
#define MU_TESTS_HOST_HERD_H

#include "tests/host/programs.h"
#include "tests/host/sites.h"

#include <stdio.h>

/* Puts the name of the program's word into `name`. */
typedef void herd_name(const struct program *program, uint word, char *name, size_t size);

/* Writes the program, with one order weakened where that has a site. `title` is one word, `about` a sentence without
 * quotes. False for accesses that herd7 does not know, and where nothing could be written. */
struct herd_test {
    const char *title, *about;
    const struct program *program;
    herd_name *name;
    struct weakening weakened;
};
bool herd_write(FILE *file, const struct herd_test *test);

#endif
