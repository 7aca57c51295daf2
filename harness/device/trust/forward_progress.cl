/* Forward-progress tests: blocking idioms among more workgroups than fit on the device at once (tables 6.1 and 6.2 of
 * the thesis). The host is harness/device/trust/forward_progress.c. Every wait is bounded; one that runs out is
 * starvation.
 *
 * Who takes part: with `joins`, the team of a roll call; without, all that were launched, under native ids that count
 * up or down (MU_SYNC_ORDER). flags[0] counts those that got to the end, flags[1] what the mutex protects; the flag of
 * rank r is flags[PROGRESS_FLAGS + r]. */
#define PROGRESS_FLAGS  32
#define PROGRESS_ROUNDS 3

/* Run by the representative: rank and size into words; false for a group that does not take part. */
static bool progress_join(__global uint *sync, __local uint *words, uint joins, uint expected, uint wait)
{
    words[MU_LOCAL_CROSSED] = 0;
    words[MU_LOCAL_VERDICT] = 1;
    words[MU_LOCAL_RANK] = MU_NATIVE_ID(sync);
    words[MU_LOCAL_SIZE] = (uint)get_num_groups(0);
    if (joins != 0) mu_roll_call(sync, words, expected, wait);
    if (words[MU_LOCAL_RANK] == 0) sync[MU_REPORT_SIZE] = words[MU_LOCAL_SIZE];
    return words[MU_LOCAL_RANK] != MU_NO_RANK;
}

/* Awaits the flag of another rank. */
static bool progress_await(__global uint *sync, __global uint *flag, __local uint *words)
{
    uint seen;
    if (mu_await(sync, flag, 0xffffffffu, 1u, &seen)) return true;
    struct mu_wait wait = {MU_PHASE_BARRIER, words[MU_LOCAL_RANK], 1, words[MU_LOCAL_SIZE]};
    mu_give_up(sync, wait, 1);
    return false;
}

/* Everybody takes a spin lock once and adds to a word under it. */
MU_KERNEL void forward_progress_mutex(__global uint *sync, __global uint *flags, const uint joins, const uint expected,
                                      const uint wait)
{
    __local uint words[MU_LOCAL_WORDS];
    if (get_local_id(0) != 0 || !progress_join(sync, words, joins, expected, wait)) return;
    for (uint polls = 0; mu_compare_exchange(sync + MU_SYNC_COUNTER, 0u, 1u) != 0; polls++) {
        if (!mu_must_stop(sync, polls)) continue;
        struct mu_wait lock = {MU_PHASE_LOCK, (uint)get_group_id(0), 0, 0};
        mu_give_up(sync, lock, 0);
        return;
    }
    mu_store_relaxed(flags + 1, mu_load_relaxed(flags + 1) + 1u);
    mu_store_release(sync + MU_SYNC_COUNTER, 0u);
    mu_add_release(flags, 1u);
}

/* Everybody consumes what the rank below has produced, and produces. */
MU_KERNEL void forward_progress_one_way(__global uint *sync, __global uint *flags, const uint joins,
                                        const uint expected, const uint wait)
{
    __local uint words[MU_LOCAL_WORDS];
    if (get_local_id(0) != 0 || !progress_join(sync, words, joins, expected, wait)) return;
    __global uint *mine = flags + PROGRESS_FLAGS + words[MU_LOCAL_RANK];
    if (words[MU_LOCAL_RANK] != 0 && !progress_await(sync, mine - 1, words)) return;
    mu_store_release(mine, 1u);
    mu_add_release(flags, 1u);
}

/* Everybody produces, and consumes what the rank as far from the other end has produced. */
MU_KERNEL void forward_progress_two_way(__global uint *sync, __global uint *flags, const uint joins,
                                        const uint expected, const uint wait)
{
    __local uint words[MU_LOCAL_WORDS];
    if (get_local_id(0) != 0 || !progress_join(sync, words, joins, expected, wait)) return;
    const uint rank = words[MU_LOCAL_RANK];
    mu_store_release(flags + PROGRESS_FLAGS + rank, 1u);
    if (!progress_await(sync, flags + PROGRESS_FLAGS + (words[MU_LOCAL_SIZE] - 1 - rank), words)) return;
    mu_add_release(flags, 1u);
}

/* Everybody crosses barriers. */
MU_KERNEL void forward_progress_barrier(__global uint *sync, __global uint *flags, const uint joins,
                                        const uint expected, const uint wait)
{
    __local uint words[MU_LOCAL_WORDS];
    if (get_local_id(0) == 0) progress_join(sync, words, joins, expected, wait);
    GROUP_BARRIER();
    struct mu_team T;
    T.rank = words[MU_LOCAL_RANK];
    T.size = words[MU_LOCAL_SIZE];
    if (T.rank == MU_NO_RANK) return;
    T.sync = sync;
    T.words = words;
    for (uint round = 0; round < PROGRESS_ROUNDS; round++) mu_barrier(T);
    if (get_local_id(0) == 0 && MU_CROSSED(T)) mu_add_release(flags, 1u);
    GROUP_BARRIER(); /* as at the end of variants/teams/persistent.clh */
}
