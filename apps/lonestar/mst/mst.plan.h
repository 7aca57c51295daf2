/* Round 0 works on the rows, where every vertex is a component; later ones on the list of edges between components,
 * which each round makes anew for the next. `listed` has two slots that take turns: round r reads the size that slot
 * r % 2 had at the last barrier, its first step clears the other slot, which nobody has read since round r - 1 began,
 * and its last step counts into that. The loop is entered even where the list is empty, which costs a few barriers
 * then: compilers that make loops of work-items between barriers get a branch around barriers wrong (PoCL 6.0). */
PLAN(mst)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    STEP(weigh_rows, MST_RUNS(S.arcs), 0);
    STEP(pick_rows, MST_RUNS(S.arcs), 0);
    STEP(join, S.vertices, 0);
    STEP(list, MST_BATCHES(S.arcs), round);
    uint size = READ(listed, round % 2);
    do {
        STEP2(pick, MST_BATCHES(size), size, round);
        STEP2(hook, MST_BATCHES(size), size, round);
        STEP2(filter, MST_BATCHES(size), size, round);
        round++;
        size = READ(listed, round % 2);
    } while (size != 0);
    STEP(label, MST_BATCHES(S.vertices), 0);
}
