/* plans: an interpreter of plans. Each step does what a word says, so that one program runs any number of them. */

/* After this step: what stands beside the steps has begun. */
STEP_DEF(init, unused)
{
    FOR_EACH (i) S.own[i] = i;
}

/* After this step: the flag is stamped, the counter counted or the sum given, as the word says. All workgroups read the
 * same word. */
STEP_DEF(act, argument)
{
    const uint at = argument & 0xffffu, counts = argument >> 16;
    const uint word = S.step[at], kind = PLANS_KIND(word), elements = PLANS_ELEMENTS(word);
    bool any = false;
    uint value = 0;
    FOR_EACH (i) {
        any |= (elements >> i & 1) != 0;
        value += (elements >> i & 1) << i;
    }
    if (kind == PLANS_STAMP && PLANS_FLAG(word) == 0) STAMP(first, any, S.told[at]);
    if (kind == PLANS_STAMP && PLANS_FLAG(word) != 0) STAMP(second, any, S.told[at]);
    if (kind == PLANS_ADD) CONTRIBUTE(sum, value);
    if (kind == PLANS_COUNT) {
        __global uint *count = COUNT_INTO(found, counts);
        FOR_EACH (i)
            if ((elements >> i & 1) != 0) atomic_inc((volatile __global uint *)count);
    }
}

/* Stands beside `act`, and needs no other workgroup. */
STEP_DEF(dwell, argument)
{
    FOR_EACH (i) S.own[i] = PLANS_TAKE(S.own[i], argument & 0xffffu);
}

/* After this step: what the plans have read is known. */
STEP_DEF(tell, read)
{
    if (T.first == 0) S.read[0] = read;
}
