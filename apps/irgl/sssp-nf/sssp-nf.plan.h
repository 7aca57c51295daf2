/* A round, and where it leaves no near vertex, the two steps that begin a phase, of which the second is a round for the
 * counter. Without far vertices the complement of the nearest's distance is 0. */
PLAN(sssp_nf)
{
    uint round = 1;
    uint limit = S.delta;
    STEP(init, S.vertices, 0);
    uint size = COUNTED(found, round);
    do {
        STEP2(expand, size, round, limit);
        round++;
        size = size != 0 ? COUNTED(found, round) : 0;
        const bool empty = size == 0;
        STEP(seek, empty ? S.vertices : 0, 0);
        const uint nearest = empty ? TEAM_MAX(nearest) : 0;
        const uint reach = nearest < S.delta ? nearest : S.delta;
        if (nearest != 0) limit = ~nearest + reach;
        STEP2(refill, nearest != 0 ? S.vertices : 0, round, limit);
        if (nearest != 0) round++;
        if (nearest != 0) size = COUNTED(found, round);
    } while (size != 0);
}
