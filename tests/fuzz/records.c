/* Fuzz targets: files of records, as analysis reads them; and single lines, which a scan must read as the parser does.
 */
#include "records/sets.h"

#include "base/limits.h"
#include "records/scan.h"
#include "tests/fuzz/fuzz.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

fuzz_run fuzz_records, fuzz_scan;

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
    static const char *const names[] = {"again/a.jsonl", "again/within", "again", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/%s", links, names[i]);
        remove(path);
    }
}

/* A folder links/again/ in which a.jsonl is the file, and beside it an empty folder; the folder's path, or NULL. */
static const char *make_links(const char *file)
{
    static char folder[PATH_MAX + 16];
    char path[PATH_MAX + 32], within[PATH_MAX + 32];
    const char *const place = fuzz_place("links");
    if (place == NULL) return NULL;
    snprintf(links, sizeof links, "%s", place);
    snprintf(folder, sizeof folder, "%s/again", links);
    snprintf(path, sizeof path, "%s/a.jsonl", folder);
    snprintf(within, sizeof within, "%s/within", folder);
    if (mkdir(links, 0700) != 0 || mkdir(folder, 0700) != 0 || mkdir(within, 0700) != 0 || symlink(file, path) != 0)
        return NULL;
    return atexit(remove_links) == 0 ? folder : NULL;
}

/* What is not there, and might be a document's, is said not to be there. */
static void read_nothing(const struct mu_record_sink *sink)
{
    static const char *const nothing = "doc/there-is-no-such-file";
    struct mu_error err = {0};
    fuzz_require(!fuzz_succeeded(mu_records_read("/dev/null", &nothing, 1, sink, nowhere(), &err), &err) &&
                     err.status == MU_USAGE,
                 "what is not there is not read");
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
    read_nothing(&sink);
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
