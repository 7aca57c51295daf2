#include "analysis/progress/transitions.h"

#include "base/memory.h"

#include <string.h>

#define NONE SIZE_MAX

const char *const mu_lts_schedulers[MU_LTS_SCHEDULERS] = {"fair", "LOBE", "HSA+OBE", "HSA", "OBE", "unfair"};

struct state {
    uint8_t at[MU_LTS_THREADS]; /* the step of each thread */
    uint8_t words[MU_LTS_WORDS];
    uint8_t stepped;             /* threads that have taken a step, a bit each */
    size_t parent;               /* the state that it was first reached from, which is nearer to the first one */
    size_t next[MU_LTS_THREADS]; /* behind the next step of each thread; NONE of one that has ended */
    size_t component;            /* strongly connected; numbered from 0 */
};

/* The threads of a component: those that execute within it, those that are enabled in each state, and of these the ones
 * that a scheduler promises to go on with. */
struct circle {
    unsigned executing, enabled, promised;
};

struct mu_lts {
    const struct mu_lts_program *program;
    struct state *states; /* in the order of their distance from the first */
    size_t count, capacity, components;
    struct circle *circles; /* by component, for the scheduler that is looked at */
    size_t *table;          /* places of states by hash, NONE where it is empty */
    size_t table_size;
};

/* ---- Steps ---- */

static bool is_enabled(const struct mu_lts_program *program, const struct state *state, unsigned thread)
{
    return program->steps[thread][state->at[thread]].operation != MU_LTS_END;
}

/* Takes the next step of an enabled thread. */
static void take_step(const struct mu_lts_program *program, struct state *state, unsigned thread)
{
    const struct mu_lts_step *step = &program->steps[thread][state->at[thread]];
    uint8_t *word = &state->words[step->word];
    const uint8_t value = (uint8_t)step->value;
    bool waits = false, jumps = false;
    switch (step->operation) {
    case MU_LTS_LOCK:
        waits = *word != 0;
        *word = 1;
        break;
    case MU_LTS_STORE:
        *word = value;
        break;
    case MU_LTS_ADD:
        *word = (uint8_t)(*word + value);
        break;
    case MU_LTS_MAX:
        if (*word < value) *word = value;
        break;
    case MU_LTS_AWAIT:
        waits = *word != value;
        break;
    case MU_LTS_AWAIT_WORD:
        waits = *word != state->words[value];
        break;
    case MU_LTS_JUMP_EQUAL:
        jumps = *word == value;
        break;
    case MU_LTS_JUMP_ABOVE:
        jumps = *word > value;
        break;
    case MU_LTS_TAKE:
        jumps = *word == value;
        *word = (uint8_t)(*word + jumps);
        break;
    case MU_LTS_EXCHANGE:
    case MU_LTS_COMPARE:
        jumps = *word == value;
        if (jumps || step->operation == MU_LTS_EXCHANGE) *word = (uint8_t)step->put;
        break;
    case MU_LTS_END:
        break;
    }
    if (jumps)
        state->at[thread] = (uint8_t)step->target;
    else if (!waits)
        state->at[thread]++;
    state->stepped = (uint8_t)(state->stepped | 1u << thread);
}

/* ---- All states ---- */

static uint64_t key_of(const struct state *state)
{
    uint64_t key = state->stepped;
    for (int i = 0; i < MU_LTS_THREADS; i++) key = key << 4 | state->at[i];
    for (int i = 0; i < MU_LTS_WORDS; i++) key = key << 3 | state->words[i];
    return key;
}

/* Returns the slot in the table of a state with this key, or the empty one where it belongs. */
static size_t slot_of(const struct mu_lts *lts, uint64_t key)
{
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (lts->table_size - 1);
    while (lts->table[slot] != NONE && key_of(&lts->states[lts->table[slot]]) != key)
        slot = (slot + 1) & (lts->table_size - 1);
    return slot;
}

/* Makes room for one more state; at most half of the table is in use. */
static int grow(struct mu_lts *lts, struct mu_error *err)
{
    const size_t capacity = lts->capacity == 0 ? 512 : 2 * lts->capacity;
    if (lts->count < lts->capacity) return MU_OK;
    if (mu_resize((void **)&lts->states, capacity, sizeof *lts->states, "states", err) != MU_OK ||
        mu_resize((void **)&lts->table, 2 * capacity, sizeof *lts->table, "a table of states", err) != MU_OK)
        return err->status;
    lts->capacity = capacity;
    lts->table_size = 2 * capacity;
    for (size_t i = 0; i < lts->table_size; i++) lts->table[i] = NONE;
    for (size_t i = 0; i < lts->count; i++) lts->table[slot_of(lts, key_of(&lts->states[i]))] = i;
    return MU_OK;
}

/* Returns the place of a state, which is added if it is new; NONE with MU_NO_MEMORY. */
static size_t place_of(struct mu_lts *lts, const struct state *state, struct mu_error *err)
{
    if (grow(lts, err) != MU_OK) return NONE;
    const size_t slot = slot_of(lts, key_of(state));
    if (lts->table[slot] == NONE) {
        lts->table[slot] = lts->count;
        lts->states[lts->count++] = *state;
    }
    return lts->table[slot];
}

static int explore(struct mu_lts *lts, struct mu_error *err)
{
    struct state first = {.parent = NONE};
    if (place_of(lts, &first, err) == NONE) return err->status;
    for (size_t i = 0; i < lts->count; i++)
        for (unsigned thread = 0; thread < MU_LTS_THREADS; thread++) {
            struct state next = lts->states[i];
            lts->states[i].next[thread] = NONE;
            if (thread >= lts->program->threads || !is_enabled(lts->program, &next, thread)) continue;
            take_step(lts->program, &next, thread);
            next.parent = i;
            const size_t place = place_of(lts, &next, err);
            if (place == NONE) return err->status;
            lts->states[i].next[thread] = place;
        }
    return MU_OK;
}

/* ---- Strongly connected components ---- */

/* Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), without recursion. */
struct search {
    size_t *order, *low; /* by state; order NONE: not seen yet */
    size_t *path;        /* states whose successors are being looked at */
    unsigned *edge;      /* by state: the next successor to look at */
    size_t *open;        /* states without a component */
    bool *is_open;
    size_t path_count, open_count, seen;
};

static void enter(struct search *search, size_t state)
{
    search->order[state] = search->low[state] = search->seen++;
    search->edge[state] = 0;
    search->path[search->path_count++] = state;
    search->open[search->open_count++] = state;
    search->is_open[state] = true;
}

/* Leaves a state whose successors are done: if it is the first of its component, that is complete. */
static void leave(struct mu_lts *lts, struct search *search)
{
    const size_t state = search->path[--search->path_count];
    if (search->path_count > 0) {
        size_t *low = &search->low[search->path[search->path_count - 1]];
        if (search->low[state] < *low) *low = search->low[state];
    }
    if (search->low[state] != search->order[state]) return;
    for (size_t member = NONE; member != state;) {
        member = search->open[--search->open_count];
        search->is_open[member] = false;
        lts->states[member].component = lts->components;
    }
    lts->components++;
}

/* Finds the strongly connected components from the first state, from which all others are reached. */
static void find_components(struct mu_lts *lts, struct search *search)
{
    for (size_t i = 0; i < lts->count; i++) search->order[i] = NONE;
    enter(search, 0);
    while (search->path_count > 0) {
        const size_t state = search->path[search->path_count - 1];
        if (search->edge[state] == MU_LTS_THREADS) {
            leave(lts, search);
            continue;
        }
        const size_t next = lts->states[state].next[search->edge[state]++];
        if (next == NONE) continue;
        if (search->order[next] == NONE)
            enter(search, next);
        else if (search->is_open[next] && search->order[next] < search->low[state])
            search->low[state] = search->order[next];
    }
}

static int connect(struct mu_lts *lts, struct mu_error *err)
{
    struct search search = {
        .order = mu_malloc(lts->count, sizeof *search.order, "a search", err),
        .low = mu_malloc(lts->count, sizeof *search.low, "a search", err),
        .path = mu_malloc(lts->count, sizeof *search.path, "a search", err),
        .edge = mu_malloc(lts->count, sizeof *search.edge, "a search", err),
        .open = mu_malloc(lts->count, sizeof *search.open, "a search", err),
        .is_open = mu_calloc(lts->count, sizeof *search.is_open, "a search", err),
    };
    if (err->status == MU_OK) {
        find_components(lts, &search);
        lts->circles = mu_malloc(lts->components, sizeof *lts->circles, "components", err);
    }
    mu_free(search.order);
    mu_free(search.low);
    mu_free(search.path);
    mu_free(search.edge);
    mu_free(search.open);
    mu_free(search.is_open);
    return err->status;
}

int mu_lts_explore(const struct mu_lts_program *program, struct mu_lts **lts, struct mu_error *err)
{
    *lts = mu_calloc(1, sizeof **lts, "a transition system", err);
    if (*lts == NULL) return MU_NO_MEMORY;
    (*lts)->program = program;
    if (explore(*lts, err) == MU_OK && connect(*lts, err) == MU_OK) return MU_OK;
    mu_lts_free(*lts);
    *lts = NULL;
    return err->status;
}

void mu_lts_free(struct mu_lts *lts)
{
    if (lts == NULL) return;
    mu_free(lts->states);
    mu_free(lts->table);
    mu_free(lts->circles);
    mu_free(lts);
}

size_t mu_lts_states(const struct mu_lts *lts)
{
    return lts->count;
}

bool mu_lts_needs_all(const struct mu_lts *lts)
{
    unsigned taken[MU_LTS_THREADS] = {0}, passed[MU_LTS_THREADS] = {0};
    for (size_t i = 0; i < lts->count; i++)
        for (unsigned thread = 0; thread < lts->program->threads; thread++) {
            const struct state *state = &lts->states[i];
            const unsigned at = state->at[thread];
            const struct mu_lts_step *step = &lts->program->steps[thread][at];
            const bool branches = step->operation == MU_LTS_JUMP_EQUAL || step->operation == MU_LTS_EXCHANGE;
            const bool jumps = branches && state->words[step->word] == step->value;
            if (jumps || !branches) taken[thread] |= 1u << at;
            if (!jumps) passed[thread] |= 1u << at;
        }
    for (unsigned thread = 0; thread < lts->program->threads; thread++)
        for (unsigned at = 0; lts->program->steps[thread][at].operation != MU_LTS_END; at++)
            if ((taken[thread] & passed[thread] & 1u << at) == 0) return false;
    return true;
}

bool mu_lts_can_always_end(struct mu_lts *lts)
{
    bool ends = true;
    /* Of each component: whether a step leads out of it. */
    for (size_t i = 0; i < lts->components; i++) lts->circles[i].executing = 0;
    for (size_t i = 0; i < lts->count; i++)
        for (unsigned thread = 0; thread < MU_LTS_THREADS; thread++) {
            const size_t next = lts->states[i].next[thread], component = lts->states[i].component;
            if (next != NONE && lts->states[next].component != component) lts->circles[component].executing = 1;
        }
    for (size_t i = 0; i < lts->count; i++)
        for (unsigned thread = 0; thread < MU_LTS_THREADS; thread++)
            ends =
                ends && (lts->states[i].next[thread] == NONE || lts->circles[lts->states[i].component].executing != 0);
    return ends;
}

/* ---- Schedulers ---- */

static bool has_stepped(const struct state *state, unsigned thread)
{
    return (state->stepped >> thread & 1u) != 0;
}

/* Returns the scheduler's criterion for an enabled thread (thesis, equations 6.4 to 6.7). */
static bool is_promised(const struct mu_lts_program *program, const struct state *state, unsigned thread,
                        enum mu_lts_scheduler scheduler)
{
    bool lowest = true, linear = false;
    for (unsigned other = 0; other < thread; other++) lowest = lowest && !is_enabled(program, state, other);
    for (unsigned other = thread; other < program->threads; other++) linear = linear || has_stepped(state, other);
    switch (scheduler) {
    case MU_LTS_FAIR:
        return true;
    case MU_LTS_LOBE:
        return linear;
    case MU_LTS_HSA_OBE:
        return lowest || has_stepped(state, thread);
    case MU_LTS_HSA:
        return lowest;
    case MU_LTS_OBE:
        return has_stepped(state, thread);
    default:
        return false;
    }
}

static void find_circles(struct mu_lts *lts, enum mu_lts_scheduler scheduler)
{
    const unsigned all = (1u << lts->program->threads) - 1;
    for (size_t i = 0; i < lts->components; i++) lts->circles[i] = (struct circle){0, all, all};
    for (size_t i = 0; i < lts->count; i++) {
        const struct state *state = &lts->states[i];
        struct circle *circle = &lts->circles[state->component];
        for (unsigned thread = 0; thread < lts->program->threads; thread++) {
            const unsigned bit = 1u << thread;
            const bool enabled = is_enabled(lts->program, state, thread);
            if (!enabled) circle->enabled &= ~bit;
            if (!enabled || !is_promised(lts->program, state, thread, scheduler)) circle->promised &= ~bit;
            if (enabled && lts->states[state->next[thread]].component == state->component) circle->executing |= bit;
        }
    }
}

/* Writes the threads that step on a shortest path to a state. */
static void write_prefix(const struct mu_lts *lts, size_t state, char prefix[MU_LTS_PREFIX])
{
    size_t length = 0;
    for (size_t at = state; lts->states[at].parent != NONE; at = lts->states[at].parent) length++;
    memset(prefix, 0, MU_LTS_PREFIX);
    for (size_t at = state; lts->states[at].parent != NONE; at = lts->states[at].parent) {
        const struct state *parent = &lts->states[lts->states[at].parent];
        unsigned thread = 0;
        while (parent->next[thread] != at) thread++;
        if (--length < MU_LTS_PREFIX - 1) prefix[length] = (char)('0' + thread);
    }
}

bool mu_lts_starves(struct mu_lts *lts, enum mu_lts_scheduler scheduler, struct mu_lts_starvation *starvation)
{
    find_circles(lts, scheduler);
    for (size_t i = 0; i < lts->count; i++) {
        const struct circle *circle = &lts->circles[lts->states[i].component];
        if (circle->executing == 0 || (circle->promised & ~circle->executing) != 0) continue;
        *starvation = (struct mu_lts_starvation){.executing = circle->executing,
                                                 .starving = circle->enabled & ~circle->executing};
        write_prefix(lts, i, starvation->prefix);
        return true;
    }
    return false;
}
