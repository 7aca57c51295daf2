/* One round decides every vertex that can be decided. */
PLAN(mis)
{
    uint round = 0;
    STEP(init, S.vertices, 0);
    do {
        round++;
        STEP(decide, S.vertices, round);
    } while (STAMPED(undecided, round));
}
