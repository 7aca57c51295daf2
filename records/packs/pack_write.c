#include "base/hash.h"
#include "base/memory.h"
#include "base/sink.h"
#include "records/lines.h"
#include "records/packs/pack.h"
#include "records/schema.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

/* xz's own default: more costs memory and gains little on records. */
enum { PRESET = 6 };

static uint64_t hash_of(const struct mu_pack *pack)
{
    struct mu_hash hash;
    mu_hash_start(&hash);
    for (size_t i = 0; i < pack->set_count; i++) mu_hash_add(&hash, pack->sets[i].text, pack->sets[i].bytes);
    return mu_hash_end(&hash);
}

/* Returns the first line, which the caller frees. */
static char *make_head(const struct mu_pack *pack, size_t *bytes, struct mu_error *err)
{
    struct mu_json head = mu_json_object(), sets = mu_json_array();
    for (size_t i = 0; i < pack->set_count; i++) {
        struct mu_json set = mu_json_object();
        mu_json_set_text(&set, "name", pack->sets[i].name);
        mu_json_set_number(&set, "records", pack->sets[i].records);
        mu_json_append_part(&sets, &set);
    }
    mu_json_set_number(&head, "schema", MU_RECORD_SCHEMA);
    mu_json_set_text(&head, "kind", "pack");
    mu_json_set_number(&head, "pack", MU_PACK_FORMAT);
    mu_json_set_text(&head, "chip", pack->chip);
    mu_json_set(&head, "device", json_incref(pack->device));
    mu_json_set_part(&head, "sets", &sets);
    mu_json_set_hash(&head, "hash", hash_of(pack));
    mu_json_set_text(&head, "profile", pack->profile != NULL ? pack->profile : "");
    mu_json_set_text(&head, "readme", pack->readme != NULL ? pack->readme : "");
    json_t *object = mu_json_take(&head, "a pack", err);
    char *line = object != NULL ? mu_line_of(object, 0, bytes) : NULL;
    if (line == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for a pack");
    json_decref(object);
    return line;
}

/* Returns all lines together, which the caller frees by mu_free. */
static unsigned char *gather(const struct mu_pack *pack, size_t *bytes, struct mu_error *err)
{
    size_t used = 0, total = 0;
    char *head = make_head(pack, &used, err);
    if (head == NULL) return NULL;
    unsigned char *text = NULL;
    if (mu_add_size(used, (size_t)pack->bytes, &total)) text = mu_malloc(total, 1, "a pack", err);
    if (text != NULL) {
        memcpy(text, head, used);
        for (size_t i = 0; i < pack->set_count; i++) {
            memcpy(text + used, pack->sets[i].text, pack->sets[i].bytes);
            used += pack->sets[i].bytes;
        }
    }
    free(head);
    *bytes = used;
    return text;
}

int mu_pack_write(const struct mu_pack *pack, const char *path, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    size_t bytes = 0, packed = 0;
    unsigned char *text = gather(pack, &bytes, err);
    const size_t room = lzma_stream_buffer_bound(bytes);
    unsigned char *out = text != NULL ? mu_malloc(room, 1, "a pack", err) : NULL;
    if (out != NULL &&
        lzma_easy_buffer_encode(PRESET, LZMA_CHECK_SHA256, NULL, text, bytes, out, &packed, room) != LZMA_OK)
        mu_fail(err, MU_NO_MEMORY, "%s: xz cannot pack it", path);
    if (err->status == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_bytes(sink, out, packed);
        mu_sink_close(sink, MU_OK, err);
    }
    mu_free(out);
    mu_free(text);
    return err->status;
}
