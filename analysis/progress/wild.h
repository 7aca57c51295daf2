/* Idioms that are in use (thesis, section 6.6): scan with decoupled look-back, matrix times vector with shared rows,
 * sparse triangular solve, reduction by the last group; and one that is not, but needs what neither HSA nor OBE
 * promises (section 6.7). By native ids, by tickets, with which a group works as the number of groups that came before
 * it, and by native ids counted from the other end. A launch for each step waits for nobody. */
#ifndef MU_ANALYSIS_PROGRESS_WILD_H
#define MU_ANALYSIS_PROGRESS_WILD_H

#include "analysis/progress/idioms.h"

struct mu_wild_idiom {
    const char *name, *measured; /* measured: its name in litmus.jsonl */
    enum mu_lts_idiom native, ticketed, reversed;
};
extern const struct mu_wild_idiom mu_wild_idioms[]; /* ends in a row without a name */

/* Finds the schedulers that allow a program: *allowed gets a bit for each. Fails with MU_NO_MEMORY. */
int mu_lts_allowed(enum mu_lts_idiom idiom, unsigned *allowed, struct mu_error *err);

/* Returns the weakest of these schedulers as text: those that allow the program while no weaker one does. HSA and OBE
 * cannot be compared. */
const char *mu_lts_needs(unsigned allowed);

#endif
