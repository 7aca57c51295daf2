#include "tests/host/queues.h"

#include <stdlib.h>
#include <string.h>

#include "variants/cooperative/offers_layout.clh"
#include "variants/queues/layout.clh"

#include "variants/queues/queue.clh"

#include "apps/priority.clh"

/* ---- The sources, in which each kind gets names of its own for what all define ---- */

#define PASTE_NAMES(a, b) a##_##b
#define PASTE(a, b)       PASTE_NAMES(a, b)

#define mu_ring_lock     PASTE(KIND, lock)
#define mu_ring_unlock   PASTE(KIND, unlock)
#define mu_ring_push     PASTE(KIND, push)
#define mu_ring_pop      PASTE(KIND, pop)
#define mu_queue_push    PASTE(KIND, queue_push)
#define mu_queue_ring_at PASTE(KIND, ring_at)
#define mu_queue_take    PASTE(KIND, take)
#define mu_queue_done    PASTE(KIND, done)
#define mu_flow          PASTE(KIND, flow_arguments)
#define mu_flow_item     PASTE(KIND, flow_item)
#define mu_queue_flow    PASTE(KIND, flow)

#define KIND locked
#include "variants/queues/locked.clh"

#include "variants/queues/work.clh"

#include "variants/queues/flow.clh"
#undef KIND

#define KIND ring
#include "variants/queues/ring.clh"

#include "variants/queues/work.clh"

#include "variants/queues/flow.clh"
#undef KIND

#define KIND steal
#include "variants/queues/steal.clh"

#include "variants/queues/work.clh"

#include "variants/queues/flow.clh"

#include "variants/cooperative/offers.clh"

/* A word of the offers that the sources have no use for: how often a group was not of the team while it had an item. */
#define OUTSIDE (MU_OFFERS_LEFT + MU_OFFERS_LINE - 1)

static void look_at_the_team(struct mu_offers O)
{
    if (mu_load_relaxed(O.words + MU_OFFERS_SIZE) <= O.rank) mu_add_relaxed(O.words + OUTSIDE, 1u);
}

/* As mu_queue_flow, by a team that shrinks and grows. */
static void offers_flow(struct mu_queue Q, struct mu_flow F, struct mu_offers O)
{
    uint taken = 0;
    for (uint item = mu_offer_take(Q, O); item != MU_NO_ITEM; item = mu_offer_take(Q, O)) {
        taken++;
        if (Q.rank == 0 && taken == F.lost_after) break;
        look_at_the_team(O);
        mu_flow_item(Q, F, item);
        look_at_the_team(O);
    }
}
#undef KIND

/* ---- The kernel ---- */

/* What the work-items of a launch share. */
struct shared {
    const struct host_flow_case *what;
    struct host_flow_result *result;
    uint *words, *sync, *seen, *notes, *unfinished, *offers;
};

static struct mu_queue queue_of(const struct shared *shared)
{
    return (struct mu_queue){.words = shared->words,
                             .sync = shared->sync,
                             .rank = (uint)get_group_id(0),
                             .rings = shared->what->rings,
                             .slots = shared->what->slots};
}

/* A group that sees the end reads what all groups did. */
static void look_at_the_end(const struct shared *shared)
{
    const struct host_flow_case *what = shared->what;
    const uint group = (uint)get_group_id(0);
    if (mu_load_relaxed(shared->sync + MU_SYNC_ABORT) != MU_PHASE_NONE || what->lost_after != 0) return;
    for (uint item = 0; item < what->total; item++) shared->unfinished[group] += shared->notes[item] != item;
}

#define FLOW_KERNEL(kind)                                                                                              \
    static void kind##_kernel(void *argument)                                                                          \
    {                                                                                                                  \
        const struct shared *shared = argument;                                                                        \
        const struct kind##_flow_arguments flow = {.seen = shared->seen,                                               \
                                                   .notes = shared->notes,                                             \
                                                   .total = shared->what->total,                                       \
                                                   .lost_after = shared->what->lost_after};                            \
        kind##_flow(queue_of(shared), flow);                                                                           \
        look_at_the_end(shared);                                                                                       \
    }

FLOW_KERNEL(locked)
FLOW_KERNEL(ring)
FLOW_KERNEL(steal)

static void offers_kernel(void *argument)
{
    const struct shared *shared = argument;
    const struct steal_flow_arguments flow = {.seen = shared->seen,
                                              .notes = shared->notes,
                                              .total = shared->what->total,
                                              .lost_after = shared->what->lost_after};
    const struct mu_offers offers = {shared->offers, (uint)get_group_id(0), shared->what->groups};
    offers_flow(queue_of(shared), flow, offers);
    look_at_the_end(shared);
}

const struct host_queue host_offers = {"offers", offers_kernel, true};

const struct host_queue host_queues[] = {
    {"locked", locked_kernel, false}, {"ring", ring_kernel, false}, {"steal", steal_kernel, true}, {NULL, NULL, false}};

/* ---- A launch and what came of it ---- */

static void judge(void *argument)
{
    const struct shared *shared = argument;
    const struct host_flow_case *what = shared->what;
    struct host_flow_result *result = shared->result;
    *result = (struct host_flow_result){.phase = shared->sync[MU_SYNC_ABORT],
                                        .rank = shared->sync[MU_REPORT_RANK],
                                        .open = shared->sync[MU_REPORT_ARRIVED],
                                        .left = shared->offers[MU_OFFERS_LEFT],
                                        .came = shared->offers[MU_OFFERS_CAME],
                                        .least = shared->offers[MU_OFFERS_LEAST],
                                        .size = shared->offers[MU_OFFERS_SIZE],
                                        .outside = shared->offers[OUTSIDE]};
    for (uint item = 0; item < what->total; item++) {
        result->lost += shared->seen[item] == 0;
        result->twice += shared->seen[item] % MU_FLOW_WRONG > 1;
        result->wrong += shared->seen[item] >= MU_FLOW_WRONG;
    }
    for (uint group = 0; group < what->groups; group++) result->unfinished += shared->unfinished[group];
    if (what->judge != NULL) what->judge(what, result);
}

/* As the host of a device writes them: variants/launch/queue.c, which tests of the host's sources do without. Stuck,
 * queue `locked` has its lock held by nobody, and the ring before the first item a slot that was claimed and never
 * handed back. */
static void put_first_item(const struct shared *shared)
{
    uint *ring = shared->words + MU_QUEUE_RING(0, shared->what->slots),
         *turns = ring + MU_RING_TURNS(shared->what->slots);
    const uint place = shared->what->stuck && strcmp(shared->what->queue->name, "ring") == 0;
    shared->words[MU_QUEUE_OPEN] = 1;
    ring[MU_RING_HEAD] = place;
    ring[MU_RING_TAIL] = place + 1;
    ring[MU_RING_LOCK] = shared->what->stuck;
    ring[MU_RING_ITEMS + place] = 0;
    turns[0] = turns[place] = 1;
    shared->notes[0] = MU_FLOW_NOTE(0);
}

static void begin(void *argument)
{
    const struct shared *shared = argument;
    const struct host_flow_case *what = shared->what;
    memset(shared->words, 0, MU_QUEUE_WORDS(what->rings, what->slots) * sizeof *shared->words);
    memset(shared->sync, 0, MU_SYNC_WORDS(what->groups) * sizeof *shared->sync);
    memset(shared->seen, 0, what->total * sizeof *shared->seen);
    memset(shared->notes, 0, what->total * sizeof *shared->notes);
    memset(shared->unfinished, 0, what->groups * sizeof *shared->unfinished);
    memset(shared->offers, 0, MU_OFFERS_WORDS * sizeof *shared->offers);
    shared->offers[MU_OFFERS_SIZE] = shared->offers[MU_OFFERS_WANT] = shared->offers[MU_OFFERS_LEAST] = what->groups;
    shared->offers[MU_OFFERS_SEED] = what->seed;
    put_first_item(shared);
}

int host_flow_run(const struct host_flow_case *what, struct host_flow_result *result)
{
    struct shared shared = {
        .what = what,
        .result = result,
        .words = calloc(MU_QUEUE_WORDS(what->rings, what->slots), sizeof(uint)),
        .sync = calloc(MU_SYNC_WORDS(what->groups), sizeof(uint)),
        .seen = calloc(what->total, sizeof(uint)),
        .notes = calloc(what->total, sizeof(uint)),
        .unfinished = calloc(what->groups, sizeof(uint)),
        .offers = calloc(MU_OFFERS_WORDS, sizeof(uint)),
    };
    const struct host_launch launch = {.groups = what->groups,
                                       .workgroup = 1,
                                       .spin_limit = what->spin_limit,
                                       .local_bytes = sizeof(uint),
                                       .kernel = what->queue->kernel,
                                       .argument = &shared,
                                       .begin = begin,
                                       .end = judge};
    int status = -1;
    if (shared.words != NULL && shared.sync != NULL && shared.seen != NULL && shared.notes != NULL &&
        shared.unfinished != NULL && shared.offers != NULL)
        status = host_machine->launch(&launch);
    free(shared.words);
    free(shared.sync);
    free(shared.seen);
    free(shared.notes);
    free(shared.unfinished);
    free(shared.offers);
    return status;
}
