#include "records/words.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 256, BLOCK_BYTES = 1 << 16 };

struct mu_word {
    uint64_t hash;
    const char *text; /* NULL: the slot is empty */
    size_t number;
};

static struct mu_word *find_slot(struct mu_word *slots, size_t slot_count, uint64_t hash, const char *text)
{
    size_t place = (size_t)(hash & (slot_count - 1));
    while (slots[place].text != NULL && (slots[place].hash != hash || strcmp(slots[place].text, text) != 0))
        place = (place + 1) & (slot_count - 1);
    return &slots[place];
}

static int widen(struct mu_words *words, struct mu_error *err)
{
    const size_t slot_count = words->slot_count == 0 ? FIRST_SLOTS : 2 * words->slot_count;
    struct mu_word *slots = mu_calloc(slot_count, sizeof *slots, "texts", err);
    if (slots == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < words->slot_count; i++)
        if (words->slots[i].text != NULL)
            *find_slot(slots, slot_count, words->slots[i].hash, words->slots[i].text) = words->slots[i];
    mu_free(words->slots);
    words->slots = slots;
    words->slot_count = slot_count;
    return MU_OK;
}

/* Returns a copy of the text in a block, whose first bytes point to the block before it. */
static char *copy(struct mu_words *words, const char *text, struct mu_error *err)
{
    const size_t bytes = strlen(text) + 1;
    if (words->block == NULL || words->block_bytes - words->used < bytes) {
        const size_t room = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        char *block = mu_malloc(sizeof words->block + room, 1, "texts", err);
        if (block == NULL) return NULL;
        memcpy(block, &words->block, sizeof words->block);
        words->block = block;
        words->used = sizeof words->block;
        words->block_bytes = sizeof words->block + room;
    }
    char *kept = memcpy(words->block + words->used, text, bytes);
    words->used += bytes;
    return kept;
}

const char *mu_words_number(struct mu_words *words, const char *text, size_t *number, struct mu_error *err)
{
    const uint64_t hash = mu_hash_bytes(text, strlen(text));
    if (words->count >= words->slot_count / 4 * 3 && widen(words, err) != MU_OK) return NULL;
    struct mu_word *slot = find_slot(words->slots, words->slot_count, hash, text);
    if (slot->text == NULL) {
        const char *kept = copy(words, text, err);
        if (kept == NULL) return NULL;
        *slot = (struct mu_word){hash, kept, words->count++};
    }
    *number = slot->number;
    return slot->text;
}

const char *mu_words_keep(struct mu_words *words, const char *text, struct mu_error *err)
{
    size_t number = 0;
    return mu_words_number(words, text, &number, err);
}

void mu_words_release(struct mu_words *words)
{
    while (words->block != NULL) {
        char *block = words->block;
        memcpy(&words->block, block, sizeof words->block);
        mu_free(block);
    }
    mu_free(words->slots);
    *words = (struct mu_words){0};
}
