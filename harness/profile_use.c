/* What a test takes from the chip's profile where the user left it open. */
#include "harness/profile.h"
#include "harness/test.h"

#include <string.h>

json_t *mu_profile_from(unsigned from_profile)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{MU_FROM_SPIN_LIMIT, "spin_limit"},
                 {MU_FROM_PATIENCE, "patience"},
                 {MU_FROM_EXPECTED, "expected"},
                 {MU_FROM_BARRIER, "barrier"},
                 {MU_FROM_READBACK, "readback"}};
    json_t *from = from_profile != 0 ? json_object() : NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((from_profile & names[i].bit) != 0) json_object_set_new(from, names[i].name, json_string("profile"));
    return from;
}

/* Takes value into *place, if the user named none and the profile knows one. */
static void take_count(struct mu_test *test, unsigned bit, uint32_t value, uint32_t *place)
{
    if (*place != 0 || value == 0) return;
    *place = value;
    test->from_profile |= bit;
}

/* The expected size of the simple kernel is the most that an app's kernel can reach: a hint, which the first roll calls
 * of a run correct. */
static void take_expected(const struct mu_profile *profile, const struct mu_device_info *info, struct mu_test *test)
{
    const int size = mu_profile_size_index(test->workgroup != 0 ? test->workgroup : mu_default_workgroup(info));
    if (test->expected != 0 || size < 0 || profile->expected[size] == 0) return;
    take_count(test, MU_FROM_EXPECTED, profile->expected[size], &test->expected);
    test->expected_is_hint = true;
}

int mu_profile_apply(const struct mu_profile *profile, const struct mu_device_info *info, struct mu_test *test,
                     struct mu_error *err)
{
    if (profile->format == 0) return MU_OK;
    if (strcmp(profile->selftest_trust, "refused") == 0)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' is refused by its profile: %s", info->name,
                       profile->selftest_reason);
    take_count(test, MU_FROM_SPIN_LIMIT, profile->selftest_spin_limit, &test->spin_limit);
    if (test->variant != MU_MULTI_KERNEL) {
        take_count(test, MU_FROM_PATIENCE, profile->rollcall_patience, &test->patience);
        take_expected(profile, info, test);
        if (test->barrier == MU_BARRIER_AUTO)
            take_count(test, MU_FROM_BARRIER, profile->barrier_tree_from, &test->barrier_choice.tree_from);
    } else if (test->readback < 0 && profile->launch_readback[0] != '\0') {
        if (mu_choice_find(mu_readbacks, "readback", profile->launch_readback, &test->readback, err) != MU_OK)
            return err->status;
        test->from_profile |= MU_FROM_READBACK;
    }
    return MU_OK;
}
