/* records/profile: what is written is read again; every kind of damage is an error with file and line; a profile of
 * another driver is not used. */
#include "harness/run/profile_use.h"

#include "harness/run/resolve.h"
#include "tests/tap.h"
#include "variants/launch/execution.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-profile-XXXXXX";
static char path[256];

static void put(const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(text, 1, bytes, file) != bytes || fclose(file) != 0) perror(path);
}

static int read_text(const char *text, struct mu_profile *profile, struct mu_error *err)
{
    memset(err, 0, sizeof *err);
    put(text, strlen(text));
    return mu_profile_read(path, profile, err);
}

/* Fills every key with a value of its own. */
static void fill(struct mu_profile *profile)
{
    uint32_t number = 1;
    memset(profile, 0, sizeof *profile);
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++) {
        char *place = (char *)profile + key->offset, text[64];
        const size_t count = key->kind == MU_PROFILE_IS_SIZES ? MU_PROFILE_SIZES : 1;
        const double real = 0.5 + number;
        snprintf(text, sizeof text, "text %u of a profile", number);
        if (key->kind == MU_PROFILE_IS_TEXT) mu_profile_set_text(place, text);
        if (key->kind == MU_PROFILE_IS_CHOICE) mu_profile_set_text(place, key->choices[0].name);
        if (key->kind == MU_PROFILE_IS_NUMBER) memcpy(place, &real, sizeof real);
        if (key->kind == MU_PROFILE_IS_COUNT || key->kind == MU_PROFILE_IS_SIZES)
            for (size_t i = 0; i < count; i++, number++) memcpy(place + i * sizeof number, &number, sizeof number);
        number++;
    }
    profile->format = MU_PROFILE_FORMAT;
}

static void test_round_trip(void)
{
    struct mu_error err = {0};
    struct mu_profile written, read;
    fill(&written);
    CHECK(mu_profile_write(path, &written, &err) == MU_OK && mu_profile_read(path, &read, &err) == MU_OK,
          "a profile with every key is written and read: %s", err.message);
    CHECK(memcmp(&written, &read, sizeof read) == 0, "and is the same");
    memset(&written, 0, sizeof written);
    written.format = MU_PROFILE_FORMAT;
    CHECK(mu_profile_write(path, &written, &err) == MU_OK && mu_profile_read(path, &read, &err) == MU_OK &&
              memcmp(&written, &read, sizeof read) == 0,
          "one without any, too");
    char text[3 * MU_PROFILE_TEXT];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    memcpy(text, " a\nb; c\t#", 9);
    mu_profile_set_text(written.selftest_reason, text);
    CHECK(mu_profile_write(path, &written, &err) == MU_OK && mu_profile_read(path, &read, &err) == MU_OK &&
              strcmp(written.selftest_reason, read.selftest_reason) == 0 &&
              strncmp(read.selftest_reason, "a b, c #xxx", 11) == 0 &&
              strlen(read.selftest_reason) == MU_PROFILE_TEXT - 1,
          "a long text with line breaks and semicolons is tamed");
    memset(text, 0xc3, (size_t)2 * MU_PROFILE_TEXT);
    for (size_t i = 1; i < (size_t)2 * MU_PROFILE_TEXT; i += 2) text[i] = (char)0xa9;
    mu_profile_set_text(written.selftest_reason, text);
    CHECK(strlen(written.selftest_reason) % 2 == 0, "no character is cut in half");
}

static void test_good(void)
{
    struct mu_error err;
    struct mu_profile profile;
    CHECK(read_text("# a comment\n; another\n\n[profile]\nformat=1\n[rollcall]\n  \npatience : 20 ; why\n[expected]\n"
                    "workgroup_1024 = 264\r\n",
                    &profile, &err) == MU_OK &&
              profile.rollcall_patience == 20 && profile.expected[10] == 264,
          "comments, blanks, a colon, a carriage return: %s", err.message);
}

static void test_bad(void)
{
    static const struct {
        const char *what, *text, *line;
    } cases[] = {
        {"an empty file", "", ":0: [profile] format is 0"},
        {"no format", "[chip]\nname = a\n", ":2: [profile] format is 0"},
        {"a later format", "[profile]\nformat = 2\n", ":2: [profile] format is 2"},
        {"an unknown section", "[profile]\nformat = 1\n[nonsense]\na = 1\n", ":4: no such key: [nonsense] a"},
        {"an unknown key", "[profile]\nformat = 1\n\n[chip]\nnonsense = 1\n", ":5: no such key: [chip] nonsense"},
        {"a key of no section", "format = 1\n", ":1: no such key: [] format"},
        {"a key of another section", "[chip]\npatience = 1\n", ":2: no such key: [chip] patience"},
        {"a workgroup of 33", "[expected]\nworkgroup_33 = 1\n", ":2: no such key: [expected] workgroup_33"},
        {"a workgroup of 8192", "[expected]\nworkgroup_8192 = 1\n", ":2: no such key"},
        {"a workgroup without a size", "[expected]\nworkgroup = 1\n", ":2: no such key"},
        {"a key twice", "[profile]\nformat = 1\nformat = 1\n", ":3: the key is there twice: [profile] format"},
        {"a size twice", "[bound]\nworkgroup_1 = 1\nworkgroup_2 = 1\nworkgroup_1 = 2\n", ":4: the key is there twice"},
        {"a count with a sign", "[rollcall]\npatience = -1\n", ":2: not a whole number below 2^32: -1"},
        {"a count with a unit", "[rollcall]\npatience = 20 reads\n", ":2: not a whole number below 2^32: 20 reads"},
        {"a count with a point", "[rollcall]\npatience = 2.0\n", ":2: not a whole number below 2^32: 2.0"},
        {"a count too large", "[rollcall]\npatience = 4294967296\n", ":2: not a whole number below 2^32"},
        {"a count far too large", "[rollcall]\npatience = 99999999999999999999999\n", ":2: not a whole number"},
        {"an empty count", "[rollcall]\npatience =\n", ":2: not a whole number below 2^32"},
        {"a number that is none", "[selftest]\npoll_ns = fast\n", ":2: not a number, or negative: fast"},
        {"a negative number", "[selftest]\npoll_ns = -1\n", ":2: not a number, or negative"},
        {"infinity", "[selftest]\npoll_ns = inf\n", ":2: not a number, or negative"},
        {"not a number", "[selftest]\npoll_ns = nan\n", ":2: not a number, or negative"},
        {"an unknown choice", "[selftest]\ntrust = maybe\n",
         ":2: trust=maybe: no such choice; there are: trusted, alone, refused"},
        {"an unknown roll call", "[profile]\nformat = 1\n[rollcall]\ndefault = fast\n",
         ":4: default=fast: no such choice; there are: atomic, ticket, spin, "},
        {"unknown variants", "[selftest]\nvariants = few\n",
         ":2: variants=few: no such choice; there are: all, multi-kernel only, none"},
        {"an unknown read-back", "[launch]\nreadback = slow\n",
         ":2: readback=slow: no such choice; there are: blocking, "},
        {"no key", "[profile]\nformat = 1\nnonsense\n", ":3: neither \"[section]\" nor \"key = value\""},
        {"an open section", "[profile\nformat = 1\n", ":1: neither"},
        {"a continued line", "[chip]\nname = a\n b\n", ":3: a line begins with a blank"},
        {"an indented key", "[profile]\n format = 1\n", ":2: a line begins with a blank"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mu_error err;
        struct mu_profile profile;
        char where[512];
        snprintf(where, sizeof where, "%s%s", path, cases[i].line);
        const int status = read_text(cases[i].text, &profile, &err);
        CHECK(status == MU_INPUT && strncmp(err.message, where, strlen(where)) == 0, "%s: %s", cases[i].what,
              err.message);
    }
}

static void test_worse(void)
{
    struct mu_error err = {0};
    struct mu_profile profile;
    char text[1000] = "[chip]\nname = ";
    memset(text + strlen(text), 'x', 900);
    CHECK(read_text(text, &profile, &err) == MU_INPUT && strstr(err.message, ":2: the line is too long") != NULL,
          "a long line: %s", err.message);
    text[14 + 170] = '\n';
    text[14 + 171] = '\0';
    CHECK(read_text(text, &profile, &err) == MU_INPUT && strstr(err.message, ":2: the value is too long") != NULL,
          "a long value: %.100s", err.message);
    static const char zero[] = "[profile]\nformat = 1\0 or 2\nformat = 1\n";
    memset(&err, 0, sizeof err);
    put(zero, sizeof zero - 1);
    CHECK(mu_profile_read(path, &profile, &err) == MU_INPUT && strstr(err.message, ":2: the line holds a zero byte"),
          "a zero byte: %s", err.message);
    memset(&err, 0, sizeof err);
    unlink(path);
    CHECK(mu_profile_read(path, &profile, &err) == MU_IO && strstr(err.message, path) != NULL, "no file: %s",
          err.message);
}

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
              !is_from_profile(&test, MU_TEST_readback) && !is_from_profile(&test, MU_TEST_workgroup),
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
    fill(&full);
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

/* doc/profile.md holds the table that the keys make, as it stands. */
static void test_doc(void)
{
    const char *source = getenv("srcdir");
    char name[4096], *table = NULL, *text = NULL;
    size_t bytes = 0, room = 0;
    FILE *printed = open_memstream(&table, &bytes);
    if (printed == NULL) return;
    mu_profile_print_keys(printed);
    fclose(printed);
    snprintf(name, sizeof name, "%s/doc/profile.md", source != NULL ? source : ".");
    FILE *file = fopen(name, "r");
    if (file == NULL || getdelim(&text, &room, '\0', file) < 0) text = NULL;
    if (file != NULL) fclose(file);
    CHECK(text != NULL && strstr(text, table) != NULL, "doc/profile.md has the table of `muster probe --keys`");
    free(table);
    free(text);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) return 99;
    snprintf(path, sizeof path, "%s/profile.ini", folder);
    test_round_trip();
    test_good();
    test_bad();
    test_worse();
    test_use();
    test_nameless();
    test_rollcall();
    test_variants();
    test_keys_for_the_reader();
    test_other_driver();
    test_doc();
    rmdir(folder);
    return tap_done();
}
