/* Workgroups that meet at the runtime's own barrier (variants/barriers/vendors.clh), for experiment native of muster
 * probe; the host is harness/probe/promises.c. In each round a group writes its word, meets the others, and counts
 * whose words are not of this round; a second meeting keeps the next round's writes away from that.
 *
 * Nothing bounds the wait inside the runtime's barrier: the process that launches this kernel has a deadline. */
/* What `wrong` is where the runtime says that its barrier must not be used in this launch. */
#define NOT_VALID 0xffffffffu

__kernel void probe_meet(__global volatile uint *round_of, volatile __global uint *wrong, const uint rounds)
{
    const uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    if (!MU_NATIVE_CAN_MEET()) {
        wrong[0] = NOT_VALID;
        return;
    }
    for (uint round = 1; round <= rounds; round++) {
        if (get_local_id(0) == 0) round_of[group] = round;
        MU_NATIVE_MEET();
        if (get_local_id(0) == 0)
            for (uint i = 0; i < groups; i++)
                if (round_of[i] != round) atomic_add(wrong, 1u);
        MU_NATIVE_MEET();
    }
}
