#include "records/packs/pack.h"

#include "base/memory.h"
#include "records/lines.h"
#include "records/packs/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mu_pack_is_name(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t length = strlen(text);
    return length > 0 && length < MU_PACK_NAME_BYTES && strchr(first, text[0]) != NULL &&
           strspn(text + strspn(text, first), "._~-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               length - strspn(text, first);
}

json_t *mu_pack_identity(const json_t *record, struct mu_error *err)
{
    static const char *const texts[] = {"vendor", "name", "platform"};
    const json_t *device = json_object_get(record, "device");
    const json_t *units = json_object_get(device, "compute_units");
    struct mu_json identity = mu_json_object();
    bool known = json_is_integer(units);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        known = known && json_is_string(json_object_get(device, texts[i]));
        mu_json_set_text(&identity, texts[i], mu_json_text(device, texts[i]));
    }
    mu_json_set_number(&identity, "compute_units", mu_json_number(device, "compute_units"));
    if (known) return mu_json_take(&identity, "a device", err);
    mu_json_release(&identity);
    return NULL;
}

struct mu_pack_set *mu_pack_set_of(struct mu_pack *pack, const char *name, struct mu_error *err)
{
    for (size_t i = 0; i < pack->set_count; i++)
        if (strcmp(pack->sets[i].name, name) == 0) return &pack->sets[i];
    if (!mu_pack_is_name(name)) {
        mu_fail(err, MU_USAGE, "'%.90s' cannot be the name of a set", name);
        return NULL;
    }
    if (pack->set_count == MU_PACK_MOST_SETS) {
        mu_fail(err, MU_LIMIT, "more than %d sets", MU_PACK_MOST_SETS);
        return NULL;
    }
    if (mu_resize((void **)&pack->sets, pack->set_count + 1, sizeof *pack->sets, "sets", err) != MU_OK) return NULL;
    struct mu_pack_set *set = &pack->sets[pack->set_count++];
    memset(set, 0, sizeof *set);
    snprintf(set->name, sizeof set->name, "%s", name);
    return set;
}

int mu_pack_append(struct mu_pack *pack, struct mu_pack_set *set, const json_t *record, struct mu_error *err)
{
    size_t bytes = 0;
    char *line = mu_line_of(record, 0, &bytes);
    if (line == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    if (bytes > MU_PACK_MOST_BYTES - pack->bytes)
        mu_fail(err, MU_LIMIT, "the records of a pack have more than %llu MiB",
                (unsigned long long)(MU_PACK_MOST_BYTES >> 20));
    if (err->status == MU_OK && set->room - set->bytes < bytes) {
        const size_t room = 2 * set->room + bytes;
        if (mu_resize((void **)&set->text, room, 1, "records", err) == MU_OK) set->room = room;
    }
    if (err->status == MU_OK) {
        memcpy(set->text + set->bytes, line, bytes);
        set->bytes += bytes;
        pack->bytes += bytes;
        set->records++;
    }
    free(line);
    return err->status;
}

int mu_pack_add(struct mu_pack *pack, const char *set, const json_t *record, struct mu_error *err)
{
    struct mu_pack_set *to = mu_pack_set_of(pack, set, err);
    return to != NULL ? mu_pack_append(pack, to, record, err) : err->status;
}

void mu_pack_release(struct mu_pack *pack)
{
    for (size_t i = 0; i < pack->set_count; i++) mu_free(pack->sets[i].text);
    mu_free(pack->sets);
    mu_free(pack->profile);
    mu_free(pack->readme);
    json_decref(pack->device);
    memset(pack, 0, sizeof *pack);
}
