/* base/files/cache: what was put comes back; damage, no place and a race of writers harm nobody. */
#include "base/files/cache.h"

#include "base/memory.h"
#include "tests/tap.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-cache-XXXXXX";
static const char key[] = "the key";

static bool holds(const char *kind, const void *value, size_t bytes)
{
    size_t got_bytes = 0;
    void *got = mu_cache_get(kind, key, sizeof key, &got_bytes);
    const bool same = got != NULL && got_bytes == bytes && memcmp(got, value, bytes) == 0;
    mu_free(got);
    return same;
}

static bool holds_nothing(const char *kind, const void *of, size_t of_bytes)
{
    size_t bytes = 0;
    void *got = mu_cache_get(kind, of, of_bytes, &bytes);
    mu_free(got);
    return got == NULL;
}

/* The path of the one file of a kind. */
static bool find_file(const char *kind, char *path, size_t bytes)
{
    char inner[256];
    snprintf(inner, sizeof inner, "%s/muster", folder);
    bool found = false;
    DIR *entries = opendir(inner);
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry != NULL; entry = readdir(entries))
        if (strncmp(entry->d_name, kind, strlen(kind)) == 0) {
            snprintf(path, bytes, "%s/%s", inner, entry->d_name);
            found = true;
        }
    if (entries != NULL) closedir(entries);
    return found;
}

static void test_put_and_get(void)
{
    CHECK(holds_nothing("a", key, sizeof key), "an empty cache has nothing");
    CHECK(mu_cache_put("a", key, sizeof key, "value", 5) == 0 && holds("a", "value", 5), "put and get");
    CHECK(mu_cache_put("a", key, sizeof key, "other value", 11) == 0 && holds("a", "other value", 11), "put again");
    CHECK(holds_nothing("b", key, sizeof key), "another kind has nothing");
    CHECK(holds_nothing("a", "the kez", sizeof key), "another key has nothing");
    CHECK(mu_cache_put("zero", key, sizeof key, "", 0) == 0 && holds("zero", "", 0), "an empty value");
}

/* Changes the file's byte at `offset` (from the end if negative), or cuts it there. */
static void damage(const char *path, long offset, bool cut)
{
    FILE *file = fopen(path, "r+b");
    if (file == NULL) return;
    fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET);
    const long at = ftell(file);
    const int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    if (!cut) fputc(byte ^ 0x55, file);
    fclose(file);
    if (cut && truncate(path, at) != 0) perror(path);
}

static void test_damage(void)
{
    static const struct {
        const char *what;
        long offset;
        bool cut;
    } damages[] = {{"magic number", 0, false},
                   {"length of the key", 8, false},
                   {"length of the value", 16, false},
                   {"huge length of the value", 23, false},
                   {"hash", 24, false},
                   {"key", 32, false},
                   {"value", -1, false},
                   {"end", -1, true},
                   {"everything but the header", 32, true},
                   {"half of the header", 16, true},
                   {"everything", 0, true}};
    char path[512] = "";
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        if (mu_cache_put("damaged", key, sizeof key, "a value", 7) != 0 || !find_file("damaged", path, sizeof path))
            break;
        const bool before = holds("damaged", "a value", 7);
        damage(path, damages[i].offset, damages[i].cut);
        CHECK(before && holds_nothing("damaged", key, sizeof key), "damaged: %s%s", damages[i].what,
              damages[i].cut ? " cut off" : "");
    }
    unlink(path);
    CHECK(mkdir(path, 0700) == 0 && holds_nothing("damaged", key, sizeof key), "a folder in the file's place");
    CHECK(mu_cache_put("damaged", key, sizeof key, "a value", 7) != 0, "which cannot be replaced");
    rmdir(path);
}

static void test_no_place(void)
{
    char elsewhere[300];
    snprintf(elsewhere, sizeof elsewhere, "%s/file", folder);
    FILE *file = fopen(elsewhere, "w");
    if (file != NULL) fclose(file);
    setenv("XDG_CACHE_HOME", elsewhere, 1);
    CHECK(mu_cache_put("a", key, sizeof key, "value", 5) != 0, "a file where the folder should be: no put");
    CHECK(holds_nothing("a", key, sizeof key), "and no get");
    setenv("XDG_CACHE_HOME", "/proc/none", 1);
    CHECK(mu_cache_put("a", key, sizeof key, "value", 5) != 0 && holds_nothing("a", key, sizeof key),
          "an unwritable folder");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    CHECK(mu_cache_put("a", key, sizeof key, "value", 5) != 0 && holds_nothing("a", key, sizeof key), "no home");
    setenv("HOME", folder, 1);
    CHECK(mu_cache_put("a", key, sizeof key, "at home", 7) == 0 && holds("a", "at home", 7), "under ~/.cache");
    unlink(elsewhere);
    snprintf(elsewhere, sizeof elsewhere, "%s/deep/er", folder);
    setenv("XDG_CACHE_HOME", elsewhere, 1);
    CHECK(mu_cache_put("a", key, sizeof key, "value", 5) == 0 && holds("a", "value", 5), "folders are made");
    setenv("XDG_CACHE_HOME", folder, 1);
}

/* Two processes put values of one letter each again and again; whoever looks sees one whole value. */
static void test_writers(void)
{
    enum { BYTES = 100000, ROUNDS = 200 };
    static char letters[BYTES];
    pid_t writers[2];
    memset(letters, 'A', sizeof letters);
    mu_cache_put("raced", key, sizeof key, letters, sizeof letters);
    for (int i = 0; i < 2; i++) {
        writers[i] = fork();
        if (writers[i] != 0) continue;
        for (int round = 0; round < ROUNDS; round++) {
            memset(letters, 'A' + (round + i) % 26, sizeof letters);
            if (mu_cache_put("raced", key, sizeof key, letters, sizeof letters) != 0) _exit(1);
        }
        _exit(0);
    }
    int missing = 0, torn = 0, failed = 0, status = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t bytes = 0;
        char *value = mu_cache_get("raced", key, sizeof key, &bytes);
        missing += value == NULL;
        for (size_t i = 0; value != NULL && i < bytes; i++) torn += value[i] != value[0];
        mu_free(value);
    }
    for (int i = 0; i < 2; i++) failed += waitpid(writers[i], &status, 0) != writers[i] || status != 0;
    CHECK(missing == 0 && torn == 0, "two writers: %d reads found nothing, %d bytes were torn", missing, torn);
    CHECK(failed == 0, "both writers could put");
}

/* What others may have put into a folder that they can write to. */
static void test_planted(void)
{
    char inner[256], path[512] = "", victim[300], forged[300], text[16] = "";
    snprintf(inner, sizeof inner, "%s/muster", folder);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    FILE *file = fopen(victim, "w+");
    if (file == NULL) return;
    fputs("precious", file);
    fflush(file);

    CHECK(mu_cache_put("planted", key, sizeof key, "value", 5) == 0 && find_file("planted", path, sizeof path),
          "a file of the cache");
    snprintf(forged, sizeof forged, "%s/forged", folder);
    CHECK(rename(path, forged) == 0 && symlink(forged, path) == 0 && holds_nothing("planted", key, sizeof key),
          "a link in the place of a file is not read");
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0 && holds_nothing("planted", key, sizeof key), "a pipe does not block");
    unlink(path);
    char unfinished[600];
    snprintf(unfinished, sizeof unfinished, "%s.%ld", path, (long)getpid());
    CHECK(symlink(victim, unfinished) == 0 && mu_cache_put("planted", key, sizeof key, "value", 5) == 0 &&
              holds("planted", "value", 5),
          "a link in the place of a file that is about to be written is removed");
    rewind(file);
    CHECK(fgets(text, sizeof text, file) != NULL && strcmp(text, "precious") == 0,
          "and what it leads to is left alone");
    fclose(file);

    CHECK(chmod(inner, 0770) == 0 && holds_nothing("planted", key, sizeof key), "nothing from a folder of the group's");
    CHECK(chmod(inner, 0702) == 0 && mu_cache_put("a", key, sizeof key, "x", 1) != 0, "nor into one of everybody's");
    CHECK(chmod(inner, 0755) == 0 && holds("planted", "value", 5), "others may read");
    snprintf(forged, sizeof forged, "%s/elsewhere", folder);
    CHECK(rename(inner, forged) == 0 && symlink(forged, inner) == 0 && holds_nothing("planted", key, sizeof key) &&
              mu_cache_put("a", key, sizeof key, "x", 1) != 0,
          "a link in the place of the folder is not followed");
    unlink(inner);
    if (geteuid() != 0)
        tap_skip("the folder of somebody else", "only root can make one");
    else
        CHECK(rename(forged, inner) == 0 && chown(inner, 65534, 65534) == 0 &&
                  holds_nothing("planted", key, sizeof key),
              "the folder of somebody else is not used");
}

int main(void)
{
    char command[128];
    if (mkdtemp(folder) == NULL) return 99;
    setenv("XDG_CACHE_HOME", folder, 1);
    test_put_and_get();
    test_damage();
    test_no_place();
    test_writers();
    test_planted();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) return 99;
    return tap_done();
}
