/* records/store: what was appended is there, whatever happened to the writer, the disk or the file. */
#include "records/store.h"

#include "base/memory.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/muster-store-XXXXXX";
static char path[64], cut_path[80];

static json_t *make_record(unsigned number)
{
    char key[32];
    snprintf(key, sizeof key, "run %u", number);
    return json_pack("{s:s, s:s, s:[i,i,i]}", "key", key, "outcome", "ok", "samples_ns", 100 + number, 200, 300);
}

static int append(struct mu_store *store, unsigned number, struct mu_error *err)
{
    json_t *record = make_record(number);
    const int status = mu_store_append(store, record, err);
    json_decref(record);
    return status;
}

/* The file with records 0 to count - 1. */
static void make_file(unsigned count)
{
    struct mu_error err = {0};
    struct mu_store store;
    unlink(path);
    unlink(cut_path);
    if (mu_store_open(path, &store, &err) != MU_OK) return;
    for (unsigned i = 0; i < count; i++) append(&store, i, &err);
    mu_store_close(&store);
}

static size_t file_size(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? (size_t)status.st_size : 0;
}

static char *read_file(const char *name)
{
    const size_t bytes = file_size(name);
    char *text = calloc(bytes + 1, 1);
    FILE *file = fopen(name, "r");
    if (text != NULL && file != NULL && fread(text, 1, bytes, file) != bytes) text[0] = '\0';
    if (file != NULL) fclose(file);
    return text;
}

static void write_file(const char *text, size_t bytes)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    if (fwrite(text, 1, bytes, file) != bytes) printf("# cannot write %s\n", path);
    fclose(file);
}

static bool holds_runs(unsigned count)
{
    struct mu_error err = {0};
    struct mu_store store;
    char key[32];
    if (mu_store_open(path, &store, &err) != MU_OK) {
        printf("# %s\n", err.message);
        return false;
    }
    bool all = json_object_size(store.by_key) == count;
    for (unsigned i = 0; i < count && all; i++) {
        snprintf(key, sizeof key, "run %u", i);
        json_t *expected = make_record(i);
        all = json_equal(mu_store_find(&store, key), expected);
        json_decref(expected);
    }
    mu_store_close(&store);
    return all;
}

static void test_append(void)
{
    struct mu_error err = {0};
    struct mu_store store;
    make_file(0);
    CHECK(holds_runs(0), "a new store is empty");
    make_file(3);
    CHECK(holds_runs(3), "what was appended is there, in a file of its own");
    CHECK(mu_store_open(path, &store, &err) == MU_OK && append(&store, 3, &err) == MU_OK, "an old store takes more");
    CHECK(mu_store_find(&store, "run 3") != NULL && mu_store_find(&store, "run 4") == NULL, "and finds them");
    CHECK(append(&store, 1, &err) == MU_USAGE && strstr(err.message, "run 1") != NULL, "but none twice");
    err = (struct mu_error){0};
    json_t *keyless = json_pack("{s:s}", "outcome", "ok");
    CHECK(mu_store_append(&store, keyless, &err) == MU_USAGE, "nor one without a key");
    json_decref(keyless);
    mu_store_close(&store);
    CHECK(holds_runs(4), "the refused ones have left no trace");
}

/* A kill may cut the last line anywhere. */
static void test_cut_off(void)
{
    make_file(3);
    char *text = read_file(path);
    const size_t bytes = strlen(text);
    size_t two = 0;
    for (size_t i = 0, lines = 0; i < bytes && lines < 2; i++) {
        lines += text[i] == '\n';
        two = i + 1;
    }
    bool whole = true, kept = true, noted = true;
    for (size_t length = two + 1; length < bytes; length++) {
        struct mu_error err = {0};
        struct mu_store store;
        unlink(cut_path);
        write_file(text, length);
        if (mu_store_open(path, &store, &err) != MU_OK) {
            whole = false;
            break;
        }
        noted = noted && strstr(store.note, cut_path) != NULL;
        mu_store_close(&store);
        whole = whole && file_size(path) == two && holds_runs(2);
        char *cut = read_file(cut_path);
        kept = kept && strncmp(cut, text + two, length - two) == 0 && strlen(cut) == length - two + 1;
        free(cut);
    }
    CHECK(whole, "a record that was cut off, at any byte, is taken out, and no other");
    CHECK(kept, "its bytes are kept beside the file");
    CHECK(noted, "and a note says where");
    free(text);
    struct mu_error err = {0};
    struct mu_store store;
    CHECK(mu_store_open(path, &store, &err) == MU_OK && store.note[0] == '\0' && append(&store, 2, &err) == MU_OK,
          "after the repair there is no note, and the run can be appended again");
    mu_store_close(&store);
    CHECK(holds_runs(3), "so that none is lost and none is there twice");
}

/* Opening must refuse the file, name the line, and leave it alone. */
static void refuses(const char *text, size_t bytes, const char *part, const char *what)
{
    struct mu_error err = {0};
    struct mu_store store;
    write_file(text, bytes);
    const int status = mu_store_open(path, &store, &err);
    CHECK(status == MU_INPUT && strstr(err.message, part) != NULL, "%s is refused: %s", what, err.message);
    if (status == MU_OK) mu_store_close(&store);
    char *after = read_file(path);
    CHECK(file_size(path) == bytes && memcmp(after, text, bytes) == 0, "… and the file is as it was");
    free(after);
}

static void test_bad_lines(void)
{
#define LINE(n) "{\"key\":\"run " #n "\"}\n"
    static const char nonsense[] = LINE(0) "nonsense\n" LINE(1);
    static const char number[] = LINE(0) LINE(1) "12\n";
    static const char half[] = LINE(0) "{\"key\":\"ru\n" LINE(1);
    static const char twice[] = LINE(0) LINE(1) LINE(0);
    static const char members[] = "{\"key\":\"a\",\"key\":\"b\"}\n";
    static const char zero[] = LINE(0) "{\"key\":\"a\0b\"}\n";
    static const char bytes[] = LINE(0) "{\"key\":\"\xff\xfe\"}\n";
    refuses(nonsense, sizeof nonsense - 1, "runs.jsonl:2: ", "a line that is no JSON");
    refuses(number, sizeof number - 1, "runs.jsonl:3: ", "a line that is no object");
    refuses(half, sizeof half - 1, "runs.jsonl:2: ", "a half line in the middle");
    refuses(twice, sizeof twice - 1, "runs.jsonl:3: ", "a run that is there twice");
    refuses(members, sizeof members - 1, "runs.jsonl:1: ", "a member that is there twice");
    refuses(zero, sizeof zero - 1, "runs.jsonl:2: ", "a zero byte");
    refuses(bytes, sizeof bytes - 1, "runs.jsonl:2: ", "a text that is not UTF-8");
    static const char foreign[] = "{\"outcome\":\"ok\"}\n{\"outcome\":\"ok\"}\n";
    struct mu_error err = {0};
    struct mu_store store;
    write_file(foreign, sizeof foreign - 1);
    CHECK(mu_store_open(path, &store, &err) == MU_OK && json_object_size(store.by_key) == 2,
          "records without keys are kept");
    mu_store_close(&store);
    static const char blank[] = LINE(0) "\n \t\r\n" LINE(1);
    write_file(blank, sizeof blank - 1);
    CHECK(mu_store_open(path, &store, &err) == MU_OK && json_object_size(store.by_key) == 2,
          "empty lines are passed over");
    mu_store_close(&store);
}

static void test_lock(void)
{
    struct mu_error err = {0};
    struct mu_store store, other;
    char second[80];
    make_file(2);
    snprintf(second, sizeof second, "%s/others.jsonl", folder);
    CHECK(mu_store_open(path, &store, &err) == MU_OK, "one writer");
    CHECK(mu_store_open(path, &other, &err) == MU_IO && strstr(err.message, "another campaign") != NULL,
          "a second one is refused: %s", err.message);
    err = (struct mu_error){0};
    CHECK(mu_store_open(second, &other, &err) == MU_OK && append(&other, 0, &err) == MU_OK,
          "another file can be written at the same time");
    mu_store_close(&other);
    mu_store_close(&store);
    CHECK(mu_store_open(path, &store, &err) == MU_OK, "the next writer follows the first");
    mu_store_close(&store);
}

static void test_set_aside(void)
{
    char moved[PATH_MAX], wanted[80];
    struct mu_error err = {0};
    struct mu_store store;
    make_file(2);
    CHECK(mu_store_open(path, &store, &err) == MU_OK && mu_store_set_aside(&store, moved, &err) == MU_OK,
          "a store is set aside");
    snprintf(wanted, sizeof wanted, "%s.old", path);
    CHECK(strcmp(moved, wanted) == 0 && file_size(wanted) > 0, "under a name that says so");
    CHECK(mu_store_find(&store, "run 0") == NULL && append(&store, 0, &err) == MU_OK, "and begins anew");
    CHECK(mu_store_set_aside(&store, moved, &err) == MU_OK && strcmp(moved + strlen(moved) - 5, ".old2") == 0,
          "the next one does not replace it");
    CHECK(mu_store_set_aside(&store, moved, &err) == MU_OK && moved[0] == '\0', "an empty store is not moved");
    mu_store_close(&store);
}

/* What is appended to a file that nobody can open any more would be lost. */
static void test_removed(void)
{
    struct mu_error err = {0};
    struct mu_store store;
    make_file(2);
    CHECK(mu_store_open(path, &store, &err) == MU_OK && unlink(path) == 0, "a file is removed under its writer");
    CHECK(append(&store, 2, &err) == MU_IO && strstr(err.message, "removed or replaced") != NULL,
          "the next append is an error: %s", err.message);
    CHECK(mu_store_find(&store, "run 2") == NULL, "and the record is not taken for kept");
    err = (struct mu_error){0};
    write_file("", 0);
    CHECK(append(&store, 2, &err) == MU_IO && file_size(path) == 0, "another file in its place is an error, too");
    mu_store_close(&store);
}

/* The limit on a file's size stands in for the full disk. */
static void test_full_disk(void)
{
    struct rlimit before, small;
    struct mu_error err = {0};
    struct mu_store store;
    make_file(3);
    const size_t bytes = file_size(path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = bytes + 10;
    bool opened = mu_store_open(path, &store, &err) == MU_OK;
    setrlimit(RLIMIT_FSIZE, &small);
    const int status = opened ? append(&store, 3, &err) : MU_OK;
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(status == MU_IO && strstr(err.message, "File too large") != NULL, "a full disk is an error: %s", err.message);
    CHECK(strstr(err.message, "the 3 records before it are safe") != NULL, "which says what is safe");
    CHECK(file_size(path) == bytes, "no part of the record is left");
    err = (struct mu_error){0};
    CHECK(opened && append(&store, 3, &err) == MU_OK, "when there is room again, it can be appended");
    mu_store_close(&store);
    CHECK(holds_runs(4), "and everything is there");

    /* No room for the bytes that a repair sets aside. */
    char *text = read_file(path);
    write_file(text, strlen(text) - 5);
    const size_t cut = file_size(path);
    free(text);
    unlink(cut_path);
    err = (struct mu_error){0};
    small.rlim_cur = 3;
    setrlimit(RLIMIT_FSIZE, &small);
    const int repaired = mu_store_open(path, &store, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(repaired == MU_IO && file_size(path) == cut, "a repair that cannot keep what it cuts leaves the file: %s",
          err.message);
}

static void test_places(void)
{
    struct mu_error err = {0};
    struct mu_store store = {0};
    char place[PATH_MAX + 16];
    mu_store_close(&store);
    snprintf(place, sizeof place, "%s/none/runs.jsonl", folder);
    CHECK(mu_store_open(place, &store, &err) == MU_IO && strstr(err.message, place) != NULL, "no folder: %s",
          err.message);
    err = (struct mu_error){0};
    CHECK(mu_store_open(folder, &store, &err) == MU_IO, "a folder in its place: %s", err.message);
    err = (struct mu_error){0};
    CHECK(mu_store_open("/dev/null", &store, &err) == MU_IO, "a device in its place: %s", err.message);
    err = (struct mu_error){0};
    memset(place, 'x', sizeof place - 1);
    place[sizeof place - 1] = '\0';
    CHECK(mu_store_open(place, &store, &err) == MU_LIMIT, "a path that is too long");
}

/* A writer that is killed at some moment; what it told us it had appended must be there. */
static void test_kills(void)
{
    bool whole = true;
    unsigned least = 0;
    make_file(0);
    for (unsigned round = 0; round < 20; round++) {
        int told[2];
        if (pipe(told) != 0) return;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            struct mu_error err = {0};
            struct mu_store store;
            close(told[0]);
            if (mu_store_open(path, &store, &err) != MU_OK) _exit(1);
            for (unsigned i = (unsigned)json_object_size(store.by_key); append(&store, i, &err) == MU_OK; i++)
                if (write(told[1], "x", 1) != 1) _exit(1);
            _exit(1);
        }
        close(told[1]);
        char byte;
        unsigned appended = 0;
        while (appended <= round && read(told[0], &byte, 1) == 1) appended++;
        usleep(137 * round);
        kill(child, SIGKILL);
        while (read(told[0], &byte, 1) == 1) appended++;
        close(told[0]);
        waitpid(child, NULL, 0);
        least += appended;
        struct mu_error err = {0};
        struct mu_store store;
        whole = whole && mu_store_open(path, &store, &err) == MU_OK && json_object_size(store.by_key) >= least;
        if (!whole) break;
        least = (unsigned)json_object_size(store.by_key);
        mu_store_close(&store);
        whole = holds_runs(least);
    }
    CHECK(whole && least > 20, "20 writers were killed, and no record is lost or there twice (%u records)", least);
}

/* Every allocation fails once: an error, no leak (the sanitizer looks), and the file is as it was. */
static void test_memory(void)
{
    bool right = true;
    unsigned long n = 1;
    make_file(3);
    char *text = read_file(path);
    write_file(text, strlen(text) - 5);
    for (;; n++) {
        struct mu_error err = {0};
        struct mu_store store;
        write_file(text, strlen(text) - 5);
        mu_fail_allocation(n);
        const int status = mu_store_open(path, &store, &err);
        mu_fail_allocation(0);
        if (status == MU_OK) {
            mu_store_close(&store);
            break;
        }
        right = right && status == MU_NO_MEMORY && file_size(path) == strlen(text) - 5;
        if (n > 100) break;
    }
    CHECK(right && n > 1 && n <= 100, "each of %lu allocations may fail", n - 1);
    free(text);
}

static unsigned long json_allocations_left; /* 0: all succeed */

static void *json_allocate(size_t bytes)
{
    if (json_allocations_left == 1) return NULL;
    if (json_allocations_left != 0) json_allocations_left--;
    return malloc(bytes);
}

/* The same for the allocations of the JSON library, which says so of some by an empty reason, and takes others for a
 * wrong token. */
static void test_json_memory(void)
{
    bool right = true;
    unsigned long n = 1, named = 0;
    make_file(3);
    json_set_alloc_funcs(json_allocate, free);
    for (; n <= 1000; n++) {
        struct mu_error err = {0};
        struct mu_store store;
        json_allocations_left = n;
        const int status = mu_store_open(path, &store, &err);
        json_allocations_left = 0;
        if (status == MU_OK) {
            mu_store_close(&store);
            break;
        }
        const char *reason = strrchr(err.message, ':');
        right = right && reason != NULL && strlen(reason) > 2;
        named += status == MU_NO_MEMORY;
    }
    json_set_alloc_funcs(malloc, free);
    CHECK(right && n > 10 && n <= 1000, "each of %lu allocations of the JSON library may fail", n - 1);
    CHECK(named > n / 2, "most of them are named: %lu", named);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) return 99;
    snprintf(path, sizeof path, "%s/runs.jsonl", folder);
    snprintf(cut_path, sizeof cut_path, "%s.cut", path);
    test_append();
    test_cut_off();
    test_bad_lines();
    test_lock();
    test_set_aside();
    test_removed();
    test_full_disk();
    test_places();
    test_kills();
    test_memory();
    test_json_memory();
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) printf("# %s is left\n", folder);
    return tap_done();
}
