/* Fuzz target: profiles of chips. */
#include "records/profile.h"
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

fuzz_run fuzz_profile;

/* Writes a profile and reads it. Numbers are written with six digits, so that once is not the same as ever after. */
static void write_and_read(const struct mu_profile *profile, struct mu_profile *again)
{
    struct mu_error err = {0};
    char path[PATH_MAX];
    const char *const place = fuzz_place("chip.ini");
    *again = *profile;
    if (place == NULL) return;
    snprintf(path, sizeof path, "%s", place);
    fuzz_require(fuzz_succeeded(mu_profile_write(path, profile, &err), &err) &&
                     fuzz_succeeded(mu_profile_read(path, again, &err), &err),
                 "what is written is read");
    remove(path);
}

/* Any text that a driver gives can be written as the name of a device, and is read as it was written. */
static void name_device(struct mu_profile *profile, const uint8_t *data, size_t size)
{
    char text[2 * MU_PROFILE_TEXT];
    struct mu_profile again;
    snprintf(text, sizeof text, "%.*s", size < sizeof text ? (int)size : (int)sizeof text, (const char *)data);
    mu_profile_set_text(profile->chip_device, text);
    write_and_read(profile, &again);
    fuzz_require(strcmp(profile->chip_device, again.chip_device) == 0, "a name is read as it was written");
}

static void compare(const struct mu_profile *one, const struct mu_profile *other)
{
    struct mu_json as_one = mu_profile_to_json(one), as_other = mu_profile_to_json(other);
    fuzz_require(memcmp(one, other, sizeof *one) == 0 && json_equal(as_one.value, as_other.value),
                 "what was written and read stays the same");
    mu_json_release(&as_one);
    mu_json_release(&as_other);
}

void fuzz_profile(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_profile profile, written, again;
    const char *const path = fuzz_file(data, size);
    const int index = mu_profile_size_index(size < 8192 ? (uint32_t)size : 0);
    fuzz_require(index < 0 || (index < MU_PROFILE_SIZES && size == (size_t)1 << index), "sizes are powers of two");
    if (path == NULL || !fuzz_succeeded(mu_profile_read(path, &profile, &err), &err)) return;
    write_and_read(&profile, &written);
    write_and_read(&written, &again);
    compare(&written, &again);
    name_device(&written, data, size);
}
