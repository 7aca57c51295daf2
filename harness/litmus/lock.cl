/* Litmus tests of mutexes, for programs that have the one of a roll call; the host is harness/litmus/sync.c. */

/* Every group takes the lock and adds to a word plainly, again and again. */
MU_KERNEL void litmus_lock(__global uint *guarded, __global uint *unused, const uint turns, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    if (get_local_id(0) == 0 && T.rank != MU_NO_RANK)
        for (uint turn = 0; turn < turns; turn++) {
            if (!mu_lock(T.sync)) break;
            guarded[0] = guarded[0] + 1;
            mu_unlock(T.sync);
        }
    GROUP_BARRIER();
    MU_TEAM_END;
}
