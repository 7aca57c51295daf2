/* Rounds until no arc joins two components. */
PLAN(cc)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(hook, S.vertices, round);
        STEP(jump, S.vertices, 0);
        round++;
    } while (STAMPED(changed, round - 1));
}
