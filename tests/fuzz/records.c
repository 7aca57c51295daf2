/* Fuzz targets: files of records, as analysis reads them, as a campaign opens them, and as tables show them. */
#include "records/sets.h"

#include "analysis/tables/tables.h"
#include "base/limits.h"
#include "records/store.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

fuzz_run fuzz_records, fuzz_store, fuzz_tables;

/* Where notes and tables go. */
static FILE *nowhere(void)
{
    static FILE *file;
    if (file == NULL) file = fopen("/dev/null", "w");
    fuzz_require(file != NULL, "/dev/null can be opened");
    return file;
}

static void check_records(const json_t *records)
{
    static const char *const texts[] = {"app", "input", "variant", "chip", "outcome"};
    size_t i;
    json_t *record;
    json_array_foreach (records, i, record)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            fuzz_require(json_is_string(json_object_get(record, texts[t])), "a record has its texts");
}

void fuzz_records(const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    json_t *records = json_array();
    const char *const path = fuzz_file(data, size);
    mu_memory_limit_set(UINT64_C(1) << 22);
    if (path != NULL && records != NULL &&
        fuzz_succeeded(mu_records_load_all("/dev/null", &path, 1, records, nowhere(), &err), &err))
        check_records(records);
    json_decref(records);
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
