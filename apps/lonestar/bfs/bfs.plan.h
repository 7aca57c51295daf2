/* Each round serves one level, in one of two directions: BFS_PULLS decides from the work of the frontier and of what
 * is not reached yet. Pushing, `expand` goes through a list of the frontier's edges. Pulling, all vertices that are not
 * reached look for a neighbour in the frontier; then nobody keeps a list, and `gather` makes one before the next push.
 *
 * What a level has found is in words of `found` that take turns, so that one barrier a step is enough: the steps of
 * level l count into the words of l + 1 and clear those of l + 2, which nobody reads in this round. */
PLAN(bfs)
{
    const uint sharers = S.vertices < BFS_SHARERS ? S.vertices : BFS_SHARERS;
    uint level = 0;
    STEP(init, S.vertices, 0);
    uint size = READ(found, 0), work = size + READ(found, BFS_MORE);
    uint unreached = S.work - work;
    do {
        while (size != 0 && !BFS_PULLS(S, work, unreached)) {
            STEP2(expand, work, level, size);
            level++;
            size = READ(found, level % 3);
            work = size + READ(found, BFS_MORE + level % 3);
            unreached -= work;
        }
        const uint pulled = size != 0;
        uint pulls = pulled;
        do {
            STEP(pull, pulls != 0 ? S.vertices : 0, level);
            STEP(pull_left, pulls != 0 ? sharers : 0, level);
            if (pulls != 0) {
                level++;
                size = READ(found, level % 3);
                work = size + READ(found, BFS_MORE + level % 3);
                unreached -= work;
                pulls = size != 0 && BFS_PULLS(S, work, unreached);
            }
        } while (pulls != 0);
        STEP(gather, pulled != 0 && size != 0 ? S.vertices : 0, level);
    } while (size != 0);
}
