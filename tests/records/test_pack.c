/* records/packs: what is packed comes back, and nothing in a pack is believed. */
#include "base/hash.h"
#include "base/memory.h"
#include "records/packs/pack.h"
#include "records/packs/strip.h"

#include "tests/tap.h"

#include <unistd.h>

static char folder[] = "/tmp/muster-pack-XXXXXX";
static char path[64];

#define DEVICE "{\"vendor\":\"V\",\"name\":\"N\",\"platform\":\"P\",\"compute_units\":3}"
#define RECORD "{\"schema\":4,\"kind\":\"probe\",\"chip\":\"c-3\",\"device\":" DEVICE ",\"key\":\"k\"}\n"

static void write_text(const char *text, size_t bytes)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    if (fwrite(text, 1, bytes, file) != bytes) printf("# cannot write %s\n", path);
    fclose(file);
}

static int read_pack(struct mu_error *err)
{
    struct mu_pack pack = {.set_count = 0};
    *err = (struct mu_error){0};
    const int status = mu_pack_read(path, &pack, err);
    mu_pack_release(&pack);
    return status;
}

/* ---- What is right ---- */

static void test_round_trip(void)
{
    struct mu_error err = {0};
    struct mu_pack pack = {.chip = "c-3"}, again = {.set_count = 0};
    json_t *record = json_loads(RECORD, 0, NULL);
    pack.device = mu_pack_identity(record, &err);
    pack.profile = mu_strdup("[chip]\n", &err);
    for (int i = 0; i < 3; i++) {
        json_object_set_new(record, "key", json_integer(i));
        mu_pack_add(&pack, i < 2 ? "probe" : "smoke.0", record, &err);
    }
    mu_pack_write(&pack, path, &err);
    CHECK(mu_pack_read(path, &again, &err) == MU_OK, "a pack is read: %s", err.message);
    CHECK(again.set_count == 2 && again.sets[0].records == 2 && again.sets[1].records == 1 &&
              strcmp(again.sets[1].name, "smoke.0") == 0 && again.sets[0].bytes == pack.sets[0].bytes &&
              memcmp(again.sets[0].text, pack.sets[0].text, pack.sets[0].bytes) == 0,
          "with its sets and their records");
    CHECK(strcmp(again.chip, "c-3") == 0 && json_equal(again.device, pack.device) && again.readme == NULL &&
              again.profile != NULL && strcmp(again.profile, "[chip]\n") == 0,
          "its chip and its texts");
    mu_pack_release(&pack);
    mu_pack_release(&again);
    json_decref(record);
}

/* ---- What is wrong ---- */

/* A pack of one record but for what is said. */
static const struct {
    const char *what;
    const char *member, *value; /* of the first line, as JSON; value NULL: without the member */
    const char *records;        /* NULL: the one */
    const char *told;           /* a part of the message */
} wrong[] = {
    {"of another kind", "kind", "\"measure\"", NULL, "no pack"},
    {"of another format", "pack", "2", NULL, "format"},
    {"without a format", "pack", NULL, NULL, "format"},
    {"of another schema", "schema", "5", NULL, "newer"},
    {"without a schema", "schema", NULL, NULL, "no schema"},
    {"of a chip up the path", "chip", "\"../c-3\"", NULL, "plain word"},
    {"of a chip in a folder", "chip", "\"a/c-3\"", NULL, "plain word"},
    {"of a hidden chip", "chip", "\".git\"", NULL, "plain word"},
    {"of a chip without a name", "chip", NULL, NULL, "plain word"},
    {"without a device", "device", NULL, NULL, "device"},
    {"of a device without units", "device", "{\"vendor\":\"V\",\"name\":\"N\",\"platform\":\"P\"}", NULL, "device"},
    {"of another device", "device", "{\"vendor\":\"W\",\"name\":\"N\",\"platform\":\"P\",\"compute_units\":3}", NULL,
     "another device"},
    {"of a set up the path", "sets", "[{\"name\":\"../../x\",\"records\":1}]", NULL, "plain word"},
    {"of a set at the root", "sets", "[{\"name\":\"/etc/x\",\"records\":1}]", NULL, "plain word"},
    {"of a set in a folder", "sets", "[{\"name\":\"a/b\",\"records\":1}]", NULL, "plain word"},
    {"of a hidden set", "sets", "[{\"name\":\".x\",\"records\":1}]", NULL, "plain word"},
    {"of a set of less than nothing", "sets", "[{\"name\":\"x\",\"records\":-1}]", NULL, "number of records"},
    {"of two sets of one name", "sets", "[{\"name\":\"x\",\"records\":1},{\"name\":\"x\",\"records\":1}]", NULL,
     "one name"},
    {"of no set", "sets", "[]", NULL, "more records"},
    {"of more records than there are", "sets", "[{\"name\":\"x\",\"records\":2}]", NULL, "fewer records"},
    {"of a set that is missing", "sets", "[{\"name\":\"x\",\"records\":1},{\"name\":\"y\",\"records\":1}]", NULL,
     "fewer records"},
    {"of fewer records than there are", NULL, NULL, RECORD RECORD, "more records"},
    {"of a wrong sum", "hash", "\"0123456789abcdef\"", NULL, "sum"},
    {"without a sum", "hash", NULL, NULL, "sum"},
    {"of a record of another chip", NULL, NULL,
     "{\"schema\":4,\"kind\":\"probe\",\"chip\":\"c-4\",\"device\":" DEVICE "}\n", "another chip"},
    {"of a record without a device", NULL, NULL, "{\"schema\":4,\"kind\":\"probe\",\"chip\":\"c-3\"}\n",
     "another device"},
    {"of a record of another schema", NULL, NULL,
     "{\"schema\":3,\"kind\":\"probe\",\"chip\":\"c-3\",\"device\":" DEVICE "}\n", "older"},
    {"of a record without a schema", NULL, NULL, "{\"kind\":\"probe\",\"chip\":\"c-3\",\"device\":" DEVICE "}\n",
     "schema"},
    {"of a run that is none", NULL, NULL,
     "{\"schema\":4,\"kind\":\"measure\",\"chip\":\"c-3\",\"device\":" DEVICE "}\n", "without app"},
    {"of a pack", NULL, NULL, "{\"schema\":4,\"kind\":\"pack\",\"chip\":\"c-3\",\"device\":" DEVICE "}\n",
     "pack in a pack"},
    {"of a line that is no JSON", NULL, NULL, "{\n", "not a record"},
    {"of a record that is cut off", NULL, NULL, "{\"schema\":4,\"kind\":\"pro", "cut off"},
};

/* The text of a pack with one thing changed, for json_decref-free callers: to be freed by free. */
static char *make_text(const char *member, const char *value, const char *records)
{
    char hash[MU_HASH_TEXT], *text = NULL;
    mu_hash_text(mu_hash_bytes(records, strlen(records)), hash);
    json_t *head =
        json_pack("{s:i, s:s, s:i, s:s, s:o, s:[{s:s, s:i}], s:s}", "schema", 4, "kind", "pack", "pack", 1, "chip",
                  "c-3", "device", json_loads(DEVICE, 0, NULL), "sets", "name", "probe", "records", 1, "hash", hash);
    if (member != NULL && value != NULL) json_object_set_new(head, member, json_loads(value, JSON_DECODE_ANY, NULL));
    if (member != NULL && value == NULL) json_object_del(head, member);
    char *line = json_dumps(head, JSON_COMPACT);
    const size_t bytes = line != NULL ? strlen(line) + strlen(records) + 2 : 0;
    if (bytes != 0) text = malloc(bytes);
    if (text != NULL) snprintf(text, bytes, "%s\n%s", line, records);
    free(line);
    json_decref(head);
    return text;
}

static void test_wrong(void)
{
    struct mu_error err;
    char *right = make_text(NULL, NULL, RECORD);
    write_text(right, strlen(right));
    CHECK(read_pack(&err) == MU_OK, "a pack that is right is read: %s", err.message);
    free(right);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *text = make_text(wrong[i].member, wrong[i].value, wrong[i].records != NULL ? wrong[i].records : RECORD);
        write_text(text, strlen(text));
        const int status = read_pack(&err);
        CHECK(status == MU_INPUT && strstr(err.message, wrong[i].told) != NULL && strstr(err.message, path) != NULL,
              "refused: a pack %s: %s", wrong[i].what, err.message);
        free(text);
    }
    write_text("", 0);
    CHECK(read_pack(&err) == MU_INPUT, "refused: nothing: %s", err.message);
}

/* Every byte of a packed file counts. */
static void test_damaged(void)
{
    struct mu_error err = {0};
    struct mu_pack pack = {.chip = "c-3"};
    json_t *record = json_loads(RECORD, 0, NULL);
    char bytes[4096];
    size_t accepted = 0, count = 0;
    pack.device = mu_pack_identity(record, &err);
    mu_pack_add(&pack, "probe", record, &err);
    mu_pack_write(&pack, path, &err);
    FILE *file = fopen(path, "r");
    if (file != NULL) count = fread(bytes, 1, sizeof bytes, file);
    if (file != NULL) fclose(file);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (char)(bytes[i] ^ 4);
        write_text(bytes, count);
        accepted += read_pack(&err) == MU_OK;
        bytes[i] = (char)(bytes[i] ^ 4);
        write_text(bytes, i);
        accepted += read_pack(&err) == MU_OK;
    }
    CHECK(count > 100 && count < sizeof bytes && accepted == 0, "each of %zu bytes, wrong or the first missing", count);
    mu_pack_release(&pack);
    json_decref(record);
}

/* ---- What is sent ---- */

static void test_strip(void)
{
    static const char from[] =
        "{\"host\":{\"name\":\"alice-laptop\",\"cores\":2},\"session\":{\"host\":\"alice-laptop\",\"boot\":\"b\"},"
        "\"app\":\"pannotia/mis\",\"input\":\"/home/alice/g/road.gr\",\"comparison\":\"pannotia/mis "
        "/home/alice/g/road.gr seed=1\",\"message\":\"open('/home/alice/x y'): ../a/b: ~/c/d; 1/2 and 3 / 4\","
        "\"list\":[\"./here/it.gr\",\"/\"],\"driver\":\"24.3/x\"}";
    struct mu_error err = {0};
    json_t *record = json_loads(from, 0, NULL), *other = json_loads(from, 0, NULL);
    CHECK(mu_record_strip(record, "secret", &err) == MU_OK && mu_record_strip(other, "another", &err) == MU_OK,
          "records are stripped: %s", err.message);
    const char *host = mu_json_text(json_object_get(record, "host"), "name");
    char *text = json_dumps(record, 0);
    CHECK(text != NULL && strstr(text, "alice") == NULL && strstr(text, "/home") == NULL, "of names: %s", text);
    CHECK(strncmp(host, "host-", 5) == 0 && mu_json_is(json_object_get(record, "session"), "host", host) &&
              !mu_json_is(json_object_get(other, "host"), "name", host),
          "a host has one word, which depends on the secret: %s", host);
    CHECK(mu_json_is(record, "app", "pannotia/mis") && mu_json_is(record, "input", "road.gr") &&
              mu_json_is(record, "comparison", "pannotia/mis road.gr seed=1") &&
              mu_json_is(record, "driver", "24.3/x") &&
              mu_json_is(record, "message", "open('x y'): b: d; 1/2 and 3  4"),
          "the last part of a path stays, and what is none: %s", mu_json_text(record, "message"));
    free(text);
    json_decref(record);
    json_decref(other);
}

static void test_names(void)
{
    static const char *const good[] = {"a", "0", "pocl-3.1-x_y~2", "A.b"};
    static const char *const bad[] = {"", ".", "..", "-a", "_a", "~a", "a/b", "a b", "a\nb", "\xc3\xa4", "a\\b"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) CHECK(mu_pack_is_name(good[i]), "a name: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) CHECK(!mu_pack_is_name(bad[i]), "no name: row %zu", i);
}

int main(void)
{
    char command[80];
    if (mkdtemp(folder) == NULL) return 99;
    snprintf(path, sizeof path, "%s/pack", folder);
    test_names();
    test_round_trip();
    test_wrong();
    test_damaged();
    test_strip();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) printf("# %s is left\n", folder);
    return tap_done();
}
