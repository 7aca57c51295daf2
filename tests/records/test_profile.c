/* records/profile: what is written is read again; every kind of damage is an error with file and line. */
#include "records/profile.h"

#include "tests/records/full_profile.h"
#include "tests/tap.h"

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

static void test_round_trip(void)
{
    struct mu_error err = {0};
    struct mu_profile written, read;
    fill_profile(&written);
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
        {"more workgroups than there can be", "[expected]\nworkgroup_256 = 4294967295\n",
         ":2: more workgroups than a launch can have: 4294967295"},
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
    memset(&err, 0, sizeof err);
    CHECK(mkfifo(path, 0600) == 0 && mu_profile_read(path, &profile, &err) == MU_IO &&
              strstr(err.message, "not a regular file") != NULL,
          "a pipe, for whose writer it does not wait: %s", err.message);
    unlink(path);
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
    test_doc();
    rmdir(folder);
    return tap_done();
}
