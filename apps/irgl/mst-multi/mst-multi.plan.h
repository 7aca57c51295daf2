/* Rounds until no vertex has an edge to another component. */
PLAN(mst_multi)
{
    uint round = 1;
    uint size = S.vertices;
    uint roots = S.vertices;
    STEP(init, S.vertices, 0);
    do {
        STEP(weigh, size, round);
        size = size != 0 ? COUNTED(found, round + 1) : 0;
        STEP(pick, size, round);
        STEP(hook, size != 0 ? roots : 0, round);
        roots = size != 0 ? COUNTED(stayed, round + 1) : 0;
        round++;
    } while (size != 0);
    STEP(label, S.vertices, 0);
}
