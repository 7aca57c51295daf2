/* A file of records, JSON Lines, to which one writer appends, and which survives its writer.
 *
 * A record is on the disk before mu_store_append returns. Whatever kills the writer, the file holds whole records and
 * at most one cut-off line at its end, which the next mu_store_open sets aside. Every record has a member "key"; a key
 * is there once. The format of records is in doc/results-format.md. */
#ifndef MU_RECORDS_STORE_H
#define MU_RECORDS_STORE_H

#include "base/error.h"

#include <jansson.h>
#include <limits.h>
#include <stdint.h>

struct mu_store {
    char path[PATH_MAX];
    int fd;          /* locked and open for appending; -1 when closed */
    uint64_t bytes;  /* of the file: all of them whole records */
    json_t *by_key;  /* the records, in order; a record without a key is under "line <number>" */
    unsigned digits; /* of real numbers in what is appended; 0, as after opening: all that they need */
    char note[512];  /* what opening repaired, one line; empty when there was nothing to repair */
};

/* Opens or creates the file at path, locks it, reads and indexes what it holds, and repairs its end: a last line
 * without its newline goes to "<path>.cut". The folder must exist. MU_IO when another process holds the lock, or the
 * file cannot be read, written or repaired; MU_INPUT naming file and line for a line that is not a record, or a key
 * that is there twice: the file is left as it is. Empty lines are passed over. After a failure the store is closed. */
int mu_store_open(const char *path, struct mu_store *store, struct mu_error *err);

/* Appends a record, whose "key" must be new (MU_USAGE), and flushes it to the disk. After a failure, for instance on a
 * full disk, the file holds what it held before: MU_IO, also when the file is no longer the one at the store's path.
 * The store keeps a reference of its own to the record. */
int mu_store_append(struct mu_store *store, json_t *record, struct mu_error *err);

/* The same for an array of records, all or none of which are there afterwards; only a kill in between may leave the
 * first ones. */
int mu_store_append_all(struct mu_store *store, const json_t *records, struct mu_error *err);

/* The record with this key, borrowed; NULL when there is none. */
json_t *mu_store_find(const struct mu_store *store, const char *key);

/* Renames the store's file to "<path>.old", or .old2, .old3, … whichever is free, and goes on with an empty file at
 * path. `moved` (PATH_MAX bytes) gets the new name; an empty file is not moved and leaves it empty. */
int mu_store_set_aside(struct mu_store *store, char *moved, struct mu_error *err);

/* Accepts a store that is closed, or all zeros. */
void mu_store_close(struct mu_store *store);

#endif
