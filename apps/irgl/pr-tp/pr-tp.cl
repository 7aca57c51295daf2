/* pr-tp: ranks by power iteration in two phases (after Pai and Pingali, OOPSLA 2016): every vertex hands shares of its
 * rank to the heads of its arcs, without asking whether it has changed; then every vertex makes a rank of what it has
 * received. */
struct pr {
    float share;
};

static struct mu_edges pr_open(struct mu_state S, uint v, uint unused, uint unused_too, struct pr *item)
{
    const offset begin = S.row_start[v], end = S.row_start[v + 1];
    item->share = begin != end ? PR_DAMPING * S.rank[v] / (float)(end - begin) : 0;
    return mu_edges_between(begin, end);
}

static bool pr_visit(struct mu_state S, struct pr item, offset edge, uint *entry)
{
    pr_add(S.received + S.column[edge], item.share);
    return false;
}
OPERATOR(pr_push, struct pr, pr_open, pr_visit)

/* The next rank of a vertex; whether it differs from the last one by what is worth another round. */
static bool pr_take(struct mu_state S, uint v, uint unused, uint unused_too, uint *entry)
{
    const float before = S.rank[v];
    S.rank[v] = 1 - PR_DAMPING + S.received[v];
    S.received[v] = 0;
    return fabs(S.rank[v] - before) > PR_ENOUGH;
}
ITEM_OPERATOR(pr_pull, pr_take)

/* After this step: every rank is 1, and nothing has been received. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.rank[v] = 1;
        S.received[v] = 0;
    }
}

/* After this step: every vertex has received its sum. */
STEP_DEF(spread, unused)
{
    pr_push(S, T, extent, 0, 0, NO_PUSH);
}

/* After this step: the next ranks; the flag tells whether any has changed. */
STEP_DEF(take, round)
{
    pr_pull(S, T, extent, 0, 0, RAISE(active, round));
}
