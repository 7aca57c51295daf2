/* Rounds until no rank changes by what is worth another. */
PLAN(pr_tp)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(spread, S.vertices, 0);
        STEP(take, S.vertices, round);
        round++;
    } while (round <= PR_ROUNDS && STAMPED(active, round - 1));
}
