/* What a kernel's sources say, without how they are written: a hash of their tokens.
 *
 * Comments, blanks, line ends and the names of files do not count; every other change does, also one in a branch of an
 * #if that this build leaves out, and in a macro that nobody uses: the sources are hashed as they are collected, before
 * any preprocessing, since only the driver's compiler knows all the macros that decide its #ifs. So a change that makes
 * no difference may cost a measurement; no change that makes one is overlooked. */
#ifndef MU_VARIANTS_KERNEL_TOKENS_H
#define MU_VARIANTS_KERNEL_TOKENS_H

#include "base/hash.h"
#include "variants/variant.h"

/* Adds the tokens of one text to the hash. */
void mu_tokens_add(struct mu_hash *hash, const char *text);

/* Returns the hash of all tokens of the sources, in order. The compiler's options are not part of it. */
uint64_t mu_tokens_hash(const struct mu_sources *sources);

#endif
