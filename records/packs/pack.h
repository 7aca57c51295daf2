/* Packs: what one device has left, as one file that can be sent.
 *
 * A pack is a file of records as any other, packed by xz with a SHA-256 of its content, so that every table reads it.
 * Its first line tells of the others; it has the members
 *
 *     schema, kind "pack", pack (the format, 1), chip, device (the identity), sets (an array of objects of a name and
 *     a number of records), hash (of all other lines), profile and readme (texts, "" for none)
 *
 * Behind it stand the records of each set, in the order of sets. Nothing in a pack is a path: names of sets are plain
 * words. So what is read can be trusted to be records of one device, and nothing more. */
#ifndef MU_RECORDS_PACK_H
#define MU_RECORDS_PACK_H

#include "base/error.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MU_PACK_FORMAT     1
#define MU_PACK_NAME_BYTES 96

/* What a pack may hold, unpacked: the largest chip that is published has a hundredth of it. */
#define MU_PACK_MOST_BYTES ((uint64_t)1 << 28)
#define MU_PACK_MOST_SETS  64

struct mu_pack_set {
    char name[MU_PACK_NAME_BYTES];
    char *text; /* its records, each a line with its newline */
    size_t bytes, room;
    uint64_t records;
};

/* Fill with zeros; release with mu_pack_release. */
struct mu_pack {
    char chip[MU_PACK_NAME_BYTES];
    json_t *device;         /* an object of vendor, name, platform and compute_units */
    char *profile, *readme; /* NULL for none */
    struct mu_pack_set *sets;
    size_t set_count;
    uint64_t bytes; /* of all records */
};

/* Returns true if a text can be the name of a chip or a set: letters, digits, dots, dashes, underscores and tildes, of
 * which the first is a letter or a digit. Such a name is never a path out of a folder, nor a hidden file. */
bool mu_pack_is_name(const char *text);

/* Returns the identity of a record's device, as a pack has it; the caller's. NULL: it has none, or with
 * MU_NO_MEMORY. */
json_t *mu_pack_identity(const json_t *record, struct mu_error *err);

/* Appends a record to the set of that name, which is made where it is missing. MU_USAGE for a name that is none;
 * MU_LIMIT or MU_NO_MEMORY. */
int mu_pack_add(struct mu_pack *pack, const char *set, const json_t *record, struct mu_error *err);

/* Writes the file, all of it or nothing. Fails with MU_IO, MU_NO_MEMORY or MU_LIMIT. */
int mu_pack_write(const struct mu_pack *pack, const char *path, struct mu_error *err);

/* Reads a file and believes nothing of it: MU_INPUT for what is no pack, damaged, of another format or schema, or holds
 * a record that is none or of another chip or device than it says; MU_LIMIT for one that unpacks to more than the most;
 * MU_IO or MU_NO_MEMORY. Messages begin with the file, and the line where there is one. */
int mu_pack_read(const char *path, struct mu_pack *pack, struct mu_error *err);

/* Accepts zeros. */
void mu_pack_release(struct mu_pack *pack);

#endif
