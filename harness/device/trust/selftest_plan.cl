/* The self-test's plan: a persistent kernel of the form that apps have, made of the same parts
 * (variants/teams/persistent.clh, worklist.clh, sums.clh), small enough to run in a moment. It has what compilers of
 * kernels with barriers get wrong: loops around barriers within loops around barriers, branches around barriers, loops
 * that wait, local memory, private values that live across barriers. The host (harness/device/trust/selftest_plan.c)
 * walks through the same graph and compares.
 *
 * Each phase is a breadth-first search from another vertex. Levels count on from phase to phase. `pushed` is as in
 * apps/lonestar/bfs: slot level % 3 is read, slot (level + 1) % 3 counts, slot (level + 2) % 3 is cleared. */

/* Up to this degree a work-item serves the edges of its own vertex. */
#define SELFTEST_SERIAL_DEGREE 8

/* After this step: the first vertex is the frontier of level 0. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.level[v] = v == 0 ? 0 : SELFTEST_UNREACHED;
        S.total[v] = 0;
    }
    if (T.first != 0) return;
    S.list[0] = 0;
    for (uint slot = 0; slot < 3; slot++) S.pushed[slot] = slot == 0;
    for (uint word = 0; word < SELFTEST_WORDS; word++) S.words[word] = word == SELFTEST_LEFT ? SELFTEST_PHASES : 0;
}

/* Follows an arc: an arc's index is its vertex's, times SELFTEST_MAX_ARCS, plus its place. */
static void selftest_follow(struct mu_state S, struct mu_worklist list, uint arc, uint level)
{
    const uint head = SELFTEST_HEAD(arc / SELFTEST_MAX_ARCS, arc % SELFTEST_MAX_ARCS);
    __global uint *entries = S.list + (level + 1) % 2 * SELFTEST_VERTICES;
    if (atomic_cmpxchg((volatile __global uint *)(S.level + head), SELFTEST_UNREACHED, level + 1) == SELFTEST_UNREACHED)
        mu_push(list, entries, S.pushed + (level + 1) % 3, head);
}

/* Looks for the stamp of the next rank's work-item, which that left with a plain store some barriers ago. */
static void selftest_look(struct mu_state S, struct mu_team T, uint phase)
{
    const uint other = (T.rank + 1) % T.size * MU_WORKGROUP + (uint)get_local_id(0);
    if (S.stamp[other] != phase) mu_add_relaxed(S.words + SELFTEST_WRONG, 1u);
}

/* After this step: the vertices behind those of the frontier are the next one. */
STEP_DEF2(expand, level, phase)
{
    if (T.first == 0) S.pushed[(level + 2) % 3] = 0;
    if (extent != 0) selftest_look(S, T, phase);
    struct mu_worklist list = mu_worklist_open(T);
    FOR_EACH_DEAL (start) {
        const uint item = DEALT(start);
        const uint v = item < extent ? S.list[level % 2 * SELFTEST_VERTICES + item] : 0;
        const uint begin = v * SELFTEST_MAX_ARCS, degree = item < extent ? SELFTEST_DEGREE(v) : 0;
        /* No branch for the others: PoCL 5.0 does not compile one beside the barriers of mu_share. */
        const bool any = mu_group_any(T, degree > SELFTEST_SERIAL_DEGREE);
        if (any) {
            const uint shared = (uint)mu_share(list, begin, degree);
            for (uint i = (uint)get_local_id(0); i < shared; i += MU_WORKGROUP)
                selftest_follow(S, list, (uint)mu_shared_edge(list, i), level);
        }
        for (uint k = 0; k < (any ? 0 : degree); k++) selftest_follow(S, list, begin + k, level);
        mu_flush(list, S.list + (level + 1) % 2 * SELFTEST_VERTICES, S.pushed + (level + 1) % 3);
    }
}

/* After this step: the levels are added to `total`, nothing is reached but the next phase's first vertex, which is the
 * frontier of level + 1, and each work-item has left a stamp. */
STEP_DEF2(sift, level, phase)
{
    ulong sum = 0, reached = 0;
    FOR_EACH (v) {
        if (S.level[v] != SELFTEST_UNREACHED) {
            S.total[v] += S.level[v];
            sum += S.level[v];
            reached++;
        }
        S.level[v] = v == phase + 1 ? level + 1 : SELFTEST_UNREACHED;
    }
    const ulong2 sums = mu_sums(T, (ulong2)(sum, reached));
    if (get_local_id(0) == 0 && sums.y != 0) mu_add_relaxed(S.words + SELFTEST_SUM, (uint)sums.x);
    if (extent != 0) S.stamp[T.rank * MU_WORKGROUP + (uint)get_local_id(0)] = phase + 1;
    if (T.first != 0) return;
    S.list[(level + 1) % 2 * SELFTEST_VERTICES] = phase + 1;
    S.pushed[(level + 1) % 3] = 1;
    S.pushed[(level + 2) % 3] = 0;
}

/* After this step: the last phase's stamps have been looked at, too. */
STEP_DEF(end, phase)
{
    if (extent != 0) selftest_look(S, T, phase);
}

PLAN(selftest)
{
    uint level = 0;
    uint phase = 0;
    STEP(init, SELFTEST_VERTICES, 0);
    do {
        uint size = READ(pushed, level % 3);
        while (size != 0) {
            STEP2(expand, size, level, phase);
            level++;
            size = READ(pushed, level % 3);
        }
        STEP2(sift, SELFTEST_VERTICES, level, phase);
        level++;
        phase++;
    } while (phase < READ(words, SELFTEST_LEFT));
    STEP(end, SELFTEST_VERTICES, phase);
}
