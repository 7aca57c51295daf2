/* pr-residual: ranks by residuals, looking at every vertex in each round (after Whang, Lenharth, Dhillon and Pingali,
 * Euro-Par 2015).
 *
 * What a vertex has received and not yet handed on is its residual. Where that is worth it, it becomes rank, and
 * damping times it is shared out to the heads of the arcs. The exchange that takes a residual and the additions that
 * make it are atomic, so that nothing is lost or counted twice. */
struct pr {
    float share;
};

static struct mu_edges pr_open(struct mu_state S, uint v, uint unused, uint unused_too, struct pr *item)
{
    const offset begin = S.row_start[v], end = S.row_start[v + 1];
    if (as_float(mu_load_relaxed((__global uint *)S.residual + v)) <= PR_ENOUGH) return mu_no_edges();
    const float taken = as_float(atomic_xchg((volatile __global uint *)S.residual + v, as_uint(0.0f)));
    S.rank[v] += taken;
    item->share = PR_DAMPING * taken / (float)(end - begin);
    return mu_edges_between(begin, end);
}

static bool pr_visit(struct mu_state S, struct pr item, offset edge, uint *entry)
{
    return pr_add(S.residual + S.column[edge], item.share) + item.share > PR_ENOUGH;
}
OPERATOR(pr_push, struct pr, pr_open, pr_visit)

/* After this step: ranks are 0, and every vertex has received what all begin with. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.rank[v] = 0;
        S.residual[v] = 1 - PR_DAMPING;
    }
}

/* After this step: what was worth it has been handed on; the flag tells whether anything has become so meanwhile. */
STEP_DEF(spread, round)
{
    pr_push(S, T, extent, 0, 0, RAISE(active, round));
}
