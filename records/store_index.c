#include "records/store_index.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

static void name_of(const char *key, uint64_t name[2])
{
    const XXH128_hash_t hash = XXH3_128bits(key, strlen(key));
    name[0] = hash.low64;
    name[1] = hash.high64;
}

/* Returns the place of a name, or the free one where it belongs. */
static struct mu_stored *look_up(struct mu_stored *lines, size_t capacity, const uint64_t name[2])
{
    size_t at = (size_t)(name[0] & (capacity - 1));
    while (lines[at].bytes != 0 && (lines[at].name[0] != name[0] || lines[at].name[1] != name[1]))
        at = (at + 1) & (capacity - 1);
    return &lines[at];
}

const struct mu_stored *mu_store_index_find(const struct mu_store_index *index, const char *key)
{
    uint64_t name[2];
    if (index->count == 0) return NULL;
    name_of(key, name);
    const struct mu_stored *place = look_up(index->lines, index->capacity, name);
    return place->bytes != 0 ? place : NULL;
}

static int widen(struct mu_store_index *index, struct mu_error *err)
{
    const size_t capacity = index->capacity == 0 ? FIRST_CAPACITY : 2 * index->capacity;
    struct mu_stored *lines = mu_calloc(capacity, sizeof *lines, "the keys of records", err);
    if (lines == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < index->capacity; i++)
        if (index->lines[i].bytes != 0) *look_up(lines, capacity, index->lines[i].name) = index->lines[i];
    mu_free(index->lines);
    index->lines = lines;
    index->capacity = capacity;
    return MU_OK;
}

int mu_store_index_add(struct mu_store_index *index, const char *key, uint64_t offset, size_t bytes,
                       struct mu_error *err)
{
    struct mu_stored place = {.offset = offset, .bytes = bytes};
    if (index->count >= index->capacity / 2 && widen(index, err) != MU_OK) return err->status;
    name_of(key, place.name);
    *look_up(index->lines, index->capacity, place.name) = place;
    index->count++;
    return MU_OK;
}

void mu_store_index_release(struct mu_store_index *index)
{
    mu_free(index->lines);
    *index = (struct mu_store_index){0};
}
