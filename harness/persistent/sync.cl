/* Use case 4, global synchronisation: rounds of work, each behind the whole of the one before. The host is
 * harness/persistent/sync.c.
 *
 * In a round every work-item of every block does its multiply-adds and stores a word. The study only stores. Here the
 * word is what the same work-item of the next block stored in the round before, plus the number of multiply-adds: so a
 * block that begins a round before its neighbour has ended the one before spoils the result. Two arrays take turns.
 *
 * sync_round is one round, a launch. sync_rounds is all of them: the groups of the team share the blocks of a round,
 * and cross the global barrier behind it, which orders the stores of a round before the loads of the next. */
static void sync_block(__global const uint *from, __global uint *to, uint blocks, uint block, uint fmas, float one)
{
    const uint item = block * MU_WORKGROUP + (uint)get_local_id(0), items = blocks * MU_WORKGROUP;
    const uint neighbour = item + MU_WORKGROUP;
    const uint word = from[neighbour < items ? neighbour : neighbour - items];
    to[item] = (word & ~255u) + pt_work(word & 255u, fmas, one);
}

MU_KERNEL void sync_round(__global const uint *from, __global uint *to, const uint blocks, const uint fmas,
                          const float one)
{
    MU_PACE();
    sync_block(from, to, blocks, (uint)get_group_id(0), fmas, one);
}

MU_KERNEL void sync_rounds(__global uint *even, __global uint *odd, const uint blocks, const uint fmas, const float one,
                           const uint rounds, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    for (uint round = 0; round < rounds; round++) {
        const uint end = MU_CROSSED(T) ? blocks : 0u;
        for (uint block = T.rank; block < end; block += T.size)
            sync_block(round % 2 == 0 ? even : odd, round % 2 == 0 ? odd : even, blocks, block, fmas, one);
        mu_barrier(T);
    }
    MU_TEAM_END;
}
