/* muster table provenance: what the results were measured on, with what, and when. */
#include "analysis/tables/common.h"
#include "records/schema.h"

#include <string.h>

/* Records of one origin. */
struct origin {
    const json_t *first; /* the earliest record */
    const char *from, *to;
    size_t runs, samples;
};

static const char *const members[] = {"chip", "set", "device", "platform", "driver", "version", "commit"};
enum { MEMBERS = sizeof members / sizeof members[0] };

static const char *member_of(const json_t *record, size_t member)
{
    return strcmp(members[member], "device") == 0 ? mu_record_device(record) : mu_json_text(record, members[member]);
}

static bool is_same_origin(const json_t *a, const json_t *b)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (strcmp(member_of(a, i), member_of(b, i)) != 0) return false;
    return true;
}

/* Finds the origin of the record at `at`, with all records that share it. False when an earlier record has it too, so
 * that it was shown before. */
static bool gather(const json_t *records, size_t at, struct origin *origin)
{
    size_t i;
    json_t *record;
    const json_t *like = json_array_get(records, at);
    *origin = (struct origin){.first = like, .from = mu_json_text(like, "date"), .to = ""};
    json_array_foreach (records, i, record) {
        if (!is_same_origin(record, like)) continue;
        if (i < at) return false;
        const char *date = mu_json_text(record, "date");
        if (strcmp(date, origin->from) < 0) origin->from = date;
        if (strcmp(date, origin->to) > 0) origin->to = date;
        origin->runs++;
        origin->samples += json_array_size(json_object_get(record, "samples_ns"));
    }
    return true;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct origin origin;
    struct mu_grid *grid = mu_grids_add(grids, "provenance", "What the results were measured on, with what, and when");
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    for (size_t i = 0; i < MEMBERS; i++) mu_grid_column(grid, members[i], members[i], MU_COLUMN_LEFT);
    mu_grid_column(grid, "first", "first run", MU_COLUMN_LEFT);
    mu_grid_column(grid, "last", "last run", MU_COLUMN_LEFT);
    mu_grid_column(grid, "runs", "runs", 0);
    mu_grid_column(grid, "samples", "samples", 0);
    for (size_t i = 0; i < json_array_size(data.records); i++) {
        if (!gather(data.records, i, &origin)) continue;
        mu_grid_row(grid);
        for (size_t m = 0; m < MEMBERS; m++) mu_grid_text(grid, "%s", member_of(origin.first, m));
        mu_grid_text(grid, "%s", origin.from);
        mu_grid_text(grid, "%s", origin.to);
        mu_grid_number(grid, (double)origin.runs, 0);
        mu_grid_number(grid, (double)origin.samples, 0);
    }
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_provenance = {"provenance", "chips, drivers, versions and dates of the results", fill};
