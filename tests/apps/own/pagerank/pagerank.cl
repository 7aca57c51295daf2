/* pagerank: the ranks of Brin and Page (1998) by power iteration, as sums over incoming arcs.
 *
 * rank(v) = jump + damping * (the sum of rank(u) / degree(u) over the arcs u → v), where jump = (1 - damping) / n. What
 * flows into a vertex without outgoing arcs is lost. Each round halves are exchanged: half `round % 2` of `share` holds
 * what each vertex hands to each of its heads, and the round writes the other half. So no word is written that anybody
 * reads in the same round. */

static void pagerank_set(struct mu_state S, uint turn, uint v, real rank)
{
    S.rank[v] = rank;
    S.share[turn * S.vertices + v] = S.degree[v] != 0 ? rank / S.degree[v] : 0;
}

/* After this step: every vertex has the same rank, and half 1 holds its share. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) pagerank_set(S, 1, v, (real)1 / S.vertices);
}

/* After this step: the next ranks, and by how much they changed in all. */
STEP_DEF(gather, round)
{
    __global const real *share = S.share + round % 2 * S.vertices;
    real change = 0;
    FOR_EACH (v) {
        real sum = 0;
        for (offset e = S.in_start[v]; e < S.in_start[v + 1]; e++) sum += share[S.in_neighbour[e]];
        const real before = S.rank[v], after = S.jump + S.damping * sum;
        change += fabs(after - before);
        pagerank_set(S, (round + 1) % 2, v, after);
    }
    CONTRIBUTE(change, change);
}
