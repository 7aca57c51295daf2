/* tri: triangles, counted along edges (after Polak, IPDPSW 2016). The graph is simple and undirected, its rows ascend.
 *
 * The triangle u < v < w belongs to u, and is found at the edge from u to v: w is in what the rows of u and v have in
 * common beyond v. */
struct tri {
    uint vertex;
};

static struct mu_edges tri_open(struct mu_state S, uint v, uint unused, uint unused_too, struct tri *item)
{
    item->vertex = v;
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool tri_visit(struct mu_state S, struct tri item, offset edge, uint *entry)
{
    const uint v = S.column[edge];
    offset mine = edge + 1, other = S.row_start[v];
    const offset my_end = S.row_start[item.vertex + 1], other_end = S.row_start[v + 1];
    uint common = 0;
    if (v <= item.vertex) return false;
    while (mine < my_end && other < other_end) {
        const uint a = S.column[mine], b = S.column[other];
        if (a == b) common++;
        if (a <= b) mine++;
        if (b <= a) other++;
    }
    if (common != 0) atomic_add((volatile __global uint *)(S.triangles + item.vertex), common);
    return false;
}
OPERATOR(tri_count, struct tri, tri_open, tri_visit)

/* After this step: no triangle has been counted. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.triangles[v] = 0;
}

/* After this step: all have. */
STEP_DEF(count, unused)
{
    tri_count(S, T, extent, 0, 0, NO_PUSH);
}
