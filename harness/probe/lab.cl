/* The laboratory's kernel: join a team, cross barriers, and nothing else. The host is harness/probe/lab.c.
 *
 * ballast is local memory that nobody needs: it keeps other groups off the compute unit. */
MU_KERNEL void lab_run(__local uint *ballast, const uint ballast_words, const uint rounds, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    if (get_local_id(0) == 0) ballast[ballast_words - 1] = rounds;
    for (uint round = 0; round < rounds; round++) mu_barrier(T);
    MU_TEAM_END;
}
