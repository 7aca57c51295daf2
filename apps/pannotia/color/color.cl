/* color: a proper colouring by rounds of independent sets in priority order (Luby 1986; Jones and Plassmann 1993; the
 * suite's original: Pannotia, Che et al. 2013).
 *
 * Round c gives colour c to every uncoloured vertex whose priority is above that of all its uncoloured neighbours. So a
 * vertex's colour is one more than the largest among its neighbours of higher priority, the answer is unique, and its
 * number of colours is the number of vertices on the longest path of ascending priority.
 *
 * That is the order of Pannotia, and the default. The order of degree (color.clh) has another answer, of fewer colours.
 *
 * There are two ways to find them, and the graph says which one is compiled. Where all rows are short (`polls`), each
 * work-item asks the neighbours of its own vertices until all have colours (color.clh). Most of a row is in the caches
 * then, and neighbours in the graph are neighbours in memory.
 *
 * Where rows are long that would be too much to ask. There nobody looks at a vertex that must wait. It has a number,
 * `waits`: how many of its neighbours of higher priority have no colour yet. The vertices that a round has coloured are
 * the frontier of the next one, which takes one off the number of each of their neighbours. Who takes off the last one
 * colours that vertex and puts it into the frontier. So every arc is looked at twice, once to count and once to pass
 * on, and a round costs what its frontier does.
 *
 * The frontier is a list of ranges of arcs; that of round r is half r % 2 of `worklist`. What the barrier orders: the
 * numbers before they are taken from, and a frontier and its length before they are read. Between these two the numbers
 * are accessed atomically only. */

#if APP_POLL_DEGREE == 0 && APP_ORDER == COLOR_BY_PRIORITY

/* ---- Where rows are long ---- */

/* A vertex has a colour when its number is 0, and so have all above it. Its neighbours of lower priority take from its
 * number, too: they do not know whose arc it is. From 0 on it falls through 2^32 - 1, and comes nowhere near 1 again.
 */
#define COLOR_WAITS_FOR(waits) ((waits) & (COLOR_LAST - 1))

#define COLOR_FRONTIER(S, round) ((S).worklist + (ulong)((round) % 2) * (S).capacity)

/* A work-item looks at APP_BATCH arcs at once, so that their memory accesses overlap. A batch that is not full repeats
 * its last arc, which does not count. */

/* Pushes the ranges of arcs that the vertices of a batch have: begin[k] to before end[k]. */
static void color_push(struct mu_worklist list, __global ulong *frontier, __global uint *pushed, const offset *begin,
                       const offset *end)
{
    uint ranges = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) ranges += (uint)((end[k] - begin[k] + COLOR_RANGE - 1) / COLOR_RANGE);
    if (ranges == 0) return;
    const struct mu_places places = mu_reserve(list, pushed, ranges);
    uint i = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        for (offset e = begin[k]; e < end[k]; e += COLOR_RANGE) {
            const ulong count = min((ulong)(end[k] - e), (ulong)COLOR_RANGE);
            mu_place(list, frontier, places, i++, ((ulong)e << COLOR_RANGE_SHIFT) | count);
        }
}

/* How many of v's arcs lead to a vertex of higher priority, by its own work-item. */
static uint color_count_own(struct mu_state S, uint v, offset begin, uint degree)
{
    const uint priority = mu_priority(v);
    uint higher = 0;
    for (uint i = 0; i < degree; i += APP_BATCH) {
        uint head[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) head[k] = S.column[begin + min(i + k, degree - 1)];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) higher += i + k < degree && mu_priority(head[k]) > priority;
    }
    return higher;
}

/* The same for the vertices of a block, the first of which is `base`, into `higher`; the group shares their arcs. */
static void color_count_shared(struct mu_state S, struct mu_worklist list, __local uint *higher, uint base,
                               offset shared)
{
    for (offset i = get_local_id(0); i < shared; i += APP_BATCH * MU_WORKGROUP) {
        uint entry[APP_BATCH], head[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) {
            const offset at = min(i + k * MU_WORKGROUP, shared - 1);
            entry[k] = mu_shared_entry(list, at);
            head[k] = S.column[list.bases[entry[k]] + at];
        }
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (i + k * MU_WORKGROUP < shared && mu_priority(head[k]) > mu_priority(base + entry[k]))
                atomic_inc((volatile __local uint *)(higher + entry[k]));
    }
}

/* Gives v its number. A vertex that waits for nobody is of the first colour, and passes that on. */
static void color_enter(struct mu_state S, struct mu_worklist list, __global uint *pushed, uint v, uint higher)
{
    const offset begin = S.row_start[v], end = S.row_start[v + 1];
    S.waits[v] = higher == end - begin ? higher | COLOR_LAST : higher;
    if (higher != 0) return;
    S.colour[v] = 1;
    for (offset e = begin; e < end; e += COLOR_RANGE)
        mu_push(list, COLOR_FRONTIER(S, 2), pushed,
                ((ulong)e << COLOR_RANGE_SHIFT) | min((ulong)(end - e), (ulong)COLOR_RANGE));
}

/* Every vertex of this step gets its number, and those that wait for none are the frontier of round 2. */
static void color_count(struct mu_state S, struct mu_team T, uint extent, __global uint *pushed)
{
    const struct mu_worklist list = mu_worklist_open(T);
    __local uint *higher = (__local uint *)(list.queued + MU_QUEUE_CAPACITY);
    const uint lid = (uint)get_local_id(0);
    FOR_EACH_BLOCK (base) {
        const uint v = base + lid, row = min(v, extent - 1);
        const offset begin = S.row_start[row], end = v < extent ? S.row_start[row + 1] : begin;
        higher[lid] = 0;
        /* No branch for the others, as in lonestar/sssp: PoCL 3.1 loses what follows. */
        const bool any = mu_group_shares(T, end - begin);
        if (MU_SHARES && any) color_count_shared(S, list, higher, base, mu_share(list, begin, end - begin));
        const uint own = color_count_own(S, v, begin, any ? 0 : (uint)(end - begin));
        GROUP_BARRIER();
        if (v < extent) color_enter(S, list, pushed, v, own + higher[lid]);
        mu_flush(list, COLOR_FRONTIER(S, 2), pushed);
    }
}

/* Passes on along the first `count` arcs of a batch that the heads' neighbours have colour round - 1. A frontier of at
 * most APP_SPARSE ranges (`sparse`) is bound by latency: there one is taken off at once, and the head's row is looked
 * up beside it, for nothing in most cases. In larger ones a look shows first who has a colour already. */
static void color_visit(struct mu_state S, struct mu_worklist list, __global uint *pushed, const offset *edges,
                        uint count, uint round, const bool sparse)
{
    uint head[APP_BATCH], old[APP_BATCH];
    offset begin[APP_BATCH], end[APP_BATCH];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) head[k] = S.column[edges[k]];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) old[k] = sparse || COLOR_WAITS_FOR(mu_load_relaxed(S.waits + head[k])) != 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        begin[k] = sparse ? S.row_start[head[k]] : 0;
        end[k] = sparse ? S.row_start[head[k] + 1] : 0;
    }
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        old[k] = k < count && old[k] != 0 ? atomic_dec((volatile __global uint *)(S.waits + head[k])) : 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        if (COLOR_WAITS_FOR(old[k]) == 1) S.colour[head[k]] = round;
        if (!sparse && old[k] == 1) {
            begin[k] = S.row_start[head[k]];
            end[k] = S.row_start[head[k] + 1];
        }
        if (old[k] != 1) end[k] = begin[k];
    }
    color_push(list, COLOR_FRONTIER(S, round + 1), pushed, begin, end);
}

/* Visits the arcs of this work-item's own range, which is short. `sparse` is a constant at each call, so that each form
 * is compiled without the other one's branches. */
static void color_visit_own(struct mu_state S, struct mu_worklist list, __global uint *pushed, ulong entry, uint round,
                            const bool sparse)
{
    const offset begin = (offset)(entry >> COLOR_RANGE_SHIFT);
    const uint degree = (uint)(entry & COLOR_RANGE_MASK);
    for (uint i = 0; i < degree; i += APP_BATCH) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = begin + min(i + k, degree - 1);
        color_visit(S, list, pushed, edges, degree - i, round, sparse);
    }
}

/* Visits this work-item's part of a range that is the only one of the group. */
static void color_visit_only(struct mu_state S, struct mu_worklist list, __global uint *pushed, ulong entry, uint round)
{
    const offset begin = (offset)(entry >> COLOR_RANGE_SHIFT);
    const uint degree = (uint)(entry & COLOR_RANGE_MASK);
    for (uint i = (uint)get_local_id(0); i < degree; i += APP_BATCH * MU_WORKGROUP) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = begin + min(i + k * MU_WORKGROUP, degree - 1);
        color_visit(S, list, pushed, edges, (degree - i + MU_WORKGROUP - 1) / MU_WORKGROUP, round, true);
    }
}

/* Visits this work-item's part of the arcs that the group shares. */
static void color_visit_shared(struct mu_state S, struct mu_worklist list, __global uint *pushed, offset shared,
                               uint round)
{
    for (offset i = get_local_id(0); i < shared; i += APP_BATCH * MU_WORKGROUP) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = mu_shared_edge(list, min(i + k * MU_WORKGROUP, shared - 1));
        const offset left = (shared - i + MU_WORKGROUP - 1) / MU_WORKGROUP;
        color_visit(S, list, pushed, edges, (uint)min(left, (offset)APP_BATCH), round, false);
    }
}

/* Serves the frontier of a round. Where it has fewer ranges than there are workgroups, a group goes through its range
 * without sharing out anything first. */
static void color_spread(struct mu_state S, struct mu_team T, uint extent, __global uint *pushed, uint round)
{
    const struct mu_worklist list = mu_worklist_open(T);
    __global const ulong *frontier = COLOR_FRONTIER(S, round);
    const bool alone = extent <= T.size;
    FOR_EACH_DEAL (start) {
        const uint item = alone ? T.rank : DEALT(start);
        const ulong entry = item < extent ? frontier[item] : 0;
        const uint degree = (uint)(entry & COLOR_RANGE_MASK);
        const bool any = mu_group_shares(T, degree);
        if (MU_SHARES && any && !alone)
            color_visit_shared(S, list, pushed, mu_share(list, (offset)(entry >> COLOR_RANGE_SHIFT), degree), round);
        if (alone)
            color_visit_only(S, list, pushed, entry, round);
        else if (extent <= APP_SPARSE)
            color_visit_own(S, list, pushed, any ? 0 : entry, round, true);
        else
            color_visit_own(S, list, pushed, any ? 0 : entry, round, false);
        mu_flush(list, COLOR_FRONTIER(S, round + 1), pushed);
    }
}

/* After this step: the vertices of colour 1 have it, and the ones among them that somebody waits for are the frontier
 * of round 2, whose length is in `pushed`. */
STEP_DEF(begin, round)
{
    color_count(S, T, extent, COUNT_INTO(pushed, round));
}

/* After this step: the vertices of colour `round` have it, and the ones among them that somebody waits for are the next
 * frontier. */
STEP_DEF(pass_on, round)
{
    color_spread(S, T, extent, COUNT_INTO(pushed, round), round);
}

#elif APP_POLL_DEGREE == 0

/* ---- Where rows are long, in order of degree ---- */

/* After this step: the vertices that none of their neighbours come before are of colour 1, the others have the bound 1,
 * and they are the worklist of round 2. */
STEP_DEF(begin, round)
{
    color_list(S, T, extent, COUNT_INTO(pushed, round));
}

/* After this step: of the vertices in the worklist those have their colour that need not wait, the bounds of others
 * have risen, and these are the next worklist. */
STEP_DEF(pass_on, round)
{
    color_settle(S, T, extent, COUNT_INTO(pushed, round), round);
}

#else

/* ---- Where rows are short ---- */

/* The bits of v's row before it has asked anybody. */
static uint color_higher(struct mu_state S, uint v)
{
    const offset begin = S.row_start[v];
    const uint degree = (uint)(S.row_start[v + 1] - begin);
    uint higher = 0;
    for (uint i = 0; i < degree; i += APP_BATCH) {
        uint head[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) head[k] = S.column[begin + min(i + k, degree - 1)];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (i + k < degree && color_before(S, head[k], v, degree)) higher |= 1u << (i + k);
    }
    return higher;
}

#if !defined(COLOR_DEALS) || defined(MU_ONE_BLOCK)
/* A work-item asks for its own vertices, and again for those that had to wait: meanwhile others colour theirs, and to
 * see that is quicker than to cross a barrier. Returns whether one is left. */
static bool color_poll(struct mu_state S, struct mu_team T, uint extent, uint round)
{
    (void)round;
    const uint own = mu_own_count(T, extent), turns = OWN_TURNS(own);
    bool left = false;
    for (uint first = 0; first < turns; first += MU_WINDOW) {
        uint open = 0;
        for (uint k = 0; k < MU_WINDOW && first + k < turns; k++) {
            const uint v = mu_own_element(T, extent, OWN_TURN(own, first + k));
            if (COLOR_WAITS(mu_load_relaxed(S.colour + v)) && !color_ask(S, v)) open |= 1u << k;
        }
        for (uint sweep = 1; sweep < MU_WINDOW_SWEEPS(turns) && open != 0; sweep++)
            for (uint k = 0; k < MU_WINDOW && open >> k != 0; k++)
                if ((open >> k & 1) != 0 && color_ask(S, mu_own_element(T, extent, OWN_TURN(own, first + k))))
                    open &= ~(1u << k);
        left |= open != 0;
    }
    return left;
}
#else
/* As color_poll above, where a work-item has too many vertices to ask for them all again and again: a group takes block
 * after block, each the next one that nobody has. So neighbours have their turn at about the same time, and few wait.
 * Returns whether the group has one left: PoCL 3.1 loses what each work-item has. */
static bool color_poll(struct mu_state S, struct mu_team T, uint extent, uint round)
{
    __local uint *next = (__local uint *)T.scratch;
    const uint block = COLOR_DEALT * MU_WORKGROUP;
    bool left = false;
    if (T.first == 0) *COLOR_TAKEN(S, round + 1) = 0;
    for (uint base = T.rank * block; base < extent; base = *next) {
        const uint count = min(block, extent - base), turns = OWN_TURNS(count);
        uint after = extent, open = 0;
        if (get_local_id(0) == 0 && T.size * block < extent)
            after = T.size * block + atomic_add((volatile __global uint *)COLOR_TAKEN(S, round), block);
        for (uint k = 0; k < turns; k++) {
            const uint v = base + OWN_TURN(count, k);
            if (COLOR_WAITS(mu_load_relaxed(S.colour + v)) && !color_ask(S, v)) open |= 1u << k;
        }
        for (uint sweep = 1; sweep < MU_SWEEPS && open != 0; sweep++)
            for (uint k = 0; open >> k != 0; k++)
                if ((open >> k & 1) != 0 && color_ask(S, base + OWN_TURN(count, k))) open &= ~(1u << k);
        left |= open != 0;
        GROUP_BARRIER();
        if (get_local_id(0) == 0) *next = after;
        GROUP_BARRIER();
    }
    return mu_group_any(T, left);
}
#endif

/* After this step: every vertex knows whom it waits for, and those that wait for nobody are of colour 1. */
STEP_DEF(begin, round)
{
    __global uint *pushed = COUNT_INTO(pushed, round);
#ifdef COLOR_AHEAD
    color_list(S, T, extent, pushed);
#else
    FOR_EACH (v) color_admit(S, v, color_higher(S, v));
#endif
    if (T.first == 0) *pushed = 1;
#if defined(COLOR_DEALS) && !defined(MU_ONE_BLOCK)
    if (T.first == 0) *COLOR_TAKEN(S, round + 1) = 0;
#endif
}

/* After this step: more vertices have colours, and `pushed` is 0 if all have. */
STEP_DEF(pass_on, round)
{
    __global uint *pushed = COUNT_INTO(pushed, round);
    const bool left = color_poll(S, T, extent, round);
    if (left && mu_load_relaxed(pushed) == 0) atomic_inc((volatile __global uint *)pushed);
}

#endif
