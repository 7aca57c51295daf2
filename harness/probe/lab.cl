/* The laboratory's kernel: join a team, cross barriers, count. The host is harness/probe/lab.c.
 *
 * ballast is local memory that nobody needs: it keeps other groups off the compute unit. result[0] counts the members
 * of the team that got to the end with every barrier crossed; the host compares it with the team's size. A roll call
 * alone (rounds = 0) counts nothing, so that its time is its own. */
MU_KERNEL void lab_run(__global uint *sync, __global uint *result, __local uint *ballast, const uint ballast_words,
                       const uint expected, const uint patience, const uint rounds)
{
    __local uint words[MU_LOCAL_WORDS];
    if (get_local_id(0) == 0) {
        words[MU_LOCAL_CROSSED] = 0;
        words[MU_LOCAL_VERDICT] = 1;
        ballast[ballast_words - 1] = rounds;
        mu_join(sync, words, expected, patience);
    }
    GROUP_BARRIER();
    struct mu_team T;
    T.rank = words[MU_LOCAL_RANK];
    T.size = words[MU_LOCAL_SIZE];
    if (T.rank == MU_NO_RANK) return;
    T.first = T.rank * MU_WORKGROUP + (uint)get_local_id(0);
    T.stride = T.size * MU_WORKGROUP;
    T.sync = sync;
    T.words = words;
    if (T.rank == 0 && get_local_id(0) == 0) sync[MU_REPORT_SIZE] = T.size;
    if (rounds == 0) return;
    for (uint round = 0; round < rounds; round++) mu_barrier(T);
    if (get_local_id(0) == 0 && MU_CROSSED(T)) mu_add_release(result, 1u);
    if (T.rank == 0 && get_local_id(0) == 0) sync[MU_REPORT_CROSSED] = words[MU_LOCAL_CROSSED];
    GROUP_BARRIER(); /* as at the end of variants/teams/persistent.clh */
}
