#include "tests/host/record.h"

static struct record_event events[MEMORY_MAX_ITEMS][RECORD_MOST];
static uint counts[MEMORY_MAX_ITEMS];
static bool has_written[MEMORY_MAX_ITEMS]; /* plainly, as its last event */
static bool is_whole;

void record_begin(void)
{
    for (uint item = 0; item < MEMORY_MAX_ITEMS; item++) {
        counts[item] = 0;
        has_written[item] = false;
    }
    is_whole = true;
}

/* The compiler's call comes before a plain write: what was written is there when the item does the next thing, and
 * before any other item goes on. */
static void see_what_was_written(uint item)
{
    if (!has_written[item]) return;
    struct record_event *event = &events[item][counts[item] - 1];
    event->value = *event->access.word;
    has_written[item] = false;
}

static struct record_event *add(uint item, enum record_kind kind)
{
    see_what_was_written(item);
    if (counts[item] == RECORD_MOST) {
        is_whole = false;
        counts[item]--;
    }
    struct record_event *event = &events[item][counts[item]++];
    *event = (struct record_event){.kind = kind};
    return event;
}

void record_access(uint item, const struct host_access *access, uint found)
{
    struct record_event *event = add(item, RECORD_ACCESS);
    event->access = *access;
    event->value = found;
}

void record_barrier(uint item, enum record_kind kind)
{
    add(item, kind);
}

static bool is_known(uint item, const volatile uint *word)
{
    for (uint i = counts[item]; i > 0; i--) {
        const struct record_event *event = &events[item][i - 1];
        if (event->kind != RECORD_READ && event->kind != RECORD_WRITE) return false;
        if (event->access.word == word) return true;
    }
    return false;
}

void record_plain(uint item, const void *address, size_t size, bool writes)
{
    const uintptr_t end = (uintptr_t)address + size;
    for (uintptr_t at = (uintptr_t)address & ~(uintptr_t)3; at < end; at += sizeof(uint)) {
        volatile uint *const word = (volatile uint *)at;
        see_what_was_written(item);
        if (!writes && is_known(item, word)) continue;
        struct record_event *event = add(item, writes ? RECORD_WRITE : RECORD_READ);
        event->access.word = word;
        event->value = *word;
        has_written[item] = writes;
    }
}

void record_end(uint item)
{
    see_what_was_written(item);
}

uint record_count(uint item)
{
    return counts[item];
}

void record_cut(uint item, uint count)
{
    if (count < counts[item]) has_written[item] = false;
    counts[item] = count;
}

const struct record_event *record_events(uint item)
{
    return events[item];
}

bool record_is_whole(void)
{
    return is_whole;
}
