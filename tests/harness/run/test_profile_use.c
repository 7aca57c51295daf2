/* harness/device/host/profile_use and harness/run/resolve: what a chip's profile decides of a test, and that the
 * profile of another driver or device decides nothing. */
#include "harness/device/host/profile_use.h"

#include "harness/run/resolve.h"
#include "tests/records/full_profile.h"
#include "tests/tap.h"
#include "variants/launch/execution.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-profile-XXXXXX";

/* A device, and the profile of it that a probe would leave. */
static void make_chip(struct mu_device_info *info, struct mu_profile *profile)
{
    struct mu_error err = {0};
    char chip[300];
    memset(info, 0, sizeof *info);
    strcpy(info->chip, "chip-1");
    strcpy(info->name, "A device; with a semicolon ");
    strcpy(info->driver, "535.1");
    strcpy(info->platform_version, "OpenCL 3.0");
    info->max_workgroup = 1024;
    info->available[MU_ATOMICS_C11] = true;
    memset(profile, 0, sizeof *profile);
    profile->format = MU_PROFILE_FORMAT;
    mu_profile_set_text(profile->chip_device, info->name);
    mu_profile_set_text(profile->chip_driver, info->driver);
    mu_profile_set_text(profile->chip_platform, info->platform_version);
    mu_profile_set_text(profile->selftest_trust, "trusted");
    mu_profile_set_text(profile->launch_readback, "word");
    profile->rollcall_patience = 80;
    profile->selftest_spin_limit = 1000;
    profile->expected[7] = 2112;
    profile->barrier_tree_from = 528;
    snprintf(chip, sizeof chip, "%s/chip-1", folder);
    mkdir(chip, 0777);
    snprintf(chip, sizeof chip, "%s/chip-1/%s", folder, MU_PROFILE_FILE);
    CHECK(mu_profile_write(chip, profile, &err) == MU_OK, "a chip's profile is written: %s", err.message);
}

/* A profile that does not say what it is of might be of anything. */
static void test_nameless(void)
{
    static const char *const lacking[] = {"device", "driver", "platform"};
    for (int i = 0; i < 3; i++) {
        struct mu_device_info info;
        struct mu_profile made, profile;
        struct mu_error err = {0};
        char note[512], chip[300];
        make_chip(&info, &made);
        char *const members[] = {made.chip_device, made.chip_driver, made.chip_platform};
        members[i][0] = '\0';
        snprintf(chip, sizeof chip, "%s/chip-1/%s", folder, MU_PROFILE_FILE);
        CHECK(mu_profile_write(chip, &made, &err) == MU_OK && mu_profile_find(&info, &profile, note, &err) == MU_OK &&
                  profile.format == 0 && strstr(note, "does not say of which") != NULL &&
                  strstr(note, lacking[i]) != NULL,
              "a profile without its %s is not used: %s", lacking[i], note);
    }
}

/* Resolves what is asked of the app that comes first, on a device that is trusted. */
static int resolve(const struct mu_asked *asked, const struct mu_device_info *info, const struct mu_profile *profile,
                   struct mu_test *test, struct mu_error *err)
{
    bool untested;
    const struct mu_facts facts = {
        .info = info, .profile = *profile, .selftest = {.trust = MU_TRUSTED, .spin_limit = 1u << 20}};
    memset(err, 0, sizeof *err);
    return mu_resolve_by(asked, &facts, test, &untested, err);
}

static bool is_from_profile(const struct mu_test *test, enum mu_test_option setting)
{
    return test->from[setting] == MU_FROM_PROFILE;
}

static struct mu_asked ask_nothing(void)
{
    return (struct mu_asked){.app = mu_apps[0]};
}

static void test_use(void)
{
    struct mu_device_info info;
    struct mu_profile made, profile;
    struct mu_error err = {0};
    struct mu_test test;
    struct mu_asked asked = ask_nothing();
    char note[512];
    setenv("MUSTER_RESULTS", folder, 1);
    make_chip(&info, &made);
    CHECK(mu_profile_find(&info, &profile, note, &err) == MU_OK && note[0] == '\0' &&
              memcmp(&profile, &made, sizeof made) == 0,
          "the chip's profile is found: %s%s", err.message, note);
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK && test.patience == 80 && test.spin_limit == 1000 &&
              test.expected == 2112 && test.tree_from == 528,
          "it decides what a portable test leaves open: %s", err.message);
    CHECK(is_from_profile(&test, MU_TEST_patience) && is_from_profile(&test, MU_TEST_tree_from) &&
              is_from_profile(&test, MU_TEST_expected) && is_from_profile(&test, MU_TEST_spin_limit) &&
              is_from_profile(&test, MU_TEST_readback) && test.readback == MU_READBACK_WORD &&
              !is_from_profile(&test, MU_TEST_workgroup),
          "and the test knows what came from it");
    mu_ask(&asked, MU_TEST_patience, 5, MU_FROM_OPTION);
    mu_ask(&asked, MU_TEST_expected, 7, MU_FROM_OPTION);
    mu_ask(&asked, MU_TEST_spin_limit, 9, MU_FROM_OPTION);
    mu_ask(&asked, MU_TEST_barrier, MU_BARRIER_XF, MU_FROM_OPTION);
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK && test.patience == 5 && test.expected == 7 &&
              test.spin_limit == 9 && test.tree_from == 1536 && test.from[MU_TEST_patience] == MU_FROM_OPTION &&
              !is_from_profile(&test, MU_TEST_expected),
          "options win");
    asked = ask_nothing();
    mu_ask(&asked, MU_TEST_variant, MU_MULTI_KERNEL, MU_FROM_OPTION);
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK && test.readback == MU_READBACK_WORD &&
              !is_from_profile(&test, MU_TEST_patience) && is_from_profile(&test, MU_TEST_readback),
          "multi-kernel takes the read-back");
    strcpy(profile.selftest_trust, "refused");
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_UNSUPPORTED, "a refused device stays refused");
}

/* The roll call: the profile's where nobody names one; lobe as the profile's forward-progress tests say. */
static void test_rollcall(void)
{
    const struct mu_device_info info = {.max_workgroup = 1024, .available = {true, true, true}};
    struct mu_profile profile = {.format = MU_PROFILE_FORMAT};
    struct mu_facts facts = {.info = &info, .selftest = {.trust = MU_TRUSTED, .spin_limit = 1}};
    struct mu_asked asked = ask_nothing();
    struct mu_error err = {0};
    struct mu_test test;
    bool untested = true;
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK && test.rollcall == MU_ROLLCALL_ATOMIC,
          "atomic where the profile names no roll call: %s", err.message);
    strcpy(profile.rollcall_default, "ticket");
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK && test.rollcall == MU_ROLLCALL_TICKET &&
              is_from_profile(&test, MU_TEST_rollcall),
          "the profile's roll call: %s", err.message);
    mu_ask(&asked, MU_TEST_rollcall, MU_ROLLCALL_ATOMIC, MU_FROM_OPTION);
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK && test.rollcall == MU_ROLLCALL_ATOMIC &&
              !is_from_profile(&test, MU_TEST_rollcall),
          "an option wins");
    mu_ask(&asked, MU_TEST_rollcall, MU_ROLLCALL_LOBE, MU_FROM_OPTION);
    CHECK(mu_resolve_by(&asked, &facts, &test, &untested, &err) == MU_OK && untested,
          "lobe where the profile says nothing of it: to be tested");
    strcpy(facts.profile.progress_lobe, "consistent");
    CHECK(mu_resolve_by(&asked, &facts, &test, &untested, &err) == MU_OK && !untested, "lobe is offered");
    mu_ask(&asked, MU_TEST_atomics, MU_ATOMICS_FENCES, MU_FROM_OPTION);
    CHECK(mu_resolve_by(&asked, &facts, &test, &untested, &err) == MU_OK && untested,
          "with other atomics than the profile's it is to be tested");
    strcpy(profile.progress_lobe, "inconsistent");
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_UNSUPPORTED &&
              strstr(err.message, "--rollcall=lobe: its profile says [progress] lobe = inconsistent") != NULL,
          "lobe is refused: %s", err.message);
    mu_ask(&asked, MU_TEST_variant, MU_SPECIALISED, MU_FROM_OPTION);
    CHECK(resolve(&asked, &info, &profile, &test, &err) == MU_OK, "but not where no roll call runs");
}

/* Which variants the profile allows; without its word, a simulator's multi-kernel only. */
static void test_variants(void)
{
    struct mu_device_info info = {.max_workgroup = 1024, .available = {true, true, true}};
    struct mu_profile profile = {.format = MU_PROFILE_FORMAT};
    struct mu_asked asked = ask_nothing();
    struct mu_error err;
    struct mu_test test;
    for (int allowed = MU_PROFILE_ALL_VARIANTS; allowed <= MU_PROFILE_NO_VARIANT; allowed++)
        for (unsigned variant = 0; mu_variants[variant].name != NULL; variant++) {
            mu_ask(&asked, MU_TEST_variant, variant, MU_FROM_OPTION);
            snprintf(profile.selftest_variants, sizeof profile.selftest_variants, "%s",
                     mu_profile_variants[allowed].name);
            info.simulator = allowed == MU_PROFILE_ALL_VARIANTS; /* the profile knows better */
            const bool runs = allowed == MU_PROFILE_ALL_VARIANTS ||
                              (allowed == MU_PROFILE_MULTI_KERNEL_ONLY && variant == MU_MULTI_KERNEL);
            CHECK(resolve(&asked, &info, &profile, &test, &err) == (runs ? MU_OK : MU_UNSUPPORTED),
                  "variants = %s, %s: %s", profile.selftest_variants, mu_variants[variant].name, err.message);
        }
    profile.selftest_variants[0] = '\0';
    info.simulator = true;
    for (unsigned variant = 0; mu_variants[variant].name != NULL; variant++) {
        mu_ask(&asked, MU_TEST_variant, variant, MU_FROM_OPTION);
        CHECK(resolve(&asked, &info, &profile, &test, &err) == (variant == MU_MULTI_KERNEL ? MU_OK : MU_UNSUPPORTED),
              "a simulator, %s: %s", mu_variants[variant].name, err.message);
    }
}

/* Keys for the reader change nothing of a test. */
static void test_keys_for_the_reader(void)
{
    const struct mu_device_info info = {.max_workgroup = 1024, .available = {true, true, true}};
    const struct mu_profile none = {0};
    struct mu_profile full, profile;
    struct mu_error err = {0};
    size_t used = 0;
    fill_profile(&full);
    memset(&profile, 0, sizeof profile);
    profile.format = MU_PROFILE_FORMAT;
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++) {
        const size_t bytes = key->kind == MU_PROFILE_IS_NUMBER  ? sizeof(double)
                             : key->kind == MU_PROFILE_IS_COUNT ? sizeof(uint32_t)
                             : key->kind == MU_PROFILE_IS_SIZES ? MU_PROFILE_SIZES * sizeof(uint32_t)
                                                                : MU_PROFILE_TEXT;
        used += key->otherwise[0] != '\0';
        if (key->otherwise[0] == '\0') memcpy((char *)&profile + key->offset, (const char *)&full + key->offset, bytes);
    }
    for (unsigned variant = 0; mu_variants[variant].name != NULL; variant++) {
        struct mu_asked asked = ask_nothing();
        struct mu_test before, test;
        mu_ask(&asked, MU_TEST_variant, variant, MU_FROM_OPTION);
        CHECK(resolve(&asked, &info, &none, &before, &err) == MU_OK &&
                  resolve(&asked, &info, &profile, &test, &err) == MU_OK && memcmp(&before, &test, sizeof test) == 0,
              "keys for the reader change nothing of %s", mu_variants[variant].name);
    }
    CHECK(used > 0 && profile.predict_rounds > 0 && profile.barrier_tree_from == 0, "%zu keys are not for the reader",
          used);
}

static void test_other_driver(void)
{
    struct mu_device_info info;
    struct mu_profile profile, zeros;
    char note[512];
    memset(&zeros, 0, sizeof zeros);
    struct mu_profile made;
    make_chip(&info, &made);
    char *const places[] = {info.driver, info.platform_version, info.name};
    const char *const names[] = {"driver", "platform", "device"};
    for (int i = 0; i < 3; i++) {
        struct mu_error err = {0};
        const char last = places[i][2];
        places[i][2] = '!';
        CHECK(mu_profile_find(&info, &profile, note, &err) == MU_OK && strstr(note, "is not used") != NULL &&
                  strstr(note, names[i]) != NULL && memcmp(&profile, &zeros, sizeof zeros) == 0,
              "another %s: %s", names[i], note);
        places[i][2] = last;
    }
    struct mu_error err = {0};
    info.resident = 3;
    CHECK(mu_profile_find(&info, &profile, note, &err) == MU_OK && profile.format == 0 &&
              strstr(note, "is not used") != NULL,
          "a profile of the units that the device tells is not used where a user says other ones: %s", note);
    info.resident = 0;
    strcpy(info.chip, "chip-2");
    CHECK(mu_profile_find(&info, &profile, note, &err) == MU_OK && note[0] == '\0' &&
              memcmp(&profile, &zeros, sizeof zeros) == 0,
          "a chip without a profile");
    strcpy(info.chip, "chip-1");
    char chip[300];
    snprintf(chip, sizeof chip, "%s/chip-1/%s", folder, MU_PROFILE_FILE);
    FILE *file = fopen(chip, "a");
    if (file != NULL) {
        fputs("nonsense\n", file);
        fclose(file);
    }
    CHECK(mu_profile_find(&info, &profile, note, &err) == MU_INPUT, "a damaged profile is an error: %s", err.message);
    unlink(chip);
    snprintf(chip, sizeof chip, "%s/chip-1", folder);
    rmdir(chip);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) return 99;
    test_use();
    test_nameless();
    test_rollcall();
    test_variants();
    test_keys_for_the_reader();
    test_other_driver();
    rmdir(folder);
    return tap_done();
}
