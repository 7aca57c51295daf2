/* mis-pannotia: a maximal independent set that looks at every vertex in each round (after Che, Beckmann, Reinhardt and
 * Skadron, IISWC 2013).
 *
 * Vertices have priorities, no two the same. First each undecided vertex finds the highest priority among its undecided
 * neighbours, its rival; then it goes in if its own is above that, and its neighbours go out. Two neighbours cannot
 * both be above each other, so that no two write different things. */

/* After this step: no vertex is decided. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.status[v] = MIS_UNDECIDED;
}

/* After this step: undecided vertices know their rivals; 0 stands for none, and is below any that matters. */
STEP_DEF(weigh, unused)
{
    FOR_EACH (v) {
        uint highest = 0;
        if (S.status[v] != MIS_UNDECIDED) continue;
        for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++)
            if (S.status[S.column[e]] == MIS_UNDECIDED) highest = max(highest, mu_priority(S.column[e]));
        S.rival[v] = highest;
    }
}

/* Whether v is left undecided, as far as it can see. Somebody may put it out meanwhile, which the next round finds. */
static bool mis_decide(struct mu_state S, uint v, uint unused, uint unused_too, uint *entry)
{
    if (mu_load_relaxed(S.status + v) != MIS_UNDECIDED) return false;
    if (mu_priority(v) < S.rival[v]) return true;
    mu_store_relaxed(S.status + v, MIS_IN);
    for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++) mu_store_relaxed(S.status + S.column[e], MIS_OUT);
    return false;
}
ITEM_OPERATOR(mis_undecided, mis_decide)

/* After this step: the set has grown by an independent one, whose neighbours are out; the flag tells whether anybody
 * may still be undecided. */
STEP_DEF(choose, round)
{
    mis_undecided(S, T, extent, 0, 0, RAISE(undecided, round));
}
