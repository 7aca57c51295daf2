#include "records/store.h"

#include "base/memory.h"
#include "records/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_io(const struct mu_store *store, const char *what, struct mu_error *err)
{
    return mu_fail(err, MU_IO, "%s: cannot %s: %s", store->path, what, strerror(errno));
}

/* ---- Opening ---- */

/* Returns true if the locked file is still the one at the path. Another writer may have renamed it between opening and
 * locking. */
static bool is_at_path(const struct mu_store *store)
{
    struct stat opened, named;
    return fstat(store->fd, &opened) == 0 && stat(store->path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

static int open_locked(struct mu_store *store, struct mu_error *err)
{
    for (;;) {
        store->fd = open(store->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (store->fd < 0) return fail_io(store, "open", err);
        if (flock(store->fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EINTR) continue;
            if (errno != EWOULDBLOCK) return fail_io(store, "lock", err);
            return mu_fail(err, MU_IO, "%s: in use by another campaign, and one at a time may measure on a device",
                           store->path);
        }
        if (is_at_path(store)) return MU_OK;
        close(store->fd);
    }
}

/* A part of the file. */
struct window {
    char *text;
    size_t bytes, capacity;
    uint64_t offset; /* of its first byte */
};

static int pread_all(const struct mu_store *store, char *text, size_t bytes, uint64_t offset, struct mu_error *err)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(store->fd, text + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_io(store, "read", err);
        if (got == 0) return mu_fail(err, MU_IO, "%s: became shorter while it was read", store->path);
        done += (size_t)got;
    }
    return MU_OK;
}

/* Fills the window from where it ends, with more room where it has less than half left. */
static int fill(const struct mu_store *store, struct window *window, const struct mu_line_reader *reader,
                struct mu_error *err)
{
    enum { LEAST = 1 << 20 };
    const uint64_t end = window->offset + window->bytes;
    if (window->bytes > MU_MOST_LINE_BYTES)
        return mu_fail(err, MU_LIMIT, "%s:%zu: the line has more than %zu MiB", store->path, reader->lines + 1,
                       MU_MOST_LINE_BYTES >> 20);
    if (window->bytes >= window->capacity / 2) {
        const size_t capacity = window->capacity == 0 ? LEAST : 2 * window->capacity;
        if (mu_resize((void **)&window->text, capacity, 1, store->path, err) != MU_OK) return err->status;
        window->capacity = capacity;
    }
    size_t bytes = window->capacity - window->bytes;
    if (bytes > store->bytes - end) bytes = (size_t)(store->bytes - end);
    if (pread_all(store, window->text + window->bytes, bytes, end, err) == MU_OK) window->bytes += bytes;
    return err->status;
}

/* Reads all lines that are ended, a part of the file at a time. The window, the caller's to free, is left with what
 * follows the last newline. */
static int read_lines(const struct mu_store *store, struct mu_line_reader *reader, struct window *window,
                      struct mu_error *err)
{
    while (window->offset + window->bytes < store->bytes && fill(store, window, reader, err) == MU_OK) {
        const size_t whole = mu_lines_whole(window->text, window->bytes);
        if (mu_lines_read(reader, window->text, whole, err) != MU_OK) break;
        window->offset += whole;
        window->bytes -= whole;
        memmove(window->text, window->text + whole, window->bytes);
    }
    return err->status;
}

/* A store that is opened. */
struct opening {
    struct mu_store *store;
    const struct window *window;
};

/* Enters a record by its key, or by its line if it has none (mu_line_reader). */
static int index_record(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    const struct opening *opening = context;
    struct mu_store *store = opening->store;
    char name[40];
    snprintf(name, sizeof name, "line %zu", line->number);
    const char *key = mu_json_text_or(record, "key", name);
    if (mu_store_has(store, key))
        return mu_fail(err, MU_INPUT, "%s:%zu: this run is in the file already: %.300s", store->path, line->number,
                       key);
    const uint64_t offset = opening->window->offset + (uint64_t)(line->text - opening->window->text);
    return mu_store_index_add(&store->index, key, offset, line->bytes, err);
}

static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -1;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* Moves what follows the last newline to "<path>.cut", and only then out of the file. */
static int repair(struct mu_store *store, const struct window *rest, struct mu_error *err)
{
    const size_t cut = rest->bytes;
    if (cut == 0) return MU_OK;
    char *path = mu_format(err, "%s.cut", store->path);
    if (path == NULL) return err->status;
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const bool kept = fd >= 0 && write_all(fd, rest->text, cut) == 0 && write_all(fd, "\n", 1) == 0 && fsync(fd) == 0;
    if (!kept)
        mu_fail(err, MU_IO, "%s: cannot keep the %zu bytes of a record that was cut off at the end of %s: %s", path,
                cut, store->path, strerror(errno));
    if (fd >= 0) close(fd);
    if (kept && (ftruncate(store->fd, (off_t)rest->offset) != 0 || fsync(store->fd) != 0))
        fail_io(store, "repair", err);
    if (err->status == MU_OK)
        snprintf(store->note, sizeof store->note,
                 "%.200s: the last record was cut off after %zu bytes: they are now in %.200s", store->path, cut, path);
    store->bytes = rest->offset;
    mu_free(path);
    return err->status;
}

static int load(struct mu_store *store, struct mu_error *err)
{
    static const char *const members[] = {"key", NULL};
    struct stat status;
    struct window window = {0};
    struct opening opening = {store, &window};
    struct mu_line_reader reader = {.path = store->path, .take = index_record, .context = &opening, .notes = stderr};
    if (fstat(store->fd, &status) != 0) return fail_io(store, "read", err);
    if (!S_ISREG(status.st_mode)) return mu_fail(err, MU_IO, "%s: not a regular file", store->path);
    store->bytes = (uint64_t)status.st_size;
    reader.scan = mu_scan_new(members, err);
    if (reader.scan != NULL && read_lines(store, &reader, &window, err) == MU_OK) repair(store, &window, err);
    mu_scan_free(reader.scan);
    mu_free(window.text);
    return err->status;
}

int mu_store_open(const char *path, struct mu_store *store, struct mu_error *err)
{
    memset(store, 0, sizeof *store);
    store->fd = -1;
    if ((size_t)snprintf(store->path, sizeof store->path, "%s", path) >= sizeof store->path)
        return mu_fail(err, MU_LIMIT, "%.200s…: the path is too long", path);
    if (open_locked(store, err) == MU_OK) load(store, err);
    if (err->status != MU_OK) mu_store_close(store);
    return err->status;
}

/* ---- Appending ---- */

static int append_text(struct mu_store *store, const char *text, size_t bytes, struct mu_error *err)
{
    if (!is_at_path(store))
        return mu_fail(err, MU_IO, "%s: the file was removed or replaced since it was opened: the record is not kept",
                       store->path);
    if (write_all(store->fd, text, bytes) == 0 && fdatasync(store->fd) == 0) {
        store->bytes += bytes;
        return MU_OK;
    }
    const int reason = errno;
    /* A part of a line may be there: the next record must not follow it. */
    const bool cut = ftruncate(store->fd, (off_t)store->bytes) == 0;
    return mu_fail(err, MU_IO, "%s: cannot append a record: %s; the %zu records before it are %s", store->path,
                   strerror(reason), store->index.count,
                   cut ? "safe" : "safe, but the file ends in a part of this one");
}

/* Checks that all records have keys, which are new to the store and to each other. */
static int check_keys(const struct mu_store *store, const json_t *records, struct mu_error *err)
{
    size_t i;
    json_t *record;
    struct mu_json fresh = mu_json_object();
    json_array_foreach ((json_t *)records, i, record) {
        const char *key = mu_json_text_or(record, "key", NULL);
        if (key == NULL || mu_store_has(store, key) || json_object_get(fresh.value, key) != NULL)
            mu_fail(err, MU_USAGE, "%s: a record needs a key that is not there yet: %.300s", store->path,
                    key != NULL ? key : "none");
        else
            mu_json_set_flag(&fresh, key, true);
    }
    if (fresh.lost) mu_fail(err, MU_NO_MEMORY, "%s: out of memory for the records", store->path);
    mu_json_release(&fresh);
    return err->status;
}

/* Returns the lines of records, one behind the other, which the caller frees by free(); NULL with MU_NO_MEMORY. */
static char *lines_of(const struct mu_store *store, const json_t *records, size_t *bytes, struct mu_error *err)
{
    size_t i, length = 0;
    json_t *record;
    char *lines = NULL;
    *bytes = 0;
    json_array_foreach ((json_t *)records, i, record) {
        char *line = mu_line_of(record, store->digits, &length);
        char *longer = line != NULL ? realloc(lines, *bytes + length) : NULL;
        if (longer != NULL) memcpy(longer + *bytes, line, length);
        free(line);
        if (longer == NULL) {
            free(lines);
            mu_fail(err, MU_NO_MEMORY, "%s: out of memory for a record", store->path);
            return NULL;
        }
        lines = longer;
        *bytes += length;
    }
    return lines;
}

/* Notes where records lie whose lines, one behind the other, are now in the file from `offset` on. */
static int index_lines(struct mu_store *store, const json_t *records, const char *lines, uint64_t offset,
                       struct mu_error *err)
{
    size_t i;
    json_t *record;
    const char *line = lines;
    json_array_foreach ((json_t *)records, i, record) {
        const size_t bytes = (size_t)(strchr(line, '\n') - line);
        const uint64_t at = offset + (uint64_t)(line - lines);
        if (mu_store_index_add(&store->index, mu_json_text(record, "key"), at, bytes, err) != MU_OK) break;
        line += bytes + 1;
    }
    return err->status;
}

int mu_store_append_all(struct mu_store *store, const json_t *records, struct mu_error *err)
{
    size_t bytes = 0;
    const uint64_t offset = store->bytes;
    if (json_array_size(records) == 0 || check_keys(store, records, err) != MU_OK) return err->status;
    char *lines = lines_of(store, records, &bytes, err);
    if (lines != NULL && append_text(store, lines, bytes, err) == MU_OK)
        index_lines(store, records, lines, offset, err);
    free(lines);
    return err->status;
}

int mu_store_append(struct mu_store *store, json_t *record, struct mu_error *err)
{
    json_t *one = json_pack("[O]", record);
    if (one == NULL) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory for a record", store->path);
    mu_store_append_all(store, one, err);
    json_decref(one);
    return err->status;
}

/* ---- Reading ---- */

size_t mu_store_count(const struct mu_store *store)
{
    return store->index.count;
}

bool mu_store_has(const struct mu_store *store, const char *key)
{
    return mu_store_index_find(&store->index, key) != NULL;
}

json_t *mu_store_find(const struct mu_store *store, const char *key, struct mu_error *err)
{
    json_error_t error;
    json_t *record = NULL;
    const struct mu_stored *place = mu_store_index_find(&store->index, key);
    char *text = place != NULL ? mu_malloc(place->bytes, 1, store->path, err) : NULL;
    if (text != NULL && pread_all(store, text, place->bytes, place->offset, err) == MU_OK) {
        record = json_loadb(text, place->bytes, JSON_REJECT_DUPLICATES, &error);
        if (record == NULL) mu_fail(err, MU_IO, "%s: a record was changed since it was read: %s", store->path, key);
    }
    mu_free(text);
    return record;
}

int mu_store_each(const struct mu_store *store, const char *const *members,
                  int (*take)(void *context, json_t *record, const struct mu_line *line, struct mu_error *err),
                  void *context, struct mu_error *err)
{
    struct window window = {0};
    struct mu_line_reader reader = {.path = store->path, .take = take, .context = context, .notes = stderr};
    if (store->index.count == 0) return MU_OK;
    reader.scan = mu_scan_new(members, err);
    if (reader.scan != NULL) read_lines(store, &reader, &window, err);
    mu_scan_free(reader.scan);
    mu_free(window.text);
    return err->status;
}

/* ---- Setting aside ---- */

int mu_store_set_aside(struct mu_store *store, char *moved, struct mu_error *err)
{
    char path[PATH_MAX];
    moved[0] = '\0';
    if (store->bytes == 0) return MU_OK;
    for (unsigned n = 1; moved[0] == '\0'; n++) {
        char number[16] = "";
        if (n > 1) snprintf(number, sizeof number, "%u", n);
        const int length = snprintf(path, sizeof path, "%s.old%s", store->path, number);
        if (length < 0 || (size_t)length >= sizeof path)
            return mu_fail(err, MU_LIMIT, "%.200s…: the path is too long", store->path);
        /* link() does not replace a file that is there. */
        if (link(store->path, path) == 0)
            memcpy(moved, path, (size_t)length + 1);
        else if (errno != EEXIST)
            return fail_io(store, "set aside", err);
    }
    if (unlink(store->path) != 0) return fail_io(store, "set aside", err);
    mu_store_close(store);
    memcpy(path, store->path, sizeof path);
    return mu_store_open(path, store, err);
}

void mu_store_close(struct mu_store *store)
{
    if (store->path[0] == '\0') return; /* all zeros */
    mu_store_index_release(&store->index);
    if (store->fd >= 0) close(store->fd);
    store->fd = -1;
}
