/* Small programs that tell scheduler models apart, found by analysis/progress/synthesis.h, on a device. */
#ifndef MU_HARNESS_CONFORM_SYNTHESISED_H
#define MU_HARNESS_CONFORM_SYNTHESISED_H

#include "analysis/progress/synthesis.h"
#include "harness/engine/experiment.h"

#include <stddef.h>

/* Where the threads of an instance are. Ends in NULL. */
extern const char *const mu_synthesised_placements[];

/* The name of a program's statement: "progress/OBE/program-4-apart". The number is its place in the smallest set. */
void mu_synthesised_name(const struct mu_synthesised *program, size_t number, const char *placement, char *name,
                         size_t bytes);

/* The child's side: runs the point's `program` in its `placement`, `runs` times or until it does not come to its end.
 */
int mu_synthesised_measure(struct mu_trial *trial, struct mu_error *err);

#endif
