#include "tests/host/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 1024
#define MAX_POOL  ((uint)1 << 16)

/* A step, and the state that it leads to. */
struct branch {
    struct run_step step;
    uint64_t state;
};

/* A state on the way from the beginning, and its steps, of which those before `next` have been followed. */
struct frame {
    uint64_t state, asked; /* `asked` is another one where polls in vain were taken back */
    bool between_turns;
    uint first, count, next; /* in the pool */
    double interleavings;    /* of its ends that have been found so far */
};

/* States that were told apart, and how many interleavings lead from each to an end. */
struct seen {
    uint64_t state;
    double interleavings;
};

static struct explore_setup setup;
static struct explore_result result;
static struct site_list sites;
static struct frame frames[MAX_DEPTH];
static struct branch pool[MAX_POOL];
static uint depth;
static struct seen *table;
static size_t table_size, table_used; /* a power of two */

void explore_fault(const char *format, ...)
{
    va_list arguments;
    if (result.fault[0] != '\0') return;
    va_start(arguments, format);
    vsnprintf(result.fault, sizeof result.fault, format, arguments);
    va_end(arguments);
}

/* ---- States ---- */

static struct seen *find(uint64_t state)
{
    size_t slot = (size_t)state & (table_size - 1);
    while (table[slot].state != 0 && table[slot].state != state) slot = (slot + 1) & (table_size - 1);
    return &table[slot];
}

static bool grow(void)
{
    struct seen *const old = table;
    const size_t old_size = table_size;
    table_size = old_size == 0 ? (size_t)1 << 15 : 2 * old_size;
    table = calloc(table_size, sizeof *table);
    for (size_t i = 0; table != NULL && i < old_size; i++)
        if (old[i].state != 0) *find(old[i].state) = old[i];
    free(old);
    return table != NULL;
}

/* Notes a state; false if it was known. */
static bool is_new(uint64_t state)
{
    struct seen *seen = find(state);
    if (seen->state != 0) return false;
    seen->state = state;
    table_used++;
    result.states++;
    return true;
}

/* Nothing is left to be followed from the state, to which the frames lead. */
static void is_done(uint64_t state, uint64_t asked, double interleavings)
{
    find(state)->interleavings = interleavings;
    find(asked)->interleavings = interleavings;
    if (depth > 0)
        frames[depth - 1].interleavings += interleavings;
    else
        result.interleavings += interleavings;
}

/* ---- The search ---- */

/* From the last frame's next step to the first that leads to a new state. False when there is none. */
static bool has_branch(void)
{
    struct frame *frame = &frames[depth - 1];
    for (; frame->next < frame->count; frame->next++) {
        const uint64_t state = pool[frame->first + frame->next].state;
        if (is_new(state) || setup.apart) return true;
        frame->interleavings += find(state)->interleavings;
    }
    return false;
}

static void judge_end(const struct host_launch *launch)
{
    char text[sizeof result.fault];
    const bool ended = run_has_ended(text, sizeof text), within = memory_end();
    result.executions++;
    if (!within) explore_fault("more words or writes than the machine has room for");
    if (!ended) explore_fault("%s", text);
    if (result.fault[0] == '\0' && launch->end != NULL) launch->end(launch->argument);
}

/* From the last frame's state no end has been found: do all that still run wait for ever? Where a turn in vain leads to
 * another state, the search may have come back to one that it was still at. */
static void judge_stuck(void)
{
    char text[sizeof result.fault];
    run_begin();
    run_settle();
    for (uint at = 0; at + 1 < depth; at++) {
        run_do(pool[frames[at].first + frames[at].next].step);
        run_settle();
    }
    run_has_ended(text, sizeof text);
    if (run_is_stuck()) explore_fault("%s", text);
}

/* To the last frame that has another branch to follow. False when there is none. */
static bool go_back(void)
{
    while (depth > 0 && result.fault[0] == '\0') {
        struct frame *last = &frames[depth - 1];
        last->next++;
        if (has_branch()) return true;
        if (last->interleavings == 0 && last->between_turns) judge_stuck();
        depth--;
        is_done(last->state, last->asked, last->interleavings);
    }
    return false;
}

/* The run stands in a state that was asked for: a frame for it. False when nothing can be followed from here. */
static bool enter(const struct host_launch *launch, uint64_t asked, bool took_back)
{
    struct run_step steps[RUN_MAX_STEPS];
    const uint first = depth == 0 ? 0 : frames[depth - 1].first + frames[depth - 1].count;
    const uint64_t state = took_back || depth == 0 ? run_state(NULL) : asked;
    const char *const race = memory_race();
    if (race != NULL) explore_fault("%s", race);
    if (depth == MAX_DEPTH || first + RUN_MAX_STEPS > MAX_POOL)
        explore_fault("an execution is longer than the machine has room for");
    if (result.fault[0] != '\0' || (state != asked && !is_new(state))) return false;
    const uint count = run_steps(steps);
    if (count == 0) {
        judge_end(launch);
        is_done(state, asked, 1);
        return false;
    }
    for (uint i = 0; i < count; i++) pool[first + i] = (struct branch){steps[i], run_state(&steps[i])};
    frames[depth++] = (struct frame){
        .state = state, .asked = asked, .between_turns = run_is_between_turns(), .first = first, .count = count};
    return true;
}

/* One run: the steps of the frames, and from there on the first ones, up to an end or to what is known; go_back goes on
 * from there. */
static void follow(const struct host_launch *launch)
{
    uint64_t asked = 1;
    bool took_back;
    run_begin();
    for (uint at = 0;; at++) {
        took_back = run_settle();
        if (at >= depth && (!enter(launch, asked, took_back) || !has_branch())) return;
        const struct branch *branch = &pool[frames[at].first + frames[at].next];
        asked = branch->state;
        run_do(branch->step);
    }
}

static int explore_launch(const struct host_launch *launch)
{
    if (!run_take(&setup, launch, &sites)) return -1;
    depth = 0;
    table_size = table_used = 0;
    bool more = true;
    do {
        if (2 * (table_used + MAX_POOL / 8) >= table_size && !grow()) {
            run_give_back();
            return -1;
        }
        follow(launch);
        more = result.fault[0] == '\0' && go_back();
    } while (more && (setup.most == 0 || result.states < setup.most));
    result.complete &= !more && result.fault[0] == '\0';
    free(table);
    table = NULL;
    run_give_back();
    return 0;
}

/* ---- The machine ---- */

/* It stands still: waits count polls. */
static ulong explore_ticks(void)
{
    return 1;
}

static const struct host_machine explorer = {run_access, run_arrive,    run_wait,
                                             run_pause,  explore_ticks, explore_launch};

void explore_begin(const struct explore_setup *with)
{
    setup = *with;
    if (setup.turns == 0) setup.turns = 1;
    result = (struct explore_result){.complete = true};
    memset((void *)(uintptr_t)memory_ordered(), 0, sizeof result.ordered);
    sites.count = 0;
    host_machine = &explorer;
}

const struct site_list *explore_sites(void)
{
    return &sites;
}

void explore_end(struct explore_result *into, bool trace)
{
    memcpy(result.ordered, memory_ordered(), sizeof result.ordered);
    result.saw_plain = run_saw_plain();
    if (trace && result.fault[0] != '\0') run_print();
    *into = result;
    host_machine = &host_threads;
}
