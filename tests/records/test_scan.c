/* records/scan: what a scan takes of a line is what the parser says, only less of it; what it is not sure of it leaves
 * to the parser; and its hash is of what a line says, not of how. */
#include "records/scan.h"

#include "base/memory.h"
#include "tests/tap.h"

enum { LINE_BYTES = 4096, FAILURES_MAX = 20 };

/* A scan that makes these members; aborts without memory. */
static struct mu_scan *scan_of(const char *const *wanted)
{
    struct mu_error err = {0};
    struct mu_scan *scan = mu_scan_new(wanted, &err);
    if (scan == NULL) abort();
    return scan;
}

static json_t *parsed(const char *text)
{
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (value == NULL) abort();
    return value;
}

/* Whether a scan for `wanted` makes what the parser makes of `expected`. The line's hash is in *content. */
static bool makes(const char *const *wanted, const char *line, const char *expected, uint64_t *content)
{
    struct mu_scan *scan = scan_of(wanted);
    json_t *taken = mu_scan_line(scan, line, strlen(line), content), *value = parsed(expected);
    const bool same = taken != NULL && json_equal(taken, value) == 1;
    json_decref(taken);
    json_decref(value);
    mu_scan_free(scan);
    return same;
}

static bool is_left(const char *line, size_t bytes)
{
    uint64_t content;
    struct mu_scan *scan = scan_of(NULL);
    json_t *taken = mu_scan_line(scan, line, bytes, &content);
    const bool left = taken == NULL;
    json_decref(taken);
    mu_scan_free(scan);
    return left;
}

/* ---- What is taken ---- */

static void test_taken(void)
{
    static const char *const lines[] = {
        "{}",
        " { \"a\" :\t1 } \r",
        "{\"a\":0,\"b\":-0,\"c\":-1,\"d\":9223372036854775807,\"e\":-9223372036854775807}",
        "{\"a\":0.5,\"b\":-1e3,\"c\":1E+2,\"d\":1e-3,\"e\":0.0,\"f\":1.7976931348623157e308}",
        "{\"a\":true,\"b\":false,\"c\":null,\"d\":\"\",\"e\":\"text ~\",\"\":1}",
        "{\"a\":[],\"b\":[1,[2,{}],{\"c\":[null]}],\"d\":{\"e\":{\"f\":1}}}",
        "{\"a\":{\"same\":1},\"b\":{\"same\":1},\"c\":{\"same\":2}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        uint64_t content = 0;
        json_t *value = parsed(lines[i]);
        CHECK(makes(NULL, lines[i], lines[i], &content) && content == mu_content_hash(value),
              "it takes what the parser takes, with the same hash: %s", lines[i]);
        json_decref(value);
    }
}

static void test_wanted(void)
{
    static const char line[] = "{\"a\":1,\"b\":{\"c\":2,\"d\":{\"e\":3,\"f\":4}},\"g\":[{\"c\":5}],\"h\":null}";
    static const struct {
        const char *title, *wanted[4], *expected;
    } cases[] = {
        {"nothing", {NULL}, "{}"},
        {"a member", {"a", NULL}, "{\"a\":1}"},
        {"one that is not there", {"x", "a.x", "b.x", NULL}, "{\"a\":1,\"b\":{}}"},
        {"a member of an object", {"b.c", NULL}, "{\"b\":{\"c\":2}}"},
        {"members of one object", {"b.d.f", "b.c", NULL}, "{\"b\":{\"c\":2,\"d\":{\"f\":4}}}"},
        {"an object whole, and a part", {"b", "b.c", NULL}, "{\"b\":{\"c\":2,\"d\":{\"e\":3,\"f\":4}}}"},
        {"a part, and the object whole", {"b.c", "b", NULL}, "{\"b\":{\"c\":2,\"d\":{\"e\":3,\"f\":4}}}"},
        {"a member of what is no object", {"g.c", "h.x", NULL}, "{\"g\":[{\"c\":5}],\"h\":null}"},
    };
    uint64_t whole = 0;
    CHECK(makes(NULL, line, line, &whole), "all of a line");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t content = 0;
        CHECK(makes(cases[i].wanted, line, cases[i].expected, &content) && content == whole,
              "%s; the hash is still that of all", cases[i].title);
    }
}

/* ---- What is left to the parser ---- */

static void test_left(void)
{
    static const char *const lines[] = {
        "",
        " ",
        "1",
        "[]",
        "\"a\"",
        "{",
        "}",
        "{}{}",
        "{} x",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1",
        "{a:1}",
        "{\"a\" 1}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,\"a\":2}",
        "{\"b\":{\"a\":1,\"a\":1}}",
        "{\"a\":[}",
        "{\"a\":[1,]}",
        "{\"a\":[1 2]}",
        "{\"a\":tru}",
        "{\"a\":t}",
        "{\"a\":nul1}",
        "{\"a\":01}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":1e}",
        "{\"a\":1e+}",
        "{\"a\":1e999}",
        "{\"a\":9223372036854775808}",
        "{\"a\":-9223372036854775808}",
        "{\"a\":10000000000000000000}",
        "{\"a\":0.0000000000000000000000000000000000000001}",
        "{\"a\":\"\\n\"}",
        "{\"a\":\"\xc3\xa4\"}",
        "{\"a\":\"\x7f\"}",
        "{\"a\":\"\t\"}",
        "{\"a\":\"",
        "{\"\\u0061\":1}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        CHECK(is_left(lines[i], strlen(lines[i])), "left to the parser: %s", lines[i]);
    CHECK(is_left("{\"a\":\"\0\"}", 9) && is_left("{\"a\":1}\0", 8), "and a zero byte");
    CHECK(is_left("{\"a\":12}", 7), "what stands behind the line is not looked at");
}

/* An object in `depth` levels, in all. */
static const char *nested(unsigned depth)
{
    static char line[LINE_BYTES];
    size_t length = 0;
    for (unsigned d = 1; d < depth; d++) length += (size_t)sprintf(line + length, "{\"a\":");
    length += (size_t)sprintf(line + length, "{}");
    memset(line + length, '}', depth - 1);
    line[length + depth - 1] = '\0';
    return line;
}

static const char *with_members(unsigned count)
{
    static char line[LINE_BYTES];
    size_t length = (size_t)sprintf(line, "{\"m0\":0");
    for (unsigned m = 1; m < count; m++) length += (size_t)sprintf(line + length, ",\"m%u\":%u", m, m);
    line[length] = '}';
    line[length + 1] = '\0';
    return line;
}

static const char *with_name_of(int length)
{
    static char line[LINE_BYTES];
    sprintf(line, "{\"%0*d\":1}", length, 7);
    return line;
}

/* The largest that is taken, and one more. */
static void test_limits(void)
{
    uint64_t content;
    CHECK(makes(NULL, nested(16), nested(16), &content), "an object of 16 levels");
    CHECK(is_left(nested(17), strlen(nested(17))), "17 are too many");
    CHECK(makes(NULL, with_members(96), with_members(96), &content), "an object of 96 members");
    CHECK(is_left(with_members(97), strlen(with_members(97))), "97 are too many");
    CHECK(makes(NULL, with_name_of(255), with_name_of(255), &content), "a name of 255 bytes");
    CHECK(is_left(with_name_of(256), strlen(with_name_of(256))), "256 are too many");
}

/* ---- Hashes ---- */

static uint64_t hash_of(const char *line)
{
    uint64_t content = 0;
    if (!makes(NULL, line, line, &content)) abort();
    return content;
}

static void test_hashes(void)
{
    static const char plain[] = "{\"a\":1,\"b\":[1.5,true],\"c\":{\"d\":\"x\",\"e\":null}}";
    static const char *const same[] = {
        "{\"c\":{\"e\":null,\"d\":\"x\"},\"b\":[1.5,true],\"a\":1}",
        " {\"a\" : 1 , \"b\":[ 1.50 ,true ],\t\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":1,\"b\":[15e-1,true],\"c\":{\"d\":\"x\",\"e\":null}}",
    };
    static const char *const others[] = {
        "{\"a\":2,\"b\":[1.5,true],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":1.0,\"b\":[1.5,true],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":\"1\",\"b\":[1.5,true],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":-1,\"b\":[1.5,true],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":1,\"b\":[true,1.5],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":1,\"b\":[1.5,[true]],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":1,\"b\":[1.5,false],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{\"a\":1,\"b\":[1.5,true],\"c\":{\"d\":null,\"e\":\"x\"}}",
        "{\"a\":1,\"b\":[1.5,true],\"c\":{\"d\":\"x\"}}",
        "{\"a\":1,\"b\":[1.5,true],\"d\":\"x\",\"e\":null}",
        "{\"b\":1,\"a\":[1.5,true],\"c\":{\"d\":\"x\",\"e\":null}}",
        "{}",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        CHECK(hash_of(same[i]) == hash_of(plain), "the hash is the same: %s", same[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK(hash_of(others[i]) != hash_of(plain), "and another: %s", others[i]);
}

/* ---- Objects that several lines share ---- */

static void test_shared(void)
{
    static const char first[] = "{\"n\":1,\"device\":{\"name\":\"x\"}}",
                      again[] = "{\"n\":2,\"device\":{\"name\":\"x\"}}";
    uint64_t content;
    struct mu_scan *scan = scan_of(NULL);
    json_t *one = mu_scan_line(scan, first, strlen(first), &content);
    json_t *two = mu_scan_line(scan, again, strlen(again), &content);
    CHECK(one != NULL && two != NULL && json_object_get(one, "device") == json_object_get(two, "device"),
          "lines with equal objects share one");
    /* More of them than a scan keeps: some take the place of others, which their lines still have. */
    bool right = true;
    for (int i = 0; i < 1000 && right; i++) {
        char line[64], expected[32];
        sprintf(line, "{\"device\":{\"name\":\"%d\"}}", i);
        sprintf(expected, "%d", i);
        json_t *other = mu_scan_line(scan, line, strlen(line), &content);
        const char *name = json_string_value(json_object_get(json_object_get(other, "device"), "name"));
        right = name != NULL && strcmp(name, expected) == 0;
        json_decref(other);
    }
    CHECK(right, "a thousand different ones are each their own");
    mu_scan_free(scan);
    const char *name = json_string_value(json_object_get(json_object_get(one, "device"), "name"));
    CHECK(name != NULL && strcmp(name, "x") == 0, "what a scan made outlives it");
    json_decref(one);
    json_decref(two);
}

/* ---- What can go wrong ---- */

static void test_memory(void)
{
    static const char *const wanted[] = {"a", "b.c", "b.d", NULL};
    unsigned long n = 1;
    for (; n < FAILURES_MAX; n++) {
        struct mu_error err = {0};
        mu_fail_allocation(n);
        struct mu_scan *scan = mu_scan_new(wanted, &err);
        mu_fail_allocation(0);
        if (scan != NULL) {
            mu_scan_free(scan);
            break;
        }
        if (err.status != MU_NO_MEMORY || err.message[0] == '\0') n = FAILURES_MAX;
    }
    CHECK(n > 1 && n < FAILURES_MAX, "each of the %lu allocations for what is wanted may fail", n - 1);
    static const char line[] = "{\"device\":{\"name\":\"x\"}}";
    uint64_t content;
    struct mu_scan *scan = scan_of(NULL);
    mu_fail_allocation(1);
    CHECK(mu_scan_line(scan, line, strlen(line), &content) == NULL, "a line without memory is left to the parser");
    mu_fail_allocation(0);
    json_t *taken = mu_scan_line(scan, line, strlen(line), &content);
    CHECK(taken != NULL, "and taken when there is some");
    json_decref(taken);
    mu_scan_free(scan);
    mu_scan_free(NULL);
    CHECK(mu_memory_in_use() == 0, "nothing is left");
}

static void test_too_many(void)
{
    static char names[128][8];
    const char *wanted[129] = {NULL};
    struct mu_error err = {0};
    for (int i = 0; i < 128; i++) {
        sprintf(names[i], "m%d", i);
        wanted[i] = names[i];
    }
    CHECK(mu_scan_new(wanted, &err) == NULL && err.status == MU_LIMIT, "128 members are more than can be wanted");
    wanted[127] = NULL;
    err = (struct mu_error){0};
    struct mu_scan *scan = mu_scan_new(wanted, &err);
    CHECK(scan != NULL, "127 are not");
    mu_scan_free(scan);
}

int main(void)
{
    test_taken();
    test_wanted();
    test_left();
    test_limits();
    test_hashes();
    test_shared();
    test_memory();
    test_too_many();
    return tap_done();
}
