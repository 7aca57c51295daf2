/* Rounds until no label changes. */
PLAN(labels)
{
    uint round = 0;
    STEP(init, S.vertices, 0);
    do {
        round++;
        STEP(spread, S.vertices, round);
    } while (STAMPED(changed, round));
}
