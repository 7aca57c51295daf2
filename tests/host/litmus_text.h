/* Reads the litmus tests that tests/host/herd.h writes: what they say is written down anew from the text alone, to be
 * held against the program that they were made of. */
#ifndef MU_TESTS_HOST_LITMUS_TEXT_H
#define MU_TESTS_HOST_LITMUS_TEXT_H

#include "tests/host/herd.h"

#define LITMUS_TEXT_LINES 1024
#define LITMUS_TEXT_BYTES 96

/* One access each, such as "1 add poll 1 acq_rel", in the order of the processes. */
struct litmus_lines {
    char lines[LITMUS_TEXT_LINES][LITMUS_TEXT_BYTES];
    uint count;
};

/* The accesses in a text. False, with the reason in `wrong`, where that is no litmus test: a process out of turn, a
 * word that is no parameter or of the wrong type, a register that is set twice, a condition with other registers. */
bool litmus_read(const char *text, struct litmus_lines *lines, char *wrong, size_t size);

/* The accesses of the program, in the same words. */
bool litmus_expect(const struct herd_test *test, struct litmus_lines *lines);

#endif
