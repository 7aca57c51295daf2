#include "tests/host/memory.h"

#include "inputs/rng.h"

#include <stdio.h>
#include <string.h>

#define GRANULES 4096 /* of four bytes, in an execution; a power of two */

struct write {
    uint8_t word, item;
    uint16_t number; /* of the writes of this item, from 1 */
    uint value;
    bool joined;                /* a read-modify-write: nothing comes between it and what it read */
    struct memory_view release; /* what an acquire that reads this gets to know */
};

struct word {
    volatile uint *address;
    uint first;
    uint count;                       /* of what is in `order`, with the first value */
    uint8_t order[MEMORY_MAX_WRITES]; /* write 0 is the first value */
};

/* What an item knows, and what it would know after an acquire fence, and what its relaxed writes tell since its last
 * release fence. */
struct item {
    struct memory_view now, found, fenced;
    uint16_t writes;
};

/* Four bytes, and at which of its own times each item last accessed them. */
struct granule {
    uintptr_t address;
    uint run;
    uint16_t reads[MEMORY_MAX_ITEMS], writes[MEMORY_MAX_ITEMS]; /* plain ones */
    uint16_t atomic_reads[MEMORY_MAX_ITEMS], atomic_writes[MEMORY_MAX_ITEMS];
};

static enum memory_model model;
static uint item_count, workgroup, run;
static struct item items[MEMORY_MAX_ITEMS], marked[MEMORY_MAX_ITEMS];
static struct word words[MEMORY_MAX_WORDS];
static uint word_count, write_count; /* writes: the highest number */
static struct write writes[MEMORY_MAX_WRITES];
static uint8_t position[MEMORY_MAX_WRITES]; /* in the order of its word */
static struct granule granules[GRANULES];
static uint granule_count;
static char race[256];
static bool overflown;
static unsigned long ordered[MEMORY_CASES];

void memory_begin(enum memory_model of, uint number_of_items, uint items_of_a_group)
{
    model = of;
    item_count = number_of_items;
    workgroup = items_of_a_group;
    run++;
    word_count = write_count = granule_count = 0;
    race[0] = '\0';
    overflown = false;
    memset(items, 0, sizeof items);
    for (uint i = 0; i < item_count; i++) items[i].now.clock[i] = 1;
}

/* ---- Views ---- */

struct memory_view *memory_view(uint item)
{
    return &items[item].now;
}

void memory_join(struct memory_view *into, const struct memory_view *from)
{
    for (uint i = 0; i < item_count; i++)
        if (from->clock[i] > into->clock[i]) into->clock[i] = from->clock[i];
    for (uint i = 0; i < word_count; i++)
        if (position[from->earliest[i]] > position[into->earliest[i]]) into->earliest[i] = from->earliest[i];
}

void memory_release(uint item)
{
    items[item].now.clock[item]++;
}

void memory_fence(uint item, enum host_order order)
{
    struct item *who = &items[item];
    if ((order & HOST_ACQUIRE) != 0) memory_join(&who->now, &who->found);
    if ((order & HOST_RELEASE) == 0) return;
    who->fenced = who->now;
    memory_release(item);
}

void memory_mark(uint item)
{
    marked[item] = items[item];
}

void memory_take_back(uint item)
{
    items[item] = marked[item];
}

/* ---- Races ---- */

static struct granule *granule_at(uintptr_t address)
{
    uint slot = (uint)mu_mix64(address) % GRANULES;
    while (granules[slot].run == run && granules[slot].address != address) slot = (slot + 1) % GRANULES;
    if (granules[slot].run != run) {
        overflown |= ++granule_count >= GRANULES / 2;
        granules[slot] = (struct granule){.address = address, .run = run};
    }
    return &granules[slot];
}

/* The two must not have happened without an order: notes a race of the item with the first that it does not know of. */
static void expect_known(uint item, const uint16_t *times, const char *what, const char *with)
{
    for (uint other = 0; other < item_count && race[0] == '\0'; other++)
        if (other != item && times[other] > items[item].now.clock[other])
            snprintf(race, sizeof race, "%s of work-item %u of group %u races with %s of work-item %u of group %u",
                     what, item % workgroup, item / workgroup, with, other % workgroup, other / workgroup);
}

static void count_ordered(uint item, const uint16_t *times)
{
    for (uint other = 0; other < item_count; other++) {
        if (other == item || times[other] == 0) continue;
        const uint to = item / workgroup, from = other / workgroup;
        ordered[to == from  ? MEMORY_SAME_GROUP
                : from == 0 ? MEMORY_FROM_MASTER
                : to == 0   ? MEMORY_TO_MASTER
                            : MEMORY_BETWEEN_SLAVES]++;
    }
}

void memory_plain(uint item, const void *address, size_t size, bool is_write)
{
    const uintptr_t first = (uintptr_t)address & ~(uintptr_t)3, end = (uintptr_t)address + size;
    for (uintptr_t at = first; at < end && !overflown; at += 4) {
        struct granule *granule = granule_at(at);
        const char *const what = is_write ? "a plain write" : "a plain read";
        expect_known(item, granule->writes, what, "a plain write");
        expect_known(item, granule->atomic_writes, what, "an atomic write");
        if (is_write) {
            expect_known(item, granule->reads, what, "a plain read");
            expect_known(item, granule->atomic_reads, what, "an atomic read");
        } else
            count_ordered(item, granule->writes);
        (is_write ? granule->writes : granule->reads)[item] = items[item].now.clock[item];
    }
}

static void look_for_race(uint item, const struct host_access *access, bool is_write)
{
    struct granule *granule = granule_at((uintptr_t)access->word);
    const char *const what = is_write ? "an atomic write" : "an atomic read";
    expect_known(item, granule->writes, what, "a plain write");
    if (is_write) expect_known(item, granule->reads, what, "a plain read");
    (is_write ? granule->atomic_writes : granule->atomic_reads)[item] = items[item].now.clock[item];
}

const char *memory_race(void)
{
    return race[0] != '\0' ? race : NULL;
}

const unsigned long *memory_ordered(void)
{
    return ordered;
}

/* ---- Words ---- */

static uint word_at(volatile uint *address)
{
    uint found = 0;
    while (found < word_count && words[found].address != address) found++;
    if (found < word_count) return found;
    if (word_count == MEMORY_MAX_WORDS) {
        overflown = true;
        return 0;
    }
    word_count++;
    words[found] = (struct word){.address = address, .first = *address, .count = 1};
    return found;
}

static uint value_of(const struct word *word, uint8_t write)
{
    return write == 0 ? word->first : writes[write].value;
}

static bool reads(const struct host_access *access)
{
    return access->operation != HOST_STORE;
}

/* Whether the access would write if it found the write. */
static bool would_write(const struct host_access *access, const struct word *word, uint8_t found)
{
    if (access->operation == HOST_COMPARE_EXCHANGE) return value_of(word, found) == access->expected;
    return access->operation != HOST_LOAD;
}

uint memory_options(uint item, const struct host_access *access, uint8_t *behind)
{
    const uint of = word_at(access->word);
    const struct word *word = &words[of];
    uint count = 0;
    uint at = model == MEMORY_INTERLEAVED ? word->count - 1 : position[items[item].now.earliest[of]];
    for (; at < word->count; at++) {
        const bool closed = at + 1 < word->count && writes[word->order[at + 1]].joined;
        if (!closed || !would_write(access, word, word->order[at])) behind[count++] = word->order[at];
    }
    return count;
}

uint64_t memory_identity(const struct host_access *access, uint8_t write)
{
    const uint64_t who = write == 0 ? 0 : (uint64_t)writes[write].item << 16 | writes[write].number;
    return mu_mix64((uint64_t)(uintptr_t)access->word * MU_GOLDEN_RATIO ^ who);
}

static uint64_t chained(uint64_t chain, uint item, uint number)
{
    return mu_mix64(chain ^ ((uint64_t)item << 16 | number));
}

uint64_t memory_order_after(uint item, const struct host_access *access, uint8_t behind)
{
    uint64_t sum = 0;
    const uint changed = access == NULL ? 0 : word_at(access->word);
    const bool changes = access != NULL && would_write(access, &words[changed], behind);
    for (uint of = 0; of < word_count; of++) {
        const struct word *word = &words[of];
        uint64_t chain = (uint64_t)(uintptr_t)word->address;
        for (uint at = 0; at < word->count; at++) {
            const uint8_t number = word->order[at];
            if (at > 0) chain = chained(chain, writes[number].item, writes[number].number);
            if (changes && of == changed && number == behind) chain = chained(chain, item, items[item].writes + 1u);
        }
        if (word->count > 1 || (changes && of == changed)) sum += mu_mix64(chain);
    }
    return sum;
}

/* ---- Accesses ---- */

static void do_read(uint item, uint of, const struct host_access *access, uint8_t found)
{
    struct item *who = &items[item];
    if (position[found] > position[who->now.earliest[of]]) who->now.earliest[of] = found;
    if (found == 0) return;
    memory_join(&who->found, &writes[found].release);
    if ((access->order & HOST_ACQUIRE) != 0) memory_join(&who->now, &writes[found].release);
}

static void do_write(uint item, uint of, const struct host_access *access, uint8_t behind, uint value)
{
    struct word *word = &words[of];
    struct item *who = &items[item];
    if (write_count + 1 == MEMORY_MAX_WRITES || word->count == MEMORY_MAX_WRITES) {
        overflown = true;
        return;
    }
    const uint8_t number = (uint8_t)++write_count;
    for (uint at = word->count++; at > (uint)position[behind] + 1; at--) {
        word->order[at] = word->order[at - 1];
        position[word->order[at]] = (uint8_t)at;
    }
    position[number] = (uint8_t)(position[behind] + 1);
    word->order[position[number]] = number;
    who->now.earliest[of] = number;
    struct write *write = &writes[number];
    *write = (struct write){.word = (uint8_t)of,
                            .item = (uint8_t)item,
                            .number = ++who->writes,
                            .value = value,
                            .joined = reads(access),
                            .release = who->fenced};
    if ((access->order & HOST_RELEASE) != 0) memory_join(&write->release, &who->now);
    if (write->joined && behind != 0) memory_join(&write->release, &writes[behind].release);
    write->release.earliest[of] = number;
    memory_release(item);
}

uint memory_access(uint item, const struct host_access *access, uint8_t behind, bool *written)
{
    const uint of = word_at(access->word);
    const uint found = value_of(&words[of], behind);
    *written = would_write(access, &words[of], behind);
    if (reads(access)) do_read(item, of, access, behind);
    look_for_race(item, access, *written);
    if (*written) do_write(item, of, access, behind, host_modified(access, found));
    return found;
}

bool memory_end(void)
{
    for (uint of = 0; of < word_count; of++)
        *words[of].address = value_of(&words[of], words[of].order[words[of].count - 1]);
    return !overflown;
}
