/* bfs-hybrid: breadth-first search that contracts and expands in one step where lists are short, in two where they are
 * long (after Merrill, Garland and Grimshaw, PPoPP 2012).
 *
 * Half l % 2 of `heads` holds the heads of all arcs that leave level l - 1, pushed without asking. One step, `fused`,
 * gives those without one level l and lists the heads behind them. Two steps do the same: `contract` lists the vertices
 * that are new, each once, and `expand` the heads behind them, so that many work-items are busy with edges rather than
 * with finding out that they have nothing to do. */
struct bfs {
    uint nothing;
};

static bool bfs_is_new(struct mu_state S, uint i, uint level, uint unused, uint *entry)
{
    *entry = S.heads[(ulong)(level % 2) * S.room + i];
    return mu_load_relaxed(S.level + *entry) == BFS_UNREACHED &&
           atomic_cmpxchg((volatile __global uint *)(S.level + *entry), BFS_UNREACHED, level) == BFS_UNREACHED;
}

static struct mu_edges bfs_open_new(struct mu_state S, uint i, uint level, uint unused, struct bfs *item)
{
    uint v = 0;
    if (!bfs_is_new(S, i, level, 0, &v)) return mu_no_edges();
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

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
OPERATOR(bfs_heads_of_new, struct bfs, bfs_open_new, bfs_visit)
ITEM_OPERATOR(bfs_new_ones, bfs_is_new)
OPERATOR(bfs_heads, struct bfs, bfs_open, bfs_visit)

/* After this step: the source is the only head. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.level[v] = BFS_UNREACHED;
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first != 0) return;
    S.heads[0] = S.source;
    *count = 1;
}

/* After this step: the vertices at that level have it, and the heads of their arcs are the other half. */
STEP_DEF2(fused, turn, level)
{
    bfs_heads_of_new(S, T, extent, level, 0,
                     PUSH_TO(S.heads + (ulong)((level + 1) % 2) * S.room, COUNT_INTO(found, turn)));
}

/* After this step: the vertices at that level have it, and are listed. */
STEP_DEF2(contract, turn, level)
{
    bfs_new_ones(S, T, extent, level, 0, PUSH_TO(S.list, COUNT_INTO(found, turn)));
}

/* After this step: the heads of the arcs that leave the list are the other half. */
STEP_DEF2(expand, turn, level)
{
    bfs_heads(S, T, extent, 0, 0, PUSH_TO(S.heads + (ulong)((level + 1) % 2) * S.room, COUNT_INTO(found, turn)));
}
