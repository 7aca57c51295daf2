/* In round 0 every vertex is a component, and the rows of the graph are worked on. Later rounds work on a list of the
 * edges between components, which each round makes anew for the next. First it has edges that weigh at most S.light,
 * and when none is left, heavier ones. `least` and `most` are the weights of those that it has now.
 *
 * A list may be too short for all these. Then it is not used, and is made again of fewer weights. It has room for all
 * edges of one weight.
 *
 * The length of the list is one of two words of `listed`, which take turns: round r reads word r % 2, its step `hook`
 * clears it, behind a barrier that everyone crosses after reading it, and its last step counts into the other one. So
 * `hook` has an element even where the list has none. A list that is made of arcs skips a round, so that it does not
 * count into the word that has just been read.
 *
 * The loop is entered even where the list is empty, which then costs a few barriers: compilers that turn the work-items
 * between barriers into loops get a branch around barriers wrong (PoCL 6.0). */
PLAN(mst)
{
    uint round = 1, least = 0, most = S.light, size, parts, done;
    STEP(init, S.vertices, 0);
    STEP(weigh_rows, S.runs, 0);
    STEP(pick_rows, S.runs, 0);
    STEP(join, S.vertices, 0);
    do {
        STEP2(list, S.list_runs, round, most);
        size = READ(listed, round % 2);
        parts = size <= S.list_room ? 1 : size / S.list_room + 1;
        do {
            STEP2(pick, MST_BATCHES(MST_HELD(size)), size, round);
            STEP2(hook, MST_BATCHES(MST_HELD(size)) + 1, size, round);
            STEP2(filter, MST_BATCHES(MST_HELD(size)), size, round);
            round++;
            size = READ(listed, round % 2);
        } while (size != 0);
        round++;
        done = parts == 1 && most == S.heaviest;
        if (parts != 1) {
            most = least + (most - least) / parts;
        } else if (!done) {
            least = most + 1;
            most = least <= S.light ? S.light : S.heaviest;
        }
    } while (!done);
    STEP(label, MST_BATCHES(S.vertices), 0);
}
