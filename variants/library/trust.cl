/* Whether a device's barriers can be believed: every work-item writes a word of its own, and looks behind the barrier
 * for that of the next rank. words[0] counts what was not as it should be; parts are those of two reductions. */
#define TRUST_ROUNDS 100u

MU_KERNEL void mu_trust(__global uint *words, __global uint *cells, __global uint *parts, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    const uint lid = (uint)get_local_id(0), size = T.size;
    uint wrong = 0;
    for (uint round = 1; round <= TRUST_ROUNDS; round++) {
        if (T.rank < size) cells[T.rank * MU_WORKGROUP + lid] = round;
        mu_barrier(T);
        if (MU_CROSSED(T)) wrong += cells[(T.rank + 1) % size * MU_WORKGROUP + lid] != round;
        const uint sum = mu_team_sum_uint(T, parts, 1);
        if (MU_CROSSED(T)) wrong += sum != size * MU_WORKGROUP;
    }
    if (wrong != 0) mu_add_relaxed(words, wrong);
    MU_TEAM_END;
}
