/* Fuzz targets: files of records, as analysis reads them, as a campaign opens them, and as tables show them; and single
 * lines, which a scan must read as the parser does. */
#include "records/sets.h"

#include "analysis/tables/tables.h"
#include "base/limits.h"
#include "records/scan.h"
#include "records/store.h"
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

fuzz_run fuzz_records, fuzz_scan, fuzz_store, fuzz_tables;

/* Where notes and tables go. */
static FILE *nowhere(void)
{
    static FILE *file;
    if (file == NULL) file = fopen("/dev/null", "w");
    fuzz_require(file != NULL, "/dev/null can be opened");
    return file;
}

/* For mu_record_sink. */
static int check_record(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    static const char *const texts[] = {"app", "input", "variant", "chip", "outcome"};
    size_t *places = context;
    (void)err;
    fuzz_require(place <= *places && line->bytes > 0, "places come one after the other");
    if (place == *places) ++*places;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
        fuzz_require(json_is_string(json_object_get(record, texts[t])), "a record has its texts");
    return MU_OK;
}

static char links[PATH_MAX];

static void remove_links(void)
{
    static const char *const names[] = {"again/a.jsonl", "again", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/%s", links, names[i]);
        remove(path);
    }
}

/* A folder links/again/ in which a.jsonl is the file; the folder's path, or NULL. */
static const char *make_links(const char *file)
{
    static char folder[PATH_MAX + 16];
    char path[PATH_MAX + 32];
    const char *const place = fuzz_place("links");
    if (place == NULL) return NULL;
    snprintf(links, sizeof links, "%s", place);
    snprintf(folder, sizeof folder, "%s/again", links);
    snprintf(path, sizeof path, "%s/a.jsonl", folder);
    if (mkdir(links, 0700) != 0 || mkdir(folder, 0700) != 0 || symlink(file, path) != 0) return NULL;
    return atexit(remove_links) == 0 ? folder : NULL;
}

/* The same file again by another name, in a folder, is read once; and a sink that wants fewer members gets the same
 * records. The label is that of some of the inputs. */
void fuzz_records(const uint8_t *data, size_t size)
{
    static const char *const some[] = {"samples_ns", "device.name", NULL};
    static const char *other; /* a link to the file, in a folder of links */
    struct mu_error err = {0}, again = {0}, labelled = {0};
    size_t places = 0, places_again = 0, with_label = 0;
    const struct mu_record_sink sink = {.take = check_record, .context = &places};
    const struct mu_record_sink sparing = {.take = check_record, .context = &places_again, .members = some};
    const struct mu_record_sink third = {.take = check_record, .context = &with_label};
    const char *const path = fuzz_file(data, size);
    if (path == NULL) return;
    if (other == NULL) other = make_links(path);
    const char *const sets[] = {path, other}, *const label = "again@b";
    mu_memory_limit_set(UINT64_C(1) << 22);
    const bool read = fuzz_succeeded(mu_records_read("/dev/null", &path, 1, &sink, nowhere(), &err), &err);
    if (other == NULL) return;
    const bool read_again = fuzz_succeeded(mu_records_read("/dev/null", sets, 2, &sparing, nowhere(), &again), &again);
    fuzz_require(read == read_again && (!read || places == places_again), "a file with two names is read once");
    if (fuzz_succeeded(mu_records_read(fuzz_place("links"), &label, 1, &third, nowhere(), &labelled), &labelled))
        fuzz_require(with_label <= places, "a label is that of some of the records");
}

/* What a scan takes, the parser takes, too, and it says the same; a scan that wants less finds the same of it. */
void fuzz_scan(const uint8_t *data, size_t size)
{
    static const char *const some[] = {"app", "a", "a.b", "device.name", "samples_ns", NULL};
    struct mu_error err = {0};
    struct mu_scan *scans[2] = {mu_scan_new(NULL, &err), mu_scan_new(some, &err)};
    uint64_t content[2] = {0};
    fuzz_require(scans[0] != NULL && scans[1] != NULL, "there are scans");
    json_t *all = mu_scan_line(scans[0], (const char *)data, size, &content[0]);
    json_t *part = mu_scan_line(scans[1], (const char *)data, size, &content[1]);
    fuzz_require((all != NULL) == (part != NULL), "what is wanted makes no difference to what is taken");
    if (all != NULL) {
        json_t *parsed = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
        fuzz_require(json_equal(all, parsed), "the parser reads the same");
        fuzz_require(content[0] == mu_content_hash(parsed) && content[1] == content[0], "with the same hash");
        const json_t *samples = json_object_get(all, "samples_ns");
        fuzz_require(samples == NULL || json_equal(samples, json_object_get(part, "samples_ns")),
                     "and the same samples");
        json_decref(parsed);
    }
    json_decref(all);
    json_decref(part);
    mu_scan_free(scans[0]);
    mu_scan_free(scans[1]);
}

/* Writes the file that a store is to open; false if it cannot. */
static bool write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) return false;
    const bool written = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

/* A store takes a record whose key is new, and no other, and is there when it is opened again. */
static void append_one(struct mu_store *store, const char *path, struct mu_error *err)
{
    struct mu_error twice = {0};
    const size_t count = json_object_size(store->by_key);
    json_t *record = json_pack("{s:s, s:f}", "key", "a new one", "value", 0.1);
    const bool is_new = mu_store_find(store, "a new one") == NULL;
    fuzz_require(record != NULL && fuzz_succeeded(mu_store_append(store, record, err), err) == is_new,
                 "a store takes what is new");
    fuzz_require(!fuzz_succeeded(mu_store_append(store, record, &twice), &twice), "but not twice");
    json_decref(record);
    mu_store_close(store);
    *err = (struct mu_error){0};
    fuzz_require(fuzz_succeeded(mu_store_open(path, store, err), err) &&
                     json_object_size(store->by_key) == count + is_new && store->note[0] == '\0',
                 "what was appended is there");
}

/* A last line that was cut off is set aside, and so is the whole file. */
void fuzz_store(const uint8_t *data, size_t size)
{
    static char path[PATH_MAX];
    char moved[PATH_MAX], cut[PATH_MAX + 8];
    struct mu_error err = {0};
    struct mu_store store = {0};
    if (path[0] == '\0' && fuzz_place("store.jsonl") != NULL)
        snprintf(path, sizeof path, "%s", fuzz_place("store.jsonl"));
    if (path[0] == '\0' || !write_file(path, data, size)) return;
    snprintf(cut, sizeof cut, "%s.cut", path);
    if (fuzz_succeeded(mu_store_open(path, &store, &err), &err)) {
        const bool whole = size == 0 || data[size - 1] == '\n';
        fuzz_require((store.bytes == size) == whole && (store.note[0] == '\0') == whole,
                     "an end is repaired that is cut off");
        append_one(&store, path, &err);
        err = (struct mu_error){0};
        fuzz_require(fuzz_succeeded(mu_store_set_aside(&store, moved, &err), &err) && store.bytes == 0,
                     "a store is set aside");
        remove(moved);
    }
    mu_store_close(&store);
    remove(cut);
    remove(path);
}

/* One table, printed in one of its forms. */
static void fill_table(const struct mu_table *table, enum mu_grid_format format, const char *path)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    const struct mu_table_request request = {
        .root = "/dev/null", .sets = &path, .set_count = 1, .plain_rows = mu_grid_is_for_programs(format)};
    if (fuzz_succeeded(table->fill(&request, &grids), &err)) mu_grids_print(&grids, format, nowhere());
    mu_grids_release(&grids);
}

/* The first byte chooses the table and the form in which it is printed; '*' is all tables, each in one of the forms. */
void fuzz_tables(const uint8_t *data, size_t size)
{
    size_t count = 0;
    while (mu_tables[count] != NULL) count++;
    const char *const path = size > 0 ? fuzz_file(data + 1, size - 1) : NULL;
    if (path == NULL || count == 0) return;
    mu_memory_limit_set(UINT64_C(1) << 22);
    if (data[0] != '*') fill_table(mu_tables[data[0] % count], data[0] / count % MU_GRID_FORMATS, path);
    for (size_t i = 0; data[0] == '*' && i < count; i++) fill_table(mu_tables[i], i % MU_GRID_FORMATS, path);
}
