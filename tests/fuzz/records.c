/* Fuzz targets: files of records, as analysis reads them, as a campaign opens them, and as tables show them; and single
 * lines, which a scan must read as the parser does. */
#include "records/sets.h"

#include "analysis/tables/tables.h"
#include "base/limits.h"
#include "records/scan.h"
#include "records/store.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

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

void fuzz_records(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    size_t places = 0;
    const struct mu_record_sink sink = {.take = check_record, .context = &places};
    const char *const path = fuzz_file(data, size);
    mu_memory_limit_set(UINT64_C(1) << 22);
    if (path != NULL) fuzz_succeeded(mu_records_read("/dev/null", &path, 1, &sink, nowhere(), &err), &err);
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

/* The last line is a whole one: what a store does with another is a matter of files. */
void fuzz_store(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_store store = {0};
    uint8_t *whole = malloc(size + 1);
    if (whole == NULL) return;
    memcpy(whole, data, size);
    if (size > 0 && whole[size - 1] != '\n') whole[size++] = '\n';
    const char *const path = fuzz_file(whole, size);
    if (path != NULL && fuzz_succeeded(mu_store_open(path, &store, &err), &err))
        fuzz_require(store.bytes == size && store.note[0] == '\0', "nothing was repaired");
    mu_store_close(&store);
    free(whole);
}

/* The first byte chooses the table and the form in which it is printed. */
void fuzz_tables(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_grids grids = {.err = &err};
    size_t count = 0;
    while (mu_tables[count] != NULL) count++;
    const char *const path = size > 0 ? fuzz_file(data + 1, size - 1) : NULL;
    if (path == NULL || count == 0) return;
    const enum mu_grid_format format = data[0] / count % MU_GRID_FORMATS;
    const struct mu_table_request request = {
        .root = "/dev/null", .sets = &path, .set_count = 1, .plain_rows = mu_grid_is_for_programs(format)};
    mu_memory_limit_set(UINT64_C(1) << 22);
    if (fuzz_succeeded(mu_tables[data[0] % count]->fill(&request, &grids), &err))
        mu_grids_print(&grids, format, nowhere());
    mu_grids_release(&grids);
}
