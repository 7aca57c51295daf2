#include "tests/host/plans.h"

#include "tests/host/atomics.h"

#include <math.h>
#include <string.h>

/* ---- The sources, for workgroups of one work-item ---- */

#define get_local_id(dimension) ((uint)(dimension))
#define barrier(flags)          ((void)(flags))
#define MU_WORKGROUP            1u
#define MU_SPIN_LIMIT           (host_item->launch->spin_limit)
#define MU_TEAM_PARAMETERS
#define APP_BUFFERS(X) X(first, uint, 1, FLAG) X(second, uint, 1, FLAG) X(found, uint, 1, COUNTER) X(sum, uint, 1, SUM)
#define APP_SCALARS(X)
#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

#include "variants/teams/sync_layout.clh"

#include "variants/cooperative/layout.clh"

#include "variants/teams/team.clh"

#include "variants/teams/spin.clh"

#include "variants/teams/state.clh"

#include "variants/teams/protocols.clh"

#include "variants/teams/reductions.clh"

#include "variants/teams/roles.clh"

#define LOCAL_WORDS (MU_LOCAL_WORDS + MU_PROTOCOL_WORDS)

/* ---- A slot ---- */

/* A slot's local memory, and what it has read in the end. The machine tells accesses apart by eight bytes. */
struct own {
    _Alignas(64) uint words[LOCAL_WORDS];
    _Alignas(64) uint read;
    bool in_team;
};

/* What the slots of a launch share. */
static struct {
    const struct plan *plan;
    struct plan_meaning meaning;
    enum plan_mutant mutant;
    void (*wrong)(const char *what);
    int faults;
    uint sync[MU_SYNC_REPORT + MU_SYNC_LINE];
    uint flag[2][4], found[8], sum[MU_PARTS + 2 * PLAN_MOST_SLOTS];
    uint record[PLAN_MOST_STEPS + 1][PLAN_MOST_OPS];
    struct own own[PLAN_MOST_SLOTS];
} all;

struct slot {
    struct mu_team T;
    struct mu_state S;
    uint number, read, reads; /* the slot; what it has read in all; and how often since the last barrier */
    uint repeats_to;          /* the barrier behind which it joins, while it repeats steps */
    uint crossings;           /* of the machine's barrier */
    uint counts;              /* the round of the next step that counts */
    ulong scratch[2];
};

static bool is_member(const struct slot *slot)
{
    return slot->T.rank != MU_NO_RANK;
}

/* The machine's barrier. All slots cross it as often, whatever becomes of their plans. */
static void meet(struct slot *slot)
{
    if (slot->crossings++ >= PLAN_MOST_STEPS) return;
    host_machine->arrive();
    host_machine->wait();
}

static void take_rank(struct slot *slot, uint barrier)
{
    const bool member = slot->number < all.plan->size[barrier];
    slot->T.rank = member ? slot->number : MU_NO_RANK;
    slot->T.size = member ? all.plan->size[barrier] : 1;
    slot->T.first = slot->T.rank;
    slot->T.stride = slot->T.size;
    slot->T.words[MU_LOCAL_BEFORE] = all.plan->size[barrier == 0 ? 0 : barrier - 1];
}

/* The barrier behind a step. */
static void cross(struct slot *slot)
{
    __local uint *words = slot->T.words;
    slot->reads = 0;
    if (!MU_CROSSED(slot->T) || !mu_goes_on(slot->T)) {
        words[MU_LOCAL_VERDICT] = 0;
        return;
    }
    uint barrier = ++words[MU_LOCAL_CROSSED];
    if (!is_member(slot)) {
        if (barrier == slot->repeats_to) take_rank(slot, barrier);
        return;
    }
    meet(slot);
    if (mu_load_relaxed(all.sync + MU_SYNC_ABORT) != 0) words[MU_LOCAL_VERDICT] = 0;
    take_rank(slot, barrier);
    if (is_member(slot)) return;
    while (barrier < PLAN_MOST_STEPS && slot->number >= all.plan->size[barrier]) {
        meet(slot);
        barrier++;
    }
    slot->repeats_to = barrier;
    if (barrier == PLAN_MOST_STEPS) words[MU_LOCAL_VERDICT] = 0; /* the plan's end has been told */
}

/* ---- Steps ---- */

/* Whether an element that is this slot's has its bit set. */
static bool has_any(struct mu_team T, uint extent, uint elements)
{
    bool any = false;
    FOR_EACH (i) any |= (elements >> i & 1) != 0;
    return any;
}

/* What a step that stamps does in the mutants. */
static void stamp_wrong(struct slot *slot, uint flag, uint extent, bool any, uint round)
{
    const struct mu_team T = slot->T;
    const uint protocol = flag == 0 ? mu_protocol_first : mu_protocol_second;
    struct mu_protocol P = mu_protocol_at(T.words + MU_LOCAL_WORDS + MU_KNOWN_WORDS * protocol, 0, 0, extent);
    const uint number = MU_STEP_NUMBER(T), parity = all.mutant == PLAN_PARITY ? round & 1 : number & 1;
    uint *words = all.flag[flag];
    if (all.mutant == PLAN_LATEST) {
        if (any) mu_store_relaxed(words, round);
    } else if (all.mutant == PLAN_PARITY) {
        if (any) mu_store_relaxed(words + parity, round);
    } else {
        if (all.mutant == PLAN_IDLE) T.words[MU_LOCAL_ELEMENTS] = 1;
        mu_flag_note(T, P, round);
        if (any && all.mutant == PLAN_BARRIERS) mu_store_relaxed(words + parity, number);
        if (any && all.mutant == PLAN_ROUND) mu_store_relaxed(words + MU_FLAG_WORD(P.known[0]), round);
        if (any && (all.mutant == PLAN_IDLE || all.mutant == PLAN_PARKED))
            mu_store_relaxed(words + MU_FLAG_WORD(P.known[0]), MU_FLAG_STEP(P.known[0]));
    }
}

static bool stamped_wrong(struct slot *slot, uint flag, uint round)
{
    const struct mu_team T = slot->T;
    const uint protocol = flag == 0 ? mu_protocol_first : mu_protocol_second;
    const struct mu_protocol P = mu_protocol_at(T.words + MU_LOCAL_WORDS + MU_KNOWN_WORDS * protocol, 0, 0, 0);
    uint *words = all.flag[flag];
    const uint step = MU_FLAG_STEP(P.known[0]);
    switch (all.mutant) {
    case PLAN_LATEST:
        return mu_load_relaxed(words) >= round;
    case PLAN_PARITY:
        return mu_load_relaxed(words + (round & 1)) == round;
    case PLAN_BARRIERS:
        P.known[2] = P.known[0];
        return P.known[1] == round && mu_load_relaxed(words + (step & 1)) == step;
    case PLAN_ROUND:
        P.known[2] = P.known[0];
        return P.known[1] == round && mu_load_relaxed(words + MU_FLAG_WORD(P.known[0])) == round;
    default:
        return mu_stamped(T, words, P, round);
    }
}

static void stamp(struct slot *slot, const struct plan_op *op, uint round, uint extent, bool on)
{
    const struct mu_team T = slot->T;
    const struct mu_state S = slot->S;
    const uint told = all.plan->number[round];
    bool any = has_any(T, extent, op->elements[round]);
    if (all.mutant == PLAN_RIGHT) {
        /* As an app may: what the condition is does not count in a step without elements. */
        if (extent == 0) any = true;
        if (op->flag == 0)
            mu_stamp(T, S.mu_flag_first, MU_PROTOCOL_IN(first, extent), any, told);
        else
            mu_stamp(T, S.mu_flag_second, MU_PROTOCOL_IN(second, extent), any, told);
        return;
    }
    if (all.mutant == PLAN_IDLE && is_member(slot) && extent == 0) any = true;
    if (all.mutant == PLAN_PARKED && !is_member(slot) && on) any = true;
    stamp_wrong(slot, op->flag, extent, any, told);
}

static void run_step(struct slot *slot, const struct plan_op *op, uint round, bool on)
{
    struct mu_team T = slot->T;
    const struct mu_state S = slot->S;
    const uint elements = on ? all.plan->slots : 0, extent = MU_CROSSED(T) && is_member(slot) ? elements : 0;
    const uint bits = op->elements[round];
    MU_NOTE_ELEMENTS(T, elements)
    if (op->kind == PLAN_STAMP) stamp(slot, op, round, extent, on);
    if (op->kind == PLAN_COUNT) {
        uint *count = mu_count_into(T, S.mu_counter_found, MU_PROTOCOL_IN(found, extent), slot->counts);
        FOR_EACH (i)
            if ((bits >> i & 1) != 0) atomic_inc((volatile uint *)count);
        if (on) slot->counts++;
    }
    if (op->kind == PLAN_ADD) {
        uint value = 0;
        FOR_EACH (i) value += (bits >> i & 1) << i;
        mu_contribute_sum(S, T, MU_PROTOCOL_IN(sum, extent), extent != 0 ? value : 9);
    }
    cross(slot);
}

/* ---- Questions ---- */

static uint answer(struct slot *slot, const struct plan_op *op, uint round)
{
    struct mu_team T = slot->T;
    const struct mu_state S = slot->S;
    const uint told = all.plan->number[round] + op->ahead;
    switch (op->kind) {
    case PLAN_STAMPED:
        if (all.mutant != PLAN_RIGHT) return stamped_wrong(slot, op->flag, told);
        return op->flag == 0 ? mu_stamped(T, S.mu_flag_first, MU_PROTOCOL_IN(first, 0), told)
                             : mu_stamped(T, S.mu_flag_second, MU_PROTOCOL_IN(second, 0), told);
    case PLAN_COUNTED:
        return mu_counted(T, S.mu_counter_found, MU_PROTOCOL_IN(found, 0), slot->counts + op->ahead);
    default:
        T.size = T.words[MU_LOCAL_BEFORE];
        return mu_SUM_of_sum(S, T, MU_PROTOCOL_IN(sum, 0));
    }
}

static uint take_in(uint read, uint value)
{
    return 5 * read + value + 1;
}

/* As MU_READ of variants/cooperative/plan.clh. */
static void ask(struct slot *slot, const struct plan_op *op, uint round)
{
    const struct mu_team T = slot->T;
    uint value = 0;
    if (!MU_CROSSED(T)) return;
    uint *recorded = &all.record[T.words[MU_LOCAL_CROSSED]][slot->reads++];
    if (op->kind == PLAN_STAMPED) {
        if (op->flag == 0)
            mu_note_question(MU_PROTOCOL_IN(first, 0));
        else
            mu_note_question(MU_PROTOCOL_IN(second, 0));
    }
    if (is_member(slot)) {
        value = answer(slot, op, round);
        if (T.rank == 0) *recorded = value;
    } else
        value = *recorded;
    slot->read = take_in(slot->read, value);
}

/* ---- A launch ---- */

static bool is_step(enum plan_kind kind)
{
    return kind <= PLAN_PASS;
}

static bool is_on(const struct plan_op *op, uint round, uint read)
{
    return (op->on >> round & 1) != 0 && (!op->if_odd || read % 2 == 1);
}

static void plan_kernel(void *argument)
{
    (void)argument;
    const struct plan *plan = all.plan;
    struct slot slot = {.number = host_item->local_id};
    slot.T.words = all.own[slot.number].words;
    slot.T.sync = all.sync;
    slot.T.scratch = slot.scratch;
    slot.S = (struct mu_state){.mu_flag_first = all.flag[0],
                               .mu_flag_second = all.flag[1],
                               .mu_counter_found = all.found,
                               .mu_sum_sum = all.sum};
    take_rank(&slot, 0);
    for (uint round = 0; round < plan->rounds; round++)
        for (const struct plan_op *op = plan->op; op < plan->op + plan->ops; op++) {
            const bool on = is_on(op, round, slot.read);
            if (is_step(op->kind) && (on || !op->left_out)) run_step(&slot, op, round, on);
            if (!is_step(op->kind) && on) ask(&slot, op, round);
        }
    all.own[slot.number].read = slot.read;
    all.own[slot.number].in_team = is_member(&slot) && MU_CROSSED(slot.T);
    while (slot.crossings < PLAN_MOST_STEPS) meet(&slot);
}

static void begin(void *argument)
{
    (void)argument;
    memset(all.sync, 0, sizeof all.sync);
    memset(all.flag, 0, sizeof all.flag);
    memset(all.found, 0, sizeof all.found);
    memset(all.sum, 0, sizeof all.sum);
    memset(all.own, 0, sizeof all.own);
    for (uint slot = 0; slot < PLAN_MOST_SLOTS; slot++) {
        all.own[slot].words[MU_LOCAL_VERDICT] = 1;
        all.own[slot].words[MU_LOCAL_LIMIT] = UINT32_MAX;
    }
}

static void judge(void *argument)
{
    (void)argument;
    const bool refused = all.sync[MU_SYNC_ABORT] != 0;
    const char *what = NULL;
    if (refused != all.meaning.refused)
        what = refused ? "a right plan is refused" : "a plan that breaks a rule is not refused";
    for (uint slot = 0; slot < all.plan->slots && !refused && what == NULL; slot++)
        if (all.own[slot].in_team ? all.own[slot].read != all.meaning.read : slot == 0)
            what = "a slot has read something else";
    if (what == NULL) return;
    all.faults++;
    all.wrong(what);
}

/* The exploring machine knows the values of words by the atomic accesses to them. Here words are also read and written
 * plainly, behind barriers: so it decides whose turn it is, and the memory says what is found. */
static const struct host_machine *below;

__attribute__((no_sanitize("thread"))) static uint through_access(const struct host_access *access)
{
    below->access(access);
    const uint old = *access->word;
    const bool fails = access->operation == HOST_COMPARE_EXCHANGE && old != access->expected;
    if (access->operation != HOST_LOAD && !fails) *access->word = host_modified(access, old);
    return old;
}

int plan_run(const struct plan *plan, enum plan_mutant mutant, void (*wrong)(const char *what))
{
    all.plan = plan;
    all.meaning = plan_meaning(plan);
    all.mutant = mutant;
    all.wrong = wrong;
    all.faults = 0;
    const struct host_launch launch = {
        .groups = 1, .workgroup = plan->slots, .spin_limit = 1, .kernel = plan_kernel, .begin = begin, .end = judge};
    struct host_machine machine = *host_machine;
    machine.access = through_access;
    below = host_machine;
    host_machine = &machine;
    const int status = below->launch(&launch);
    host_machine = below;
    return status == 0 ? all.faults : -1;
}
