/* harness/device/trust/forward_progress: what outcomes say of scheduler models, outcomes as JSON, and the tests
 * themselves on PoCL.
 */
#include "harness/device/trust/forward_progress.h"

#include "tests/on_device.h"
#include "tests/tap.h"

#define POLLS (1u << 26) /* a tenth of a second or two, in which a worker that waits gives its core away */

/* All idioms completed under both orders: a fair scheduler. */
static struct mu_forward_progress fair(void)
{
    struct mu_forward_progress progress = {.groups = 160, .workgroup = 32, .spin_limit = 1000, .lobe_delay = 64};
    for (int i = 0; i < MU_IDIOMS; i++)
        for (int o = 0; o < MU_ID_ORDERS; o++) {
            progress.outcomes[i][o] = MU_FORWARD_COMPLETED;
            progress.tries[i][o] = 3;
        }
    return progress;
}

/* Table 6.2 and section 6.7 of the thesis, said once more: whether a model is refuted when an idiom starves. */
static const struct {
    enum mu_idiom idiom;
    enum mu_id_order order;
    bool refutes[MU_SCHEDULERS]; /* HSA, OBE, HSA+OBE, LOBE */
} starvations[] = {
    {MU_IDIOM_MUTEX, MU_IDS_ASCENDING, {false, true, true, true}},
    {MU_IDIOM_MUTEX, MU_IDS_DESCENDING, {false, true, true, true}},
    {MU_IDIOM_BARRIER, MU_IDS_ASCENDING, {false, false, false, false}},
    {MU_IDIOM_BARRIER, MU_IDS_DESCENDING, {false, false, false, false}},
    {MU_IDIOM_BARRIER_TEAM, MU_IDS_ASCENDING, {false, true, true, true}},
    {MU_IDIOM_BARRIER_TEAM, MU_IDS_DESCENDING, {false, true, true, true}},
    {MU_IDIOM_BARRIER_LOBE, MU_IDS_ASCENDING, {false, false, false, true}},
    {MU_IDIOM_BARRIER_LOBE, MU_IDS_DESCENDING, {false, false, false, false}},
    {MU_IDIOM_ONE_WAY, MU_IDS_ASCENDING, {true, false, true, true}},
    {MU_IDIOM_ONE_WAY, MU_IDS_DESCENDING, {false, false, false, false}},
    {MU_IDIOM_TWO_WAY, MU_IDS_ASCENDING, {false, false, false, false}},
    {MU_IDIOM_TWO_WAY, MU_IDS_DESCENDING, {false, false, false, false}},
    {MU_IDIOM_TWO_WAY_TEAM, MU_IDS_ASCENDING, {false, true, true, true}},
    {MU_IDIOM_TWO_WAY_TEAM, MU_IDS_DESCENDING, {false, true, true, true}},
};

static void test_models(void)
{
    enum mu_idiom idiom = MU_IDIOM_MUTEX;
    enum mu_id_order order = MU_IDS_ASCENDING;
    const struct mu_forward_progress all = fair();
    for (int s = 0; s < MU_SCHEDULERS; s++)
        CHECK(mu_forward_progress_consistent(&all, (enum mu_scheduler)s, &idiom, &order),
              "a fair scheduler is consistent with %s", mu_scheduler_name((enum mu_scheduler)s));
    for (size_t i = 0; i < sizeof starvations / sizeof starvations[0]; i++)
        for (int outcome = MU_FORWARD_STARVED; outcome < MU_FORWARD_OUTCOMES; outcome++)
            for (int s = 0; s < MU_SCHEDULERS; s++) {
                struct mu_forward_progress progress = fair();
                progress.outcomes[starvations[i].idiom][starvations[i].order] =
                    (enum mu_forward_progress_outcome)outcome;
                const bool consistent = mu_forward_progress_consistent(&progress, (enum mu_scheduler)s, &idiom, &order);
                const enum mu_verdict verdict = mu_forward_progress_verdict(&progress, (enum mu_scheduler)s);
                CHECK(verdict == (consistent                    ? MU_CONSISTENT
                                  : outcome == MU_FORWARD_ALONE ? MU_NOT_TESTED
                                                                : MU_INCONSISTENT) &&
                          consistent != starvations[i].refutes[s] &&
                          (consistent || (idiom == starvations[i].idiom && order == starvations[i].order)),
                      "%s (%s) %s: %s", mu_idiom_name(starvations[i].idiom), mu_id_order_name(starvations[i].order),
                      mu_forward_progress_outcome_name((enum mu_forward_progress_outcome)outcome),
                      mu_scheduler_name((enum mu_scheduler)s));
            }
}

static void test_json(void)
{
    struct mu_forward_progress progress = fair(), back;
    struct mu_error err = {0}, damaged = {0}, unknown = {0};
    progress.outcomes[MU_IDIOM_TWO_WAY][MU_IDS_DESCENDING] = MU_FORWARD_STARVED;
    progress.tries[MU_IDIOM_TWO_WAY][MU_IDS_DESCENDING] = 1;
    progress.outcomes[MU_IDIOM_BARRIER_LOBE][MU_IDS_ASCENDING] = MU_FORWARD_ALONE;
    progress.tries[MU_IDIOM_MUTEX][MU_IDS_DESCENDING] = 2;
    json_t *object = mu_forward_progress_to_json(&progress);
    CHECK(mu_forward_progress_from_json(object, &back, &err) == MU_OK && memcmp(&progress, &back, sizeof back) == 0,
          "to JSON and back %s", err.message);
    CHECK(json_array_size(json_object_get(object, "consistent_with")) == 3, "consistent with all but LOBE");
    CHECK(mu_forward_progress_least_tries(&progress) == 2, "the fewest tries of a test that completed");
    json_object_set_new(json_object_get(json_object_get(object, "outcomes"), "mutex"), "ascending",
                        json_string("fine"));
    CHECK(mu_forward_progress_from_json(object, &back, &unknown) == MU_DEVICE, "an unknown outcome: %s",
          unknown.message);
    json_object_del(object, "groups");
    CHECK(mu_forward_progress_from_json(object, &back, &damaged) == MU_DEVICE, "without groups: %s", damaged.message);
    json_decref(object);
}

/* PoCL runs the groups of a worker to their end, one after another, from the lowest id on. */
static void test_pocl(const struct on_device *device)
{
    struct mu_forward_progress progress;
    struct mu_error err = {0};
    if (!CHECK(mu_forward_progress_run(&device->target, &device->info, POLLS, &progress, &err) == MU_OK, "tests run %s",
               err.message))
        return;
    for (int i = 0; i < MU_IDIOMS; i++)
        for (int o = 0; o < MU_ID_ORDERS; o++) {
            const bool any_size = i == MU_IDIOM_BARRIER_TEAM || i == MU_IDIOM_TWO_WAY_TEAM;
            const bool completes = i == MU_IDIOM_MUTEX || (i == MU_IDIOM_ONE_WAY && o == MU_IDS_ASCENDING);
            const enum mu_forward_progress_outcome outcome = progress.outcomes[i][o];
            /* How many groups a roll call finds depends on the load; where roll call lobe finds one, it says nothing.
             */
            const bool right = any_size ? outcome == MU_FORWARD_COMPLETED || outcome == MU_FORWARD_ALONE
                               : i == MU_IDIOM_BARRIER_LOBE
                                   ? outcome == MU_FORWARD_STARVED || outcome == MU_FORWARD_ALONE
                                   : outcome == (completes ? MU_FORWARD_COMPLETED : MU_FORWARD_STARVED);
            CHECK(right, "%s (%s): %s", mu_idiom_name((enum mu_idiom)i), mu_id_order_name((enum mu_id_order)o),
                  mu_forward_progress_outcome_name(outcome));
        }
}

/* Where workers share cores, a wait is starvation after as long a time by the clock, which is fewer polls. */
static void test_spin_limit(void)
{
    const struct mu_selftest selftest = {.poll_ns = 1}, yields = {.poll_ns = 1, .yield = MU_YIELD_SYSCALL};
    struct mu_device_info info = {.cpu = true, .compute_units = 1};
    const uint32_t alone = mu_forward_progress_spin_limit(&info, &selftest);
    CHECK(mu_forward_progress_spin_limit(&info, &yields) == 1u << 27, "a tenth where the core is given away");
    info.compute_units = 1u << 20;
    const double share = mu_device_core_share(&info);
    const uint32_t shared = mu_forward_progress_spin_limit(&info, &selftest);
    CHECK(alone == 1u << 30 && share < 1 && (double)shared >= 1024 && (double)shared <= 1.5e9 * share + 1024,
          "%u polls with a core, %u with %g of one", alone, shared, share);
    info.cpu = false;
    CHECK(mu_device_core_share(&info) == 1 && mu_forward_progress_spin_limit(&info, &selftest) == 1u << 28,
          "other devices have no share of a core");
}

int main(void)
{
    struct on_device device = {0};
    test_models();
    test_json();
    test_spin_limit();
    set_pocl_workers("2");
    if (!open_pocl(&device)) {
        tap_skip("progress on PoCL", "there is no PoCL (Debian package pocl-opencl-icd)");
        return tap_done();
    }
#if defined __x86_64__ || defined __aarch64__
    device.info.yield = MU_YIELD_SYSCALL;
#endif
    if (device.info.compute_units == 2)
        test_pocl(&device);
    else
        tap_skip("progress on two workers", "PoCL cannot be given two worker threads");
    mu_device_close(&device.target);
    return tap_done();
}
