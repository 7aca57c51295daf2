/* What is known of an input before it is read: whether there is one of that name, and of which kind. */
#ifndef MU_INPUTS_INPUT_H
#define MU_INPUTS_INPUT_H

#include "base/error.h"

struct mu_format;

/* Refuses what cannot be an input: MU_USAGE for what is neither a file nor a generator of one of these kinds
 * (generators.h), or is one of another kind, or has other parameters than the generator takes; MU_IO for a mesh that
 * lacks a file. Nothing is read or generated: a file that is there may still be refused for its content. */
int mu_input_check(const char *specification, unsigned kinds, struct mu_error *err);

/* Does the same for one kind, and reads files as a whole, for a caller that will read them often. `format` is that of a
 * graph, NULL: told by the content. MU_IO, MU_INPUT, MU_LIMIT and MU_NO_MEMORY too. */
int mu_input_try(const char *specification, unsigned kind, const struct mu_format *format, struct mu_error *err);

#endif
