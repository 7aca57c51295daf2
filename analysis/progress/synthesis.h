/* All small programs that can block: the alphabet and the sizes of Sorensen and others, "Specifying and Testing GPU
 * Workgroup Progress Models" (OOPSLA 2021), and which of them tell scheduler models apart.
 *
 * A thread is a row of instructions on words that hold 0 or 1, 0 before: a check that branches if a word has a value,
 * an exchange that branches if a word had one, and a store. A branch goes to any instruction of its thread, or to its
 * end. A program is of interest where it blocks: some schedule of an unfair scheduler never ends it, and none of a fair
 * one does. Programs that differ in the names of words are one; threads are told apart, since their ids count. */
#ifndef MU_ANALYSIS_PROGRESS_SYNTHESIS_H
#define MU_ANALYSIS_PROGRESS_SYNTHESIS_H

#include "analysis/progress/transitions.h"

#define MU_SYNTHESIS_WORDS 2 /* that a program has at most */
#define MU_SYNTHESIS_TEXT  96

/* A size: a number of threads, and of instructions in all, at least one in each thread; and how many such programs the
 * paper has. */
struct mu_synthesis_size {
    unsigned threads, instructions, paper;
};
extern const struct mu_synthesis_size mu_synthesis_sizes[]; /* ends in a row of zeros */

/* A program that blocks, and the schedulers that must end it, a bit for each. */
struct mu_synthesised {
    char text[MU_SYNTHESIS_TEXT]; /* "x=1 | x?0>0": threads by '|', see mu_synthesis_parse */
    unsigned allowed;
};

/* A function that gets the programs of a size, one by one. An error ends the search. */
typedef int (*mu_synthesis_taker)(void *context, const struct mu_synthesised *program, struct mu_error *err);

/* The number of programs of a size, blocking or not. Also how many would block if "fair" meant strong fairness
 * (transitions.h): these end under it, and not under the schedulers here. */
struct mu_synthesis_counts {
    size_t tried, strong;
};

/* Enumerates and counts all programs of a size. Fails with MU_NO_MEMORY, or as the function does. */
int mu_synthesis_all(const struct mu_synthesis_size *size, mu_synthesis_taker take, void *context,
                     struct mu_synthesis_counts *counts, struct mu_error *err);

/* Parses the text of a program. ';' separates a thread's instructions: "x=1" stores; "x?0>2" goes to instruction 2 if x
 * is 0; "x!1?0>2" exchanges x with 1, and goes to 2 if it was 0. A place behind the last instruction is the end.
 * Returns false for anything else. */
bool mu_synthesis_parse(const char *text, struct mu_lts_program *program);

/* Chooses the smallest set of programs that tells all models apart: for each two models there is a program that must
 * end under one and not under the other. Of the smallest sizes. *count gets how many; at most MU_LTS_SCHEDULERS. */
int mu_synthesis_choose(struct mu_synthesised chosen[MU_LTS_SCHEDULERS], size_t *count, struct mu_error *err);

#endif
