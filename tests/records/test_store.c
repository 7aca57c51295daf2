/* records/store: what was appended is there, and what the file was before decides what becomes of it. */
#include "records/store.h"

#include "tests/records/store_file.h"
#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The system's, but that a write may be interrupted, that flushing is counted, and that another writer may put a new
 * file in the place of the one that is about to be locked. */
static unsigned interruptions, flushes;
static bool swaps;

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (interruptions != 0) {
        interruptions--;
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_write, fd, bytes, count);
}

int fdatasync(int fd)
{
    flushes++;
    return (int)syscall(SYS_fdatasync, fd);
}

int flock(int fd, int operation)
{
    char moved[80];
    if (swaps) {
        swaps = false;
        snprintf(moved, sizeof moved, "%s.moved", path);
        if (rename(path, moved) != 0 || close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) != 0) return -1;
    }
    return (int)syscall(SYS_flock, fd, operation);
}

static void test_system(void)
{
    struct mu_error err = {0};
    struct mu_store store;
    struct stat opened = {0}, named = {0};
    make_file(1);
    const bool is_open = mu_store_open(path, &store, &err) == MU_OK;
    flushes = 0;
    interruptions = 3;
    CHECK(is_open && append(&store, 1, &err) == MU_OK && interruptions == 0, "a write that is interrupted goes on: %s",
          err.message);
    interruptions = 0;
    CHECK(flushes == 1, "each record is flushed to the disk: %u", flushes);
    mu_store_close(&store);
    swaps = true;
    CHECK(mu_store_open(path, &store, &err) == MU_OK && fstat(store.fd, &opened) == 0 && stat(path, &named) == 0 &&
              opened.st_ino == named.st_ino,
          "the file that is locked is the one at the path: %s", err.message);
    mu_store_close(&store);
}

/* What was cut off before stays beside what is cut off now. */
static void test_cut_twice(void)
{
    struct mu_error err = {0};
    struct mu_store store;
    char cut[80], text[64] = "";
    make_file(1);
    snprintf(cut, sizeof cut, "%s.cut", path);
    unlink(cut);
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(path, "a");
        if (file == NULL || fprintf(file, "{\"half%d", i) < 0 || fclose(file) != 0) return;
        if (mu_store_open(path, &store, &err) == MU_OK) mu_store_close(&store);
    }
    FILE *file = fopen(cut, "r");
    const size_t bytes = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) fclose(file);
    CHECK(bytes != 0 && strcmp(text, "{\"half0\n{\"half1\n") == 0, "both halves are kept");
    unlink(cut);
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
    CHECK(mu_store_has(&store, "run 3") && !mu_store_has(&store, "run 4"), "and finds them");
    CHECK(append(&store, 1, &err) == MU_USAGE && strstr(err.message, "run 1") != NULL, "but none twice");
    err = (struct mu_error){0};
    json_t *keyless = json_pack("{s:s}", "outcome", "ok");
    CHECK(mu_store_append(&store, keyless, &err) == MU_USAGE, "nor one without a key");
    json_decref(keyless);
    mu_store_close(&store);
    CHECK(holds_runs(4), "the refused ones have left no trace");
}

/* What a store remembers of a record does not depend on how long the record is. */
static void test_memory(void)
{
    enum { RECORDS = 20000, MOST_BYTES = 128 };
    struct mu_error err = {0};
    struct mu_store store = {0};
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    for (int i = 0; i < RECORDS; i++) fprintf(file, "{\"key\":\"run %d\",\"text\":\"%0500d\"}\n", i, i);
    fclose(file);
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const bool is_open = mu_store_open(path, &store, &err) == MU_OK;
    const size_t held = mallinfo2().uordblks + mallinfo2().hblkhd - before;
    CHECK(is_open && mu_store_count(&store) == RECORDS && held <= (size_t)RECORDS * MOST_BYTES,
          "%zu bytes are held of %d records: %s", held, RECORDS, err.message);
    json_t *last = mu_store_find(&store, "run 19999", &err);
    CHECK(strlen(mu_json_text(last, "text")) == 500, "and the last is found: %s", err.message);
    json_decref(last);
    mu_store_close(&store);
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
    CHECK(mu_store_open(path, &store, &err) == MU_OK && mu_store_count(&store) == 2, "records without keys are kept");
    mu_store_close(&store);
    static const char blank[] = LINE(0) "\n \t\r\n" LINE(1);
    write_file(blank, sizeof blank - 1);
    CHECK(mu_store_open(path, &store, &err) == MU_OK && mu_store_count(&store) == 2, "empty lines are passed over");
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
    CHECK(!mu_store_has(&store, "run 0") && append(&store, 0, &err) == MU_OK, "and begins anew");
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
    CHECK(!mu_store_has(&store, "run 2"), "and the record is not taken for kept");
    err = (struct mu_error){0};
    write_file("", 0);
    CHECK(append(&store, 2, &err) == MU_IO && file_size(path) == 0, "another file in its place is an error, too");
    mu_store_close(&store);
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

int main(void)
{
    if (!make_folder()) return 99;
    test_append();
    test_memory();
    test_system();
    test_cut_twice();
    test_cut_off();
    test_bad_lines();
    test_lock();
    test_set_aside();
    test_removed();
    test_places();
    remove_folder();
    return tap_done();
}
