/* Rounds until the ranks change by no more than `enough`, all together. */
PLAN(pagerank)
{
    uint round = 1;
    real change;
    STEP(init, S.vertices, 0);
    do {
        STEP(gather, S.vertices, round);
        change = TEAM_SUM(change);
        round++;
    } while (change > S.enough && round <= PAGERANK_ROUNDS);
}
