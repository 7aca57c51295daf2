/* mis: the lexicographically first maximal independent set in priority order, by rounds (Luby 1986, with fixed
 * priorities: Blelloch, Fineman and Shun 2012; the suite's original: Pannotia, Che et al. 2013).
 *
 * A vertex joins once every neighbour of lower priority is out, and is out once a neighbour is in. Both are final, and
 * what decides a vertex is final too, so a step may see a neighbour's status of this round or of an earlier one: an old
 * value can only delay a decision by a round, never change it. That intended race is between relaxed atomic accesses.
 *
 * The vertex of lowest priority among the undecided is decided in every round, so rounds end; with random priorities
 * there are O(log n) of them. */

/* After this step: nobody is decided. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) mu_store_relaxed(S.status + v, MIS_UNDECIDED);
    if (T.first == 0) S.undecided[0] = 0;
}

/* What the neighbours known to be decided make of an undecided v: MIS_UNDECIDED when one of lower priority is not. */
static uint mis_judge(struct mu_state S, uint v)
{
    const uint own = mu_priority(v);
    uint verdict = MIS_IN;
    for (offset e = S.row_start[v], end = S.row_start[v + 1]; e < end; e++) {
        const uint neighbour = S.column[e];
        const uint status = mu_load_relaxed(S.status + neighbour);
        if (status == MIS_IN) return MIS_OUT;
        if (status == MIS_UNDECIDED && mu_priority(neighbour) < own) verdict = MIS_UNDECIDED;
    }
    return verdict;
}

/* After this step: every vertex whose lower neighbours were decided before it is decided. */
STEP_DEF(decide, round)
{
    bool left_over = false;
    FOR_EACH (v) {
        if (mu_load_relaxed(S.status + v) != MIS_UNDECIDED) continue;
        const uint verdict = mis_judge(S, v);
        if (verdict == MIS_UNDECIDED)
            left_over = true;
        else
            mu_store_relaxed(S.status + v, verdict);
    }
    STAMP_ANY(undecided, left_over, round);
}
