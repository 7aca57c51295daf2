/* bfs-wl: breadth-first search with a worklist (after Merrill, Garland and Grimshaw, PPoPP 2012).
 *
 * Round r serves the vertices at level r - 1, which half r % 2 of `list` holds. A vertex is pushed once, by the
 * compare-exchange that gives it its level. */
struct bfs {
    uint level;
};

static struct mu_edges bfs_open(struct mu_state S, uint i, uint round, uint unused, struct bfs *item)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i];
    item->level = round;
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool bfs_visit(struct mu_state S, struct bfs item, offset edge, uint *entry)
{
    *entry = S.column[edge];
    return mu_load_relaxed(S.level + *entry) == BFS_UNREACHED &&
           atomic_cmpxchg((volatile __global uint *)(S.level + *entry), BFS_UNREACHED, item.level) == BFS_UNREACHED;
}
OPERATOR(bfs_search, struct bfs, bfs_open, bfs_visit)

/* After this step: the source is all that round 1 serves. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.level[v] = v == S.source ? 0 : BFS_UNREACHED;
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first != 0) return;
    S.list[S.vertices] = S.source;
    *count = 1;
}

/* After this step: the vertices at level `round` are the next list. */
STEP_DEF(expand, round)
{
    bfs_search(S, T, extent, round, 0,
               PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}
