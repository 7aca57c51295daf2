/* inputs/file_hash: the bytes decide, not name, size or time; what is no file has no hash. */
#include "inputs/file_hash.h"

#include "base/memory.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char folder[] = "/tmp/muster-hash-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text, size_t times)
{
    FILE *file = fopen(path_of(name), "wb");
    if (file == NULL) abort();
    for (size_t i = 0; i < times; i++) fputs(text, file);
    if (fclose(file) != 0) abort();
}

static struct mu_file_hash hash_of(const char *specification)
{
    struct mu_file_hash hash;
    struct mu_error err = {0};
    if (mu_file_hash(specification, &hash, &err) != MU_OK) abort();
    return hash;
}

static bool same(struct mu_file_hash a, struct mu_file_hash b)
{
    return a.known && b.known && a.value == b.value;
}

static bool differ(struct mu_file_hash a, struct mu_file_hash b)
{
    return a.known && b.known && a.value != b.value;
}

static void test_files(void)
{
    put("a", "1 2\n", 1);
    put("b", "1 2\n", 1);
    const struct mu_file_hash first = hash_of(path_of("a"));
    CHECK(same(first, hash_of(path_of("b"))), "the same bytes under another name");
    put("b", "1 3\n", 1);
    CHECK(differ(first, hash_of(path_of("b"))), "as many other bytes");
    put("b", "1 2\n", 2);
    CHECK(differ(first, hash_of(path_of("b"))), "more bytes");
    put("b", "", 0);
    CHECK(differ(first, hash_of(path_of("b"))), "no bytes");
    put("a", "0123456789abcde\n", 200000);
    put("b", "0123456789abcde\n", 200000);
    CHECK(same(hash_of(path_of("a")), hash_of(path_of("b"))), "three megabytes");
    FILE *file = fopen(path_of("b"), "r+b");
    if (file == NULL || fseek(file, -1, SEEK_END) != 0 || fputc('x', file) == EOF || fclose(file) != 0) abort();
    CHECK(differ(hash_of(path_of("a")), hash_of(path_of("b"))), "the last of three million bytes");
}

static void test_meshes(void)
{
    put("m.node", "points", 1);
    put("m.ele", "triangles", 1);
    const struct mu_file_hash two = hash_of(path_of("m"));
    CHECK(same(two, hash_of(path_of("m.ele"))), "a mesh by the name of one of its files");
    put("m.poly", "segments", 1);
    const struct mu_file_hash three = hash_of(path_of("m.node"));
    CHECK(differ(two, three), "a file more");
    put("m.node", "pointz", 1);
    CHECK(differ(three, hash_of(path_of("m"))), "other points");
    put("m.node", "points", 1);
    put("m.ele", "trianglez", 1);
    CHECK(differ(three, hash_of(path_of("m"))), "other triangles");
    put("m.node", "pointst", 1);
    put("m.ele", "riangles", 1);
    CHECK(differ(three, hash_of(path_of("m"))), "a byte on the other side of the border between two files");
}

static void test_no_files(void)
{
    CHECK(!hash_of("road:10").known && !hash_of("mesh:10").known, "generators have none");
    CHECK(!hash_of(path_of("none")).known, "no such file");
    CHECK(!hash_of(path_of("none.node")).known, "none of a mesh's files");
    CHECK(!hash_of(folder).known, "a folder");
    CHECK(mkfifo(path_of("pipe"), 0600) == 0 && !hash_of(path_of("pipe")).known, "a pipe is not waited for");
}

static void test_memory(void)
{
    unsigned long failed = 0;
    bool right = true, more = true;
    for (unsigned long n = 1; more; n++) {
        struct mu_file_hash hash;
        struct mu_error err = {0};
        mu_fail_allocation(n);
        const int status = mu_file_hash(path_of("m"), &hash, &err);
        mu_fail_allocation(0);
        more = status != MU_OK;
        failed += more;
        right &= more ? status == MU_NO_MEMORY && !hash.known : hash.known;
    }
    CHECK(right && failed >= 3, "%lu allocations that fail are reported", failed);
}

int main(void)
{
    char command[64];
    if (mkdtemp(folder) == NULL) return 99;
    test_files();
    test_meshes();
    test_no_files();
    test_memory();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) printf("# %s remains\n", folder);
    return tap_done();
}
