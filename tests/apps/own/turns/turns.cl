/* turns: what plans may ask of flags, counters and sums, and what a slow workgroup must not be told by a fast one. */

/* After this step: the flag is stamped in rounds that leave `of` as a rest of 2, by a work-item each time another. */
STEP_DEF2(mark, round, of)
{
    bool mine = false;
    FOR_EACH (v) mine |= v == round % extent;
    STAMP(flag, mine && round / of % 2 == 1, round);
}

/* After this step: the other flag is stamped in rounds that 3 divides. */
STEP_DEF(mark_later, round)
{
    STAMP(later, T.rank == T.size - 1 && round % 3 == 0, round);
}

/* After this step: the flag is stamped, if the step is run. */
STEP_DEF(mark_always, round)
{
    STAMP(flag, true, round);
}

/* After this step: `found` has counted all elements. */
STEP_DEF(count, round)
{
    __global uint *count = COUNT_INTO(found, round);
    FOR_EACH (v) atomic_inc((volatile __global uint *)count);
}

/* After this step: the sum is that of all elements and 1. */
STEP_DEF(add, unused)
{
    uint sum = T.first == 0;
    FOR_EACH (v) sum++;
    CONTRIBUTE(sum, sum);
}

/* A step that stamps nothing, and writes what nobody reads. */
STEP_DEF(pass, round)
{
    FOR_EACH (v) S.list[v] = round;
}

/* After this step: a word of `told` is set. */
STEP_DEF2(tell, word, value)
{
    if (T.first == 0) S.told[word] = value;
}
