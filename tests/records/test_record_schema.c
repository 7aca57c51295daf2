/* doc/record.schema.json: every committed record is as it says (in `make check`, the first of each file), and what is
 * not is refused. With arguments: the records of these files are as it says. */
#include "base/files/stream.h"
#include "base/json.h"
#include "records/lines.h"

#include "tests/tap.h"

#include "tests/records/json_schema.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct files {
    const json_t *schema;
    size_t records, wrong;
    char first[SCHEMA_WHY_BYTES + 64]; /* what is wrong first */
};

/* For mu_line_reader. */
static int check_record(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct files *files = context;
    struct schema_run run;
    (void)err;
    files->records++;
    if (schema_allows(&run, files->schema, record)) return MU_OK;
    if (files->wrong++ == 0) snprintf(files->first, sizeof files->first, "line %zu: %s", line->number, run.why);
    return MU_OK;
}

/* So many bytes of each committed file are read in `make check`, up to the last whole line. */
#define SAMPLE_BYTES (64u << 10)

static void check_file(struct files *files, const char *path, bool whole)
{
    struct mu_error err = {0};
    struct mu_source source = {0};
    const size_t before = files->records;
    struct mu_line_reader reader = {.path = path, .take = check_record, .context = files, .notes = stderr};
    files->wrong = 0;
    if (mu_source_read(path, &source, &err) == MU_OK) {
        const char *text = (const char *)source.bytes;
        const bool cut = !whole && source.size > SAMPLE_BYTES;
        mu_lines_read(&reader, text, cut ? mu_lines_whole(text, SAMPLE_BYTES) : source.size, &err);
    }
    mu_source_release(&source);
    CHECK(err.status == MU_OK && files->wrong == 0 && reader.damaged == 0, "%zu records of %s%s%s%s",
          files->records - before, path, files->wrong != 0 ? ": " : "", files->wrong != 0 ? files->first : "",
          err.message);
}

static void check_committed(struct files *files, const char *root)
{
    static const char *const patterns[] = {"results/chips/*/*.jsonl", "results/chips/*/*.jsonl.xz",
                                           "results/experiments/*/*.jsonl.xz"};
    glob_t found = {0};
    char sums[PATH_MAX];
    snprintf(sums, sizeof sums, "%s/results/SHA256SUMS", root);
    if (access(sums, R_OK) != 0) {
        tap_skip("the published records", "they are not here (muster-results, the data package)");
        return;
    }
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        char pattern[PATH_MAX];
        snprintf(pattern, sizeof pattern, "%s/%s", root, patterns[i]);
        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
    }
    const bool whole = tap_in_full();
    for (size_t i = 0; i < found.gl_pathc; i++) check_file(files, found.gl_pathv[i], whole);
    globfree(&found);
    CHECK(files->records > 2000, "%zu records in all", files->records);
}

/* ---- What is refused ---- */

/* A record as `muster bench` writes it. */
static json_t *example(void)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:s, s:b, s:i,"
                     " s:s, s:s, s:i, s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s,"
                     " s:{s:s, s:s, s:s, s:s, s:i, s:i}, s:{s:s, s:i, s:s}, s:{s:s, s:s}, s:{s:f, s:{}},"
                     " s:s, s:{}, s:{}, s:s}",
                     "schema", 4, "kind", "measure", "key", "0123456789abcdef", "suite", "smoke", "set", "smoke",
                     "comparison", "a", "rng", "r", "repeat", 0, "order", 1, "outcome", "deadlock", "tuned", 1,
                     "wall_ns", 5, "message", "hung", "app", "pannotia/mis", "seed", 1, "input", "road:9", "variant",
                     "portable", "atomics", "c11", "workgroup", 64, "c_standard", "CL3.0", "date",
                     "2026-01-02T03:04:05Z", "version", "0.1.0", "commit", "0123456789ab-dirty", "chip", "gpu",
                     "platform", "p", "device", "name", "n", "vendor", "v", "platform", "o", "uuid", "index:0",
                     "compute_units", 2, "global_bytes", 5, "host", "name", "h", "cores", 2, "kernel", "k", "session",
                     "date", "2026-01-02", "host", "h", "environment", "load", 0.5, "variables", "clock", "run",
                     "configuration", "configuration_from", "configuration_hash", "0123456789abcdef");
}

/* Whether the record, with one member of it, or of its member `in`, replaced (NULL: removed), is allowed. */
static bool allows(const json_t *schema, const char *in, const char *name, json_t *value, struct schema_run *run)
{
    json_t *record = example();
    json_object_set_new(record, "driver", json_string("1"));
    json_object_set_new(record, "configuration", json_pack("{s:i, s:s}", "workgroup", 64, "warmup", "auto"));
    json_object_set_new(record, "configuration_from",
                        json_pack("{s:s, s:s}", "workgroup", "option", "warmup", "default"));
    json_object_set_new(record, "configuration_hash", json_string("0123456789abcdef"));
    json_t *object = in != NULL ? json_object_get(record, in) : record;
    if (value != NULL)
        json_object_set_new(object, name, value);
    else
        json_object_del(object, name);
    const bool allowed = schema_allows(run, schema, record);
    json_decref(record);
    return allowed;
}

static void check_refusals(const json_t *schema)
{
    struct schema_run run;
    CHECK(allows(schema, NULL, "room", json_integer(3), &run), "a record is allowed: %s", run.why);
    const struct {
        const char *in, *name, *what;
        json_t *value;
    } cases[] = {
        {NULL, "driver", "without a driver", NULL},
        {NULL, "app", "an app without a suite", json_string("mis")},
        {NULL, "nonsense", "a member that is not documented", json_true()},
        {NULL, "outcome", "an outcome that there is not", json_string("fine")},
        {NULL, "outcome", "an outcome of ok without samples", json_string("ok")},
        {NULL, "workgroup", "a negative workgroup", json_integer(-1)},
        {NULL, "workgroup", "a workgroup that is no number", json_string("64")},
        {NULL, "samples_ns", "a sample of nothing", json_pack("[i]", 0)},
        {NULL, "date", "a date without a zone", json_string("2026-01-02T03:04:05")},
        {NULL, "key", "a key that is no hash", json_string("measure a")},
        {NULL, "key", "a campaign's run without a key", NULL},
        {NULL, "tuning", "a campaign's run that is a try of a tuning too", json_integer(0)},
        {NULL, "kind", "a kind that there is not", json_string("test")},
        {NULL, "schema", "a later schema", json_integer(5)},
        {NULL, "schema", "an earlier schema", json_integer(3)},
        {NULL, "device", "a device that is only a name", json_string("n")},
        {NULL, "configuration_hash", "no configuration", NULL},
        {"configuration", "workgroup", "a value that is a list", json_array()},
        {"configuration_from", "workgroup", "an origin that there is not", json_string("luck")},
        {NULL, "source", "a source that is another word", json_string("none at all")},
        {"device", "platform", "a device without a platform", NULL},
        {"device", "uuid", "a uuid of another form", json_string("GPU-1")},
        {"session", "date", "a session without a day", NULL},
        {"environment", "variables", "variables that are no object", json_integer(1)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(!allows(schema, cases[i].in, cases[i].name, cases[i].value, &run), "%s: %s", cases[i].what, run.why);
    json_t *odd = json_loads("{\"maxLength\": 3}", 0, NULL), *none = json_loads("{\"$ref\": \"#/$defs/x\"}", 0, NULL);
    CHECK(!schema_allows(&run, odd, odd), "a keyword that the validator does not know: %s", run.why);
    CHECK(!schema_allows(&run, none, none), "a part that the schema has not: %s", run.why);
    json_decref(odd);
    json_decref(none);
}

/* ---- What is refused of the persistent-threads study ---- */

/* Whether a measurement as `muster bench --suite=persistent` keeps it, with members of it, or of its member `in`,
 * replaced by those of an object (null: removed), is allowed. */
static bool allows_way(const json_t *schema, const char *in, const char *changes, struct schema_run *run)
{
    const char *name;
    json_t *value;
    json_t *record = example(), *changed = json_loads(changes, 0, NULL);
    json_t *way = json_pack("{s:i, s:s, s:s, s:{s:s, s:i, s:i, s:i, s:i, s:i}, s:i, s:i, s:s, s:i, s:f, s:s, s:{},"
                            " s:s, s:i, s:[f, f]}",
                            "schema", 4, "kind", "persistent", "key", "0123456789abcdef", "parameters", "experiment",
                            "sync", "fmas", 1, "blocks", 2, "rounds", 3, "team", 2, "turns", 9, "part", 0, "parts", 1,
                            "outcome", "ok", "compute_units", 2, "seconds", 0.5, "driver", "1", "driver_settings",
                            "implementation", "barrier", "groups", 2, "ns", 1.5, 2.0);
    static const char *const same[] = {"chip", "device", "platform", "commit",
                                       "date", "host",   "session",  "environment"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        json_object_set(way, same[i], json_object_get(record, same[i]));
    json_t *object = in != NULL ? json_object_get(way, in) : way;
    json_object_foreach (changed, name, value) {
        if (json_is_null(value))
            json_object_del(object, name);
        else
            json_object_set(object, name, value);
    }
    const bool allowed = schema_allows(run, schema, way);
    json_decref(changed);
    json_decref(record);
    json_decref(way);
    return allowed;
}

static void check_ways(const json_t *schema)
{
    struct schema_run run;
    static const struct {
        bool allowed;
        const char *in, *changes, *what;
    } cases[] = {
        {true, NULL, "{}", "a way of a point"},
        {true, NULL, "{\"ns\": null, \"refused\": \"too many\"}", "one that the device refuses"},
        {false, NULL, "{\"refused\": \"too many\"}", "a refusal with times"},
        {false, NULL, "{\"ns\": null}", "neither times nor a refusal"},
        {false, NULL, "{\"implementation\": \"steal\"}", "a way that another experiment has"},
        {false, NULL, "{\"implementation\": null}", "no way"},
        {false, NULL, "{\"gap_ns\": 1}", "a member that is not documented"},
        {false, NULL, "{\"outcome\": \"crash\", \"message\": \"m\"}", "times of a crash"},
        {true, NULL, "{\"outcome\": \"crash\", \"message\": \"m\", \"ns\": null, \"implementation\": null}", "a crash"},
        {false, "parameters", "{\"experiment\": \"gap\", \"kind\": \"compute\"}", "a gap with a way"},
        {false, "parameters", "{\"rounds\": null}", "a point without one of its axes"},
        {false, "parameters", "{\"colour\": 1}", "an axis that there is not"},
        {false, "parameters", "{\"experiment\": \"none\"}", "an experiment that there is not"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(allows_way(schema, cases[i].in, cases[i].changes, &run) == cases[i].allowed, "%s: %s", cases[i].what,
              run.why);
}

/* ---- The documentation ---- */

static bool is_documented(const char *text, const char *name)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s`", name);
    return strstr(text, quoted) != NULL;
}

/* Every member that a run's record may have is in the documentation, and every one of its tables' is in the schema. */
static void check_documentation(const json_t *schema, const char *root)
{
    struct mu_error err = {0};
    struct mu_source source = {0};
    char path[PATH_MAX];
    const char *name;
    json_t *rule;
    size_t missing = 0, unknown = 0;
    const json_t *members = json_object_get(json_object_get(json_object_get(schema, "$defs"), "run"), "properties");
    snprintf(path, sizeof path, "%s/doc/results-format.md", root);
    if (!CHECK(mu_source_read(path, &source, &err) == MU_OK, "there is %s %s", path, err.message)) return;
    char *text = (char *)source.bytes;
    json_object_foreach ((json_t *)members, name, rule) {
        if (is_documented(text, name)) continue;
        printf("# not documented: %s\n", name);
        missing++;
    }
    CHECK(missing == 0 && json_object_size(members) > 60, "all %zu members are documented", json_object_size(members));
    /* The first column of rows such as "| `launches`, `readbacks` | number | … |". */
    for (char *row = strstr(text, "\n| `"); row != NULL; row = strstr(row + 1, "\n| `")) {
        const char *end = strchr(row + 3, '|');
        for (char *at = strchr(row, '`'); at != NULL && end != NULL && at < end; at = strchr(at + 1, '`')) {
            char word[64];
            const size_t length = strcspn(at + 1, "`");
            snprintf(word, sizeof word, "%.*s", (int)length, at + 1);
            at += length + 1;
            if (strspn(word, "abcdefghijklmnopqrstuvwxyz_") != length || json_object_get(members, word) != NULL)
                continue;
            printf("# not in the schema: %s\n", word);
            unknown++;
        }
    }
    CHECK(unknown == 0, "and all members that are documented are in the schema");
    mu_source_release(&source);
}

/* Whether the whole of a file is as a schema of its own says. */
static void check_document(const char *schema_path, const char *path)
{
    struct schema_run run;
    json_error_t error = {0};
    json_t *schema = json_load_file(schema_path, JSON_REJECT_DUPLICATES, &error);
    json_t *document = schema != NULL ? json_load_file(path, JSON_REJECT_DUPLICATES, &error) : NULL;
    if (CHECK(document != NULL, "%s, by %s %s", path, schema_path, error.text))
        CHECK(schema_allows(&run, schema, document), "is as the schema says %s", run.why);
    json_decref(document);
    json_decref(schema);
}

/* Without arguments, or with the files of records that are to be checked; or with --schema=FILE and a document. */
int main(int argc, char **argv)
{
    static const char schema_option[] = "--schema=";
    char path[PATH_MAX];
    json_error_t error;
    const char *root = getenv("srcdir") != NULL ? getenv("srcdir") : ".";
    if (argc == 3 && strncmp(argv[1], schema_option, sizeof schema_option - 1) == 0) {
        check_document(argv[1] + sizeof schema_option - 1, argv[2]);
        return tap_done();
    }
    snprintf(path, sizeof path, "%s/doc/record.schema.json", root);
    json_t *schema = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!CHECK(schema != NULL, "%s %s", path, schema == NULL ? error.text : "")) return tap_done();
    struct files files = {.schema = schema};
    for (int i = 1; i < argc; i++) check_file(&files, argv[i], true);
    if (argc == 1) {
        check_committed(&files, root);
        check_refusals(schema);
        check_ways(schema);
        check_documentation(schema, root);
    }
    json_decref(schema);
    return tap_done();
}
