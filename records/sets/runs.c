#include "records/sets/runs.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

static struct mu_known_run *find_slot(struct mu_known_run *slots, size_t slot_count, const uint64_t name[2])
{
    size_t place = (size_t)(name[0] & (slot_count - 1));
    while (slots[place].date != NULL && (slots[place].name[0] != name[0] || slots[place].name[1] != name[1]))
        place = (place + 1) & (slot_count - 1);
    return &slots[place];
}

static int widen(struct mu_known_runs *runs, struct mu_error *err)
{
    const size_t slot_count = runs->slot_count == 0 ? FIRST_SLOTS : 2 * runs->slot_count;
    struct mu_known_run *slots = mu_calloc(slot_count, sizeof *slots, "keys of records", err);
    if (slots == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < runs->slot_count; i++)
        if (runs->slots[i].date != NULL) *find_slot(slots, slot_count, runs->slots[i].name) = runs->slots[i];
    mu_free(runs->slots);
    runs->slots = slots;
    runs->slot_count = slot_count;
    return MU_OK;
}

struct mu_known_run *mu_known_runs_find(struct mu_known_runs *runs, const struct mu_known_run *run,
                                        struct mu_error *err)
{
    if (runs->count >= runs->slot_count / 2 && widen(runs, err) != MU_OK) return NULL;
    struct mu_known_run *slot = find_slot(runs->slots, runs->slot_count, run->name);
    if (slot->date != NULL) return slot;
    *slot = *run;
    slot->date = NULL;
    if (mu_known_run_set_date(runs, slot, run->date, err) == MU_OK) runs->count++;
    return NULL;
}

int mu_known_run_set_date(struct mu_known_runs *runs, struct mu_known_run *run, const char *date, struct mu_error *err)
{
    const char *kept = mu_words_keep(&runs->dates, date, err);
    if (kept == NULL) return MU_NO_MEMORY;
    run->date = kept;
    return MU_OK;
}

void mu_run_name(const json_t *record, const char *key, uint64_t name[2])
{
    const json_t *session = json_object_get(record, "session");
    const char *const parts[] = {mu_json_text(record, "chip"),
                                 mu_json_text(json_object_get(record, "host"), "name"),
                                 mu_json_text(json_object_get(record, "device"), "uuid"),
                                 mu_json_text(session, "boot"),
                                 mu_json_text(session, "date"),
                                 key};
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        XXH3_128bits_update(&state, parts[i], strlen(parts[i]) + 1); /* with the zero byte, which sets them apart */
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    name[0] = hash.low64;
    name[1] = hash.high64;
}

void mu_known_runs_release(struct mu_known_runs *runs)
{
    mu_free(runs->slots);
    mu_words_release(&runs->dates);
    *runs = (struct mu_known_runs){0};
}
