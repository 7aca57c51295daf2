/* The device's self-test: run before a device is trusted. Three kernels; the host (harness/selftest.c) judges.
 *
 * Some drivers end long loops silently, or run workgroups of one launch one after another: a clean finish proves
 * nothing, so each kernel leaves counts that only a right execution can leave. */

/* selftest_atomics: every work-item adds 1 to a word and its number to another. */
MU_KERNEL void selftest_atomics(__global uint *sync, __global uint *result)
{
    mu_add_acq_rel(result + 0, 1u);
    mu_add_release(result + 1, (uint)get_global_id(0));
    atomic_max((volatile __global uint *)(result + 2), (uint)get_global_id(0));
}

/* selftest_spin: one work-item waits for a word that nobody writes. The spin must end at its bound, not before. */
MU_KERNEL void selftest_spin(__global uint *sync, __global uint *result)
{
    uint polls = 0;
    if (get_global_id(0) != 0) return;
    while (mu_load_acquire(sync + MU_SYNC_TEAM) == 0 && !mu_must_stop(sync, polls)) polls++;
    result[0] = polls;
}

/* selftest_barrier: a roll call, then rounds in which every rank writes a stamp, crosses the barrier, and reads its
 * neighbour's; a second barrier keeps the next round's stamps apart. result: team, rounds completed by all ranks
 * together, wrong stamps seen; stamps from word 32 on. */
#define SELFTEST_ROUNDS 32u
#define SELFTEST_STAMPS 32

MU_KERNEL void selftest_barrier(__global uint *sync, __global uint *result, const uint expected, const uint patience)
{
    __local uint words[MU_LOCAL_WORDS];
    if (get_local_id(0) == 0) {
        words[MU_LOCAL_CROSSED] = 0;
        words[MU_LOCAL_VERDICT] = 1;
        mu_roll_call(sync, words, expected, patience);
    }
    GROUP_BARRIER();
    struct mu_team T;
    T.rank = words[MU_LOCAL_RANK];
    T.size = words[MU_LOCAL_SIZE];
    if (T.rank == MU_NO_RANK) return;
    T.sync = sync;
    T.words = words;
    uint wrong = 0;
    for (uint round = 1; round <= SELFTEST_ROUNDS; round++) {
        __global uint *stamps = result + SELFTEST_STAMPS;
        const uint item = T.rank * MU_WORKGROUP + (uint)get_local_id(0);
        const uint neighbour = ((T.rank + 1) % T.size) * MU_WORKGROUP + (uint)get_local_id(0);
        stamps[item] = round;
        mu_barrier(T);
        wrong += stamps[neighbour] != round;
        mu_barrier(T);
    }
    const bool crossed = MU_CROSSED(T);
    if (crossed && wrong != 0) mu_add_release(result + 2, wrong);
    if (crossed && get_local_id(0) == 0) mu_add_release(result + 1, SELFTEST_ROUNDS);
    if (crossed && get_local_id(0) == 0 && T.rank == 0) result[0] = T.size;
    GROUP_BARRIER(); /* as at the end of variants/persistent.clh */
}
