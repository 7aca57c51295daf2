/* Items flow through work queues among the workgroups of a launch, and nothing else; the host is harness/probe/flow.c.
 * One work-item of each group speaks for it, the others wait at the end.
 *
 * Many flows run side by side. Each has a queue and items of its own, and a team of `groups` groups, of consecutive
 * ranks. No flow waits for another one; and in a flow a group waits only for one that has taken an item or claimed a
 * place, which has begun and goes on. So it is of no importance for progress in which order groups begin. */
MU_KERNEL void queue_flow(__global uint *queue, const uint rings, const uint slots, __global uint *seen,
                          __global uint *notes, const uint total, const uint groups, const uint lost_rank,
                          const uint lost_after, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    if (get_local_id(0) == 0 && T.rank != MU_NO_RANK) {
        const size_t flow = T.rank / groups;
        struct mu_queue Q;
        struct mu_flow F;
        Q.words = queue + flow * MU_QUEUE_WORDS(rings, slots);
        Q.sync = T.sync;
        Q.rank = T.rank;
        Q.rings = rings;
        Q.slots = slots;
        F.seen = seen + flow * total;
        F.notes = notes + flow * total;
        F.total = total;
        F.lost_rank = lost_rank;
        F.lost_after = lost_after;
        mu_queue_flow(Q, F);
    }
    GROUP_BARRIER();
    MU_TEAM_END;
}
