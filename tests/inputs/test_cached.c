/* inputs/cached: a generated input that comes from the cache is the one that was made; what is damaged, planted or cut
 * off is made anew; a full disk and a race of writers harm nobody; the bound is kept. */
#include "inputs/cached.h"

#include "base/files/cache.h"
#include "base/memory.h"
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-cached-XXXXXX";

enum { MOST = 64 << 20 };

static bool found; /* whether the last input came from the cache */

/* The hash of an input, 0 where it cannot be had. */
static uint64_t load(const char *specification, uint64_t seed, uint64_t least_ns, uint64_t most_bytes)
{
    struct mu_input_cache cache = {.use = true, .least_ns = least_ns, .most_bytes = most_bytes};
    struct mu_error err = {0};
    struct mu_graph *graph = NULL;
    struct mu_mesh *mesh = NULL;
    uint64_t hash = 0;
    if (mu_mesh_is_named(specification)) {
        if (mu_mesh_load_cached(specification, seed, &cache, &mesh, &err) == MU_OK) hash = mu_mesh_hash(mesh);
    } else if (mu_graph_load_cached(specification, &(struct mu_reading){.seed = seed}, &cache, &graph, &err) == MU_OK) {
        hash = mu_graph_hash(graph);
    }
    mu_graph_free(graph);
    mu_mesh_free(mesh);
    found = cache.found;
    return hash;
}

static uint64_t made(const char *specification, uint64_t seed)
{
    const uint64_t hash = load(specification, seed, 0, MOST);
    return found ? 0 : hash;
}

static uint64_t cached(const char *specification, uint64_t seed)
{
    const uint64_t hash = load(specification, seed, 0, MOST);
    return found ? hash : 0;
}

/* The files of inputs, whole or not: how many, their bytes, and the path of one. */
static size_t list_files(char *path, size_t path_bytes, uint64_t *bytes)
{
    char inner[256], name[600];
    struct stat status;
    size_t files = 0;
    *bytes = 0;
    snprintf(inner, sizeof inner, "%s/muster", folder);
    DIR *entries = opendir(inner);
    for (const struct dirent *entry = entries ? readdir(entries) : NULL; entry != NULL; entry = readdir(entries)) {
        if (strncmp(entry->d_name, "input-", 6) != 0) continue;
        snprintf(name, sizeof name, "%s/%s", inner, entry->d_name);
        if (lstat(name, &status) != 0) continue;
        if (path != NULL) snprintf(path, path_bytes, "%s", name);
        *bytes += (uint64_t)status.st_size;
        files++;
    }
    if (entries != NULL) closedir(entries);
    return files;
}

static void clear(void)
{
    char path[600];
    uint64_t bytes;
    while (list_files(path, sizeof path, &bytes) != 0 && remove(path) == 0) continue;
}

static void test_hit(void)
{
    static const char *const inputs[] = {"grid2d:7x5", "rmat:8",   "road:20",     "uniform:6:3",
                                         "traps:9",    "mesh:300", "meshgrid:5x4"};
    char path[600];
    uint64_t bytes;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const uint64_t first = made(inputs[i], 3), again = cached(inputs[i], 3);
        CHECK(first != 0 && first == again, "%s is made once, and the same from the cache", inputs[i]);
    }
    CHECK(made("rmat:8", 4) != 0 && made("rmat:7", 3) != 0, "another seed or size is another input");
    clear();
    load("rmat:8", 3, UINT64_MAX, MOST);
    CHECK(list_files(NULL, 0, &bytes) == 0, "what is made quickly is not cached");
    load("rmat:8", 3, 0, 0);
    CHECK(list_files(NULL, 0, &bytes) == 0, "nothing is cached where nothing may be");
    struct mu_input_cache none = {.use = false, .most_bytes = MOST};
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    made("rmat:8", 3);
    CHECK(mu_graph_load_cached("rmat:8", &(struct mu_reading){.seed = 3}, &none, &graph, &err) == MU_OK && !none.found,
          "--no-cache does not look");
    mu_graph_free(graph);
    clear();
    CHECK(load("rmat:x", 1, 0, MOST) == 0 && load("mesh:0", 1, 0, MOST) == 0 &&
              list_files(path, sizeof path, &bytes) == 0,
          "a bad specification is as bad as ever, and leaves nothing");
}

static void flip(const char *path, long offset)
{
    FILE *file = fopen(path, "r+b");
    if (file == NULL) return;
    fseek(file, offset, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, offset, SEEK_SET);
    fputc(byte ^ 0x41, file);
    fclose(file);
}

/* Every byte in turn, and every length, of a small file. */
static void test_damage(const char *input)
{
    char path[600] = "";
    uint64_t bytes = 0;
    unsigned taken = 0, wrong = 0;
    clear();
    const uint64_t right = made(input, 1);
    if (list_files(path, sizeof path, &bytes) != 1) {
        CHECK(false, "%s is cached", input);
        return;
    }
    for (uint64_t at = 0; at < bytes; at++) {
        flip(path, (long)at);
        wrong += load(input, 1, UINT64_MAX, MOST) != right;
        taken += found;
        flip(path, (long)at);
    }
    CHECK(cached(input, 1) == right, "%s: the file is whole again", input);
    CHECK(wrong == 0 && taken == 0, "%s: of %llu bytes that were changed one at a time %u were taken, %u answers wrong",
          input, (unsigned long long)bytes, taken, wrong);
    taken = wrong = 0;
    for (uint64_t at = bytes; at-- > 0;) {
        if (truncate(path, (off_t)at) != 0) break;
        wrong += load(input, 1, UINT64_MAX, MOST) != right;
        taken += found;
    }
    CHECK(wrong == 0 && taken == 0, "%s: none of %llu shorter files is taken", input, (unsigned long long)bytes);
    CHECK(made(input, 1) == right && cached(input, 1) == right, "%s: it is made anew, and cached again", input);
}

/* A file that has a right hash, but not of a graph. */
static void test_forged(void)
{
    static const char key[] = "format 1, generators 1\nrmat:1:1\n5\n";
    const uint64_t right = made("rmat:1:1", 5);
    const struct {
        const char *what;
        uint64_t numbers[8], rows[3];
        uint32_t columns[2];
    } forged[] = {
        {"a graph", {1, 2, 2, 1}, {0, 1, 2}, {1, 0}},
        {"another order of bytes", {256, 2, 2, 1}, {0, 1, 2}, {1, 0}},
        {"no vertex", {1, 0, 2, 1}, {0, 1, 2}, {1, 0}},
        {"a head beyond all", {1, 2, 2, 1}, {0, 1, 2}, {1, 2}},
        {"rows that go back", {1, 2, 2, 1}, {0, 3, 2}, {1}},
        {"rows beyond the arcs", {1, 2, 2, 1}, {0, 1, 3}, {1}},
        {"a huge graph", {1, 1u << 31, 2, 1}, {0, 1, 2}, {1}},
        {"2^62 arcs", {1, 2, UINT64_C(1) << 62, 1}, {0}, {1}},
    };
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        const struct mu_cache_part parts[] = {{forged[i].numbers, sizeof forged[i].numbers},
                                              {forged[i].rows, sizeof forged[i].rows},
                                              {forged[i].columns, sizeof forged[i].columns}};
        mu_cache_put_parts("input", key, strlen(key), parts, 3);
        const uint64_t hash = load("rmat:1:1", 5, UINT64_MAX, MOST);
        CHECK(i == 0 ? found : !found && hash == right, "%s: %s", forged[i].what, i == 0 ? "taken" : "made anew");
    }
    clear();
}

static void test_planted(void)
{
    char path[600] = "", victim[300], text[16] = "";
    uint64_t bytes;
    const uint64_t right = made("rmat:8", 1);
    list_files(path, sizeof path, &bytes);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    CHECK(rename(path, victim) == 0 && symlink(victim, path) == 0 && load("rmat:8", 1, UINT64_MAX, MOST) == right &&
              !found,
          "a link in the place of a file is not read");
    CHECK(made("rmat:8", 1) == right && cached("rmat:8", 1) == right, "it gives way to a file");
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0 && load("rmat:8", 1, UINT64_MAX, MOST) == right && !found, "a pipe does not block");
    unlink(path);
    FILE *file = fopen(victim, "w+");
    if (file == NULL) return;
    fputs("precious", file);
    fflush(file);
    char unfinished[700];
    snprintf(unfinished, sizeof unfinished, "%s.%ld", path, (long)getpid());
    CHECK(symlink(victim, unfinished) == 0 && made("rmat:8", 1) == right && cached("rmat:8", 1) == right,
          "a link in the place of a file that is about to be written is removed");
    CHECK(symlink(victim, unfinished) == 0 && (load("rmat:9", 1, 0, 1 << 20), true), "a link among the files");
    rewind(file);
    CHECK(fgets(text, sizeof text, file) != NULL && strcmp(text, "precious") == 0, "what links lead to is left alone");
    fclose(file);
    unlink(unfinished);
    snprintf(path, sizeof path, "%s/muster", folder);
    CHECK(chmod(path, 0777) == 0 && made("rmat:8", 1) == right && made("rmat:8", 1) == right,
          "a folder that others may write to is not used");
    chmod(path, 0700);
    clear();
}

/* A disk that takes less than the file: here a limit on the size of files, and where the system has one, /dev/full's
 * kind of error is the same. */
static void test_full_disk(void)
{
    struct rlimit before, small;
    uint64_t bytes;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    const bool limited = setrlimit(RLIMIT_FSIZE, &small) == 0;
    const uint64_t first = made("rmat:8", 1), again = made("rmat:8", 1);
    const size_t files = list_files(NULL, 0, &bytes);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(limited && first != 0 && first == again, "a file that cannot be written to its end: the input is made");
    CHECK(files == 0, "and %zu parts of files are left", files);
    CHECK(mu_cache_trim("input", MOST, 0) && !mu_cache_trim("input", MOST, UINT64_MAX),
          "what would take more than half of what is free is not kept");
}

/* Of four files, of which there is room for about two, those remain that were used last. */
static void test_bound(void)
{
    uint64_t one = 0, bytes = 0;
    struct timespec long_ago[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    char path[600];
    clear();
    made("rmat:9", 1);
    list_files(path, sizeof path, &one);
    utimensat(AT_FDCWD, path, long_ago, 0);
    made("rmat:9", 2);
    CHECK(cached("rmat:9", 1) != 0, "the first is read again");
    char second[600];
    uint64_t ignored;
    /* The second becomes the older one. */
    DIR *entries = NULL;
    char inner[256];
    snprintf(inner, sizeof inner, "%s/muster", folder);
    entries = opendir(inner);
    for (const struct dirent *entry = entries ? readdir(entries) : NULL; entry != NULL; entry = readdir(entries)) {
        snprintf(second, sizeof second, "%s/%s", inner, entry->d_name);
        if (strncmp(entry->d_name, "input-", 6) == 0 && strcmp(second, path) != 0)
            utimensat(AT_FDCWD, second, long_ago, 0);
    }
    if (entries != NULL) closedir(entries);
    load("rmat:9", 3, 0, one * 5 / 2);
    CHECK(list_files(NULL, 0, &bytes) == 2 && bytes <= one * 5 / 2,
          "three that are too much for the bound: two are left");
    load("rmat:9", 1, UINT64_MAX, MOST);
    const bool first = found;
    load("rmat:9", 2, UINT64_MAX, MOST);
    const bool middle = found;
    load("rmat:9", 3, UINT64_MAX, MOST);
    CHECK(first && !middle && found, "the one that was not used for longest was removed");
    load("rmat:9", 4, 0, one / 2);
    CHECK(list_files(NULL, 0, &ignored) == 2 && !found,
          "what is larger than the bound is not kept, and removes nothing");
    clear();
}

static void test_race(void)
{
    enum { PROCESSES = 4, ROUNDS = 40 };
    pid_t children[PROCESSES];
    int failed = 0, status;
    clear();
    const uint64_t right = load("rmat:9", 1, UINT64_MAX, 0);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] != 0) continue;
        for (int round = 0; round < ROUNDS; round++) {
            /* Room for one: each writer removes what the others read. */
            if (load("rmat:9", 1, 0, 200000) != right || load("rmat:8", (uint64_t)i + 2, 0, 200000) == 0) _exit(1);
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) failed += waitpid(children[i], &status, 0) != children[i] || status != 0;
    CHECK(right != 0 && failed == 0, "processes that write, read and remove at once: all inputs are right");
    clear();
}

static void test_environment(void)
{
    struct mu_input_cache cache;
    struct mu_error err = {0};
    unsetenv("MUSTER_INPUT_CACHE");
    CHECK(mu_input_cache_usual(true, &cache, &err) == MU_OK && cache.use && cache.most_bytes == UINT64_C(8) << 30,
          "usually 8 GiB");
    setenv("MUSTER_INPUT_CACHE", "3", 1);
    CHECK(mu_input_cache_usual(false, &cache, &err) == MU_OK && !cache.use && cache.most_bytes == 3 << 20,
          "MUSTER_INPUT_CACHE is in MiB");
    setenv("MUSTER_INPUT_CACHE", "much", 1);
    CHECK(mu_input_cache_usual(true, &cache, &err) == MU_USAGE && strstr(err.message, "much") != NULL,
          "and refused where it is no number");
}

/* Without memory nothing is kept or found, and the input is made or its maker says why not. */
static void test_memory(void)
{
    const uint64_t right = load("rmat:8", 1, UINT64_MAX, 0);
    unsigned wrong = 0;
    made("rmat:8", 1);
    for (unsigned long n = 1; n < 12; n++) {
        mu_fail_allocation(n);
        const uint64_t hash = load("rmat:8", 1, 0, MOST);
        mu_fail_allocation(0);
        wrong += hash != right && hash != 0;
    }
    CHECK(wrong == 0 && cached("rmat:8", 1) == right, "each of the first allocations may fail");
    CHECK(mu_memory_in_use() == 0, "no memory is left behind");
}

int main(void)
{
    char command[128];
    if (mkdtemp(folder) == NULL) return 99;
    setenv("XDG_CACHE_HOME", folder, 1);
    test_hit();
    test_damage("rmat:2:2");
    test_damage("mesh:2");
    test_forged();
    test_planted();
    test_full_disk();
    test_bound();
    test_race();
    test_environment();
    test_memory();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) return 99;
    return tap_done();
}
