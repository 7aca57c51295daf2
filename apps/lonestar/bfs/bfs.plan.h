/* Each round serves one level, in one of two directions. Pushing, `expand` goes through a list of the frontier's edges.
 * Pulling, all vertices that are not reached look for a neighbour in the frontier; then nobody keeps a list, and
 * `gather` makes one before the next push.
 *
 * A frontier of few ranges is pushed at once, for such rounds are short, and whatever a plan asks makes them longer.
 * Others are weighed, and BFS_PULLS decides from their work and that of what has been neither weighed nor pulled. A
 * source that has a good part of all edges is pulled at once.
 *
 * What a level has found is in words of `found` that take turns, so that one barrier a step is enough: the steps of
 * level l count into the words of l + 1, and clear those of l + 2, which nobody reads in this round. */
PLAN(bfs)
{
    const uint sharers = S.vertices < BFS_SHARERS ? S.vertices : BFS_SHARERS;
    uint level = 0;
    STEP(init, S.vertices, 0);
    uint size = READ(found, 0);
    uint elements = BFS_SPREAD(S, size), unreached = S.work;
    uint hub = size > S.hub, pushes = !hub;
    do {
        while (pushes != 0 && size != 0) {
            STEP2(expand, elements, level, size);
            const uint few = BFS_FEW(S, size), turn = (level + 1) % 3;
            size = READ(found, turn);
            level = few != 0 ? READ(found, BFS_LEVEL + turn) : level + 1;
            elements = BFS_SPREAD(S, size);
            pushes = size <= S.few;
        }
        STEP(weigh, size, level);
        uint pulls = 0;
        if (size != 0) {
            elements = READ(found, BFS_WORK + level % 3);
            unreached -= elements;
            pulls = hub || BFS_PULLS(S, elements, unreached);
        }
        hub = 0;
        const uint pulled = pulls;
        do {
            STEP(pull, pulls != 0 ? BFS_PULLED(S) : 0, level);
            STEP(pull_left, pulls != 0 ? sharers : 0, level);
            if (pulls != 0) {
                level++;
                size = READ(found, level % 3);
                elements = READ(found, BFS_WORK + level % 3);
                unreached -= elements;
                pulls = size != 0 && BFS_PULLS(S, elements, unreached);
            }
        } while (pulls != 0);
        STEP(gather, pulled != 0 && size != 0 ? BFS_PULLED(S) : 0, level);
        pushes = 1;
    } while (size != 0);
}
