/* Two steps for each level, each of which counts what the next one finds. A turn without elements has counted nothing.
 */
PLAN(bfs_tp)
{
    uint turn = 1;
    uint level = 1;
    STEP(init, S.vertices, 0);
    uint size = COUNTED(found, turn);
    do {
        STEP(expand, size, turn);
        const uint heads = size != 0 ? COUNTED(found, turn + 1) : 0;
        STEP2(contract, heads, turn + 1, level);
        size = heads != 0 ? COUNTED(found, turn + 2) : 0;
        turn += 2;
        level++;
    } while (size != 0);
}
