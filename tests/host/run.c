/* The checks that go with this take a jump to another stack for an error. */
#undef _FORTIFY_SOURCE /* NOLINT(clang-diagnostic-reserved-macro-identifier): the C library's */

#include "tests/host/run.h"

#include "inputs/rng.h"
#include "tests/host/record.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define STACK_BYTES ((size_t)1 << 16)
#define MAX_GROUPS  MEMORY_MAX_ITEMS
#define MAX_TRACE   64 /* accesses that are printed, the last ones */

/* The address sanitizer follows swapcontext, but no jump to another stack. */
#ifdef __SANITIZE_ADDRESS__
#define JUMPS false
#else
#define JUMPS true
#endif

/* Functions whose loops wait and remember nothing of a turn in vain but their number: in ONE_ACCESS a turn is the last
 * access, in MORE it is all that were done since the last pause or write. */
enum turn_kind { NO_TURN, ONE_ACCESS, MORE };
static const struct {
    const char *function;
    enum turn_kind kind;
} waiting[] = {
    {"mu_await", ONE_ACCESS},    {"spin_lock", ONE_ACCESS},     {"destruct_lock", ONE_ACCESS},
    {"locked_lock", ONE_ACCESS}, {"progress_turn", ONE_ACCESS}, {"ring_pop", MORE},
    {"ring_take", MORE},         {"steal_pop", MORE},           {"steal_take", MORE},
};

struct item {
    struct host_item host;
    ucontext_t context; /* with JUMPS for the first time that its stack is entered */
    jmp_buf start, where;
    bool entered;
    enum { READY, AT_ACCESS, AT_BARRIER, ENDED } state;
    const struct host_access *pending;
    enum turn_kind pending_kind;
    uint found;       /* by the access that was pending */
    uint64_t history; /* what it has found so far */
    uint barriers;    /* of its group, at which it has arrived */

    /* The turn of a waiting loop that may be taken back. */
    enum turn_kind kind;
    bool wrote, begun; /* in this turn: a write, an access */
    uint64_t history_before;
    uint recorded_before;
    uint turns; /* in vain one after the other, modulo setup->turns */
};

struct group {
    struct host_group host;
    uint arrived[2]; /* at barriers of even and odd number, over all of them */
    struct memory_view arrivals[2];
};

struct traced {
    struct host_access access;
    uint8_t item;
    uint found;
};

static const struct explore_setup *setup;
static const struct host_launch *launch;
static struct site_list *sites;
static struct item items[MEMORY_MAX_ITEMS], *current;
static struct group groups[MAX_GROUPS];
static uint item_count;
static char *stacks;
static ucontext_t scheduler_context;
static jmp_buf scheduler;
static bool saw_plain;
static bool took_back; /* in the last run_settle */
static struct traced trace[MAX_TRACE];
static uint trace_count;

static uint number_of(const struct item *item)
{
    return (uint)(item - items);
}

/* A work-item has a stack of its own. From one stack to another it is a jump, since swapcontext would ask the system
 * for the mask of signals each time; only the first time a stack is entered there is nothing to jump to. */
static void enter(struct item *item)
{
    if (!JUMPS) swapcontext(&scheduler_context, &item->context);
    if (!JUMPS || _setjmp(scheduler) != 0) return;
    if (item->entered) _longjmp(item->where, 1);
    item->entered = true;
    setcontext(&item->context);
}

static void leave(void)
{
    if (!JUMPS)
        swapcontext(&current->context, &scheduler_context);
    else if (_setjmp(current->where) == 0)
        _longjmp(scheduler, 1);
}

/* ---- Loops that wait ---- */

static enum turn_kind kind_of(const char *function)
{
    for (size_t i = 0; i < sizeof waiting / sizeof waiting[0]; i++)
        if (strcmp(waiting[i].function, function) == 0) return waiting[i].kind;
    return NO_TURN;
}

/* Before an access: does it begin a turn? */
static void begin_access(struct item *item)
{
    const enum turn_kind kind = item->pending_kind;
    if (item->begun && kind == MORE && item->kind == MORE && !item->wrote) return;
    if (item->begun) item->turns = 0;
    if (kind != NO_TURN) memory_mark(number_of(item));
    item->history_before = item->history;
    item->recorded_before = record_count(number_of(item));
    item->begun = true;
    item->wrote = false;
    item->kind = kind;
}

void run_pause(void)
{
    struct item *item = current;
    if (setup->bounded || item->kind == NO_TURN || item->wrote) return;
    memory_take_back(number_of(item));
    record_cut(number_of(item), item->recorded_before);
    item->history = item->history_before;
    item->turns = (item->turns + 1) % setup->turns;
    item->begun = false;
    took_back = true;
}

bool run_is_between_turns(void)
{
    for (uint i = 0; i < item_count; i++)
        if (items[i].state == AT_ACCESS && items[i].begun && items[i].kind == MORE && !items[i].wrote) return false;
    return true;
}

/* ---- The machine ---- */

uint run_access(const struct host_access *asked)
{
    struct item *item = current;
    const struct host_access access = site_weakened(setup->weakened, asked);
    site_collect(sites, asked);
    if (access.operation == HOST_FENCE) {
        memory_fence(number_of(item), access.order);
        return 0;
    }
    item->pending = &access;
    if (!setup->bounded) item->pending_kind = kind_of(access.function);
    item->state = AT_ACCESS;
    leave();
    return item->found;
}

void run_arrive(void)
{
    struct item *item = current;
    struct group *group = &groups[item->host.group_id];
    const uint turn = item->barriers++ % 2;
    if (group->arrived[turn] % launch->workgroup == 0) memset(&group->arrivals[turn], 0, sizeof group->arrivals[turn]);
    group->arrived[turn]++;
    memory_join(&group->arrivals[turn], memory_view(number_of(item)));
    memory_release(number_of(item));
    if (setup->recorded) record_barrier(number_of(item), RECORD_ARRIVE);
}

/* Whether the barrier that it arrived at last is open. */
static bool is_open(const struct item *item)
{
    const uint arrived = groups[item->host.group_id].arrived[(item->barriers - 1) % 2];
    return arrived >= (item->barriers + 1) / 2 * launch->workgroup;
}

void run_wait(void)
{
    struct item *item = current;
    while (!is_open(item)) {
        item->state = AT_BARRIER;
        leave();
    }
    memory_join(memory_view(number_of(item)), &groups[item->host.group_id].arrivals[(item->barriers - 1) % 2]);
    if (setup->recorded) record_barrier(number_of(item), RECORD_WAIT);
}

/* The stacks of work-items are nobody else's. */
void run_plain(const void *address, size_t size, bool writes)
{
    const char *at = address;
    saw_plain = true;
    if (current == NULL || (at >= stacks && at < stacks + item_count * STACK_BYTES)) return;
    if (setup->may_race == 0 || address != (uint *)current->host.group->local + setup->may_race - 1)
        memory_plain(number_of(current), address, size, writes);
    if (setup->recorded) record_plain(number_of(current), address, size, writes);
}

/* ---- A run ---- */

void run_give_back(void)
{
    for (uint g = 0; g < MAX_GROUPS; g++) {
        free(groups[g].host.local);
        groups[g].host.local = NULL;
    }
    free(stacks);
    stacks = NULL;
}

/* On the stack of the current item, for ever: each run begins anew where `start` was noted. */
static void run_item(void)
{
    _setjmp(current->start);
    launch->kernel(launch->argument);
    if (setup->recorded) record_end(number_of(current));
    current->state = ENDED;
    leave();
}

static void make_stack(struct item *item, char *stack)
{
    item->entered = false;
    getcontext(&item->context);
    item->context.uc_stack.ss_sp = stack;
    item->context.uc_stack.ss_size = STACK_BYTES;
    makecontext(&item->context, run_item, 0);
}

bool run_take(const struct explore_setup *with, const struct host_launch *what, struct site_list *list)
{
    setup = with;
    launch = what;
    sites = list;
    item_count = launch->groups * launch->workgroup;
    if (item_count > MEMORY_MAX_ITEMS) return false;
    stacks = malloc(item_count * STACK_BYTES);
    bool taken = stacks != NULL;
    for (uint g = 0; g < launch->groups; g++) {
        groups[g].host.local = malloc(launch->local_bytes + 1);
        taken &= groups[g].host.local != NULL;
    }
    for (uint i = 0; i < item_count && taken; i++) make_stack(&items[i], stacks + i * STACK_BYTES);
    if (!taken) run_give_back();
    return taken;
}

void run_begin(void)
{
    if (launch->begin != NULL) launch->begin(launch->argument);
    memory_begin(setup->model, item_count, launch->workgroup);
    record_begin();
    trace_count = 0;
    for (uint g = 0; g < launch->groups; g++) {
        memset(groups[g].host.local, 0, launch->local_bytes);
        groups[g].arrived[0] = groups[g].arrived[1] = 0;
    }
    for (uint i = 0; i < item_count; i++) {
        struct item *item = &items[i];
        const uint g = i / launch->workgroup;
        item->host = (struct host_item){i % launch->workgroup, g, launch, &groups[g].host};
        item->state = READY;
        item->history = item->barriers = item->turns = 0;
        item->kind = item->pending_kind = NO_TURN;
        item->wrote = item->begun = false;
        if (!JUMPS) make_stack(item, stacks + i * STACK_BYTES);
        if (item->entered) memcpy(item->where, item->start, sizeof item->where);
    }
}

bool run_settle(void)
{
    bool moved = true;
    took_back = false;
    while (moved) {
        moved = false;
        for (uint i = 0; i < item_count; i++) {
            struct item *item = &items[i];
            if (item->state == AT_BARRIER && is_open(item)) item->state = READY;
            if (item->state != READY) continue;
            moved = true;
            current = item;
            host_item = &item->host;
            enter(item);
            current = NULL;
            host_item = NULL;
        }
    }
    return took_back;
}

uint run_steps(struct run_step *steps)
{
    uint8_t behind[MEMORY_MAX_WRITES];
    uint count = 0;
    for (uint i = 0; i < item_count; i++) {
        if (items[i].state != AT_ACCESS) continue;
        const uint options = memory_options(i, items[i].pending, behind);
        for (uint n = 0; n < options && count < RUN_MAX_STEPS; n++)
            steps[count++] = (struct run_step){(uint8_t)i, behind[n]};
    }
    return count;
}

/* Behind which write a store comes is told by the modification order, and may change. */
static uint64_t history_after(const struct item *item, uint8_t behind)
{
    const uint64_t write = item->pending->operation == HOST_STORE ? 1 : memory_identity(item->pending, behind);
    return mu_mix64(item->history * MU_GOLDEN_RATIO ^ write);
}

void run_do(struct run_step step)
{
    struct item *item = &items[step.item];
    const struct host_access *access = item->pending;
    bool written;
    begin_access(item);
    item->found = memory_access(step.item, access, step.behind, &written);
    item->wrote |= written;
    if (setup->recorded) record_access(step.item, access, item->found);
    item->history = history_after(item, step.behind);
    trace[trace_count++ % MAX_TRACE] = (struct traced){*access, step.item, item->found};
    item->state = READY;
}

uint64_t run_state(const struct run_step *step)
{
    uint64_t hash = step == NULL ? memory_order_after(0, NULL, 0)
                                 : memory_order_after(step->item, items[step->item].pending, step->behind);
    for (uint i = 0; i < item_count; i++) {
        const struct item *item = &items[i];
        const uint64_t history = step == NULL || step->item != i ? item->history : history_after(item, step->behind);
        hash = mu_mix64(hash ^ mu_mix64(history + i * MU_GOLDEN_RATIO)) * MU_GOLDEN_RATIO + item->turns;
    }
    return hash | 1;
}

bool run_has_ended(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "deadlock:");
    bool ended = true;
    for (uint i = 0; i < item_count; i++) {
        const struct item *item = &items[i];
        if (item->state == ENDED) continue;
        ended = false;
        if (used >= size) continue;
        used += (size_t)snprintf(text + used, size - used, " work-item %u of group %u in %s;", item->host.local_id,
                                 item->host.group_id,
                                 item->state == AT_BARRIER ? "the group's barrier" : item->pending->function);
    }
    return ended;
}

bool run_saw_plain(void)
{
    return saw_plain;
}

bool run_is_stuck(void)
{
    uint8_t behind[MEMORY_MAX_WRITES] = {0};
    for (uint i = 0; i < item_count; i++) {
        const struct item *item = &items[i];
        if (item->state == ENDED) continue;
        for (uint turn = 0; turn < setup->turns && item->state == AT_ACCESS;) {
            const uint options = memory_options(i, item->pending, behind);
            run_do((struct run_step){(uint8_t)i, behind[options - 1]}); /* the last write can always be found */
            turn += run_settle();
            if (item->kind == NO_TURN || item->wrote) return false;
        }
        if (item->state == ENDED) return false;
    }
    return true;
}

void run_print(void)
{
    static const char *const operations[] = {"load", "store", "add",      "or",
                                             "min",  "max",   "exchange", "compare-exchange"};
    static const char *const orders[] = {"relaxed", "acquire", "release", "acq-rel"};
    for (uint i = trace_count < MAX_TRACE ? 0 : trace_count - MAX_TRACE; i < trace_count; i++) {
        const struct traced *traced = &trace[i % MAX_TRACE];
        printf("# group %u, work-item %u: %s:%d %s: %s %s at ...%03lx, operand %u, found %u\n",
               items[traced->item].host.group_id, items[traced->item].host.local_id, traced->access.file,
               traced->access.line, traced->access.function, operations[traced->access.operation],
               orders[traced->access.order], (unsigned long)((uintptr_t)traced->access.word & 0xfff),
               traced->access.operand, traced->found);
    }
}
