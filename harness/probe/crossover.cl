/* Rounds of work, each behind the whole of the one before: crossover_round is one, a launch, and crossover_rounds all
 * of them, between which the team crosses the global barrier. The host is harness/probe/crossover.c.
 *
 * A work-item does its multiply-adds and adds them to its word. What the barrier orders is tested elsewhere: here it
 * is timed. */
static void crossover_item(__global uint *words, uint item, uint fmas, float one)
{
    const uint word = words[item];
    words[item] = (word & ~255u) + pt_work(word & 255u, fmas, one);
}

MU_KERNEL void crossover_round(__global uint *words, const uint fmas, const float one)
{
    MU_PACE();
    crossover_item(words, (uint)get_global_id(0), fmas, one);
}

MU_KERNEL void crossover_rounds(__global uint *words, const uint fmas, const float one, const uint rounds,
                                MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    const uint item = T.rank * MU_WORKGROUP + (uint)get_local_id(0);
    for (uint round = 0; round < rounds; round++) {
        const uint end = MU_CROSSED(T) ? item + 1u : item;
        for (uint own = item; own < end; own++) crossover_item(words, own, fmas, one);
        mu_barrier(T);
    }
    MU_TEAM_END;
}
