/* A round is one product; `changed` is stamped with the last round that changed the vector. A fast workgroup may stamp
 * the next round before a slow one reads: hence >=. */
PLAN(sssp)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(multiply, S.vertices, round);
        round++;
    } while (READ(changed, 0) >= round - 1);
}
