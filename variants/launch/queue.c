#include "variants/launch/queue.h"

#include "base/memory.h"
#include "variants/queues/layout.clh"

#define MOST_WORDS (UINT64_C(1) << 30)

const struct mu_choice mu_queue_kinds[] = {
    {"locked", "under one spin lock, as in the persistent-threads study"},
    {"ring", "a turn for each slot, no lock"},
    {"steal", "a ring for each workgroup, from which the others steal; no lock"},
    {0},
};

static const char *const kind_sources[] = {"variants/queues/locked.clh", "variants/queues/ring.clh",
                                           "variants/queues/steal.clh"};

int mu_sources_add_queue(struct mu_sources *sources, enum mu_queue_kind kind, const char *kernel_dir,
                         struct mu_error *err)
{
    const char *const files[] = {"variants/queues/layout.clh", "variants/queues/queue.clh", kind_sources[kind],
                                 "variants/queues/work.clh"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) mu_sources_add(sources, files[i], kernel_dir, err);
    return err->status;
}

uint32_t mu_queue_slots(uint64_t items)
{
    uint32_t slots = 2;
    while (slots < items && slots < UINT32_C(1) << 31) slots *= 2;
    return slots;
}

/* Writes the words as if item i had been pushed into ring i modulo their number. */
static void push_all(const struct mu_queue_shape *shape, const uint32_t *items, uint32_t count, uint32_t *words)
{
    words[MU_QUEUE_OPEN] = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *ring = words + MU_QUEUE_RING(i % shape->rings, shape->slots);
        const uint32_t slot = ring[MU_RING_TAIL]++;
        ring[MU_RING_ITEMS + slot] = items[i];
        ring[MU_RING_TURNS(shape->slots) + slot] = 1;
    }
}

int mu_queue_check(const struct mu_queue_shape *shape, struct mu_error *err)
{
    const uint64_t ring_words = 3 * (uint64_t)MU_QUEUE_LINE + 2 * (uint64_t)shape->slots;
    if (shape->rings != 0 && ring_words < MOST_WORDS / shape->rings) return MU_OK;
    return mu_fail(err, MU_LIMIT, "a work queue of %u rings with %u slots is too large", shape->rings, shape->slots);
}

uint32_t *mu_queue_words(const struct mu_queue_shape *shape, const uint32_t *items, uint32_t count, size_t *words,
                         struct mu_error *err)
{
    if (mu_queue_check(shape, err) != MU_OK) return NULL;
    if (count > (uint64_t)shape->rings * shape->slots) {
        mu_fail(err, MU_LIMIT, "%u items do not fit a work queue of %u rings with %u slots", count, shape->rings,
                shape->slots);
        return NULL;
    }
    *words = MU_QUEUE_WORDS(shape->rings, shape->slots);
    uint32_t *made = mu_calloc(*words, sizeof *made, "a work queue", err);
    if (made != NULL) push_all(shape, items, count, made);
    return made;
}
