/* The first half of a device's self-test, which is run before a device is trusted: two small kernels. The other half is
 * harness/device/trust/selftest_plan.cl. The host (harness/device/trust/selftest.c) judges.
 *
 * Some drivers end long loops silently: a clean finish proves nothing, so each kernel leaves counts that only a right
 * execution can leave. Neither kernel joins a team, since nobody knows yet whether the device could. */

/* selftest_atomics: every work-item adds 1 to a word and its number to another. */
MU_KERNEL void selftest_atomics(__global uint *result, MU_TEAM_PARAMETERS)
{
    mu_add_acq_rel(result + 0, 1u);
    mu_add_release(result + 1, (uint)get_global_id(0));
    atomic_max((volatile __global uint *)(result + 2), (uint)get_global_id(0));
}

/* selftest_spin: one work-item waits for a word that nobody writes. The spin must end at its bound, not before. */
MU_KERNEL void selftest_spin(__global uint *result, MU_TEAM_PARAMETERS)
{
    uint polls = 0;
    if (get_global_id(0) != 0) return;
    while (mu_load_acquire(mu_sync + MU_SYNC_TEAM) == 0 && !mu_must_stop(mu_sync, polls)) polls++;
    result[0] = polls;
}
