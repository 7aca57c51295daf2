/* A batch of sources at a time, all advancing level by level together. `pushed` has three slots that take turns: while
 * level l reads the size that slot l % 3 had at the last barrier, its step counts into slot (l + 1) % 3 and clears
 * (l + 2) % 3. On the way back nothing is read: a step finds its level's place in `level_start`, and its extent is that
 * of the widest level. */
PLAN(bc)
{
    uint level = 0;
    for (uint batch = 0; batch < S.batches; batch++) {
        STEP2(turn, S.vertices, batch, level);
        const uint left = S.sources - batch * S.batch;
        uint size = left < S.batch ? left : S.batch;
        uint begin = 0;
        uint widest = 0;
        level = 0;
        while (size != 0) {
            STEP2(forward, size, level, begin);
            begin += size;
            if (size > widest) widest = size;
            level++;
            size = READ(pushed, level % 3);
        }
        for (uint back = level - 1; back > 0; back--) STEP(backward, widest, back);
    }
    STEP2(turn, S.vertices, S.batches, level);
}
