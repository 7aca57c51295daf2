/* What PoCL 6.0's work-group methods loops and loopvec get wrong, reduced from a persistent kernel: a group crosses 50
 * of its 100 barriers. It takes a way out of the kernel before the barriers, a barrier at the end, a loop that waits
 * between two barriers, and a branch between two others. WAY_OUT adds the first two; without, every barrier is crossed.
 *
 * result: words[CROSSED], rounds + 1. waited_for has a word that counts up once a barrier, so that nobody waits. */
#define GROUP_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define NOBODY          0xffffffffu
#define ROUNDS          50

enum { RANK, CROSSED, DONE, WORDS };

static bool wait(volatile __global uint *waited_for, __local uint *words)
{
    const uint number = ++words[CROSSED];
    if (atomic_add(waited_for, 1u) + 1 == number) return true;
    while (atomic_or(waited_for, 0u) < number) continue;
    return true;
}

static void cross(volatile __global uint *waited_for, __local uint *words)
{
    GROUP_BARRIER();
    if (get_local_id(0) == 0 && words[DONE] != 0) words[DONE] = wait(waited_for, words);
    GROUP_BARRIER();
}

__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void lost_barrier(volatile __global uint *waited_for,
                                                                          __global uint *result)
{
    __local uint words[WORDS];
    if (get_local_id(0) == 0) {
        words[RANK] = (uint)get_group_id(0);
        words[CROSSED] = 0;
        words[DONE] = 1;
    }
    GROUP_BARRIER();
    const uint rank = words[RANK];
#ifdef WAY_OUT
    if (rank == NOBODY) return;
#endif
    uint round = 1;
    do {
        cross(waited_for, words);
        if (get_local_id(0) == round) result[2]++;
        cross(waited_for, words);
        round++;
    } while (round <= ROUNDS);
    if (rank + get_local_id(0) == 0) result[1] = round;
    if (rank == 0 && get_local_id(0) == 0) result[0] = words[CROSSED];
#ifdef WAY_OUT
    GROUP_BARRIER();
#endif
}
