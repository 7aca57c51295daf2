/* Use case 1, from a producer to a consumer: the producer finds out how many blocks the consumer has. The host is
 * harness/persistent/handover.c.
 *
 * handover_produce: each block of the producer finds work for so many blocks; the last one of them to end writes the
 * sum to words[LIMIT]. handover_consume: a block of the consumer. handover_serve: the same by groups that stay, which
 * take the numbers of blocks from an atomic counter up to that limit; so the host need not know it. */
#define HANDOVER_LIMIT 0u
#define HANDOVER_SUM   32u
#define HANDOVER_ENDED 64u
#define HANDOVER_NEXT  96u

/* The additions before a block's own to HANDOVER_ENDED happen before the last block reads the sum. */
MU_KERNEL void handover_produce(__global uint *words, const uint each)
{
    if (get_local_id(0) == 0) {
        mu_add_relaxed(words + HANDOVER_SUM, each);
        if (mu_add_acq_rel(words + HANDOVER_ENDED, 1u) + 1u == (uint)get_num_groups(0))
            words[HANDOVER_LIMIT] = mu_load_relaxed(words + HANDOVER_SUM);
    }
}

/* compute: a load, and multiply-adds in registers. memory: a load for each of them, far from the one before. All that
 * is loaded is 1, so that both come to the number of multiply-adds. `room` is a power of two. */
static uint handover_block(__global const float *from, uint room, uint item, uint fmas, uint memory, float one)
{
    float x = 0.0f;
    if (memory == 0) return pt_work((uint)from[item & (room - 1u)] - 1u, fmas, one);
    for (uint i = 0; i < fmas; i++) x = mad(from[(item + i * 65537u) & (room - 1u)], one, x);
    return (uint)x;
}

MU_KERNEL void handover_consume(__global const float *from, __global uint *to, const uint room, const uint fmas,
                                const uint memory, const float one)
{
    const uint item = (uint)get_global_id(0);
    MU_PACE();
    to[item] = handover_block(from, room, item, fmas, memory, one);
}

MU_KERNEL void handover_serve(__global const float *from, __global uint *to, const uint room, const uint fmas,
                              const uint memory, const float one, __global uint *words, MU_TEAM_PARAMETERS)
{
    __local uint taken;
    MU_TEAM_BEGIN;
    const uint limit = words[HANDOVER_LIMIT];
    uint block;
    do {
        if (get_local_id(0) == 0) taken = mu_add_relaxed(words + HANDOVER_NEXT, 1u);
        GROUP_BARRIER();
        block = taken;
        const uint item = block * MU_WORKGROUP + (uint)get_local_id(0);
        const uint result = handover_block(from, room, item, block < limit ? fmas : 0u, memory, one);
        if (block < limit) to[item] = result;
        GROUP_BARRIER();
    } while (block < limit);
    MU_TEAM_END;
}
