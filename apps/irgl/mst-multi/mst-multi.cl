/* mst-multi: the minimum spanning forest by rounds of Boruvka's with several worklists (after Burtscher, Nasre and
 * Pingali, IISWC 2012; Pai and Pingali, OOPSLA 2016).
 *
 * Edges are picked as in mst-boruvka. One worklist holds the vertices that had an edge to another component in the last
 * round, the other the roots: no step but the first and the last looks at every vertex. So a vertex that has left the
 * list does not know its root, and whoever meets it climbs: component[v] is an ancestor of v, of which only v's own
 * entry in the list writes a nearer one. Round r reads half r % 2 of `list`, `roots` and `first`. */

static uint mst_number(struct mu_state S, offset arc)
{
    return min((uint)arc, S.twin[arc]);
}

/* The root above v, in a step that hooks nothing. */
static uint mst_root(struct mu_state S, uint v)
{
    uint root = mu_load_relaxed(S.component + v);
    while (S.parent[root] != root) root = S.parent[root];
    return root;
}

/* After this step: every vertex is a component, and in both lists. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.component[v] = S.parent[v] = v;
        S.least[v] = S.first[S.vertices + v] = S.joined_by[v] = MST_NONE;
        S.list[S.vertices + v] = S.roots[S.vertices + v] = v;
    }
}

/* Lowers its component's least weight to that of v's edges to others. Whether there are any. */
static bool mst_offer(struct mu_state S, uint i, uint round, uint unused, uint *entry)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i], mine = mst_root(S, v);
    uint least = MST_NONE;
    bool any = false;
    mu_store_relaxed(S.component + v, mine);
    for (offset arc = S.row_start[v]; arc < S.row_start[v + 1]; arc++) {
        if (mst_root(S, S.column[arc]) == mine) continue;
        least = min(least, S.weight[arc]);
        any = true;
    }
    *entry = v;
    if (any) atomic_min((volatile __global uint *)(S.least + mine), least);
    return any;
}
ITEM_OPERATOR(mst_offer_all, mst_offer)

/* After this step: components know their least weight, and the next list holds who has an edge to another. */
STEP_DEF(weigh, round)
{
    mst_offer_all(S, T, extent, round, 0,
                  PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}

/* After this step: components know the first edge of that weight. */
STEP_DEF(pick, round)
{
    __global uint *first = S.first + (ulong)(round % 2) * S.vertices;
    FOR_EACH (i) {
        const uint v = S.list[(ulong)((round + 1) % 2) * S.vertices + i], mine = mu_load_relaxed(S.component + v);
        for (offset arc = S.row_start[v]; arc < S.row_start[v + 1]; arc++)
            if (S.weight[arc] == S.least[mine] && mst_root(S, S.column[arc]) != mine)
                atomic_min((volatile __global uint *)(first + mine), mst_number(S, arc));
    }
}

/* Whether the root stays one: it has picked no edge, or the same as the other end, whose root is greater. The ends of a
 * picked edge are in the list, so that they know their roots. */
static bool mst_stays(struct mu_state S, uint i, uint round, uint unused, uint *entry)
{
    const uint root = S.roots[(ulong)(round % 2) * S.vertices + i];
    const __global uint *first = S.first + (ulong)(round % 2) * S.vertices;
    const uint arc = first[root];
    *entry = root;
    S.least[root] = MST_NONE;
    S.first[(ulong)((round + 1) % 2) * S.vertices + root] = MST_NONE;
    if (arc == MST_NONE) return true;
    const uint a = S.component[S.tail[arc]], b = S.component[S.column[arc]], other = a == root ? b : a;
    if (first[other] == arc && root < other) return true;
    S.parent[root] = other;
    S.joined_by[root] = arc;
    return false;
}
ITEM_OPERATOR(mst_staying, mst_stays)

/* After this step: roots hang below those that they joined, the others are listed. */
STEP_DEF(hook, round)
{
    mst_staying(S, T, extent, round, 0,
                PUSH_TO(S.roots + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(stayed, round)));
}

/* After this step: every vertex knows its root. Nobody but v's own work-item writes component[v], or reads it. */
STEP_DEF(label, unused)
{
    FOR_EACH (v) S.component[v] = mst_root(S, v);
}
