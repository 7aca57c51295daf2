/* muster table provenance: what the results were measured on, with what, and when. */
#include "analysis/tables/common.h"
#include "analysis/tables/reading.h"
#include "base/memory.h"
#include "records/schema.h"

#include <stdlib.h>
#include <string.h>

static const char *const members[] = {"chip", "set", "device", "platform", "driver", "version", "commit", "date", NULL};
enum { MEMBERS = 7 }; /* the date is no part of an origin */

/* One record: what it was measured on. Equal texts are one text. */
struct origin {
    const char *texts[MEMBERS]; /* [0] NULL: nothing is in this place */
    const char *date;
    size_t samples;
    size_t place; /* of the record */
};

struct origins {
    struct origin *origins; /* by the places of their records */
    size_t count, capacity;
    struct mu_words words;
};

/* Takes in one record (mu_record_sink). */
static int put(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    struct origins *to = context;
    if (place >= to->capacity) {
        const size_t capacity = place < 8 ? 16 : 2 * place;
        if (mu_resize((void **)&to->origins, capacity, sizeof *to->origins, "origins", err) != MU_OK)
            return err->status;
        to->capacity = capacity;
    }
    for (; to->count <= place; to->count++) to->origins[to->count] = (struct origin){0};
    struct origin *origin = &to->origins[place];
    *origin = (struct origin){.place = place};
    if (record == NULL) return MU_OK;
    origin->samples = json_array_size(json_object_get(record, "samples_ns"));
    origin->date = mu_words_keep(&to->words, mu_json_text(record, "date"), err);
    for (size_t i = 0; i < MEMBERS && err->status == MU_OK; i++)
        origin->texts[i] = mu_words_keep(
            &to->words, strcmp(members[i], "device") == 0 ? mu_record_device(record) : mu_json_text(record, members[i]),
            err);
    return err->status;
}

/* Compares the addresses of texts: any order will do that puts equal origins together. */
static int compare_texts(const void *left, const void *right)
{
    const struct origin *a = left, *b = right;
    for (size_t i = 0; i < MEMBERS; i++)
        if (a->texts[i] != b->texts[i]) return (uintptr_t)a->texts[i] < (uintptr_t)b->texts[i] ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* All records of one origin. */
struct gathered {
    const struct origin *first;
    const char *from, *to;
    size_t runs, samples;
};

static int compare_places(const void *left, const void *right)
{
    const size_t a = ((const struct gathered *)left)->first->place, b = ((const struct gathered *)right)->first->place;
    return (a > b) - (a < b);
}

static bool is_same_origin(const struct origin *a, const struct origin *b)
{
    return memcmp(a->texts, b->texts, sizeof a->texts) == 0;
}

/* Gathers what has the same origin, in the order of the first records; how many origins there are. `all` has room for
 * one of each record. */
static size_t gather(struct origins *origins, struct gathered *all)
{
    size_t count = 0;
    qsort(origins->origins, origins->count, sizeof *origins->origins, compare_texts);
    for (size_t i = 0; i < origins->count; i++) {
        const struct origin *next = &origins->origins[i];
        if (next->texts[0] == NULL) continue;
        if (count == 0 || !is_same_origin(all[count - 1].first, next))
            all[count++] = (struct gathered){.first = next, .from = next->date, .to = ""};
        struct gathered *origin = &all[count - 1];
        if (strcmp(next->date, origin->from) < 0) origin->from = next->date;
        if (strcmp(next->date, origin->to) > 0) origin->to = next->date;
        origin->runs++;
        origin->samples += next->samples;
    }
    if (count > 0) qsort(all, count, sizeof *all, compare_places);
    return count;
}

static void add_row(struct mu_grid *grid, const struct gathered *all)
{
    mu_grid_row(grid);
    for (size_t m = 0; m < MEMBERS; m++) mu_grid_text(grid, "%s", all->first->texts[m]);
    mu_grid_text(grid, "%s", all->from);
    mu_grid_text(grid, "%s", all->to);
    mu_grid_number(grid, (double)all->runs, 0);
    mu_grid_number(grid, (double)all->samples, 0);
}

static void add_rows(struct mu_grid *grid, struct origins *origins, struct mu_error *err)
{
    struct gathered *all = mu_calloc(origins->count, sizeof *all, "origins", err);
    const size_t count = all != NULL && origins->count > 0 ? gather(origins, all) : 0;
    for (size_t i = 0; i < count; i++) add_row(grid, &all[i]);
    mu_free(all);
}

static void release(void *state)
{
    struct origins *origins = state;
    mu_free(origins->origins);
    mu_words_release(&origins->words);
}

const struct mu_gather mu_origins_gather = {members, sizeof(struct origins), put, release};

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "provenance", "What the results were measured on, with what, and when");
    for (size_t i = 0; i < MEMBERS; i++) mu_grid_column(grid, members[i], members[i], MU_COLUMN_LEFT);
    mu_grid_column(grid, "first", "first run", MU_COLUMN_LEFT);
    mu_grid_column(grid, "last", "last run", MU_COLUMN_LEFT);
    mu_grid_column(grid, "runs", "runs", 0);
    mu_grid_column(grid, "samples", "samples", 0);
    struct origins *origins = mu_gather(request, &mu_origins_gather, grids->err);
    if (origins != NULL) add_rows(grid, origins, grids->err);
    mu_gathered_release(request, &mu_origins_gather, origins);
    return grids->err->status;
}

const struct mu_table mu_table_provenance = {"provenance", "chips, drivers, versions and dates of the results", fill};
