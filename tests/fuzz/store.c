/* Fuzz target: files of records, as a campaign opens them and adds to them. */
#include "records/store.h"

#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

fuzz_run fuzz_store;

/* Writes the file that a store is to open; false if it cannot. */
static bool write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    const bool written = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

static json_t *make_record(const char *key)
{
    json_t *record = json_pack("{s:s, s:f}", "key", key, "value", 0.1);
    fuzz_require(record != NULL, "there is memory for a record");
    return record;
}

/* A store takes a record whose key is new, and no other, and is there when it is opened again. */
static void append_one(struct mu_store *store, const char *path, struct mu_error *err)
{
    struct mu_error twice = {0};
    const size_t count = mu_store_count(store);
    json_t *record = make_record("a new one");
    const bool is_new = !mu_store_has(store, "a new one");
    fuzz_require(fuzz_succeeded(mu_store_append(store, record, err), err) == is_new, "a store takes what is new");
    fuzz_require(!fuzz_succeeded(mu_store_append(store, record, &twice), &twice), "but not twice");
    json_decref(record);
    mu_store_close(store);
    *err = (struct mu_error){0};
    fuzz_require(fuzz_succeeded(mu_store_open(path, store, err), err) && mu_store_count(store) == count + is_new &&
                     store->note[0] == '\0',
                 "what was appended is there");
}

/* Nobody else opens a store meanwhile, nor one whose path is too long. */
static void open_twice(const char *path)
{
    static char longer[2 * PATH_MAX];
    struct mu_error err = {0}, of_longer = {0};
    struct mu_store other;
    memset(longer, 'a', sizeof longer - 1);
    fuzz_require(!fuzz_succeeded(mu_store_open(longer, &other, &of_longer), &of_longer), "a path has an end");
    fuzz_require(!fuzz_succeeded(mu_store_open(path, &other, &err), &err), "a store has one writer");
}

/* Where no file may grow, as on a full disk, a record is refused, and the file stays as it is. */
static void append_to_full(struct mu_store *store)
{
    struct rlimit usual, full;
    struct stat about;
    struct mu_error err = {0};
    json_t *record = make_record("one for which there is no room");
    const bool is_new = !mu_store_has(store, "one for which there is no room");
    fuzz_require(getrlimit(RLIMIT_FSIZE, &usual) == 0, "there is a limit");
    full = (struct rlimit){store->bytes + 8, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &full);
    fuzz_require(!fuzz_succeeded(mu_store_append(store, record, &err), &err), "a full disk takes no record");
    setrlimit(RLIMIT_FSIZE, &usual);
    fuzz_require(fstat(store->fd, &about) == 0 && (uint64_t)about.st_size == store->bytes &&
                     (!is_new || !mu_store_has(store, "one for which there is no room")),
                 "nothing of a record that was refused is left");
    json_decref(record);
}

/* What is written to a file that is gone would be lost. */
static void append_to_removed(struct mu_store *store, const char *path)
{
    struct mu_error err = {0};
    json_t *record = make_record("one for which there is no file");
    remove(path);
    fuzz_require(!fuzz_succeeded(mu_store_append(store, record, &err), &err), "a file that is gone takes no record");
    json_decref(record);
}

/* Sets it aside twice: neither replaces the other, nor what is there. */
static void set_aside(struct mu_store *store, const char *path)
{
    char moved[2][PATH_MAX] = {"", ""};
    struct mu_error err = {0};
    for (size_t i = 0; i < 2; i++) {
        json_t *record = make_record("what is set aside");
        fuzz_require(fuzz_succeeded(mu_store_set_aside(store, moved[i], &err), &err) && store->bytes == 0 &&
                         (moved[i][0] == '\0' || access(moved[i], F_OK) == 0),
                     "a store is set aside");
        fuzz_require(fuzz_succeeded(mu_store_append(store, record, &err), &err), "and begins anew");
        json_decref(record);
    }
    fuzz_require(strcmp(moved[0], moved[1]) != 0, "to a place of its own");
    append_to_removed(store, path);
    remove(moved[0]);
    remove(moved[1]);
}

/* A last line that was cut off is set aside; where that cannot be, the file stays as it is. */
static void open_beside_folder(const char *path, const char *cut, bool whole)
{
    struct mu_error err = {0};
    struct mu_store store;
    fuzz_require(mkdir(cut, 0700) == 0, "a folder can be made");
    fuzz_require(!fuzz_succeeded(mu_store_open(path, &store, &err), &err) || whole,
                 "a store is not repaired whose end would be lost");
    mu_store_close(&store);
    err = (struct mu_error){0};
    fuzz_require(!fuzz_succeeded(mu_store_open(cut, &store, &err), &err), "a folder is no store");
    rmdir(cut);
}

void fuzz_store(const uint8_t *data, size_t size)
{
    static char path[PATH_MAX];
    char cut[PATH_MAX + 8];
    struct mu_error err = {0};
    struct mu_store store = {0};
    const bool whole = size == 0 || data[size - 1] == '\n';
    if (path[0] == '\0' && fuzz_place("store.jsonl") != NULL)
        snprintf(path, sizeof path, "%s", fuzz_place("store.jsonl"));
    if (path[0] == '\0' || !write_file(path, data, size)) return;
    snprintf(cut, sizeof cut, "%s.cut", path);
    open_beside_folder(path, cut, whole);
    if (fuzz_succeeded(mu_store_open(path, &store, &err), &err)) {
        fuzz_require((store.bytes == size) == whole && (store.note[0] == '\0') == whole,
                     "an end is repaired that is cut off");
        open_twice(path);
        append_one(&store, path, &err);
        append_to_full(&store);
        set_aside(&store, path);
    }
    mu_store_close(&store);
    remove(cut);
    remove(path);
}
