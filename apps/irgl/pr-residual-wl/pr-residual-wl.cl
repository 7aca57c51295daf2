/* pr-residual-wl: ranks by residuals with a worklist (after Whang, Lenharth, Dhillon and Pingali, Euro-Par 2015).
 *
 * As pr-residual, but that round r serves only the vertices whose residual has become worth it, which half r % 2 of
 * `list` holds. The addition that takes a residual across that line pushes its vertex. Until the vertex is opened,
 * which takes the residual to 0, none can take it across again: so no list has a vertex twice. */
struct pr {
    float share;
};

static struct mu_edges pr_open(struct mu_state S, uint i, uint round, uint unused, struct pr *item)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i];
    const offset begin = S.row_start[v], end = S.row_start[v + 1];
    const float taken = as_float(atomic_xchg((volatile __global uint *)S.residual + v, as_uint(0.0f)));
    S.rank[v] += taken;
    item->share = begin != end ? PR_DAMPING * taken / (float)(end - begin) : 0;
    return mu_edges_between(begin, end);
}

static bool pr_visit(struct mu_state S, struct pr item, offset edge, uint *entry)
{
    *entry = S.column[edge];
    const float was = pr_add(S.residual + *entry, item.share);
    return was <= PR_ENOUGH && was + item.share > PR_ENOUGH;
}
OPERATOR(pr_push, struct pr, pr_open, pr_visit)

/* After this step: ranks are 0, and every vertex has received what all begin with, and is listed. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.rank[v] = 0;
        S.residual[v] = 1 - PR_DAMPING;
        S.list[S.vertices + v] = v;
    }
}

/* After this step: the next list holds the vertices whose residual has become worth it. */
STEP_DEF(spread, round)
{
    pr_push(S, T, extent, round, 0, PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}
