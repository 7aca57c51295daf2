/* What a resolved test cannot do, by itself or on its chip. */
#include "harness/run/refusals.h"

#include "harness/device/launch_defaults.h"
#include "variants/barriers/vendors.clh"

#include <string.h>

static int refuse_condition(const struct mu_test *test, struct mu_error *err)
{
    const char *name = mu_conditions[test->condition].name;
    if (!mu_condition_applies((enum mu_condition)test->condition, test->variant))
        return mu_fail(err, MU_USAGE, "--condition=%s: %s has no team to find, so it is %s or %s", name,
                       mu_variants[test->variant].name, mu_conditions[MU_WARM].name, mu_conditions[MU_FIRST].name);
    if (mu_is_blind(test) && test->from[MU_TEST_expected] == MU_FROM_OPTION)
        return mu_fail(err, MU_USAGE,
                       "--expected says what is known of the team's size: with --condition=%s nothing is", name);
    return MU_OK;
}

/* Refuses a device that lacks what the app needs, before anything is built. */
static int refuse_app(const struct mu_test *test, const struct mu_facts *facts, struct mu_error *err)
{
    if ((test->app->needs & MU_NEEDS_DOUBLE) == 0 || facts->info->has_double) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do app %s/%s: it has no double precision",
                   facts->info->name, test->app->suite, test->app->name);
}

static int refuse_options(const struct mu_test *test, const struct mu_facts *facts, struct mu_error *err)
{
    const struct mu_device_info *info = facts->info;
    if (!info->available[test->atomics])
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --atomics=%s: %s", info->name,
                       mu_atomics_paths[test->atomics].name, info->atomics_reason);
    if (test->yield > facts->selftest.yield && test->variant != MU_MULTI_KERNEL)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --yield=%s: %s", info->name,
                       mu_yields[test->yield].name, facts->selftest.yield_reason);
    if (test->subgroups != MU_SUBGROUPS_NONE && test->subgroups != facts->selftest.subgroups)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --subgroups=%s: %s", info->name,
                       mu_subgroup_paths[test->subgroups].name, facts->selftest.subgroups_reason);
    if (test->workgroup > info->max_workgroup)
        return mu_fail(err, MU_UNSUPPORTED, "--workgroup=%u: device '%s' has at most %u", test->workgroup, info->name,
                       info->max_workgroup);
    return MU_OK;
}

/* Refuses variants that the profile does not allow; without its word, those that a simulator cannot run. */
static int refuse_variant(const struct mu_test *test, const struct mu_facts *facts, struct mu_error *err)
{
    const struct mu_device_info *info = facts->info;
    const char *variants = facts->profile.selftest_variants;
    int allowed = MU_PROFILE_ALL_VARIANTS;
    if (variants[0] == '\0') {
        if (test->variant == MU_MULTI_KERNEL || !info->simulator) return MU_OK;
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --variant=%s: %s", info->name,
                       mu_variants[test->variant].name, MU_SIMULATOR_REASON);
    }
    if (mu_choice_find(mu_profile_variants, "variants", variants, &allowed, err) != MU_OK) return err->status;
    if (allowed == MU_PROFILE_ALL_VARIANTS ||
        (allowed == MU_PROFILE_MULTI_KERNEL_ONLY && test->variant == MU_MULTI_KERNEL))
        return MU_OK;
    return mu_fail(
        err, MU_UNSUPPORTED, "device '%s' cannot do --variant=%s: its profile says [selftest] variants = %s%s",
        info->name, mu_variants[test->variant].name, variants,
        info->simulator ? ", since it is a simulator, which promises to run workgroups one after the other" : "");
}

/* Refuses a team that the variant or the condition cannot have. */
static int refuse_team(const struct mu_test *test, struct mu_error *err)
{
    const bool specialised = test->variant == MU_SPECIALISED;
    if (test->team_limit == MU_TEAM_BOUND && !specialised)
        return mu_fail(err, MU_USAGE, "--team=bound: only specialised is launched with its bound");
    if (specialised && test->condition == MU_FIRST &&
        (test->team_limit == MU_AUTO || test->team_limit == MU_TEAM_BOUND))
        return mu_fail(
            err, MU_USAGE,
            "--condition=%s: specialised needs a number as --team, since to find its team is to launch before",
            mu_conditions[MU_FIRST].name);
    return MU_OK;
}

/* Refuses the runtime's own barrier where the device has none or the test cannot have it. Nothing of ours bounds its
 * wait. */
static int refuse_native(const struct mu_test *test, const struct mu_device_info *info, struct mu_error *err)
{
    const bool sized = test->variant == MU_SPECIALISED ? test->team_limit != MU_AUTO
                                                       : test->expected != MU_AUTO || test->team_limit != MU_AUTO;
    if (test->barrier != MU_BARRIER_NATIVE || test->variant == MU_MULTI_KERNEL) return MU_OK;
    if (test->variant == MU_COOPERATIVE)
        return mu_fail(err, MU_USAGE, "--barrier=native: cooperative resizes its team at a barrier of its own");
    if (!mu_device_has_barrier(info, MU_BARRIER_NATIVE))
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do --barrier=native: %s", info->name,
                       MU_NO_NATIVE_BARRIER);
    if (mu_is_blind(test))
        return mu_fail(err, MU_USAGE,
                       "--barrier=native waits for all workgroups of a launch: with --condition=%s there are more than "
                       "fit",
                       mu_conditions[test->condition].name);
    if (test->team_limit == MU_TEAM_BOUND)
        return mu_fail(err, MU_USAGE, "--team=bound: with --barrier=native a team that is too large never ends");
    if (sized) return MU_OK;
    return mu_fail(err, MU_USAGE, "--barrier=native: nothing tells how many workgroups can meet: say so by --team");
}

/* Refuses ids that the roll call cannot give. */
static int refuse_ids(const struct mu_test *test, struct mu_error *err)
{
    const char *rollcall = mu_rollcalls[test->rollcall].name;
    if (!MU_HAS_ROLL_CALL(test->variant)) return MU_OK;
    if (test->ids == MU_IDS_REMAPPED && test->rollcall == MU_ROLLCALL_LOBE)
        return mu_fail(err, MU_USAGE, "--ids=remapped: roll call %s keeps native ids", rollcall);
    if (test->ids != MU_IDS_NATIVE || test->rollcall == MU_ROLLCALL_LOBE) return MU_OK;
    if (test->rollcall != MU_ROLLCALL_ATOMIC)
        return mu_fail(err, MU_USAGE, "--ids=native: roll call %s numbers workgroups as they arrive", rollcall);
    if (mu_is_blind(test))
        return mu_fail(err, MU_USAGE,
                       "--ids=native: a roll call that closes by patience (--condition=%s) cannot tell "
                       "whether its team is the first groups",
                       mu_conditions[test->condition].name);
    return MU_OK;
}

/* Refuses roll call lobe unless it is safe. What the profile says of it holds for the device's usual atomics. */
static int refuse_lobe(const struct mu_test *test, const struct mu_facts *facts, bool *untested, struct mu_error *err)
{
    const char *lobe = facts->profile.progress_lobe;
    const bool offered = strcmp(lobe, mu_profile_consistencies[0].name) == 0;
    *untested = false;
    if (!MU_HAS_ROLL_CALL(test->variant) || test->rollcall != MU_ROLLCALL_LOBE) return MU_OK;
    *untested = !offered || test->atomics != facts->info->atomics;
    if (offered || lobe[0] == '\0') return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED,
                   "device '%s' cannot do --rollcall=lobe: its profile says [progress] lobe = %s: the progress tests "
                   "did not pass (muster table progress)",
                   facts->info->name, lobe);
}

/* Launches of single steps need no barrier between workgroups. */
static int refuse_device(const struct mu_test *test, const struct mu_facts *facts, struct mu_error *err)
{
    const bool steps = test->variant == MU_MULTI_KERNEL && facts->selftest.steps;
    if (steps) return MU_OK;
    if (facts->selftest.trust == MU_REFUSED)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", facts->info->name,
                       facts->selftest.reason);
    if (strcmp(facts->profile.selftest_trust, "refused") == 0)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' is refused by its profile: %s", facts->info->name,
                       facts->profile.selftest_reason);
    return MU_OK;
}

int mu_refuse(const struct mu_test *test, const struct mu_facts *facts, bool *untested, struct mu_error *err)
{
    *untested = false;
    if (refuse_condition(test, err) == MU_OK && refuse_device(test, facts, err) == MU_OK &&
        refuse_app(test, facts, err) == MU_OK && refuse_variant(test, facts, err) == MU_OK &&
        refuse_team(test, err) == MU_OK && refuse_native(test, facts->info, err) == MU_OK &&
        refuse_ids(test, err) == MU_OK && refuse_options(test, facts, err) == MU_OK)
        refuse_lobe(test, facts, untested, err);
    return err->status;
}
