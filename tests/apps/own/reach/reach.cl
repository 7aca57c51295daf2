/* reach: breadth-first search from vertex 0 that uses every role which has a protocol, as little as it takes.
 *
 * Round r serves the vertices at distance r - 1, which half r % 2 of `list` holds. */

/* After this step: vertex 0 is all that round 1 serves. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.level[v] = v == 0 ? 0 : LEVEL_UNREACHED;
    __global uint *count = COUNT_INTO(found, 0);
    if (T.first == 0) {
        S.list[S.vertices] = 0;
        *count = 1;
    }
}

/* After this step: the vertices of the next distance are listed, and what the team saw of this one is known. */
STEP_DEF(expand, round)
{
    __global uint *count = COUNT_INTO(found, round);
    __global const uint *list = S.list + round % 2 * S.vertices;
    __global uint *next = S.list + (round + 1) % 2 * S.vertices;
    uint arcs = 0, widest = 0;
    bool any_new = false;
    FOR_EACH (i) {
        const uint v = list[i], degree = (uint)(S.row_start[v + 1] - S.row_start[v]);
        arcs += degree;
        widest = max(widest, degree);
        for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++)
            if (atomic_cmpxchg((volatile __global uint *)(S.level + S.column[e]), LEVEL_UNREACHED, round) ==
                LEVEL_UNREACHED) {
                next[atomic_inc((volatile __global uint *)count)] = S.column[e];
                any_new = true;
            }
    }
    STAMP(fresh, any_new, round);
    CONTRIBUTE(arcs, arcs);
    CONTRIBUTE(widest, widest);
    CONTRIBUTE(middle, (real)widest / 2);
}

/* After this step: a word of `told` is set. */
STEP_DEF2(tell, word, value)
{
    if (T.first == 0) S.told[word] = value;
}
