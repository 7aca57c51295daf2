/* Where the records of a store lie in its file, by their keys: some bytes for each record, instead of the record. */
#ifndef MU_RECORDS_STORE_INDEX_H
#define MU_RECORDS_STORE_INDEX_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A record's line. */
struct mu_stored {
    uint64_t name[2]; /* the hash of its key; of 128 bits, never taken for another */
    uint64_t offset;  /* in the file */
    size_t bytes;     /* without the newline; 0: there is no record here */
};

/* Fill with zeros; release with mu_store_index_release. */
struct mu_store_index {
    struct mu_stored *lines; /* at most half full */
    size_t capacity, count;
};

/* Returns the place of the record with this key, borrowed until the next one is added; NULL if there is none. */
const struct mu_stored *mu_store_index_find(const struct mu_store_index *index, const char *key);

/* Adds a line, whose key must be new. Fails with MU_NO_MEMORY. */
int mu_store_index_add(struct mu_store_index *index, const char *key, uint64_t offset, size_t bytes,
                       struct mu_error *err);

/* Accepts zeros. */
void mu_store_index_release(struct mu_store_index *index);

#endif
