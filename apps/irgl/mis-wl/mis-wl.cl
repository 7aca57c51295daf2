/* mis-wl: a maximal independent set with a worklist (after Luby, SIAM Journal on Computing 1986).
 *
 * Vertices have priorities, no two the same. Half r % 2 of `list` holds those that are undecided before round r. First
 * each whose priority is above that of all neighbours that are not out goes in: a neighbour may go in only later, so
 * that whoever looks at a status meanwhile sees nothing that matters. Then the neighbours of those that are in go out,
 * and who is still undecided is pushed. */

/* After this step: no vertex is decided, all are listed. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.status[v] = MIS_UNDECIDED;
        S.list[S.vertices + v] = v;
    }
}

/* After this step: the set has grown by an independent one. */
STEP_DEF2(enter, round, unused)
{
    FOR_EACH (i) {
        const uint v = S.list[(ulong)(round % 2) * S.vertices + i];
        bool highest = true;
        for (offset e = S.row_start[v]; highest && e < S.row_start[v + 1]; e++)
            highest = mu_priority(S.column[e]) < mu_priority(v) || mu_load_relaxed(S.status + S.column[e]) == MIS_OUT;
        if (highest) mu_store_relaxed(S.status + v, MIS_IN);
    }
}

static bool mis_stays_undecided(struct mu_state S, uint i, uint round, uint unused, uint *entry)
{
    const uint v = S.list[(ulong)(round % 2) * S.vertices + i];
    *entry = v;
    if (mu_load_relaxed(S.status + v) == MIS_IN) return false;
    for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++)
        if (mu_load_relaxed(S.status + S.column[e]) == MIS_IN) {
            mu_store_relaxed(S.status + v, MIS_OUT);
            return false;
        }
    return true;
}
ITEM_OPERATOR(mis_undecided, mis_stays_undecided)

/* After this step: neighbours of the set are out, and the next list holds who is undecided. */
STEP_DEF(drop, round)
{
    mis_undecided(S, T, extent, round, 0,
                  PUSH_TO(S.list + (ulong)((round + 1) % 2) * S.vertices, COUNT_INTO(found, round)));
}
