/* Rounds until no residual is worth another. */
PLAN(pr_residual_wl)
{
    uint round = 1;
    uint size = S.vertices;
    STEP(init, S.vertices, 0);
    do {
        STEP(spread, size, round);
        round++;
        size = size != 0 ? COUNTED(found, round) : 0;
    } while (size != 0);
}
