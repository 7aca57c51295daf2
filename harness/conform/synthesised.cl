/* Small programs that can block (analysis/progress/synthesis.h), among more workgroups than fit on the device at once:
 * each workgroup is a thread of an instance, and there are as many instances as there are groups for. The host is
 * harness/conform/synthesised.c. Every loop is bounded: one that runs out is starvation, which the report says.
 *
 * words[0] counts the groups that came to their end; the words of the instances follow. They are accessed without
 * order, since nothing is said of other memory. */

/* Exchanges a word, which no path has by itself; *seen gets what it was. Only another group's success makes it go
 * round. */
static bool synthesised_exchange(__global uint *word, uint put, uint *seen)
{
    *seen = mu_load_relaxed(word);
    for (uint tries = 0; tries < MU_SPIN_LIMIT; tries++) {
        const uint was = mu_compare_exchange(word, *seen, put);
        if (was == *seen) return true;
        *seen = was;
    }
    return false;
}

/* Executes an instruction; *jumps gets whether it branches. */
static bool synthesised_step(__global uint *words, uint step, bool *jumps)
{
    __global uint *word = words + (step >> 4 & 15u);
    const uint value = step >> 8 & 15u, operation = step & 15u;
    uint seen = 0;
    *jumps = false;
    if (operation == MU_SYNTHESISED_STORE) {
        mu_store_relaxed(word, value);
        return true;
    }
    if (operation == MU_SYNTHESISED_CHECK)
        seen = mu_load_relaxed(word);
    else if (!synthesised_exchange(word, step >> 16 & 15u, &seen))
        return false;
    *jumps = seen == value;
    return true;
}

static bool synthesised_run(struct mu_team T, __global uint *words, __global const uint *thread)
{
    uint at = 0;
    for (uint polls = 0; (thread[at] & 15u) != 0; polls++) {
        bool jumps;
        const bool goes_on = synthesised_step(words, thread[at], &jumps);
        at = jumps ? thread[at] >> 12 & 15u : at + 1;
        if (goes_on && !mu_must_stop(T.sync, polls)) continue;
        struct mu_wait wait = {MU_PHASE_BARRIER, T.rank, 1, T.size, 0, 0};
        mu_give_up(T.sync, wait, 1);
        return false;
    }
    return true;
}

/* The threads of an instance are neighbours, or as far apart as they can be. */
MU_KERNEL void synthesised(__global uint *words, __global const uint *program, const uint threads, const uint apart,
                           MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    const uint instances = T.size / threads;
    const uint instance = apart != 0 ? T.rank % instances : T.rank / threads;
    const uint thread = apart != 0 ? T.rank / instances : T.rank % threads;
    if (get_local_id(0) == 0 && MU_CROSSED(T) &&
        synthesised_run(T, words + 1 + instance * MU_SYNTHESISED_WORDS, program + thread * MU_SYNTHESISED_STEPS))
        mu_add_release(words, 1u);
    MU_TEAM_END;
}
