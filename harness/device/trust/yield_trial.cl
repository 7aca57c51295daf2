/* The trial of a yield: whether this device's compiler takes it, and whether the system does what it asks. */
#define TRIAL_YIELDS 8

/* result[0] counts the calls, result[1] those that failed. */
__kernel void yield_trial(__global uint *result)
{
    for (uint call = 0; call < TRIAL_YIELDS; call++) {
        result[0] += 1;
        if (mu_yield() != 0) result[1] += 1;
    }
}
