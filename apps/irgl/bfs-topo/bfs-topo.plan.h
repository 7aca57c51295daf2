/* A round for each level. */
PLAN(bfs_topo)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(expand, S.vertices, round);
        round++;
    } while (STAMPED(changed, round - 1));
}
