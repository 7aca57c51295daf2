/* Kernels that measure what synchronising otherwise costs, for muster probe; the hosts are harness/probe/launch.c and
 * harness/probe/memory.c and copy.c.
 *
 * probe_empty: nothing but a word for the host to read.
 * probe_work: a chain of multiplications that nothing can shorten; its time grows with `rounds`.
 * probe_watched: one work-item reads a word that nobody writes, in rounds of some thousand reads, and leaves there how
 * many rounds it made, so that a kernel that was cut short without a word is found out.
 * probe_add, probe_add_combined: every work-item adds `rounds` ones to the same word; combined, a subgroup's additions
 * become one, of its first work-item (thesis, section 4.5.6, sg-combine).
 * probe_stride, probe_stride_barrier: work-items read and write a large array with strides, in step within their
 * workgroup or not (thesis, section 4.5.6, m-divergence). Each element is one work-item's.
 * probe_fill, probe_copy: a copy of an array, sixteen bytes a work-item. */
__kernel void probe_empty(__global uint *word, const uint value)
{
    if (get_global_id(0) == 0) word[0] = value;
}

__kernel void probe_work(__global uint *word, const uint rounds)
{
    uint x = (uint)get_global_id(0) | 1u;
    for (uint i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
    if (x == 0xffffffffu || get_global_id(0) == 0) word[0] = x;
}

__kernel void probe_watched(__global volatile uint *word, const uint rounds)
{
    uint round = 0;
    if (get_global_id(0) != 0) return;
    for (; round < rounds && word[0] == 0; round++)
        for (uint reads = 1; reads < 4096u && word[0] == 0; reads++)
            ;
    word[0] = round;
}

__kernel void probe_add(__global uint *word, const uint rounds)
{
    for (uint i = 0; i < rounds; i++) atomic_add((volatile __global uint *)word, 1u);
}

#if defined(MU_PTX)
/* All work-items of a warp come here together: the workgroup is a multiple of it. */
static uint subgroup_sum(uint value, bool *first)
{
    uint lane, sum;
    __asm__ volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    sum = value;
    for (uint distance = 16; distance > 0; distance /= 2) {
        uint other;
        __asm__ volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other) : "r"(sum), "r"(distance));
        sum += other;
    }
    *first = lane == 0;
    return sum;
}
#define HAS_SUBGROUPS
#elif defined(cl_khr_subgroups) || defined(__opencl_c_subgroups)
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
static uint subgroup_sum(uint value, bool *first)
{
    *first = get_sub_group_local_id() == 0;
    return sub_group_reduce_add(value);
}
#define HAS_SUBGROUPS
#endif

#ifdef HAS_SUBGROUPS
__kernel void probe_add_combined(__global uint *word, const uint rounds)
{
    for (uint i = 0; i < rounds; i++) {
        bool first;
        const uint sum = subgroup_sum(1u, &first);
        if (first) atomic_add((volatile __global uint *)word, sum);
    }
}
#endif

#define STRIDE_BODY                                                                                                    \
    const uint at = (uint)get_global_id(0) * rounds + i;                                                               \
    array[at] = array[at] * 3u + i

__kernel void probe_stride(__global uint *array, const uint rounds)
{
    for (uint i = 0; i < rounds; i++) {
        STRIDE_BODY;
    }
}

__kernel void probe_stride_barrier(__global uint *array, const uint rounds)
{
    for (uint i = 0; i < rounds; i++) {
        STRIDE_BODY;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void probe_fill(__global uint4 *to)
{
    const uint item = (uint)get_global_id(0);
    to[item] = ((uint4)(4u * item) + (uint4)(0u, 1u, 2u, 3u)) * 2654435761u;
}

__kernel void probe_copy(__global uint4 *to, __global const uint4 *from)
{
    to[get_global_id(0)] = from[get_global_id(0)];
}
