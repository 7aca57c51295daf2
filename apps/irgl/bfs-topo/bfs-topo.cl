/* bfs-topo: breadth-first search that looks at every vertex in each round (after Burtscher, Nasre and Pingali, IISWC
 * 2012).
 *
 * Round r serves the vertices at level r - 1. Those who give a vertex its level in the same round give it the same one,
 * so that the race between them is harmless. */
struct bfs {
    uint level;
};

static struct mu_edges bfs_open(struct mu_state S, uint v, uint round, uint unused, struct bfs *item)
{
    item->level = round;
    if (mu_load_relaxed(S.level + v) != round - 1) return mu_no_edges();
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool bfs_visit(struct mu_state S, struct bfs item, offset edge, uint *entry)
{
    const uint head = S.column[edge];
    if (mu_load_relaxed(S.level + head) != BFS_UNREACHED) return false;
    mu_store_relaxed(S.level + head, item.level);
    return true;
}
OPERATOR(bfs_search, struct bfs, bfs_open, bfs_visit)

/* After this step: the source has level 0. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.level[v] = v == S.source ? 0 : BFS_UNREACHED;
}

/* After this step: so have the vertices at level `round`, and the flag tells whether there are any. */
STEP_DEF(expand, round)
{
    bfs_search(S, T, extent, round, 0, RAISE(changed, round));
}
