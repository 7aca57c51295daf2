#include "harness/profile_use.h"

#include "base/json.h"
#include "harness/launch_defaults.h"
#include "harness/results.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512], struct mu_error *err)
{
    char path[PATH_MAX], here[MU_PROFILE_TEXT];
    memset(profile, 0, sizeof *profile);
    note[0] = '\0';
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    FILE *file = fopen(path, "r");
    if (file == NULL && errno == ENOENT) return MU_OK;
    if (file == NULL) return mu_fail(err, MU_IO, "%s: cannot open: %s", path, strerror(errno));
    fclose(file);
    if (mu_profile_read(path, profile, err) != MU_OK) return err->status;
    const struct {
        const char *what, *here, *there;
    } compared[] = {{"driver", info->driver, profile->chip_driver},
                    {"platform", info->platform_version, profile->chip_platform},
                    {"device", info->name, profile->chip_device}};
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        mu_profile_set_text(here, compared[i].here);
        if (compared[i].there[0] == '\0' || strcmp(here, compared[i].there) == 0) continue;
        snprintf(note, 512, "%.150s is not used: it is of %s '%.120s', this is '%.120s'; probe again", path,
                 compared[i].what, compared[i].there, here);
        memset(profile, 0, sizeof *profile);
        break;
    }
    return MU_OK;
}

json_t *mu_profile_from(unsigned from_profile)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{MU_FROM_SPIN_LIMIT, "spin_limit"}, {MU_FROM_PATIENCE, "patience"}, {MU_FROM_EXPECTED, "expected"},
                 {MU_FROM_BARRIER, "barrier"},       {MU_FROM_READBACK, "readback"}, {MU_FROM_ROLLCALL, "rollcall"}};
    struct mu_json from = mu_json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((from_profile & names[i].bit) != 0) mu_json_set_text(&from, names[i].name, "profile");
    return mu_json_take(&from, "what came from the profile", NULL);
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

enum mu_rollcall mu_profile_rollcall(const struct mu_profile *profile)
{
    struct mu_error unknown = {0};
    int index = MU_ROLLCALL_ATOMIC;
    if (profile->rollcall_default[0] != '\0')
        mu_choice_find(mu_rollcalls, "rollcall", profile->rollcall_default, &index, &unknown);
    return (enum mu_rollcall)index;
}

/* The roll call, which the profile may name, and refuse. */
static int take_rollcall(const struct mu_profile *profile, const struct mu_device_info *info, struct mu_test *test,
                         struct mu_error *err)
{
    const char *lobe = profile->progress_lobe;
    if (test->rollcall_open && profile->rollcall_default[0] != '\0') {
        test->rollcall = mu_profile_rollcall(profile);
        test->rollcall_open = false;
        test->from_profile |= MU_FROM_ROLLCALL;
    }
    if (test->rollcall != MU_ROLLCALL_LOBE || lobe[0] == '\0') return MU_OK;
    test->lobe_offered = strcmp(lobe, mu_profile_consistencies[0].name) == 0;
    if (test->lobe_offered) return MU_OK;
    return mu_fail(
        err, MU_UNSUPPORTED,
        "device '%s' cannot do --rollcall=lobe: its profile says [progress] lobe = %s: the forward-progress tests "
        "did not pass (muster table progress)",
        info->name, lobe);
}

/* The variants that the profile allows. */
static int check_variant(const struct mu_profile *profile, const struct mu_device_info *info, struct mu_test *test,
                         struct mu_error *err)
{
    int allowed = MU_PROFILE_ALL_VARIANTS;
    if (profile->selftest_variants[0] == '\0') return MU_OK;
    if (mu_choice_find(mu_profile_variants, "variants", profile->selftest_variants, &allowed, err) != MU_OK)
        return err->status;
    test->any_variant = allowed == MU_PROFILE_ALL_VARIANTS;
    if (test->any_variant || (allowed == MU_PROFILE_MULTI_KERNEL_ONLY && test->variant == MU_MULTI_KERNEL))
        return MU_OK;
    return mu_fail(
        err, MU_UNSUPPORTED, "device '%s' cannot do --variant=%s: its profile says [selftest] variants = %s%s",
        info->name, mu_variants[test->variant].name, profile->selftest_variants,
        info->simulator ? ", since it is a simulator, which promises to run workgroups one after the other" : "");
}

int mu_profile_apply(const struct mu_profile *profile, const struct mu_device_info *info, struct mu_test *test,
                     struct mu_error *err)
{
    if (profile->format == 0) return MU_OK;
    if (strcmp(profile->selftest_trust, "refused") == 0)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' is refused by its profile: %s", info->name,
                       profile->selftest_reason);
    if (check_variant(profile, info, test, err) != MU_OK) return err->status;
    take_count(test, MU_FROM_SPIN_LIMIT, profile->selftest_spin_limit, &test->spin_limit);
    if (test->variant != MU_MULTI_KERNEL) {
        take_count(test, MU_FROM_PATIENCE, profile->rollcall_patience, &test->patience);
        take_expected(profile, info, test);
        if (test->barrier == MU_BARRIER_AUTO)
            take_count(test, MU_FROM_BARRIER, profile->barrier_tree_from, &test->barrier_choice.tree_from);
        if (test->variant == MU_PORTABLE) return take_rollcall(profile, info, test, err);
    } else if (test->readback < 0 && profile->launch_readback[0] != '\0') {
        if (mu_choice_find(mu_readbacks, "readback", profile->launch_readback, &test->readback, err) != MU_OK)
            return err->status;
        test->from_profile |= MU_FROM_READBACK;
    }
    return MU_OK;
}
