/* mst: the minimum spanning forest by rounds of Boruvka's (1926; on GPUs: Vineet, Harish, Patidar and Narayanan, HPG
 * 2009; lists of edges that shrink and are labelled with their components' roots: Fallin, Gonzalez, Seo and Burtscher,
 * ECL-MST, SC 2023; Lonestar has the original).
 *
 * Edges are ordered by (weight, id). The id of {u, v}, u < v, is the index of the arc u -> v, so that the order is that
 * of (weight, u, v), strict, and the forest unique. In each round every component that has an edge to another picks
 * the first such edge and joins across it. Because the order is strict, the picks of a round close no cycle but that of
 * two components which pick the same edge; of these the one with the smaller root stays. So each root either stays or
 * is hooked onto another root by one work-item, which knows all it needs: nothing is retried, and no write is
 * contended.
 *
 * A component is a tree in `parent` with its root on top; trees grow in `hook` and `join` and are only shortened
 * elsewhere. The first edge in an order on 64 bits is found with 32-bit minima in two steps: the least weight, then the
 * least id among the edges of that weight. joined_by[v] is the arc by which v, then a root, was hooked, in either
 * direction, or MST_NONE for those that stayed to the end: together they are the forest.
 *
 * Round r works with list r % 2 and array r % 2 of best_edge. What the barriers order: before pick, the list, its size
 * and the least weights; before hook, the picks; before filter, the new parents, and that nobody reads the old list's
 * successor's size slot or the best weights any more. */

/* ---- Trees
 * -----------------------------------------------------------------------------------------------------------
 */

/* The root of v's component, in a step that hooks nothing. On the way every vertex passed is given its grandparent
 * (path splitting), so that long paths halve each time somebody walks them. Walkers race, with relaxed atomic accesses:
 * any value that they read or overwrite is an ancestor, and a root's own entry is never written. */
static uint mst_find(struct mu_state S, uint v)
{
    uint up = mu_load_relaxed(S.parent + v);
    uint above = mu_load_relaxed(S.parent + up);
    while (above != up) {
        mu_store_relaxed(S.parent + v, above);
        v = up;
        up = above;
        above = mu_load_relaxed(S.parent + up);
    }
    return up;
}

/* Lowers *best to value. The load only saves atomics that would change nothing. */
static void mst_lower(__global uint *best, uint value)
{
    if (mu_load_relaxed(best) > value) atomic_min((volatile __global uint *)best, value);
}

/* ---- Round 0: rows --------------------------------------------------------------------------------------------------
 */

/* After this step: every vertex is a component. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.parent[v] = v;
        S.joined_by[v] = MST_NONE;
        S.best_weight[v] = MST_NONE;
        S.best_edge[v] = MST_NONE;
    }
    if (T.first == 0) S.listed[1] = 0;
}

/* The vertex whose row holds the arc: the last whose row starts at or before it. */
static uint mst_tail(struct mu_state S, uint arc)
{
    uint low = 0, high = S.vertices - 1;
    while (low < high) {
        const uint middle = high - (high - low) / 2;
        if (S.row_start[middle] <= arc)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* What the arc offers its tail: its weight, or once the least weight is known, its index if it has that weight. */
static uint mst_offer(struct mu_state S, uint tail, uint arc, bool weights_known)
{
    if (!weights_known) return S.weight[arc];
    return S.weight[arc] == S.best_weight[tail] ? arc : MST_NONE;
}

/* Lowers best[v], for every vertex v that has arcs in the run, to the least that they offer. */
static void mst_scan_run(struct mu_state S, uint run, __global uint *best, bool weights_known)
{
    uint arc = run * MST_RUN;
    if (arc >= S.arcs) return;
    const uint end = min(arc + MST_RUN, S.arcs);
    uint tail = mst_tail(S, arc);
    while (arc < end) {
        const uint row_end = (uint)min(S.row_start[tail + 1], (offset)end);
        uint least = MST_NONE;
        for (; arc < row_end; arc++) least = min(least, mst_offer(S, tail, arc, weights_known));
        if (least != MST_NONE) mst_lower(best + tail, least);
        tail++;
    }
}

/* After this step: best_weight is the least weight in each row. */
STEP_DEF(weigh_rows, unused)
{
    FOR_EACH (run) mst_scan_run(S, run, S.best_weight, false);
}

/* After this step: best_edge is the first arc of that weight in each row. Since columns ascend, a row's order is that
 * of the edges' ids: those to smaller vertices come first, by that vertex, then those to larger ones. */
STEP_DEF(pick_rows, unused)
{
    FOR_EACH (run) mst_scan_run(S, run, S.best_edge, true);
}

/* After this step: each vertex is hooked onto the neighbour that it picked, and best_weight is ready for round 1. */
STEP_DEF(join, unused)
{
    FOR_EACH (v) {
        const uint arc = S.best_edge[v];
        S.best_weight[v] = MST_NONE;
        S.best_edge[S.vertices + v] = MST_NONE;
        if (arc == MST_NONE) continue;
        const uint head = S.column[arc];
        if (v < head && S.column[S.best_edge[head]] == v) continue;
        S.parent[v] = head;
        S.joined_by[v] = arc;
    }
}

/* ---- Later rounds: lists of edges between components
 * ------------------------------------------------------------------
 */

/* Entries of a list are uint4, as the state list describes them. */
static __global uint4 *mst_list(struct mu_state S, uint round)
{
    return (__global uint4 *)S.listed_edge + (round % 2) * (S.arcs / 2);
}

static __global uint *mst_best_edge(struct mu_state S, uint round)
{
    return S.best_edge + (round % 2) * S.vertices;
}

/* A place in a list for each work-item that wants one: one atomic addition for the group. Holds barrier(). */
static uint mst_claim(struct mu_team T, bool wanted, __global uint *count)
{
    __local uint *words = (__local uint *)T.scratch;
    uint rank = 0;
    if (get_local_id(0) == 0) words[MST_CLAIMS] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (wanted) rank = atomic_inc((volatile __local uint *)(words + MST_CLAIMS));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && words[MST_CLAIMS] != 0)
        words[MST_PLACE] = atomic_add((volatile __global uint *)count, words[MST_CLAIMS]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return wanted ? words[MST_PLACE] + rank : 0;
}

/* Lists the edge for a round, and offers its weight to both ends, unless they are one component. Holds barrier(). */
static void mst_keep(struct mu_state S, struct mu_team T, uint4 edge, uint round)
{
    const bool wanted = edge.x != edge.y;
    const uint place = mst_claim(T, wanted, S.listed + round % 2);
    if (!wanted) return;
    mst_list(S, round)[place] = edge;
    mst_lower(S.best_weight + edge.x, edge.z);
    mst_lower(S.best_weight + edge.y, edge.z);
}

/* The arc as an entry; its two roots are the same if its opposite stands for the edge. */
static uint4 mst_entry(struct mu_state S, uint arc)
{
    const uint tail = mst_tail(S, arc), head = S.column[arc];
    if (head < tail) return (uint4)(0);
    return (uint4)(mst_find(S, tail), mst_find(S, head), S.weight[arc], arc);
}

/* After this step: the list of round 1 holds every edge between components, and their least weights are known. */
STEP_DEF(list, round)
{
    FOR_EACH_BLOCK (base) {
        const uint arc = base + (uint)get_local_id(0);
        uint4 edge = (uint4)(0);
        if (arc < extent) edge = mst_entry(S, arc);
        mst_keep(S, T, edge, round);
    }
}

/* After this step: each component's best_edge is its pick. */
STEP_DEF(pick, round)
{
    __global uint *best = mst_best_edge(S, round);
    if (T.first == 0) S.listed[(round + 1) % 2] = 0;
    FOR_EACH (i) {
        const uint4 edge = mst_list(S, round)[i];
        if (edge.z == S.best_weight[edge.x]) mst_lower(best + edge.x, edge.w);
        if (edge.z == S.best_weight[edge.y]) mst_lower(best + edge.y, edge.w);
    }
}

/* A root has picked the edge: it hooks itself onto the other end, unless it stays. Each root of a list is here once a
 * round, so this is also where its entries are made ready for the next one. */
static void mst_hook(struct mu_state S, uint root, uint other, uint id, uint round, bool stays)
{
    S.best_weight[root] = MST_NONE;
    mst_best_edge(S, round + 1)[root] = MST_NONE;
    if (stays) return;
    S.parent[root] = other;
    S.joined_by[root] = id;
}

/* After this step: components that picked an edge between them are one tree; of two that picked the same edge, the
 * smaller root stays. best_weight is read by nobody in this step, nor is the other best_edge. */
STEP_DEF(hook, round)
{
    const __global uint *best = mst_best_edge(S, round);
    FOR_EACH (i) {
        const uint4 edge = mst_list(S, round)[i];
        const bool first = best[edge.x] == edge.w, second = best[edge.y] == edge.w;
        if (first) mst_hook(S, edge.x, edge.y, edge.w, round, second && edge.x < edge.y);
        if (second) mst_hook(S, edge.y, edge.x, edge.w, round, first && edge.y < edge.x);
    }
}

/* After this step: the next round's list holds what is still between components, and their least weights are known. */
STEP_DEF(filter, round)
{
    FOR_EACH_BLOCK (base) {
        const uint i = base + (uint)get_local_id(0);
        uint4 edge = (uint4)(0);
        if (i < extent) {
            edge = mst_list(S, round)[i];
            edge.x = mst_find(S, edge.x);
            edge.y = mst_find(S, edge.y);
        }
        mst_keep(S, T, edge, round + 1);
    }
}

/* After this step: every vertex knows its component by the root. `parent` would not do: a walker that was overtaken may
 * lengthen a path again. */
STEP_DEF(label, unused)
{
    FOR_EACH (v) S.component[v] = mst_find(S, v);
}
