/* base/: JSON that is whole or refused, strict numbers, hashes, dates. */
#include "base/date.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/user/nearest.h"

#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON with memory that runs out ---- */

static unsigned long allocations, fail_at; /* fail_at: this allocation fails, once; 0: none */

static void *counting_malloc(size_t bytes)
{
    allocations++;
    return allocations == fail_at ? NULL : malloc(bytes);
}

/* A record as the harness builds them: every kind of addition. */
static json_t *build(struct mu_error *err)
{
    struct mu_json object = mu_json_object(), array = mu_json_array(), part = mu_json_object(), rest = mu_json_object();
    mu_json_append_number(&array, 7);
    mu_json_append_real(&array, 0.5);
    mu_json_append_text(&array, "seven");
    mu_json_set_flag(&part, "flag", true);
    mu_json_append_part(&array, &part);
    mu_json_set_text(&rest, "more", "of it");
    mu_json_set_text(&object, "text", "two words");
    mu_json_set_text(&object, "none", NULL);
    mu_json_set_number(&object, "number", UINT64_MAX);
    mu_json_set_real(&object, "real", 2.25);
    mu_json_set_hash(&object, "hash", 0xabc);
    mu_json_set_part(&object, "array", &array);
    mu_json_update(&object, rest.value);
    object.lost = object.lost || rest.lost;
    struct mu_json copy = mu_json_copy(&object);
    mu_json_release(&object);
    mu_json_release(&rest);
    return mu_json_take(&copy, "a record", err);
}

static void test_losses(void)
{
    struct mu_error err = {0};
    json_t *whole = build(&err);
    unsigned long count = 0, refused = 0, same = 0;
    for (bool failed = true; failed; count++) {
        struct mu_error lost = {0};
        allocations = 0;
        fail_at = count + 1;
        json_t *object = build(&lost);
        failed = allocations >= fail_at;
        fail_at = 0;
        refused += object == NULL && lost.status == MU_NO_MEMORY;
        same += object != NULL && json_equal(object, whole);
        json_decref(object);
    }
    CHECK(whole != NULL && err.status == MU_OK, "a record that has memory is built");
    CHECK(count > 20 && refused + same == count,
          "of %lu builds, each with an allocation that fails, %lu are refused and %lu "
          "lack nothing",
          count, refused, same);
    CHECK(refused >= 15, "most of them are refused");
    json_decref(whole);
}

static void test_building(void)
{
    struct mu_error err = {0};
    json_t *object = build(&err);
    CHECK(mu_json_is(object, "text", "two words") && !mu_json_is(object, "text", "two") && !mu_json_is(object, "x", ""),
          "a text is that text and no other");
    CHECK(json_is_null(json_object_get(object, "none")) && strcmp(mu_json_text(object, "none"), "") == 0,
          "no text is null, and reads as an empty one");
    CHECK(mu_json_number(object, "number") == UINT64_MAX, "a number of 64 bits comes back");
    CHECK(mu_json_count(object, "number") == 0, "but is no count of 32 bits");
    CHECK(fabs(mu_json_real(object, "real") - 2.25) < 1e-12, "a real number comes back");
    CHECK(mu_json_is(object, "hash", "0000000000000abc"), "a hash has 16 digits");
    CHECK(strcmp(mu_json_text_or(object, "missing", "-"), "-") == 0, "what is missing is what the caller says");
    CHECK(mu_json_flag(json_array_get(json_object_get(object, "array"), 3), "flag") && !mu_json_flag(object, "flag"),
          "flags come back, missing ones as false");
    CHECK(mu_json_is(object, "more", "of it"), "updates are there");
    json_decref(object);

    struct mu_json odd = mu_json_object();
    mu_json_set_text(&odd, "latin", "caf\xe9");
    mu_json_set_text(&odd, "utf8", "caf\xc3\xa9");
    mu_json_set_real(&odd, "infinite", INFINITY);
    CHECK(mu_json_is(odd.value, "latin", "caf?") && mu_json_is(odd.value, "utf8", "caf\xc3\xa9"),
          "bytes that are not UTF-8 become question marks");
    CHECK(json_is_null(json_object_get(odd.value, "infinite")) && !odd.lost, "what is not finite becomes null");
    mu_json_set(&odd, "lost", NULL);
    mu_json_set_flag(&odd, "later", true);
    CHECK(odd.lost && mu_json_take(&odd, "an object", &err) == NULL && err.status == MU_NO_MEMORY, "a loss stays: %s",
          err.message);
    CHECK(odd.value == NULL, "and leaves an empty builder");
    mu_json_release(&odd);
}

static void test_reading(void)
{
    size_t count = 9;
    json_t *array = json_loads("[1, 2.5]", 0, NULL), *none = json_array();
    double *numbers = mu_json_numbers(array, &count, NULL);
    CHECK(count == 2 && numbers != NULL && fabs(numbers[1] - 2.5) < 1e-12, "an array's numbers are read");
    mu_free(numbers);
    CHECK(mu_json_numbers(none, &count, NULL) == NULL && count == 0, "an empty array has none");
    json_decref(array);
    json_decref(none);
}

/* ---- Numbers ---- */

static void test_numbers(void)
{
    static const char *const whole[] = {"0", "17", "18446744073709551615"};
    static const char *const no_whole[] = {"", "-1", "+1", " 1", "1 ", "0x10", "1.0", "1e3", "18446744073709551616"};
    static const char *const real[] = {"0", "1.5", "-2", ".5", "1e3", "2.5E-3"};
    static const char *const no_real[] = {"", "0x10", "inf", "nan", " 1", "1 ", "1.2.3", "1e", "e5", "1e999", "1e-999"};
    uint64_t number = 5;
    double value = 5;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        wrong += !mu_number_whole(whole[i], 0, UINT64_MAX, &number);
    CHECK(wrong == 0 && number == UINT64_MAX, "whole numbers are read");
    for (size_t i = 0; i < sizeof no_whole / sizeof no_whole[0]; i++)
        wrong += mu_number_whole(no_whole[i], 0, UINT64_MAX, &number);
    CHECK(wrong == 0 && number == UINT64_MAX, "what is no whole number is refused, and changes nothing");
    CHECK(!mu_number_whole("4", 5, 9, &number) && !mu_number_whole("10", 5, 9, &number) &&
              mu_number_whole("9", 5, 9, &number) && number == 9,
          "so is what lies outside the range");
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) wrong += !mu_number_real(real[i], &value);
    CHECK(wrong == 0 && fabs(value - 0.0025) < 1e-12, "real numbers are read");
    for (size_t i = 0; i < sizeof no_real / sizeof no_real[0]; i++) wrong += mu_number_real(no_real[i], &value);
    CHECK(wrong == 0 && fabs(value - 0.0025) < 1e-12, "what is no real number is refused, and changes nothing");
}

/* ---- Hashes and dates ---- */

static void test_hashes(void)
{
    /* The reference values of XXH3 with seed 0 for no bytes. */
    char text[MU_HASH_TEXT], lengthy[MU_HASH_LONG_TEXT];
    struct mu_hash hash, other;
    const uint64_t numbers[] = {1, 2};
    const unsigned char bytes[16] = {1, 0, 0, 0, 0, 0, 0, 0, 2};
    mu_hash_text(mu_hash_bytes("", 0), text);
    mu_hash_long_text("", 0, lengthy);
    CHECK(strcmp(text, "2d06800538d394c2") == 0, "the hash of nothing");
    CHECK(strcmp(lengthy, "99aa06d3014798d86001c324468d497f") == 0, "the long hash of nothing");
    mu_hash_start(&hash);
    mu_hash_u64(&hash, numbers, 2);
    mu_hash_start(&other);
    mu_hash_add(&other, bytes, 8);
    mu_hash_add(&other, bytes + 8, 8);
    CHECK(mu_hash_end(&hash) == mu_hash_end(&other) && mu_hash_end(&hash) == mu_hash_bytes(bytes, 16),
          "numbers count by their little-endian bytes, in whatever pieces");
}

static void test_dates(void)
{
    char text[MU_DATE_TEXT];
    mu_date(1000000000, text);
    CHECK(strcmp(text, "2001-09-09T01:46:40Z") == 0, "a date is ISO 8601 in UTC");
}

/* ---- Misspelled words ---- */

static const char *nearest_to(const char *word)
{
    static const char *const names[] = {"run", "bench", "bfs", "bc", "portable", "multi-kernel"};
    struct mu_nearest nearest = {.word = word};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) mu_nearest_try(&nearest, names[i]);
    return nearest.best != NULL ? nearest.best : "";
}

static void test_nearest(void)
{
    static const struct {
        const char *word, *nearest;
    } words[] = {{"rum", "run"},
                 {"rnu", "run"},
                 {"benhc", "bench"},
                 {"bsf", "bfs"},
                 {"b", ""},
                 {"", ""},
                 {"BFS", "bfs"},
                 {"nonsense", ""},
                 {"portble", "portable"},
                 {"prtblee", ""},
                 {"multikernel", "multi-kernel"},
                 {"port", "portable"},
                 {"multi", "multi-kernel"},
                 {"ben", "bench"},
                 {"xyz", ""}};
    char hint[MU_HINT_BYTES], longest[200];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        CHECK(strcmp(nearest_to(words[i].word), words[i].nearest) == 0, "nearest to '%s': '%s', not '%s'",
              words[i].word, words[i].nearest, nearest_to(words[i].word));
    memset(longest, 'b', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(strcmp(nearest_to(longest), "") == 0, "a word that is too long has none");
    const struct mu_nearest found = {.word = "rum", .best = "run"}, none = {.word = "rum"};
    CHECK(strcmp(mu_nearest_hint(&found, hint, sizeof hint), " (did you mean run?)") == 0, "the hint");
    CHECK(strcmp(mu_nearest_hint(&none, hint, sizeof hint), "") == 0, "no hint");
}

int main(void)
{
    json_set_alloc_funcs(counting_malloc, free);
    test_losses();
    test_building();
    test_reading();
    test_numbers();
    test_hashes();
    test_dates();
    test_nearest();
    return tap_done();
}
