/* A round for each level. */
PLAN(bfs_wl)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    uint size = COUNTED(found, round);
    while (size != 0) {
        STEP(expand, size, round);
        round++;
        size = COUNTED(found, round);
    }
}
