/* One level a round. `pushed` has three slots that take turns: while level l reads the size that slot l % 3 had at the
 * last barrier, its step counts into slot (l + 1) % 3 and clears (l + 2) % 3, which nobody reads in this round. */
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
