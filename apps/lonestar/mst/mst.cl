/* mst: the minimum spanning forest by rounds of Boruvka's (1926; on GPUs: Vineet, Harish, Patidar and Narayanan, HPG
 * 2009; lists of edges that shrink and carry their components' roots: Fallin, Gonzalez, Seo and Burtscher, ECL-MST,
 * SC 2023; light edges before heavy ones: Osipov, Sanders and Singler, Filter-Kruskal, ALENEX 2009; the suite's
 * original: Lonestar).
 *
 * Edges are ordered by (weight, id). The id of {u, v}, u < v, is the index of the arc u -> v, so that the order is that
 * of (weight, u, v): strict, and the forest unique. In each round every component that has an edge to another picks
 * the first such edge and joins across it. Because the order is strict, the picks of a round close no cycle but that of
 * two components which pick the same edge; of these the one with the smaller root stays. So each root either stays or
 * is hooked onto another by one work-item, which knows all it needs: nothing is retried, and no such store is
 * contended.
 *
 * A component is a tree in `parent` with its root on top; trees grow in `join` and `hook` and are only shortened
 * elsewhere. The first edge in an order on 64 bits is found with 32-bit minima in two steps: the least weight, then the
 * least id among the edges of that weight. joined_by[v] is the arc by which v, then a root, was hooked, in either
 * direction, or MST_NONE for those that stayed to the end: together they are the forest. What a root picks stands there
 * before, since it is the arc by which the root is hooked unless it stays.
 *
 * On a large graph the lists hold the light edges first. When these have become part of components, most heavy edges
 * lie within one, and are never listed. So the lists are short, and take little of the memory.
 *
 * Round r works with list r % 2. What the barriers order: before pick, the list, its size
 * and the least weights; before hook, the picks; before filter, the new parents and the best weights made ready. Within
 * a step, words that several work-items write are only accessed atomically. */

/* ---- Trees ------------------------------------------------------------------------------------------------------- */

/* The root above v, whose parent is `up` and grandparent `above`, in a step that hooks nothing. Every vertex passed on
 * the way is given its grandparent (path splitting), so that long paths halve each time somebody walks them. Walkers
 * race, with relaxed atomic accesses: any value that they read or overwrite is an ancestor, and a root's own entry is
 * never written. */
static uint mst_climb(struct mu_state S, uint v, uint up, uint above)
{
    while (above != up) {
        mu_store_relaxed(S.parent + v, above);
        v = up;
        up = above;
        above = mu_load_relaxed(S.parent + up);
    }
    return up;
}

/* Replaces each vertex of a batch by its root. */
static void mst_find(struct mu_state S, uint *v)
{
    uint up[APP_BATCH], above[APP_BATCH];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) up[k] = mu_load_relaxed(S.parent + v[k]);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) above[k] = mu_load_relaxed(S.parent + up[k]);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) v[k] = mst_climb(S, v[k], up[k], above[k]);
}

/* The root of one vertex. */
static uint mst_root(struct mu_state S, uint v)
{
    const uint up = mu_load_relaxed(S.parent + v);
    return mst_climb(S, v, up, mu_load_relaxed(S.parent + up));
}

/* The least weight of a root's edges. It is kept where `label` puts the result, which needs no place until then. */
static __global uint *mst_best_weight(struct mu_state S)
{
    return S.component;
}

/* ---- Round 0: rows ----------------------------------------------------------------------------------------------- */

/* After this step: every vertex is a component. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.parent[v] = v;
        mst_best_weight(S)[v] = MST_NONE;
        S.joined_by[v] = MST_NONE;
    }
    if (T.first == 0) S.listed[0] = S.listed[1] = S.listed[MST_TAKEN] = 0;
}

/* The vertex whose row holds the arc: the last whose row starts at or before it. */
static uint mst_tail(struct mu_state S, uint arc)
{
    uint tail = 0;
    for (uint reach = 1u << (31 - clz(S.vertices)); reach != 0; reach /= 2)
        if (reach < S.vertices - tail && S.row_start[tail + reach] <= arc) tail += reach;
    return tail;
}

/* Lowers *best to value. The load only saves atomics that would change nothing. */
static void mst_lower(__global uint *best, uint value)
{
    if (mu_load_relaxed(best) > value) atomic_min((volatile __global uint *)best, value);
}

/* What the arc offers its tail: its weight, or once the least weight is known, its index if it has that weight. */
static uint mst_offer(struct mu_state S, uint tail, uint arc, bool weights_known)
{
    if (!weights_known) return S.weight[arc];
    return S.weight[arc] == mst_best_weight(S)[tail] ? arc : MST_NONE;
}

/* Lowers best[v], for every vertex v that has arcs in the run, to the least that they offer. */
static void mst_scan_run(struct mu_state S, uint run, __global uint *best, bool weights_known)
{
    uint arc = run * MST_RUN(MST_SERIAL);
    if (arc >= S.arcs) return;
    const uint end = min(arc + MST_RUN(MST_SERIAL), S.arcs);
    uint tail = mst_tail(S, arc);
    while (arc < end) {
        const uint row_end = (uint)min(S.row_start[tail + 1], (offset)end);
        uint least = MST_NONE;
        for (; arc < row_end; arc++) least = min(least, mst_offer(S, tail, arc, weights_known));
        if (least != MST_NONE) mst_lower(best + tail, least);
        tail++;
    }
}

/* After this step: the least weight in each row is known. */
STEP_DEF(weigh_rows, unused)
{
    FOR_EACH (run) mst_scan_run(S, run, mst_best_weight(S), false);
}

/* After this step: each vertex has picked the first arc of that weight in its row. Since columns ascend, a row's order
 * is that of the edges' ids: those to smaller vertices come first, by that vertex, then those to larger ones. */
STEP_DEF(pick_rows, unused)
{
    FOR_EACH (run) mst_scan_run(S, run, S.joined_by, true);
}

/* After this step: each vertex is hooked onto the neighbour that it picked, and no least weight is known. */
STEP_DEF(join, unused)
{
    FOR_EACH (v) {
        const uint arc = S.joined_by[v];
        mst_best_weight(S)[v] = MST_NONE;
        if (arc == MST_NONE) continue;
        const uint head = S.column[arc];
        if (v < head && S.column[S.joined_by[head]] == v) continue;
        S.parent[v] = head;
    }
}

/* ---- Later rounds: lists of edges between components ------------------------------------------------------------- */

/* Entries of a list are uint4, as the state list describes them. One whose roots are the same is none. */
static __global uint4 *mst_list(struct mu_state S, uint round)
{
    return (__global uint4 *)S.listed_edge + (round % 2) * S.list_room;
}

/* A batch of the list: entries i, i + extent, … */
static void mst_read(struct mu_state S, uint4 *edge, uint i, uint extent, uint size, uint round)
{
    const __global uint4 *list = mst_list(S, round);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        const uint entry = i + k * extent;
        edge[k] = i < extent && entry < MST_HELD(size) ? list[entry] : (uint4)(0);
    }
}

/* Replaces the ends of a batch of entries by their roots. */
static void mst_find_ends(struct mu_state S, uint4 *edge)
{
    uint left[APP_BATCH], right[APP_BATCH];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) left[k] = edge[k].x;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) right[k] = edge[k].y;
    mst_find(S, left);
    mst_find(S, right);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) edge[k].x = left[k];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) edge[k].y = right[k];
}

/* Offers a weight to a root whose least weight has been found to be `least`. The first to offer, or several at once,
 * also remove what the root picked in an earlier round. The comparison only saves atomics that would change nothing. */
static void mst_offer_weight(struct mu_state S, uint root, uint least, uint weight)
{
    if (least == MST_NONE) mu_store_relaxed(S.joined_by + root, MST_NONE);
    if (least > weight) atomic_min((volatile __global uint *)(mst_best_weight(S) + root), weight);
}

/* Offers the weight of each entry to both ends. */
static void mst_weigh(struct mu_state S, const uint4 *edge)
{
    uint left[APP_BATCH], right[APP_BATCH];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) left[k] = mu_load_relaxed(mst_best_weight(S) + edge[k].x);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) right[k] = mu_load_relaxed(mst_best_weight(S) + edge[k].y);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        if (edge[k].x == edge[k].y) continue;
        mst_offer_weight(S, edge[k].x, left[k], edge[k].z);
        mst_offer_weight(S, edge[k].y, right[k], edge[k].z);
    }
}

/* As many places in a list as the work-item wants: one atomic addition for the group. Leaves `next`, as the group's
 * first work-item has it, in MST_NEXT. Holds barrier(). */
static uint mst_claim(struct mu_team T, uint wanted, __global uint *count, uint next)
{
    __local uint *words = (__local uint *)T.scratch;
    uint rank = 0;
    if (get_local_id(0) == 0) words[MST_CLAIMS] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (wanted != 0) rank = atomic_add((volatile __local uint *)(words + MST_CLAIMS), wanted);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        words[MST_PLACE] = words[MST_CLAIMS] != 0 ? atomic_add((volatile __global uint *)count, words[MST_CLAIMS]) : 0;
        words[MST_NEXT] = next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return words[MST_PLACE] + rank;
}

/* Lists a batch of entries for a round, and offers their weights. Holds barrier(). */
static void mst_keep(struct mu_state S, struct mu_team T, const uint4 *edge, uint round)
{
    __global uint4 *list = mst_list(S, round);
    uint wanted = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) wanted += edge[k].x != edge[k].y;
    uint place = mst_claim(T, wanted, S.listed + round % 2, 0);
    if (wanted == 0) return;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        if (edge[k].x != edge[k].y) list[place++] = edge[k];
    mst_weigh(S, edge);
}

/* Writes an entry and offers its weight, unless the list is full. */
static void mst_put(struct mu_state S, uint4 edge, uint round, uint place)
{
    if (place >= S.list_room) return;
    mst_list(S, round)[place] = edge;
    mst_offer_weight(S, edge.x, mu_load_relaxed(mst_best_weight(S) + edge.x), edge.z);
    mst_offer_weight(S, edge.y, mu_load_relaxed(mst_best_weight(S) + edge.y), edge.z);
}

/* Whether edges of this weight are listed. What is not above S.light has been, when something heavier is. */
static bool mst_is_due(struct mu_state S, uint weight, uint most)
{
    return weight <= most && (weight > S.light || most <= S.light);
}

/* Finds which edges of a run, a bit for each arc, are due and between components; *tail is the tail of the first arc
 * that is due. Of an edge's two arcs that from the smaller vertex stands for it. */
static uint mst_find_listed(struct mu_state S, uint first, uint most, uint *tail)
{
    const uint end = first < S.arcs ? min(first + MST_LIST_RUN(MST_SERIAL), S.arcs) : first;
    uint arc = first, found = 0;
    while (arc < end && !mst_is_due(S, S.weight[arc], most)) arc++;
    if (arc == end) return 0;
    *tail = mst_tail(S, arc);
    uint v = *tail, row_end = (uint)min(S.row_start[v + 1], (offset)end), root = mst_root(S, v);
    for (; arc < end; arc++) {
        if (arc == row_end) {
            while (S.row_start[v + 1] <= arc) v++;
            row_end = (uint)min(S.row_start[v + 1], (offset)end);
            root = mst_root(S, v);
        }
        const uint head = S.column[arc];
        if (head < v || !mst_is_due(S, S.weight[arc], most)) continue;
        if (mst_root(S, head) != root) found |= 1u << (arc - first);
    }
    return found;
}

/* Lists what has been found of a run, from `place` on. */
static void mst_list_found(struct mu_state S, uint first, uint found, uint tail, uint round, uint place)
{
    uint root = mst_root(S, tail);
    for (; found != 0; found &= found - 1, place++) {
        const uint arc = first + popcount(~found & (found - 1));
        if (S.row_start[tail + 1] <= arc) {
            while (S.row_start[tail + 1] <= arc) tail++;
            root = mst_root(S, tail);
        }
        mst_put(S, (uint4)(root, mst_root(S, S.column[arc]), S.weight[arc], arc), round, place);
    }
}

/* Where the runs begin that a group works on behind those at `base`, for its first work-item: the group takes the next
 * ones that nobody has. */
static uint mst_next_runs(struct mu_state S, struct mu_team T, uint base, uint extent)
{
    if (get_local_id(0) != 0 || T.stride >= extent) return base + T.stride;
    return T.stride + atomic_add((volatile __global uint *)(S.listed + MST_TAKEN), (uint)MU_WORKGROUP);
}

/* After this step: the round's list holds every edge between components that is due, and the least weights of these are
 * known. Where there are more than it has room for, the list will not be used, but the offers stay. They do no harm: a
 * component that has an edge in the next, lighter, list is offered a weight below them; one that has none stays as it
 * is, so that its offers are still those of edges which leave it. */
STEP_DEF2(list, round, most)
{
    const __local uint *words = (__local uint *)T.scratch;
    for (uint base = T.first - (uint)get_local_id(0); base < extent; base = words[MST_NEXT]) {
        const uint next = mst_next_runs(S, T, base, extent);
        const uint run = base + (uint)get_local_id(0), first = run * MST_LIST_RUN(MST_SERIAL);
        uint tail = 0;
        const uint found = run < extent ? mst_find_listed(S, first, most, &tail) : 0;
        const uint place = mst_claim(T, popcount(found), S.listed + round % 2, next);
        if (found != 0) mst_list_found(S, first, found, tail, round, place);
    }
}

/* After this step: each component has picked. */
STEP_DEF2(pick, size, round)
{
    FOR_EACH (batch) {
        uint4 edge[APP_BATCH];
        uint left[APP_BATCH], right[APP_BATCH];
        mst_read(S, edge, batch, extent, size, round);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) left[k] = mst_best_weight(S)[edge[k].x];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) right[k] = mst_best_weight(S)[edge[k].y];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) {
            if (edge[k].x == edge[k].y) continue;
            if (left[k] == edge[k].z) mst_lower(S.joined_by + edge[k].x, edge[k].w);
            if (right[k] == edge[k].z) mst_lower(S.joined_by + edge[k].y, edge[k].w);
        }
    }
}

/* A root has picked the edge: it hooks itself onto the other end, unless it stays. Each root of a list is here once a
 * round, so this is also where its least weight is made ready for the next one. */
static void mst_hook(struct mu_state S, uint root, uint other, bool stays)
{
    mst_best_weight(S)[root] = MST_NONE;
    if (!stays) S.parent[root] = other;
}

/* After this step: components that picked an edge between them are one tree; of two that picked the same edge, the
 * smaller root stays. Nothing in this step reads best weights. */
STEP_DEF2(hook, size, round)
{
    if (T.first == 0) S.listed[round % 2] = S.listed[MST_TAKEN] = 0;
    FOR_EACH (batch) {
        uint4 edge[APP_BATCH];
        bool left[APP_BATCH], right[APP_BATCH];
        mst_read(S, edge, batch, extent, size, round);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) left[k] = S.joined_by[edge[k].x] == edge[k].w;
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) right[k] = S.joined_by[edge[k].y] == edge[k].w;
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) {
            const uint x = edge[k].x, y = edge[k].y;
            if (x == y) continue;
            if (left[k]) mst_hook(S, x, y, right[k] && x < y);
            if (right[k]) mst_hook(S, y, x, left[k] && y < x);
        }
    }
}

/* After this step: the next round's list holds what is still between components, and their least weights are known. */
STEP_DEF2(filter, size, round)
{
    FOR_EACH_BLOCK (base) {
        uint4 edge[APP_BATCH];
        mst_read(S, edge, base + (uint)get_local_id(0), extent, size, round);
        mst_find_ends(S, edge);
        mst_keep(S, T, edge, round + 1);
    }
}

/* After this step: every vertex knows its component by the root, and roots have no arc. `parent` would not do: a walker
 * that was overtaken may lengthen a path again. */
STEP_DEF(label, unused)
{
    FOR_EACH (batch) {
        uint v[APP_BATCH], root[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) root[k] = v[k] = min(batch + k * extent, S.vertices - 1);
        mst_find(S, root);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) {
            mu_store_relaxed(S.component + v[k], root[k]);
            if (root[k] == v[k]) mu_store_relaxed(S.joined_by + v[k], MST_NONE);
        }
    }
}
