/* Every fuzz target over its corpus (tests/fuzz/corpus/<target>), among it what fuzzing has found. A run that does not
 * come to an end in good order ends the whole program; the last line then names the input. */
#include "tests/fuzz/fuzz.h"
#include "tests/tap.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1 << 16) /* of an input: the corpus is kept small */

static int choose_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* False if the file cannot be read or is too large. */
static bool run_file(const struct fuzz_target *target, const char *folder, const char *name)
{
    static uint8_t bytes[MAX_BYTES];
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return false;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    const bool whole = ferror(file) == 0 && size < sizeof bytes;
    fclose(file);
    if (!whole) return false;
    printf("# %s\n", path);
    fflush(stdout);
    /* In memory of its own size, so that the address sanitizer sees where it ends. */
    uint8_t *copy = malloc(size + (size == 0));
    if (copy == NULL) return false;
    memcpy(copy, bytes, size);
    target->run(copy, size);
    free(copy);
    return true;
}

static void test_target(const struct fuzz_target *target)
{
    const char *const root = getenv("srcdir");
    char folder[PATH_MAX];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%.3000s/tests/fuzz/corpus/%.100s", root != NULL ? root : ".", target->name);
    const int count = scandir(folder, &entries, choose_file, alphasort);
    int good = 0;
    target->run((const uint8_t *)"", 0);
    for (int i = 0; i < count; i++) {
        good += run_file(target, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    CHECK(count > 0 && good == count, "%s: %d of %d inputs read and run", target->name, good, count);
}

int main(void)
{
    for (const struct fuzz_target *target = fuzz_targets; target->name != NULL; target++) test_target(target);
    return tap_done();
}
