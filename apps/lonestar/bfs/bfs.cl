/* bfs: level-synchronous breadth-first search with two worklists (Lonestar's worklist form; the sharing of a group's
 * edges is Merrill, Garland and Grimshaw's, PPoPP 2012).
 *
 * The frontier of level l, the vertices at distance l, is a list of ranges of edges in half l % 2 of `worklist`. Its
 * length is pushed[l % 3]. A vertex enters the next frontier exactly once, by the compare-exchange that sets its
 * distance. The barrier orders the entries and the length of the next frontier before they are read. Distances are only
 * accessed atomically between init and the end. */

/* After this step: the frontier is the source, and nothing else is reached. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.distance[v] = v == S.source ? 0 : BFS_UNREACHED;
    if (T.first != 0) return;
    uint entries = 0;
    for (offset e = S.row_start[S.source], end = S.row_start[S.source + 1]; e < end; e += BFS_RANGE) {
        const ulong count = min((ulong)(end - e), (ulong)BFS_RANGE);
        S.worklist[entries++] = ((ulong)e << BFS_RANGE_SHIFT) | count;
    }
    S.pushed[0] = entries;
    S.pushed[1] = 0;
    S.pushed[2] = 0;
}

/* A work-item visits APP_BATCH edges at once, so that their memory accesses overlap. A batch that is not full repeats
 * its last edge, which costs less than a branch for each access.
 *
 * A frontier of at most APP_SPARSE ranges (`sparse`) is bound by latency. There the compare-exchange is made at once: a
 * load before it, which would show that the vertex is reached already, costs more than it saves. */

/* Pushes the ranges of edges that the vertices of a batch have: begin[k] to before end[k]. */
static void bfs_push(struct mu_state S, struct mu_worklist list, uint level, const offset *begin, const offset *end)
{
    uint ranges = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) ranges += (uint)((end[k] - begin[k] + BFS_RANGE - 1) / BFS_RANGE);
    if (ranges == 0) return;
    __global ulong *entries = S.worklist + (ulong)(level % 2) * S.capacity;
    const struct mu_places places = mu_reserve(list, S.pushed + level % 3, ranges);
    uint i = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        for (offset e = begin[k]; e < end[k]; e += BFS_RANGE) {
            const ulong count = min((ulong)(end[k] - e), (ulong)BFS_RANGE);
            mu_place(list, entries, places, i++, ((ulong)e << BFS_RANGE_SHIFT) | count);
        }
}

/* Visits a batch of edges: gives their heads the distance level + 1, and pushes those that had none yet. */
static void bfs_visit(struct mu_state S, struct mu_worklist list, const offset *edges, uint level, const bool sparse)
{
    uint head[APP_BATCH];
    offset begin[APP_BATCH], end[APP_BATCH];
    bool fresh[APP_BATCH];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) head[k] = S.column[edges[k]];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) fresh[k] = sparse || mu_load_relaxed(S.distance + head[k]) == BFS_UNREACHED;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        begin[k] = S.row_start[head[k]];
        end[k] = S.row_start[head[k] + 1];
    }
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        if (fresh[k])
            fresh[k] = atomic_cmpxchg((volatile __global uint *)(S.distance + head[k]), BFS_UNREACHED, level + 1) ==
                       BFS_UNREACHED;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        if (!fresh[k]) end[k] = begin[k];
    bfs_push(S, list, level + 1, begin, end);
}

/* Visits the edges of this work-item's own range, which is short. `sparse` is a constant at each call, so that each
 * form is compiled without the other one's branches. */
static void bfs_visit_own(struct mu_state S, struct mu_worklist list, offset begin, uint degree, uint level,
                          const bool sparse)
{
    for (uint i = 0; i < degree; i += APP_BATCH) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = begin + min(i + k, degree - 1);
        bfs_visit(S, list, edges, level, sparse);
    }
}

/* Visits this work-item's part of the edges that the group shares. */
static void bfs_visit_shared(struct mu_state S, struct mu_worklist list, offset shared, uint level, const bool sparse)
{
    for (offset i = get_local_id(0); i < shared; i += APP_BATCH * MU_WORKGROUP) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = mu_shared_edge(list, min(i + k * MU_WORKGROUP, shared - 1));
        bfs_visit(S, list, edges, level, sparse);
    }
}

/* After this step: the vertices of distance level + 1 are the next frontier. */
STEP_DEF(expand, level)
{
    if (T.first == 0) S.pushed[(level + 2) % 3] = 0;
    struct mu_worklist list = mu_worklist_open(T);
    __global ulong *frontier = S.worklist + (ulong)(level % 2) * S.capacity;
    FOR_EACH_DEAL (start) {
        const uint item = DEALT(start);
        const ulong entry = item < extent ? frontier[item] : 0;
        const offset begin = (offset)(entry >> BFS_RANGE_SHIFT);
        const uint degree = (uint)(entry & BFS_RANGE_MASK);
        if (mu_group_any(T, degree > APP_OWN_DEGREE))
            bfs_visit_shared(S, list, mu_share(list, begin, degree), level, false);
        else if (extent <= APP_SPARSE)
            bfs_visit_own(S, list, begin, degree, level, true);
        else
            bfs_visit_own(S, list, begin, degree, level, false);
        mu_flush(list, S.worklist + (ulong)((level + 1) % 2) * S.capacity, S.pushed + (level + 1) % 3);
    }
}
