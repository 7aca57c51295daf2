/* Fuzz target: profiles of chips. */
#include "records/profile.h"
#include "tests/fuzz/fuzz.h"

fuzz_run fuzz_profile;

void fuzz_profile(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_profile profile;
    const char *const path = fuzz_file(data, size);
    if (path != NULL) fuzz_succeeded(mu_profile_read(path, &profile, &err), &err);
}
