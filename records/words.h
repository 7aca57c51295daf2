/* Texts that are kept once: equal texts are one text, so that a million records that say the same of their chip, their
 * driver and their app take no more room than one. */
#ifndef MU_RECORDS_WORDS_H
#define MU_RECORDS_WORDS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Fill with zeros; release with mu_words_release. */
struct mu_words {
    struct mu_word *slots; /* a table of hashes, at most three quarters full */
    size_t slot_count, count;
    char *block; /* where the next texts go; blocks are linked by their first bytes */
    size_t used, block_bytes;
};

/* Returns the text that is kept for `text`, which lives as long as the words. NULL with MU_NO_MEMORY. */
const char *mu_words_keep(struct mu_words *words, const char *text, struct mu_error *err);

/* Returns the same, and its number: texts are numbered from 0 on as they come. */
const char *mu_words_number(struct mu_words *words, const char *text, size_t *number, struct mu_error *err);

/* Accepts zeros. */
void mu_words_release(struct mu_words *words);

#endif
