/* bfs-cx: breadth-first search, contract and expand in one step (after Merrill, Garland and Grimshaw, PPoPP 2012).
 *
 * The list of round r, half r % 2 of `heads`, holds the heads of all arcs that leave level r - 2: whoever pushes does
 * not ask whether a vertex has a level, so that lists are several times as long as in bfs-wl. The compare-exchange that
 * gives a vertex level r - 1 decides which of its entries expands it. */
struct bfs {
    uint nothing;
};

static struct mu_edges bfs_open(struct mu_state S, uint i, uint round, uint unused, struct bfs *item)
{
    const uint v = S.heads[(ulong)(round % 2) * S.room + i];
    if (mu_load_relaxed(S.level + v) != BFS_UNREACHED ||
        atomic_cmpxchg((volatile __global uint *)(S.level + v), BFS_UNREACHED, round - 1) != BFS_UNREACHED)
        return mu_no_edges();
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool bfs_visit(struct mu_state S, struct bfs item, offset edge, uint *entry)
{
    *entry = S.column[edge];
    return true;
}
OPERATOR(bfs_search, struct bfs, bfs_open, bfs_visit)

/* After this step: the source is all that round 1 finds. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.level[v] = BFS_UNREACHED;
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first != 0) return;
    S.heads[S.room] = S.source;
    *count = 1;
}

/* After this step: the vertices at level round - 1 have it, and the heads of their arcs are listed. */
STEP_DEF(expand, round)
{
    bfs_search(S, T, extent, round, 0, PUSH_TO(S.heads + (ulong)((round + 1) % 2) * S.room, COUNT_INTO(found, round)));
}
