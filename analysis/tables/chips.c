/* muster table chips: which chips were tried, with which driver, in which parts; and which kinds of device never were.
 */
#include "analysis/tables/probe_results.h"
#include "analysis/tables/reading.h"
#include "base/json.h"
#include "base/memory.h"
#include "records/measurements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of device. The first row that matches counts: the vendor and the platform have these parts, "" for any, and the
 * platform has not the third. What is prepared for is in the code and was tested without such a device. */
static const struct {
    const char *name, *vendor, *platform, *not_platform, *prepared;
} kinds[] = {
    {"simulator", "", "Oclgrind", NULL, "multi-kernel only"},
    {"NVIDIA GPU", "NVIDIA", "", NULL, "PTX atomics, clock by PTX, read-back by a word"},
    {"AMD GPU", "Advanced Micro Devices", "", NULL, "C11 atomics, subgroups of 32 and 64"},
    {"AMD GPU", "AMD", "rusticl", NULL, "the same by rusticl"},
    {"AMD GPU", "AMD", "Clover", NULL, "the same by Clover"},
    {"Intel GPU", "Intel", "Graphics", NULL, "C11 atomics, subgroups of 8 to 32, split barrier"},
    {"Intel GPU", "Intel", "rusticl", NULL, "the same by rusticl"},
    {"Arm GPU", "ARM", "ARM", NULL, "fences of OpenCL 1.x, no double precision"},
    {"Qualcomm GPU", "QUALCOMM", "", NULL, "C11 atomics or fences"},
    {"Apple GPU", "Apple", "", NULL, "fences of OpenCL 1.x"},
    {"CPU by PoCL", "", "Portable Computing Language", NULL, "C11 atomics, waiting groups yield"},
    {"CPU by Intel's runtime", "", "Intel(R) OpenCL", "Graphics", "C11 atomics, subgroups"},
    {"CPU by rusticl", "", "rusticl", NULL, "multi-kernel; a team only where the driver runs groups at once"},
    {"other", "", "", NULL, "what its features offer"},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const char *kind_of(const json_t *device)
{
    const char *vendor = mu_json_text(device, "vendor"), *platform = mu_json_text(device, "platform");
    for (size_t i = 0; i < KINDS; i++)
        if (strstr(vendor, kinds[i].vendor) != NULL && strstr(platform, kinds[i].platform) != NULL &&
            (kinds[i].not_platform == NULL || strstr(platform, kinds[i].not_platform) == NULL))
            return kinds[i].name;
    return "other";
}

/* ---- What is gathered of runs ---- */

static const char *const members[] = {
    "chip", "app", "driver", "date", "device.vendor", "device.name", "device.platform", "device.compute_units", NULL};

/* A chip with a driver, by both names: `chip`, `driver`, `device`, `parts` (an object), `runs`, `first`, `last`. */
struct tried {
    struct mu_json all;
    size_t next; /* the place of the next record that counts */
};

/* Returns the entry of a record's chip and driver, made if it is missing; NULL with MU_NO_MEMORY. */
static json_t *entry_of(struct mu_json *all, const char *chip, const json_t *record)
{
    const char *driver = mu_json_text(record, "driver");
    char *key = mu_format(NULL, "%s\n%s", chip, driver);
    json_t *entry = key != NULL ? json_object_get(all->value, key) : NULL;
    if (key != NULL && entry == NULL) {
        struct mu_json fresh = mu_json_object();
        mu_json_set_text(&fresh, "chip", chip);
        mu_json_set_text(&fresh, "driver", driver);
        mu_json_set(&fresh, "device", json_deep_copy(json_object_get(record, "device")));
        mu_json_set(&fresh, "parts", json_object());
        mu_json_set_text(&fresh, "first", mu_json_text(record, "date"));
        mu_json_set_part(all, key, &fresh);
        entry = json_object_get(all->value, key);
    }
    mu_free(key);
    return entry;
}

/* Notes that a part was tried there, at the record's date. */
static bool note_part(json_t *entry, const char *part, const json_t *record)
{
    const char *date = mu_json_text(record, "date");
    int failures = json_object_set_new(json_object_get(entry, "parts"), part, json_true());
    if (strcmp(date, mu_json_text(entry, "first")) < 0)
        failures |= json_object_set_new(entry, "first", json_string(date));
    if (strcmp(date, mu_json_text(entry, "last")) > 0)
        failures |= json_object_set_new(entry, "last", json_string(date));
    return entry != NULL && failures == 0;
}

/* Takes in one record (mu_record_sink). A run that is read again was counted before. */
static int put(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    struct tried *tried = context;
    char suite[64];
    (void)line;
    if (record == NULL || place < tried->next) return MU_OK;
    tried->next = place + 1;
    if (tried->all.value == NULL) tried->all = mu_json_object();
    snprintf(suite, sizeof suite, "%.*s", (int)strcspn(mu_json_text(record, "app"), "/"), mu_json_text(record, "app"));
    json_t *entry = entry_of(&tried->all, mu_json_text(record, "chip"), record);
    const json_int_t runs = (json_int_t)mu_json_number(entry, "runs") + 1;
    if (note_part(entry, suite, record) && json_object_set_new(entry, "runs", json_integer(runs)) == 0) return MU_OK;
    return mu_fail(err, MU_NO_MEMORY, "out of memory for chips");
}

static void release(void *state)
{
    struct tried *tried = state;
    mu_json_release(&tried->all);
}

const struct mu_gather mu_chips_gather = {members, sizeof(struct tried), put, release};

/* ---- What was measured beside runs ---- */

static const struct {
    const char *file, *part;
} surveys[] = {{MU_PROBE_FILE, "probe"},
               {MU_LITMUS_FILE, "litmus"},
               {"persistent.jsonl", "persistent"},
               {"persistent-2012.jsonl", "persistent"},
               {"persistent-small.jsonl", "persistent"},
               {"stealing.jsonl", "stealing"},
               {"stealing-small.jsonl", "stealing"},
               {"stealing-seeds.jsonl", "stealing"}};

static int add_survey(const struct mu_table_request *request, size_t which, struct mu_json *all, struct mu_error *err)
{
    json_t *chips = NULL, *measurements, *measurement;
    const char *chip;
    size_t i;
    if (mu_survey_results_load(request, surveys[which].file, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, measurements)
            json_array_foreach (measurements, i, measurement)
                if (!note_part(entry_of(all, chip, measurement), surveys[which].part, measurement))
                    mu_fail(err, MU_NO_MEMORY, "out of memory for chips");
    }
    json_decref(chips);
    return err->status;
}

/* ---- The table ---- */

static void add_row(struct mu_grid *grid, const json_t *entry)
{
    char parts[256] = "";
    const char *part;
    const json_t *device = json_object_get(entry, "device"), *any;
    json_object_foreach (json_object_get(entry, "parts"), part, any)
        snprintf(parts + strlen(parts), sizeof parts - strlen(parts), "%s%s", parts[0] != '\0' ? ", " : "", part);
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", mu_json_text(entry, "chip"));
    mu_grid_text(grid, "%s", kind_of(device));
    mu_grid_text(grid, "%s", mu_json_text(device, "name"));
    mu_grid_number(grid, mu_json_real(device, "compute_units"), 0);
    mu_grid_text(grid, "%s", mu_json_text(device, "platform"));
    mu_grid_text(grid, "%s", mu_json_text(entry, "driver"));
    mu_grid_text(grid, "%s", parts);
    mu_grid_number(grid, mu_json_real(entry, "runs"), 0);
    mu_grid_text(grid, "%.10s", mu_json_text(entry, "first"));
    mu_grid_text(grid, "%.10s", mu_json_text(entry, "last"));
}

static int compare_keys(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void add_chips(struct mu_grid *grid, const struct mu_table_request *request, json_t *all, struct mu_error *err)
{
    const char *key;
    const json_t *entry;
    size_t count = 0;
    const char **keys = mu_calloc(json_object_size(all), sizeof *keys, "names of chips", err);
    if (keys == NULL) return;
    json_object_foreach (all, key, entry)
        if (request->chip == NULL || mu_json_is(entry, "chip", request->chip)) keys[count++] = key;
    if (count != 0) qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) add_row(grid, json_object_get(all, keys[i]));
    mu_free(keys);
}

/* Adds a row for each kind, in the order of the first table. */
static void add_kinds(struct mu_grid *grid, const json_t *all)
{
    const char *key;
    const json_t *entry;
    for (size_t i = 0; i < KINDS; i++) {
        size_t chips = 0;
        bool again = false;
        for (size_t j = 0; j < i; j++) again = again || strcmp(kinds[j].name, kinds[i].name) == 0;
        json_object_foreach ((json_t *)(uintptr_t)all, key, entry)
            chips += strcmp(kind_of(json_object_get(entry, "device")), kinds[i].name) == 0;
        if (again || (chips == 0 && i + 1 == KINDS)) continue;
        mu_grid_row(grid);
        mu_grid_text(grid, "%s", kinds[i].name);
        mu_grid_text(grid, "%s", chips != 0 ? "yes" : "never");
        mu_grid_number(grid, (double)chips, 0);
        mu_grid_text(grid, "%s", kinds[i].prepared);
    }
}

static struct mu_grid *begin_chips(struct mu_grids *grids)
{
    static const struct {
        const char *name, *title;
        unsigned flags;
    } columns[] = {{"chip", "chip", MU_COLUMN_LEFT},         {"kind", "kind", MU_COLUMN_LEFT},
                   {"device", "device", MU_COLUMN_LEFT},     {"compute_units", "units", 0},
                   {"platform", "platform", MU_COLUMN_LEFT}, {"driver", "driver", MU_COLUMN_LEFT},
                   {"parts", "parts", MU_COLUMN_LEFT},       {"runs", "runs", 0},
                   {"first", "first", MU_COLUMN_LEFT},       {"last", "last", MU_COLUMN_LEFT}};
    struct mu_grid *grid = mu_grids_add(grids, "chips", "What was tried, with which driver, and when");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        mu_grid_column(grid, columns[i].name, columns[i].title, columns[i].flags);
    return grid;
}

static struct mu_grid *begin_kinds(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "kinds", "Kinds of device, and whether any was tried");
    mu_grid_column(grid, "kind", "kind", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tried", "tried", MU_COLUMN_LEFT);
    mu_grid_column(grid, "chips", "chips and drivers", 0);
    mu_grid_column(grid, "prepared", "prepared for", MU_COLUMN_LEFT);
    mu_grid_note(grid, "prepared for: what the code has for such a device; where none was tried, nothing is known of "
                       "what its driver does with that.");
    return grid;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *chips = begin_chips(grids), *sorts = begin_kinds(grids);
    struct tried *tried = mu_gather(request, &mu_chips_gather, grids->err);
    struct mu_json all = {tried != NULL && tried->all.value != NULL ? json_deep_copy(tried->all.value) : json_object(),
                          false};
    /* A set that is named may be one of runs, which has none of these. */
    for (size_t i = 0; i < sizeof surveys / sizeof surveys[0] && grids->err->status == MU_OK; i++) {
        struct mu_error none = {0};
        add_survey(request, i, &all, request->set_count == 0 ? grids->err : &none);
    }
    if (all.value == NULL || all.lost) mu_fail(grids->err, MU_NO_MEMORY, "out of memory for chips");
    if (grids->err->status == MU_OK) {
        add_chips(chips, request, all.value, grids->err);
        add_kinds(sorts, all.value);
    }
    mu_json_release(&all);
    mu_gathered_release(request, &mu_chips_gather, tried);
    return grids->err->status;
}

const struct mu_table mu_table_chips = {"chips", "what was tried, with which driver; and what never was", fill};
