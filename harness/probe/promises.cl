/* Workgroups that meet at the runtime's own barrier, for experiment native of muster probe; the host is
 * harness/probe/promises.c. In each round a group writes its word, meets the others, and counts whose words are not of
 * this round; a second meeting keeps the next round's writes away from that.
 *
 * Nothing bounds the wait inside the runtime's barrier: the process that launches this kernel has a deadline. */
#if defined(MU_PROMISE_INTEL)
void __attribute__((overloadable)) intel_device_barrier(cl_mem_fence_flags flags, memory_scope scope);
bool __attribute__((overloadable)) intel_is_device_barrier_valid(void);
#define MEET()     intel_device_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device)
#define CAN_MEET() intel_is_device_barrier_valid()
#else
#define MEET()
#define CAN_MEET() false
#endif

/* What `wrong` is where the runtime says that its barrier must not be used in this launch. */
#define NOT_VALID 0xffffffffu

__kernel void probe_meet(__global volatile uint *round_of, volatile __global uint *wrong, const uint rounds)
{
    const uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    if (!CAN_MEET()) {
        wrong[0] = NOT_VALID;
        return;
    }
    for (uint round = 1; round <= rounds; round++) {
        if (get_local_id(0) == 0) round_of[group] = round;
        MEET();
        if (get_local_id(0) == 0)
            for (uint i = 0; i < groups; i++)
                if (round_of[i] != round) atomic_add(wrong, 1u);
        MEET();
    }
}
