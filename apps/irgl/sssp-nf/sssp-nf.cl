/* sssp-nf: shortest paths, near and far (after Davidson, Baxter, Garland and Owens, IPDPS 2014).
 *
 * A phase has a limit. Rounds serve vertices whose distance fell below it, from half r % 2 of `list`, as in sssp-wl;
 * one whose distance fell to more than that is only marked as far. When a list is empty the nearest of the far vertices
 * sets the next limit, `delta` beyond it, and those below the limit are the next list. The marks are the far pile:
 * unlike the published one it needs no pushes, and is gone through once in a phase. Who opens a vertex takes its mark
 * off: its distance is below the limit, so that nobody puts it on meanwhile. */
struct sssp {
    uint distance, round, limit;
};

static struct mu_edges sssp_open(struct mu_state S, uint i, uint round, uint limit, struct sssp *item)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i];
    S.far[v] = 0;
    item->distance = mu_load_relaxed(S.distance + v);
    item->round = round;
    item->limit = limit;
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool sssp_visit(struct mu_state S, struct sssp item, offset edge, uint *entry)
{
    uint distance;
    *entry = S.column[edge];
    if (!sssp_relax(S, item.distance, edge, &distance)) return false;
    if (distance < item.limit)
        return atomic_xchg((volatile __global uint *)(S.pushed_in + *entry), item.round) != item.round;
    mu_store_relaxed(S.far + *entry, 1);
    return false;
}
OPERATOR(sssp_search, struct sssp, sssp_open, sssp_visit)

static bool sssp_comes_near(struct mu_state S, uint v, uint limit, uint unused, uint *entry)
{
    *entry = v;
    return S.far[v] != 0 && S.distance[v] < limit;
}
ITEM_OPERATOR(sssp_new_near, sssp_comes_near)

/* After this step: the source is all that round 1 serves. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.distance[v] = v == S.source ? 0 : SSSP_UNREACHED;
        S.pushed_in[v] = 0;
        S.far[v] = 0;
    }
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first != 0) return;
    S.overflow[0] = 0;
    S.list[S.vertices] = S.source;
    *count = 1;
}

/* After this step: the next list holds the vertices whose distances fell below the limit; the others are far. */
STEP_DEF2(expand, round, limit)
{
    sssp_search(S, T, extent, round, limit,
                PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}

/* After this step: the smallest distance of a far vertex is known, as the largest of their complements. */
STEP_DEF(seek, unused)
{
    uint nearest = 0;
    FOR_EACH (v)
        if (S.far[v] != 0) nearest = max(nearest, ~S.distance[v]);
    CONTRIBUTE(nearest, nearest);
}

/* After this step: the next list holds the far vertices below the limit. */
STEP_DEF2(refill, round, limit)
{
    sssp_new_near(S, T, extent, limit, 0,
                  PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}
