/* Rounds of work and a barrier each, of which the work needs nobody: overlap_before does it and then crosses the
 * barrier, overlap_beside does it between the barrier's halves. The host is harness/probe/crossover.c.
 *
 * A work-item has three words: what its multiply-adds come to, and the number of the round, in one of two that take
 * turns. Behind the barrier it looks at that of the next workgroup: a round that is missed spoils the first word. */
static void overlap_look(struct mu_team T, __global uint *words, uint round)
{
    const uint next = (T.first + MU_WORKGROUP) % T.stride;
    if (MU_CROSSED(T) && words[(1 + round % 2) * T.stride + next] != round + 1) words[T.first] |= 0x80000000u;
}

/* The round begins, and the last one is looked at: nothing stands behind a loop's last barrier, where PoCL 6.0 has lost
 * it. */
static void overlap_tell(struct mu_team T, __global uint *words, uint round)
{
    if (round != 0) overlap_look(T, words, round - 1);
    if (MU_CROSSED(T)) words[(1 + round % 2) * T.stride + T.first] = round + 1;
}

static void overlap_work(struct mu_team T, __global uint *words, uint fmas, float one)
{
    const uint word = words[T.first];
    if (MU_CROSSED(T)) words[T.first] = (word & ~255u) + pt_work(word & 255u, fmas, one);
}

MU_KERNEL void overlap_before(__global uint *words, const uint fmas, const float one, const uint rounds,
                              MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    for (uint round = 0; round < rounds; round++) {
        overlap_tell(T, words, round);
        overlap_work(T, words, fmas, one);
        mu_barrier(T);
    }
    overlap_look(T, words, rounds - 1);
    MU_TEAM_END;
}

MU_KERNEL void overlap_beside(__global uint *words, const uint fmas, const float one, const uint rounds,
                              MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    for (uint round = 0; round < rounds; round++) {
        overlap_tell(T, words, round);
        mu_barrier_arrive(T);
        overlap_work(T, words, fmas, one);
        mu_barrier_wait(T);
    }
    overlap_look(T, words, rounds - 1);
    MU_TEAM_END;
}
