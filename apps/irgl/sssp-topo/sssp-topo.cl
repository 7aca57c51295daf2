/* sssp-topo: shortest paths by Bellman's and Ford's rounds over all vertices (after Burtscher, Nasre and Pingali, IISWC
 * 2012). Distances only fall, by atomic minima; the last round changes nothing. */
struct sssp {
    uint distance;
};

static struct mu_edges sssp_open(struct mu_state S, uint v, uint unused, uint unused_too, struct sssp *item)
{
    item->distance = mu_load_relaxed(S.distance + v);
    if (item->distance == SSSP_UNREACHED) return mu_no_edges();
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool sssp_visit(struct mu_state S, struct sssp item, offset edge, uint *entry)
{
    uint distance;
    return sssp_relax(S, item.distance, edge, &distance);
}
OPERATOR(sssp_search, struct sssp, sssp_open, sssp_visit)

/* After this step: the source has distance 0. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.distance[v] = v == S.source ? 0 : SSSP_UNREACHED;
    if (T.first == 0) S.overflow[0] = 0;
}

/* After this step: paths of `round` arcs and fewer have been tried; the flag tells whether a distance fell. */
STEP_DEF(expand, round)
{
    sssp_search(S, T, extent, 0, 0, RAISE(changed, round));
}
