/* sssp-wl: shortest paths by Bellman's and Ford's rounds with a worklist (after Burtscher, Nasre and Pingali, IISWC
 * 2012).
 *
 * Round r serves the vertices whose distance fell in round r - 1, which half r % 2 of `list` holds, each once:
 * pushed_in is the last round in which a vertex was pushed. A distance that falls after its vertex was opened is served
 * in the next round, since it was pushed again. */
struct sssp {
    uint distance, round;
};

static struct mu_edges sssp_open(struct mu_state S, uint i, uint round, uint unused, struct sssp *item)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i];
    item->distance = mu_load_relaxed(S.distance + v);
    item->round = round;
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool sssp_visit(struct mu_state S, struct sssp item, offset edge, uint *entry)
{
    uint distance;
    *entry = S.column[edge];
    return sssp_relax(S, item.distance, edge, &distance) &&
           atomic_xchg((volatile __global uint *)(S.pushed_in + *entry), item.round) != item.round;
}
OPERATOR(sssp_search, struct sssp, sssp_open, sssp_visit)

/* After this step: the source is all that round 1 serves. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.distance[v] = v == S.source ? 0 : SSSP_UNREACHED;
        S.pushed_in[v] = 0;
    }
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first != 0) return;
    S.overflow[0] = 0;
    S.list[S.vertices] = S.source;
    *count = 1;
}

/* After this step: the next list holds the vertices whose distances fell. */
STEP_DEF(expand, round)
{
    sssp_search(S, T, extent, round, 0,
                PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}
