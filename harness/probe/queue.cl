/* Items flow through a work queue among the workgroups of a team, and nothing else; the host is harness/probe/flow.c.
 * One work-item of each group speaks for it, the others wait at the end. */
MU_KERNEL void queue_flow(__global uint *queue, const uint rings, const uint slots, __global uint *seen,
                          __global uint *notes, const uint total, const uint lost_after, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    if (get_local_id(0) == 0 && T.rank != MU_NO_RANK) {
        struct mu_queue Q;
        struct mu_flow F;
        Q.words = queue;
        Q.sync = T.sync;
        Q.rank = T.rank;
        Q.rings = rings;
        Q.slots = slots;
        F.seen = seen;
        F.notes = notes;
        F.total = total;
        F.lost_after = lost_after;
        mu_queue_flow(Q, F);
    }
    GROUP_BARRIER();
    MU_TEAM_END;
}
