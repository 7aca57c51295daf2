/* Fuzz target: gzip, xz, bzip2 and zstd. */
#include "base/files/stream.h"
#include "base/limits.h"
#include "tests/fuzz/fuzz.h"

enum { PART_BYTES = 48 };

fuzz_run fuzz_packed;

void fuzz_packed(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_source source = {0};
    const char *const path = fuzz_file(data, size);
    if (path == NULL) return;
    mu_memory_limit_set(UINT64_C(3) << 16); /* the content, and what is read of the file at once */
    if (fuzz_succeeded(mu_source_read(path, &source, &err), &err))
        fuzz_require(source.bytes[source.size] == 0, "a zero byte follows the content");
    mu_source_release(&source);
    err = (struct mu_error){0};
    mu_source_set_parts(1, PART_BYTES);
    if (fuzz_succeeded(mu_source_open(path, &source, &err), &err))
        fuzz_require(source.bytes[source.size] == 0, "a zero byte follows the beginning");
    mu_source_set_parts(0, 0);
    mu_source_release(&source);
}
