/* halves: rounds in which each vertex takes the words of its neighbours, and beside that works on a word of its own. */

STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.word[v] = halves_mix(v, 1);
        S.own[v] = v;
    }
}

/* After this step: this round's words are in half round % 2, and the plan knows their sum. */
STEP_DEF(take, round)
{
    __global const uint *from = S.word + (round + 1) % 2 * S.vertices;
    __global uint *to = S.word + round % 2 * S.vertices;
    uint sum = 0;
    FOR_EACH (v) {
        uint word = from[v];
        for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++) word += from[S.column[e]];
        to[v] = halves_mix(word, round);
        sum += to[v];
    }
    CONTRIBUTE(sum, sum);
}

/* Needs what this work-item has written, and nobody else: stands beside `take`. */
STEP_DEF(dwell, round)
{
    __global const uint *word = S.word + round % 2 * S.vertices;
    FOR_EACH (v) {
        uint own = S.own[v];
        for (uint turn = 0; turn < 20; turn++) own = halves_mix(own, word[v] + turn);
        S.own[v] = own;
    }
}

/* After this step: a word of `told` is set. */
STEP_DEF2(tell, round, value)
{
    if (T.first == 0) S.told[round] = value;
}

/* After this step: a vertex has its own word and its neighbours', which others wrote beside the step before last; and a
 * word that the next work-item of its group has put where the halves of the group's barrier show it. */
STEP_DEF(gather, last)
{
    __local uint *shown = (__local uint *)T.scratch;
    FOR_EACH_BLOCK (base) {
        const uint lid = (uint)get_local_id(0), v = base + lid, next = base + (lid + 1) % MU_WORKGROUP;
        shown[lid] = v < extent ? S.own[v] : 0;
        GROUP_ARRIVE();
        uint word = 0;
        if (v < extent)
            for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++) word += S.own[S.column[e]];
        GROUP_WAIT();
        if (v < extent) {
            const uint beside = shown[(lid + 1) % MU_WORKGROUP] == (next < extent ? S.own[next] : 0);
            S.result[v] = halves_mix(S.own[v] + word, S.told[last]) + (beside ? 0 : 1);
        }
        GROUP_BARRIER();
    }
}
