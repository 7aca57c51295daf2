/* Use case 3, producer-consumer locality: a reduction, and work in two stages. The host is
 * harness/persistent/locality.c. */

/* ---- Reduction ---- */

/* The sum over a block, in `parts`, which has a float for each work-item; complete in work-item 0. On a CPU that adds
 * up alone, since there are compilers of CPU devices that lose barriers in loops. */
static float locality_sum(__local float *parts, float part)
{
    const uint lid = (uint)get_local_id(0);
    float sum = part;
    parts[lid] = part;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef MU_CHUNKS
    if (lid == 0)
        for (uint i = 1; i < MU_WORKGROUP; i++) sum += parts[i];
#else
    for (uint reach = MU_WORKGROUP / 2; reach > 0; reach /= 2) {
        if (lid < reach) {
            sum += parts[lid + reach];
            parts[lid] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    return sum;
}

/* One of the launches: a block makes one of MU_WORKGROUP floats. */
MU_KERNEL void reduce_level(__global const float *from, __global float *to, const uint count)
{
    __local float parts[MU_WORKGROUP];
    const uint item = (uint)get_global_id(0);
    const float sum = locality_sum(parts, item < count ? from[item] : 0.0f);
    if (get_local_id(0) == 0) to[get_group_id(0)] = sum;
}

/* All of it: each group adds up its share, the global barrier orders the sums of the groups before their reading, and
 * the group of rank 0 adds them up. There are at most MU_WORKGROUP groups. */
MU_KERNEL void reduce_all(__global const float *from, __global float *to, const uint count, MU_TEAM_PARAMETERS)
{
    __local float parts[MU_WORKGROUP];
    MU_TEAM_BEGIN;
    float part = 0.0f;
    for (uint item = T.first; item < count; item += T.stride) part += from[item];
    const float sum = locality_sum(parts, part);
    if (get_local_id(0) == 0) to[1 + T.rank] = sum;
    mu_barrier(T);
    const uint lid = (uint)get_local_id(0);
    const float total = locality_sum(parts, lid < T.size && MU_CROSSED(T) ? to[1 + lid] : 0.0f);
    if (T.rank == 0 && lid == 0) to[0] = total;
    MU_TEAM_END;
}

/* ---- Two stages ---- */

/* Of each block's items so many go on to the second stage, spread over the block. */
static bool stages_keep(uint block, uint lid, uint keep)
{
    return (lid * 37u + block) % MU_WORKGROUP < keep;
}

/* Both stages in one kernel, in which a work-item whose item does not go on has nothing more to do. */
MU_KERNEL void stages_one(__global const uint *from, __global uint *to, const uint keep, const uint fmas,
                          const float one)
{
    const uint item = (uint)get_global_id(0), lid = (uint)get_local_id(0);
    MU_PACE();
    const uint first = pt_work(from[item], fmas, one);
    if (stages_keep((uint)get_group_id(0), lid, keep)) to[item] = pt_work(first, fmas, one);
}

/* The first stage; what goes on is packed: its item, and behind them all its value. A block takes its places by one
 * atomic addition. */
MU_KERNEL void stages_pack(__global const uint *from, __global uint *packed, __global uint *count, const uint room,
                           const uint keep, const uint fmas, const float one)
{
    __local uint slots, base;
    const uint item = (uint)get_global_id(0), lid = (uint)get_local_id(0);
    uint slot = 0;
    if (lid == 0) slots = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = pt_work(from[item], fmas, one);
    const bool goes_on = stages_keep((uint)get_group_id(0), lid, keep);
    if (goes_on) slot = atomic_inc((volatile __local uint *)&slots);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) base = mu_add_relaxed(count, slots);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (goes_on) {
        packed[base + slot] = item;
        packed[room + base + slot] = first;
    }
}

/* The second stage, of as many work-items as there are packed items, rounded up to blocks. */
MU_KERNEL void stages_consume(__global const uint *packed, __global uint *to, const uint count, const uint room,
                              const uint fmas, const float one)
{
    const uint i = (uint)get_global_id(0);
    MU_PACE();
    const uint second = pt_work(i < count ? packed[room + i] : 0u, fmas, one);
    if (i < count) to[packed[i]] = second;
}

/* The second stage of the last `served` of the items that lie in the queue in local memory. */
static void stages_serve(__global uint *to, __local const uint *items, __local const uint *values, uint there,
                         uint served, uint fmas, float one)
{
    const uint lid = (uint)get_local_id(0), slot = there - served + lid;
    const uint value = lid < served ? values[slot] : 0u;
    MU_PACE();
    const uint second = pt_work(value, served > 0 ? fmas : 0u, one);
    MU_PACE();
    if (lid < served) to[items[slot]] = second;
}

/* Both stages by groups that stay: what goes on lies in a queue in local memory, of which the whole group serves a
 * block as soon as there is one. Between two blocks the queue holds less than a block, so that another one fits. */
MU_KERNEL void stages_all(__global const uint *from, __global uint *to, const uint blocks, const uint keep,
                          const uint fmas, const float one, MU_TEAM_PARAMETERS)
{
    __local uint items[2 * MU_WORKGROUP], values[2 * MU_WORKGROUP], queued;
    MU_TEAM_BEGIN;
    const uint lid = (uint)get_local_id(0);
    if (lid == 0) queued = 0;
    GROUP_BARRIER();
    for (uint block = T.rank; block < blocks; block += T.size) {
        const uint item = block * MU_WORKGROUP + lid, start = from[item];
        MU_PACE();
        const uint first = pt_work(start, fmas, one);
        MU_PACE();
        if (stages_keep(block, lid, keep)) {
            const uint slot = atomic_inc((volatile __local uint *)&queued);
            items[slot] = item;
            values[slot] = first;
        }
        GROUP_BARRIER();
        const uint there = queued, served = there < MU_WORKGROUP ? 0u : (uint)MU_WORKGROUP;
        stages_serve(to, items, values, there, served, fmas, one);
        GROUP_BARRIER();
        if (lid == 0) queued = there - served;
        GROUP_BARRIER();
    }
    const uint left = queued;
    stages_serve(to, items, values, left, left, fmas, one);
    MU_TEAM_END;
}
