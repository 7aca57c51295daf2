#include "harness/run/resolve.h"

#include "harness/device/host/profile_use.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/trust/forward_progress.h"
#include "harness/run/refusals.h"
#include "harness/run/strategy.h"

#include <stdio.h>
#include <string.h>

/* ---- Asking ---- */

void mu_ask(struct mu_asked *asked, enum mu_test_option setting, uint64_t number, enum mu_origin from)
{
    asked->options[setting] = (struct mu_value){.from = from, .number = number};
}

void mu_ask_real(struct mu_asked *asked, enum mu_test_option setting, double real, enum mu_origin from)
{
    asked->options[setting] = (struct mu_value){.from = from, .real = real};
}

const char *mu_default_input(const struct mu_app *app)
{
    return app->kind == MU_KIND_MESH ? "mesh:5000" : "road:300";
}

/* ---- What depends on nothing ---- */

void mu_resolve_defaults(const struct mu_asked *asked, struct mu_test *test)
{
    memset(test, 0, sizeof *test);
    test->app = asked->app;
    test->input = asked->input != NULL ? asked->input : mu_default_input(asked->app);
    test->file_hash = asked->file_hash;
    test->kernel_dir = asked->kernel_dir;
    test->output = asked->output;
    for (int i = 0; i < MU_TEST_OPTION_COUNT; i++) {
        struct mu_value value = asked->options[i];
        if (value.from == MU_FROM_NOBODY) value = mu_option_default(&mu_test_options[i]);
        mu_option_put(&mu_test_options[i], &value, &test->options);
        test->from[i] = value.from;
    }
    struct mu_app_setup setup = {.seed = test->seed};
    memcpy(setup.values, asked->app_values, sizeof setup.values);
    mu_app_complete(asked->app, &setup);
    memcpy(test->app_values, setup.values, sizeof setup.values);
}

/* Returns true if nothing but a default has decided the setting. */
static bool is_open(const struct mu_test *test, enum mu_test_option setting)
{
    return test->from[setting] == MU_FROM_NOBODY || test->from[setting] == MU_FROM_DEFAULT;
}

static bool has_fixed_grid(const struct mu_test *test)
{
    return test->variant == MU_MULTI_KERNEL && test->grid == MU_GRID_FIXED;
}

/* ---- The condition ---- */

/* Applies condition first: the first launch of a process is its only sample, whatever a campaign asks of the others. */
static void take_condition(struct mu_test *test)
{
    if (test->condition != MU_FIRST) return;
    mu_test_set(test, MU_TEST_samples, 1, MU_FROM_DEFAULT);
    mu_test_set(test, MU_TEST_min_samples, 0, MU_FROM_DEFAULT);
    mu_test_set(test, MU_TEST_warmup, 0, MU_FROM_DEFAULT);
}

/* ---- The chip's profile ---- */

/* Takes a number from the profile, if it has one and the setting is open. */
static void take(struct mu_test *test, enum mu_test_option setting, uint32_t number)
{
    if (number != 0 && is_open(test, setting)) mu_test_set(test, setting, number, MU_FROM_PROFILE);
}

/* Takes a choice by its name in the same way. */
static int take_choice(struct mu_test *test, enum mu_test_option setting, const char *name, struct mu_error *err)
{
    struct mu_value value;
    if (name[0] == '\0' || !is_open(test, setting)) return MU_OK;
    if (mu_option_parse(&mu_test_options[setting], name, &value, err) == MU_OK)
        mu_test_set(test, setting, value.number, MU_FROM_PROFILE);
    return err->status;
}

static int take_profile(const struct mu_facts *facts, struct mu_test *test, struct mu_error *err)
{
    const struct mu_profile *profile = &facts->profile;
    const uint32_t patience = profile->rollcall_patience, least = mu_least_patience(facts->info);
    const int size = mu_profile_size_index(test->workgroup);
    /* Of a profile that was made without a watchdog, or with a longer one, the bound of waits may be too long. */
    if (facts->info->watchdog_ms == 0 || profile->selftest_spin_limit <= facts->selftest.spin_limit)
        take(test, MU_TEST_spin_limit, profile->selftest_spin_limit);
    if (take_choice(test, MU_TEST_readback, profile->launch_readback, err) != MU_OK) return err->status;
    if (test->variant == MU_MULTI_KERNEL) {
        if (size >= 0 && has_fixed_grid(test)) take(test, MU_TEST_team_limit, profile->expected[size]);
        return MU_OK;
    }
    /* Nothing is known of the team's size then. How long to wait for another group is the chip's: the probe finds it
     * with a kernel of no app. */
    take(test, MU_TEST_patience, patience != 0 && patience < least ? least : patience);
    if (mu_is_blind(test)) return MU_OK;
    if (profile->yield_polls != 0 && (profile->yield_polls & (profile->yield_polls - 1)) != 0)
        return mu_fail(err, MU_USAGE, "the profile of %.60s: yield polls %u is not a power of two", profile->chip_name,
                       profile->yield_polls);
    take(test, MU_TEST_yield_polls, profile->yield_polls);
    /* The expected size of the simple kernel is the most that an app's kernel can reach. */
    if (size >= 0) take(test, MU_TEST_expected, profile->expected[size]);
    if (test->barrier == MU_BARRIER_AUTO) take(test, MU_TEST_tree_from, profile->barrier_tree_from);
    if (!MU_HAS_ROLL_CALL(test->variant)) return MU_OK;
    return take_choice(test, MU_TEST_rollcall, profile->rollcall_default, err);
}

/* ---- The device ---- */

enum mu_atomics mu_resolve_atomics(const struct mu_asked *asked, const struct mu_device_info *info)
{
    const struct mu_value *path = &asked->options[MU_TEST_atomics];
    const struct mu_value *standard = &asked->options[MU_TEST_c_standard];
    if (path->from != MU_FROM_NOBODY) return (enum mu_atomics)path->number;
    const bool old = standard->from != MU_FROM_NOBODY && standard->number == MU_C12;
    return old && info->atomics == MU_ATOMICS_C11 ? MU_ATOMICS_FENCES : info->atomics;
}

/* Decides what is still open as it suits the device. */
static void give(struct mu_test *test, enum mu_test_option setting, uint64_t number)
{
    if (test->from[setting] == MU_FROM_NOBODY) mu_test_set(test, setting, number, MU_FROM_DEVICE);
}

static uint32_t c_standard_of(const struct mu_device_info *info, const struct mu_test *test)
{
    struct mu_error unknown = {0};
    int index = MU_C12;
    if (test->atomics != MU_ATOMICS_FENCES)
        mu_choice_find(mu_c_standards, "cl-std", info->c_standard, &index, &unknown);
    return (uint32_t)index;
}

uint32_t mu_test_groups(const struct mu_device_info *info, uint32_t workgroup, uint32_t team)
{
    return team != MU_AUTO && team != MU_TEAM_BOUND ? team : mu_default_groups(info, workgroup);
}

static void take_device(const struct mu_facts *facts, struct mu_test *test)
{
    const struct mu_device_info *info = facts->info;
    give(test, MU_TEST_c_standard, c_standard_of(info, test));
    give(test, MU_TEST_rollcall, MU_ROLLCALL_ATOMIC);
    give(test, MU_TEST_expected, mu_is_blind(test) ? MU_AUTO : mu_default_expected(info));
    give(test, MU_TEST_patience, mu_default_patience(info));
    if (has_fixed_grid(test) && test->team_limit == MU_AUTO)
        mu_test_set(test, MU_TEST_team_limit, mu_default_grid(info, test->workgroup), MU_FROM_DEVICE);
    give(test, MU_TEST_groups, mu_test_groups(info, test->workgroup, test->team_limit));
    if (test->yield == MU_YIELD_AUTO) mu_test_set(test, MU_TEST_yield, facts->selftest.yield, MU_FROM_DEVICE);
    /* On a CPU a subgroup saves nothing, and PoCL 6 miscompiles some kernels that use them, though its trial works. */
    if (test->from[MU_TEST_subgroups] == MU_FROM_DEFAULT && (test->app->needs & MU_NEEDS_SUBGROUPS) != 0 && !info->cpu)
        mu_test_set(test, MU_TEST_subgroups, facts->selftest.subgroups, MU_FROM_DEVICE);
    if (facts->selftest.spin_limit != 0) give(test, MU_TEST_spin_limit, facts->selftest.spin_limit);
}

/* Launches no more workgroups than are expected with the runtime's own barrier, which waits for all of a launch. */
static void take_native(struct mu_test *test)
{
    if (test->barrier != MU_BARRIER_NATIVE || test->expected == MU_AUTO) return;
    if (test->variant == MU_PORTABLE && test->from[MU_TEST_groups] == MU_FROM_DEVICE && test->team_limit == MU_AUTO)
        mu_test_set(test, MU_TEST_groups, test->expected, test->from[MU_TEST_expected]);
    if (test->variant == MU_SPECIALISED && test->team_limit == MU_AUTO)
        mu_test_set(test, MU_TEST_team_limit, test->expected, test->from[MU_TEST_expected]);
}

/* ---- All together ---- */

int mu_resolve_by(const struct mu_asked *asked, const struct mu_facts *given, struct mu_test *test, bool *untested,
                  struct mu_error *err)
{
    struct mu_asked chosen = *asked;
    struct mu_device_info found = *given->info;
    struct mu_facts known = *given;
    const struct mu_facts *facts = &known;
    found.resident = mu_selftest_resident(given->info, &given->selftest);
    known.info = &found;
    mu_strategy_ask(facts->strategies, &chosen, err);
    mu_resolve_defaults(&chosen, test);
    take_condition(test);
    give(test, MU_TEST_workgroup, mu_default_workgroup(facts->info));
    give(test, MU_TEST_atomics, mu_resolve_atomics(asked, facts->info));
    take_profile(facts, test, err);
    take_device(facts, test);
    take_native(test);
    test->resident = found.resident;
    test->units = given->info->resident;
    test->load_clock = mu_choose_load_clock(facts->info, (enum mu_atomics)test->atomics, (enum mu_yield)test->yield);
    mu_settings_merge(&test->driver, &facts->selftest.settings);
    return mu_refuse(test, facts, untested, err);
}

/* Checks the names, which travel to the child, and into the record, as JSON. */
static int check_names(const struct mu_asked *asked, struct mu_error *err)
{
    const struct {
        const char *option, *name;
    } names[] = {{"input", asked->input}, {"kernel-dir", asked->kernel_dir}, {"output", asked->output}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *text = names[i].name != NULL ? json_string(names[i].name) : json_null();
        if (text == NULL)
            return mu_fail(err, MU_USAGE, "--%s=%s: the name is not UTF-8", names[i].option, names[i].name);
        json_decref(text);
    }
    return MU_OK;
}

/* Loads the device's profile. One that is not used is mentioned once. */
static int find_profile(const struct mu_device_info *info, struct mu_profile *profile, struct mu_error *err)
{
    static bool mentioned;
    char note[512];
    if (mu_profile_find(info, profile, note, err) != MU_OK) return err->status;
    if (note[0] != '\0' && !mentioned) fprintf(stderr, "muster: %s\n", note);
    mentioned = mentioned || note[0] != '\0';
    return MU_OK;
}

int mu_resolve(const struct mu_asked *asked, const struct mu_device_info *info, struct mu_test *test,
               struct mu_error *err)
{
    struct mu_facts facts = {.info = info, .selftest.trust = MU_TRUSTED};
    struct mu_device_info as_used = *info; /* the self-test must speak of the atomics path that will run */
    struct mu_error refused = {0};
    bool untested = false;
    const enum mu_atomics atomics = mu_resolve_atomics(asked, info);
    const struct mu_value *yield = &asked->options[MU_TEST_yield];
    if (info->available[atomics]) as_used.atomics = atomics;
    if (yield->from != MU_FROM_NOBODY && yield->number != MU_YIELD_AUTO) as_used.yield = (int)yield->number;
    const struct mu_value *subgroups = &asked->options[MU_TEST_subgroups];
    if (subgroups->from != MU_FROM_NOBODY) as_used.subgroup_paths &= 1u << subgroups->number | 1u;
    mu_resolve_by(asked, &facts, test, &untested, &refused);
    json_t *strategies = NULL;
    const double deadline_s = test->from[MU_TEST_deadline] == MU_FROM_OPTION ? test->deadline : 0;
    if (check_names(asked, err) == MU_OK &&
        mu_selftest_get(&as_used, test->cache, deadline_s, &facts.selftest, err) == MU_OK &&
        find_profile(info, &facts.profile, err) == MU_OK &&
        mu_strategy_facts(asked, info->chip, &strategies, err) == MU_OK) {
        facts.strategies = strategies;
        mu_resolve_by(asked, &facts, test, &untested, err);
    }
    json_decref(strategies);
    if (err->status != MU_OK || !untested) return err->status;
    as_used.yield = (int)facts.selftest.yield;
    return mu_forward_progress_need_lobe(&as_used, &facts.selftest, test->cache, err);
}
