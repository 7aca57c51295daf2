/* A file of records, JSON Lines, to which one writer appends, and which survives its writer.
 *
 * A record is on the disk before mu_store_append returns. Whatever kills the writer, the file holds whole records and
 * at most one cut-off line at its end, which the next mu_store_open sets aside. Every record has a member "key"; a key
 * is there once. The records themselves stay on the disk: of each, the store remembers where it lies. The format of
 * records is in doc/results-format.md. */
#ifndef MU_RECORDS_STORE_H
#define MU_RECORDS_STORE_H

#include "base/error.h"
#include "records/lines.h"
#include "records/store_index.h"

#include <jansson.h>
#include <limits.h>
#include <stdint.h>

struct mu_store {
    char path[PATH_MAX];
    int fd;                      /* locked and open for appending; -1 when closed */
    uint64_t bytes;              /* of the file: all of them whole records */
    struct mu_store_index index; /* where each record lies; one without a key is under "line <number>" */
    unsigned digits;             /* of real numbers in what is appended; 0, as after opening: all that they need */
    char note[512];              /* what opening repaired, one line; empty when there was nothing to repair */
};

/* Opens or creates the file at path, locks it, reads and indexes what it holds, and repairs its end: a last line
 * without its newline goes to "<path>.cut". The folder must exist. MU_IO when another process holds the lock, or the
 * file cannot be read, written or repaired; MU_INPUT naming file and line for a line that is not a record, or a key
 * that is there twice, and MU_LIMIT for one of more than MU_MOST_LINE_BYTES: the file is left as it is. Empty lines are
 * passed over. After a failure the store is closed. */
int mu_store_open(const char *path, struct mu_store *store, struct mu_error *err);

/* Appends a record, whose "key" must be new (MU_USAGE), and flushes it to the disk. After a failure, for instance on a
 * full disk, the file holds what it held before: MU_IO, also when the file is no longer the one at the store's path. */
int mu_store_append(struct mu_store *store, json_t *record, struct mu_error *err);

/* Does the same for an array of records, all or none of which are there afterwards; only a kill in between may leave
 * the first ones. */
int mu_store_append_all(struct mu_store *store, const json_t *records, struct mu_error *err);

size_t mu_store_count(const struct mu_store *store);

bool mu_store_has(const struct mu_store *store, const char *key);

/* Reads the record with this key, the caller's (json_decref); NULL when there is none, or with MU_IO or MU_NO_MEMORY.
 */
json_t *mu_store_find(const struct mu_store *store, const char *key, struct mu_error *err);

/* Hands all records to `take`, as mu_line_reader does, in the order of the file, with those of the members that are
 * named (mu_scan_new). A store that is closed has none. MU_IO, MU_NO_MEMORY, and what `take` returns. */
int mu_store_each(const struct mu_store *store, const char *const *members,
                  int (*take)(void *context, json_t *record, const struct mu_line *line, struct mu_error *err),
                  void *context, struct mu_error *err);

/* Renames the store's file to "<path>.old", or .old2, .old3, … whichever is free, and goes on with an empty file at
 * path. `moved` (PATH_MAX bytes) gets the new name; an empty file is not moved and leaves it empty. */
int mu_store_set_aside(struct mu_store *store, char *moved, struct mu_error *err);

/* Accepts a store that is closed, or all zeros. */
void mu_store_close(struct mu_store *store);

#endif
