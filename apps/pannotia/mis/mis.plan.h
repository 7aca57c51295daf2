/* One round decides every vertex that can be decided; `undecided` is stamped with the last round that left one
 * over. A fast workgroup may stamp the next round before a slow one reads: hence >=. */
PLAN(mis)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(decide, S.vertices, round);
        round++;
    } while (READ(undecided, 0) >= round - 1);
}
