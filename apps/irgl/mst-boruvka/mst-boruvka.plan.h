/* Rounds until no vertex has an edge to another component. */
PLAN(mst_boruvka)
{
    uint round = 1;
    uint size = S.vertices;
    STEP(init, S.vertices, 0);
    do {
        STEP(weigh, size, round);
        size = size != 0 ? COUNTED(found, round + 1) : 0;
        STEP(pick, size, round);
        STEP(hook, size != 0 ? S.vertices : 0, 0);
        STEP(jump, size != 0 ? S.vertices : 0, 0);
        round++;
    } while (size != 0);
}
