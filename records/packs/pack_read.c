#include "base/files/unpack.h"
#include "base/hash.h"
#include "base/memory.h"
#include "records/lines.h"
#include "records/packs/private.h"
#include "records/schema.h"

#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 16 }; /* that is unpacked at once */

/* Where reading is. */
struct reading {
    struct mu_pack *pack;
    json_t *head;      /* NULL: not read yet */
    size_t set;        /* of pack->sets, to which the next record belongs … */
    uint64_t expected; /* … and how many more it has */
    uint64_t bytes;
    struct mu_hash hash;
    const struct mu_line *line;
};

static int refuse(const struct reading *reading, struct mu_error *err, const char *why)
{
    return mu_fail(err, MU_INPUT, "%s:%zu: %s", reading->line->path, reading->line->number, why);
}

/* ---- The first line ---- */

static char *copy_text(const json_t *head, const char *name, struct mu_error *err)
{
    const char *text = mu_json_text(head, name);
    return text[0] != '\0' ? mu_strdup(text, err) : NULL;
}

static int take_sets(struct reading *reading, struct mu_error *err)
{
    size_t i;
    json_t *described;
    json_array_foreach (json_object_get(reading->head, "sets"), i, described) {
        const char *name = mu_json_text(described, "name");
        const json_t *records = json_object_get(described, "records");
        if (!mu_pack_is_name(name)) return refuse(reading, err, "a set's name is no plain word");
        if (json_integer_value(records) <= 0) return refuse(reading, err, "a set has no number of records");
        struct mu_pack_set *set = mu_pack_set_of(reading->pack, name, err);
        if (set == NULL) return err->status;
        if (reading->pack->set_count != i + 1) return refuse(reading, err, "two sets have one name");
    }
    return err->status;
}

static int take_head(struct reading *reading, json_t *head, struct mu_error *err)
{
    struct mu_pack *pack = reading->pack;
    const char *chip = mu_json_text(head, "chip");
    if (!mu_json_is(head, "kind", "pack")) return refuse(reading, err, "no pack of a chip, as muster chip pack makes");
    if (json_object_get(head, "schema") == NULL ||
        mu_record_check_schema(head, reading->line->path, reading->line->number, err) != MU_OK)
        return refuse(reading, err, "it tells no schema");
    if (mu_json_number(head, "pack") != MU_PACK_FORMAT)
        return refuse(reading, err, "a pack of another format than this muster reads");
    if (!mu_pack_is_name(chip)) return refuse(reading, err, "the chip's name is no plain word");
    reading->head = json_incref(head);
    snprintf(pack->chip, sizeof pack->chip, "%s", chip);
    pack->device = mu_pack_identity(head, err);
    if (pack->device == NULL) return refuse(reading, err, "it does not tell the device");
    pack->profile = copy_text(head, "profile", err);
    pack->readme = copy_text(head, "readme", err);
    return take_sets(reading, err);
}

/* ---- The others ---- */

/* Goes to the next set that has records left. Returns false if there is none. */
static bool next_set(struct reading *reading)
{
    const json_t *sets = json_object_get(reading->head, "sets");
    if (reading->expected != 0) return true;
    const size_t next = reading->bytes == 0 ? 0 : reading->set + 1;
    if (next >= reading->pack->set_count) return false;
    reading->set = next;
    reading->expected = mu_json_number(json_array_get(sets, next), "records");
    return true;
}

static int take_record(struct reading *reading, const json_t *record, struct mu_error *err)
{
    struct mu_pack *pack = reading->pack;
    const struct mu_line *line = reading->line;
    if (!next_set(reading)) return refuse(reading, err, "more records than the first line tells of");
    if (json_object_get(record, "schema") == NULL) return refuse(reading, err, "a record without schema");
    if (mu_record_check_schema(record, line->path, line->number, err) != MU_OK) return err->status;
    if (mu_record_is_run(record) && mu_record_check(record, line->path, line->number, err) != MU_OK) return err->status;
    if (mu_json_is(record, "kind", "pack")) return refuse(reading, err, "a pack in a pack");
    if (!mu_json_is(record, "chip", pack->chip)) return refuse(reading, err, "a record of another chip");
    json_t *device = mu_pack_identity(record, err);
    if (err->status == MU_OK && !json_equal(device, pack->device))
        refuse(reading, err, "a record of another device than the first line tells");
    json_decref(device);
    if (err->status != MU_OK) return err->status;
    reading->expected--;
    reading->bytes += line->bytes + 1;
    mu_hash_add(&reading->hash, line->text, line->bytes);
    mu_hash_add(&reading->hash, "\n", 1);
    return mu_pack_append(pack, &pack->sets[reading->set], record, err);
}

/* Takes in one line of the pack (mu_line_reader). */
static int take_line(void *context, json_t *object, const struct mu_line *line, struct mu_error *err)
{
    struct reading *reading = context;
    reading->line = line;
    const int status = reading->head == NULL ? take_head(reading, object, err) : take_record(reading, object, err);
    reading->line = NULL;
    return status;
}

/* Checks that all records came that the first line tells of. */
static int check_end(struct reading *reading, const char *path, struct mu_error *err)
{
    char hash[MU_HASH_TEXT];
    if (reading->head == NULL) return mu_fail(err, MU_INPUT, "%s: there is nothing in it", path);
    if (reading->expected != 0 || next_set(reading))
        return mu_fail(err, MU_INPUT, "%s: fewer records than its first line tells of", path);
    mu_hash_text(mu_hash_end(&reading->hash), hash);
    if (!mu_json_is(reading->head, "hash", hash))
        return mu_fail(err, MU_INPUT, "%s: the sum of its records is not the one that its first line tells", path);
    return MU_OK;
}

/* Returns the whole content, which the caller frees by mu_free; NULL after a failure. MU_LIMIT if it unpacks to more
 * than a pack may hold. */
static char *unpack(const char *path, size_t *bytes, struct mu_error *err)
{
    struct mu_unpacker *unpacker = mu_unpack_open(path, err);
    char *text = NULL;
    size_t room = 0, used = 0, got = 0;
    while (unpacker != NULL && err->status == MU_OK) {
        if (room - used < PIECE && mu_resize((void **)&text, 2 * room + PIECE, 1, "a pack", err) == MU_OK)
            room = 2 * room + PIECE;
        if (err->status != MU_OK || mu_unpack_read(unpacker, text + used, PIECE, &got, err) != MU_OK || got == 0) break;
        used += got;
        if (used > MU_PACK_MOST_BYTES)
            mu_fail(err, MU_LIMIT, "%s: it unpacks to more than %llu MiB, as no pack does", path,
                    (unsigned long long)(MU_PACK_MOST_BYTES >> 20));
    }
    mu_unpack_close(unpacker);
    *bytes = used;
    if (err->status == MU_OK) return text;
    mu_free(text);
    return NULL;
}

int mu_pack_read(const char *path, struct mu_pack *pack, struct mu_error *err)
{
    struct reading reading = {.pack = pack};
    struct mu_line_reader lines = {.path = path, .take = take_line, .context = &reading, .notes = stderr};
    size_t bytes = 0;
    char *text = unpack(path, &bytes, err);
    mu_hash_start(&reading.hash);
    if (text != NULL && mu_lines_read(&lines, text, bytes, err) == MU_OK && lines.damaged != 0)
        mu_fail(err, MU_INPUT, "%s: its end was cut off", path);
    if (err->status == MU_OK) check_end(&reading, path, err);
    mu_free(text);
    json_decref(reading.head);
    return err->status;
}
