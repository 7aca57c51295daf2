/* The trial of a yield: whether this device's compiler takes it, whether the system does what it asks, and whether time
 * passes by the clock that goes with it. */
#define TRIAL_YIELDS 8

/* result[0] counts the calls, result[1] those that failed. */
__kernel void yield_trial(__global uint *result)
{
    for (uint call = 0; call < TRIAL_YIELDS; call++) {
        result[0] += 1;
        const ulong before = mu_ticks();
        if (mu_yield() != 0 || mu_ticks() == before) result[1] += 1;
    }
}
