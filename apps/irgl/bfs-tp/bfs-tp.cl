/* bfs-tp: breadth-first search in two phases (after Merrill, Garland and Grimshaw, PPoPP 2012).
 *
 * To expand is to list the heads of all arcs that leave the listed vertices, without asking whether they have a level.
 * To contract is to list each of those heads that has none, once. */
struct bfs {
    uint nothing;
};

static struct mu_edges bfs_open(struct mu_state S, uint i, uint unused, uint unused_too, struct bfs *item)
{
    const uint v = S.list[i];
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool bfs_visit(struct mu_state S, struct bfs item, offset edge, uint *entry)
{
    *entry = S.column[edge];
    return true;
}
OPERATOR(bfs_heads, struct bfs, bfs_open, bfs_visit)

static bool bfs_is_new(struct mu_state S, uint i, uint level, uint unused, uint *entry)
{
    *entry = S.heads[i];
    return mu_load_relaxed(S.level + *entry) == BFS_UNREACHED &&
           atomic_cmpxchg((volatile __global uint *)(S.level + *entry), BFS_UNREACHED, level) == BFS_UNREACHED;
}
ITEM_OPERATOR(bfs_new_ones, bfs_is_new)

/* After this step: the source is all that is listed. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.level[v] = v == S.source ? 0 : BFS_UNREACHED;
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first != 0) return;
    S.list[0] = S.source;
    *count = 1;
}

/* After this step: `heads` holds the heads of the arcs that leave the list. */
STEP_DEF(expand, turn)
{
    bfs_heads(S, T, extent, 0, 0, PUSH_TO(S.heads, COUNT_INTO(found, turn)));
}

/* After this step: the list holds the vertices at that level. */
STEP_DEF2(contract, turn, level)
{
    bfs_new_ones(S, T, extent, level, 0, PUSH_TO(S.list, COUNT_INTO(found, turn)));
}
