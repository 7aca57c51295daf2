/* Forward-progress tests: blocking idioms among more workgroups than fit on the device at once (tables 6.1 and 6.2 of
 * the thesis). The host is harness/device/trust/forward_progress.c. Every wait is bounded
 * (forward_progress_waits.clh).
 *
 * Who takes part: the team of a roll call, or all that were launched (forward_progress_join.clh). flags[0] counts those
 * that got to the end, flags[1] what the mutex protects; the flag of rank r is flags[PROGRESS_FLAGS + r]. */
#define PROGRESS_FLAGS  32
#define PROGRESS_ROUNDS 3

/* Takes the mutex once. */
static bool progress_mutex(struct mu_team T, __global uint *flags)
{
    return progress_turn(T, T.sync + MU_SYNC_COUNTER, flags + 1);
}

/* Consumes what the rank below has produced, and produces. */
static bool progress_one_way(struct mu_team T, __global uint *flags)
{
    __global uint *mine = flags + PROGRESS_FLAGS + T.rank;
    if (T.rank != 0 && !progress_await(T, mine - 1)) return false;
    mu_store_release(mine, 1u);
    return true;
}

/* Produces, and consumes what the rank as far from the other end has produced. */
static bool progress_two_way(struct mu_team T, __global uint *flags)
{
    mu_store_release(flags + PROGRESS_FLAGS + T.rank, 1u);
    return progress_await(T, flags + PROGRESS_FLAGS + (T.size - 1 - T.rank));
}

/* The representative of each member of the team goes through the idiom, and counts itself if that came to its end. */
#define PROGRESS_KERNEL(idiom)                                                                                         \
    MU_KERNEL void forward_##idiom(__global uint *flags, MU_TEAM_PARAMETERS)                                           \
    {                                                                                                                  \
        MU_TEAM_BEGIN;                                                                                                 \
        if (get_local_id(0) == 0 && MU_CROSSED(T) && idiom(T, flags)) mu_add_release(flags, 1u);                       \
        MU_TEAM_END;                                                                                                   \
    }

PROGRESS_KERNEL(progress_mutex)
PROGRESS_KERNEL(progress_one_way)
PROGRESS_KERNEL(progress_two_way)

/* Everybody crosses barriers. */
MU_KERNEL void forward_progress_barrier(__global uint *flags, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    for (uint round = 0; round < PROGRESS_ROUNDS; round++) mu_barrier(T);
    if (get_local_id(0) == 0 && MU_CROSSED(T)) mu_add_release(flags, 1u);
    MU_TEAM_END;
}
