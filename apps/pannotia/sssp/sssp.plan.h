/* A round is one product, until one does not change the vector. */
PLAN(sssp)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(multiply, S.vertices, round);
        round++;
    } while (STAMPED(changed, round - 1));
}
