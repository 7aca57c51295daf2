/* Rounds until no residual is worth another. */
PLAN(pr_residual)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(spread, S.vertices, round);
        round++;
    } while (STAMPED(active, round - 1));
}
