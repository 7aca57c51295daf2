/* One or two steps with elements for each level, each of which counts what the next one finds. Steps without elements
 * count nothing; where they clear a word of the counter, it is one that nobody reads or has counted into. */
PLAN(bfs_hybrid)
{
    uint turn = 1;
    uint level = 0;
    STEP(init, S.vertices, 0);
    uint size = COUNTED(found, turn);
    do {
        const bool wide = size > BFS_WIDE;
        STEP2(fused, wide ? 0 : size, turn, level);
        STEP2(contract, wide ? size : 0, turn, level);
        const uint fresh = wide ? COUNTED(found, turn + 1) : 0;
        STEP2(expand, fresh, turn + 1, level);
        if (wide) turn++;
        size = !wide || fresh != 0 ? COUNTED(found, turn + 1) : 0;
        turn++;
        level++;
    } while (size != 0);
}
