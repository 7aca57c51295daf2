/* Runs small programs on a device that tell scheduler models apart; analysis/progress/synthesis.h finds them. */
#ifndef MU_HARNESS_CONFORM_SYNTHESISED_H
#define MU_HARNESS_CONFORM_SYNTHESISED_H

#include "analysis/progress/synthesis.h"
#include "harness/engine/experiment.h"

#include <stddef.h>

/* Placements of an instance's threads among the workgroups: next to each other or apart. Ends in NULL. */
extern const char *const mu_synthesised_placements[];

/* Writes the name of a program's statement, such as "progress/OBE/program-4-apart". `number` is its place in the
 * smallest set that tells the models apart, from 0. */
void mu_synthesised_name(const struct mu_synthesised *program, size_t number, const char *placement, char *name,
                         size_t bytes);

/* Runs the point's `program` in its `placement`, `runs` times or until a run does not end well. In the child. */
int mu_synthesised_measure(struct mu_trial *trial, struct mu_error *err);

#endif
