/* The trial of a subgroups path: every function of variants/subgroups/, in rounds, so that what one call leaves behind
 * shows in the next. Each work-item tells what it saw; the host (subgroups_trial.c), which defines SUBGROUPS_ROUNDS,
 * judges. In round 0 the condition is true in no work-item, in the last in all of them. */
__kernel __attribute__((reqd_work_group_size(MU_WORKGROUP, 1, 1))) void subgroups_trial(__global uint *seen)
{
    __local uint slot[MU_WORKGROUP];
    const uint lid = (uint)get_local_id(0), size = mu_sub_size(), item = mu_sub_item(), first = mu_sub_first();
    __global uint *told = seen + get_global_id(0) * (3 + 5 * SUBGROUPS_ROUNDS);
    told[0] = size;
    told[1] = item;
    told[2] = first;
    for (uint round = 0; round < SUBGROUPS_ROUNDS; round++) {
        const bool condition = SUBGROUPS_CONDITION(lid, round);
        uint all = 0;
        slot[(first + item) % MU_WORKGROUP] = lid + round;
        mu_sub_barrier();
        told[3 + 5 * round] = slot[(first + (item + 1) % size) % MU_WORKGROUP];
        mu_sub_barrier();
        told[4 + 5 * round] = mu_sub_rank(condition, &all);
        told[5 + 5 * round] = all;
        told[6 + 5 * round] = mu_sub_any(condition) ? 1 : 0;
        told[7 + 5 * round] = mu_sub_lead(lid + round);
    }
}
