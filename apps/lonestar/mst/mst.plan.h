/* In round 0 every vertex is a component, and the rows of the graph are worked on. Later rounds work on a list of the
 * edges between components, which each round makes anew for the next.
 *
 * The length of the list is one of two words of `listed`, which take turns: round r reads word r % 2, its first step
 * clears the other one, which nobody has read since round r - 1 began, and its last step counts into that.
 *
 * The loop is entered even where the list is empty, which then costs a few barriers: compilers that turn the work-items
 * between barriers into loops get a branch around barriers wrong (PoCL 6.0). */
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
