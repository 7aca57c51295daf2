/* Each round serves one level. The lengths of frontiers are three words of `pushed`, which take turns so that one
 * barrier a round is enough: the step of level l reads word l % 3, counts into word (l + 1) % 3, and clears word
 * (l + 2) % 3, which nobody reads in this round. */
PLAN(bfs)
{
    uint level = 0;
    STEP(init, S.vertices, 0);
    uint size = READ(pushed, 0);
    while (size != 0) {
        STEP(expand, size, level);
        level++;
        size = READ(pushed, level % 3);
    }
}
