/* harness/run/identity: every option that makes a test another test changes its key, and so do its kernels and its
 * driver; nothing else does. */
#include "tests/harness/run/fake_app.h"

#include "tests/tap.h"

/* A value that is not `value`. */
static struct mu_value another(const struct mu_option *row, const struct mu_value *value)
{
    struct mu_value other = {.from = MU_FROM_OPTION};
    if (row->type == MU_OPTION_real)
        other.real = row->most / 2 == value->real ? row->most : row->most / 2;
    else if (row->type == MU_OPTION_flag)
        other.number = value->number == 0;
    else if (row->choices != NULL)
        other.number = value->number == 0;
    else
        other.number = row->max / 2 + 1 == value->number ? row->max : row->max / 2 + 1;
    return other;
}

static bool another_key(const struct mu_asked *asked, const char *base)
{
    struct mu_test test;
    resolve(asked, &test);
    char *text = text_of(&test);
    const bool differs = text != NULL && strcmp(text, base) != 0;
    mu_free(text);
    return differs;
}

/* Each option in turn, in one variant. */
static void test_flips(unsigned variant)
{
    struct mu_asked asked = ask_nothing();
    struct mu_test test;
    mu_ask(&asked, MU_TEST_variant, variant, MU_FROM_OPTION);
    resolve(&asked, &test);
    char *base = text_of(&test);
    for (int i = 0; i < MU_TEST_OPTION_COUNT && base != NULL; i++) {
        const struct mu_option *row = &mu_test_options[i];
        const struct mu_value value = mu_test_value(&test, (enum mu_test_option)i);
        struct mu_asked flipped = asked;
        flipped.options[i] = another(row, &value);
        const bool counts = mu_test_option_applies(row, variant) && (row->is & MU_OPTION_EFFORT) == 0;
        CHECK(another_key(&flipped, base) == counts, "%s, %s: %s key", mu_variants[variant].name, row->name,
              counts ? "another" : "the same");
    }
    for (size_t i = 0; fake.options[i].name != NULL && base != NULL; i++) {
        struct mu_asked flipped = asked;
        flipped.app_values[i] = another(&fake.options[i], &test.app_values[i]);
        CHECK(another_key(&flipped, base), "%s, %s: another key", mu_variants[variant].name, fake.options[i].name);
    }
    mu_free(base);
}

/* What says how long is measured, and nothing else, leaves the key alone. */
static void test_effort(void)
{
    static const char *const names[] = {"samples", "min_samples", "target_width", "max_time_s", "deadline",
                                        "cache",   "layout",      "trace",        "rounds"};
    size_t known = 0, all = 0;
    for (const struct mu_option *row = mu_test_options; row->name != NULL; row++) {
        all += (row->is & MU_OPTION_EFFORT) != 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            known += (row->is & MU_OPTION_EFFORT) != 0 && strcmp(row->name, names[i]) == 0;
    }
    CHECK(all == known && known == sizeof names / sizeof names[0], "%zu options are no part of a key", all);
}

/* What a self-test or a roll call finds is no part of the key; the same number is, where somebody names it. */
static void test_found(void)
{
    struct mu_asked asked = ask_nothing();
    struct mu_test test;
    resolve(&asked, &test);
    char *base = text_of(&test);
    mu_test_set(&test, MU_TEST_spin_limit, 7, MU_FROM_DEVICE);
    mu_test_set(&test, MU_TEST_expected, 7, MU_FROM_ROLL_CALL);
    char *found = text_of(&test);
    mu_test_set(&test, MU_TEST_expected, 7, MU_FROM_PROFILE);
    char *named = text_of(&test);
    CHECK(base != NULL && found != NULL && strcmp(base, found) == 0, "what a process finds leaves the key alone");
    CHECK(named != NULL && base != NULL && strcmp(base, named) != 0, "what the profile says does not");
    mu_free(base);
    mu_free(found);
    mu_free(named);
}

/* The kernels: by what they say, wherever they are from. */
static void test_kernels(void)
{
    const struct mu_asked asked = ask_nothing();
    struct mu_test test;
    struct mu_device_info other = device;
    struct mu_error err = {0};
    resolve(&asked, &test);
    char *base = text_of(&test);
    write_file("apps/test/fake/fake.cl", "/* a comment */ int  a;\n");
    CHECK(base != NULL && !another_key(&asked, base), "a comment in a kernel: the same key");
    write_file("apps/test/fake/fake.cl", "int b;\n");
    CHECK(base != NULL && another_key(&asked, base), "another token in a kernel of the same folder: another key");
    write_file("apps/test/fake/fake.cl", "int a;\n");
    CHECK(base != NULL && !another_key(&asked, base), "the old kernel: the old key");
    snprintf(other.driver, sizeof other.driver, "2.0");
    char *newer = mu_test_text(&test, &other, &err);
    CHECK(base != NULL && newer != NULL && strcmp(base, newer) != 0, "another driver: another key");
    test.units = 3;
    char *divided = mu_test_text(&test, &device, &err);
    CHECK(base != NULL && divided != NULL && strcmp(base, divided) != 0, "units that a user says: another key");
    test.kernel_dir = "/proc/nonexistent";
    CHECK(mu_test_text(&test, &device, &err) == NULL && err.status == MU_IO, "kernels that cannot be read: %s",
          err.message);
    mu_free(base);
    mu_free(newer);
    mu_free(divided);
}

int main(void)
{
    if (!make_folder()) return 99;
    for (unsigned variant = MU_MULTI_KERNEL; variant <= MU_SPECIALISED; variant++) test_flips(variant);
    test_effort();
    test_found();
    test_kernels();
    remove_folder();
    return tap_done();
}
