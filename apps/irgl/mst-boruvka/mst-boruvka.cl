/* mst-boruvka: the minimum spanning forest by rounds of Boruvka's with one worklist (after Burtscher, Nasre and
 * Pingali, IISWC 2012).
 *
 * component[v] is the root of v's tree, and parent[r] of a root is itself. Half r % 2 of `list` holds the vertices that
 * had an edge to another component in the last round. In each round every component finds its first edge to another, by
 * weight and then by number, where the number of an edge is the smaller of those of its two arcs: the order is strict,
 * so that joining closes no cycle but that of two components which pick the same edge. Of these the smaller root stays.
 */

static uint mst_number(struct mu_state S, offset arc)
{
    return min((uint)arc, S.twin[arc]);
}

/* After this step: every vertex is a component, and listed. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.component[v] = S.parent[v] = v;
        S.least[v] = S.first[v] = S.joined_by[v] = MST_NONE;
        S.list[S.vertices + v] = v;
    }
}

/* Lowers its component's least weight to that of v's edges to others. Whether there are any. */
static bool mst_offer(struct mu_state S, uint i, uint round, uint unused, uint *entry)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i], mine = S.component[v];
    uint least = MST_NONE;
    bool any = false;
    for (offset arc = S.row_start[v]; arc < S.row_start[v + 1]; arc++) {
        if (S.component[S.column[arc]] == mine) continue;
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
    FOR_EACH (i) {
        const uint v = S.list[(ulong)((round + 1) % 2) * S.vertices + i], mine = S.component[v];
        for (offset arc = S.row_start[v]; arc < S.row_start[v + 1]; arc++)
            if (S.component[S.column[arc]] != mine && S.weight[arc] == S.least[mine])
                atomic_min((volatile __global uint *)(S.first + mine), mst_number(S, arc));
    }
}

/* After this step: roots hang below those that they joined. */
STEP_DEF(hook, unused)
{
    FOR_EACH (root) {
        const uint arc = S.first[root];
        if (arc == MST_NONE) continue;
        const uint a = S.component[S.tail[arc]], b = S.component[S.column[arc]], other = a == root ? b : a;
        if (S.first[other] == arc && root < other) continue;
        S.parent[root] = other;
        S.joined_by[root] = arc;
    }
}

/* After this step: vertices know their roots, and the next round's edges can be found. Trees grow only in `hook`. */
STEP_DEF(jump, unused)
{
    FOR_EACH (v) {
        uint root = S.component[v];
        while (S.parent[root] != root) root = S.parent[root];
        S.component[v] = root;
        S.least[v] = S.first[v] = MST_NONE;
    }
}
