/* bfs: level-synchronous breadth-first search with two worklists (Lonestar's worklist form; the sharing of a group's
 * edges is Merrill, Garland and Grimshaw's, PPoPP 2012).
 *
 * Level l's frontier lies in half l % 2 of `worklist` and has the size that `pushed`[l % 3] had at the last barrier. A
 * vertex enters the next frontier exactly once: by the compare-exchange that sets its distance. What the barrier
 * orders: the next frontier's entries and its size, and the distances, before they are read. */

/* After this step: the frontier is the source, and nothing else is reached. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.distance[v] = v == S.source ? 0 : BFS_UNREACHED;
    if (T.first == 0) {
        S.worklist[0] = S.source;
        S.pushed[0] = 1;
        S.pushed[1] = 0;
        S.pushed[2] = 0;
    }
}

/* Pushes the head of an edge that nobody has reached yet. The load only saves compare-exchanges that must fail. */
static void bfs_visit(struct mu_state S, struct mu_worklist list, offset edge, uint level)
{
    const uint w = S.column[edge];
    if (mu_load_relaxed(S.distance + w) != BFS_UNREACHED) return;
    const uint seen = atomic_cmpxchg((volatile __global uint *)(S.distance + w), BFS_UNREACHED, level + 1);
    if (seen != BFS_UNREACHED) return;
    mu_push(list, S.worklist + ((level + 1) % 2) * S.vertices, S.pushed + (level + 1) % 3, w);
}

/* After this step: the vertices of distance level + 1 are the next frontier. */
STEP_DEF(expand, level)
{
    if (T.first == 0) S.pushed[(level + 2) % 3] = 0;
    struct mu_worklist list = mu_worklist_open(T);
    __global uint *frontier = S.worklist + (level % 2) * S.vertices;
    FOR_EACH_BLOCK (base) {
        const uint item = base + (uint)get_local_id(0);
        offset begin = 0, end = 0;
        if (item < extent) {
            const uint v = frontier[item];
            begin = S.row_start[v];
            end = S.row_start[v + 1];
        }
        if (mu_group_any(T, end - begin > MU_OWN_DEGREE)) {
            const offset shared = mu_share(list, begin, end - begin);
            for (offset i = get_local_id(0); i < shared; i += MU_WORKGROUP)
                bfs_visit(S, list, mu_shared_edge(list, i), level);
        } else {
            for (offset e = begin; e < end; e++) bfs_visit(S, list, e, level);
        }
        mu_flush(list, S.worklist + ((level + 1) % 2) * S.vertices, S.pushed + (level + 1) % 3);
    }
}
