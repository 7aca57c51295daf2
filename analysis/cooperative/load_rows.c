/* The rows of loads: how they come of records, and what they are compared with. */
#include "analysis/cooperative/load.h"
#include "base/memory.h"
#include "records/implementations.h"

#include <stdlib.h>
#include <string.h>

struct rows mu_load_rows(bool of_plans)
{
    return (struct rows){.of_plans = of_plans,
                         .keys = mu_json_object(),
                         .plans = mu_json_object(),
                         .kernels = mu_json_object(),
                         .sessions = mu_json_object()};
}

void mu_load_rows_release(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < SERIES; k++) mu_processes_release(&rows->rows[i].series[k]);
    mu_free(rows->rows);
    mu_free(rows->idle);
    mu_free(rows->alone);
    mu_json_release(&rows->keys);
    mu_json_release(&rows->plans);
    mu_json_release(&rows->kernels);
    mu_json_release(&rows->sessions);
    mu_words_release(&rows->words);
}

/* Returns what tells rows apart: the kernel, and the load. The caller releases it. */
static json_t *row_key(const struct row *row)
{
    struct mu_json key = mu_json_array();
    mu_json_append_number(&key, row->kernel);
    for (size_t i = LOAD; i < TEXTS; i++) mu_json_append_text(&key, row->text[i]);
    return mu_json_take(&key, "a row's key", NULL);
}

int mu_load_rows_add(struct rows *rows, const struct row *row, const json_t *record,
                     const json_t *const numbers[SERIES], struct mu_error *err)
{
    size_t at;
    const size_t session = mu_processes_session(&rows->sessions, record);
    if (mu_json_place(&rows->keys, row_key(row), &at)) {
        at = rows->count;
        void *grown = rows->rows;
        if (mu_resize(&grown, rows->count + 1, sizeof *row, "rows", err) != MU_OK) return err->status;
        rows->rows = grown;
        rows->rows[rows->count++] = *row;
    }
    for (size_t i = 0; i < SERIES; i++)
        if (mu_processes_add(&rows->rows[at].series[i], numbers[i], session, err) != MU_OK) break;
    return err->status;
}

static bool is_load(const struct row *row, const char *load)
{
    return strcmp(row->text[LOAD], load) == 0;
}

bool mu_load_is(const struct row *row)
{
    return row->text[LOAD][0] != '\0' && !is_load(row, "none") && !is_load(row, "idle");
}

/* Returns the place of a name in a list of choices; behind the last one for none of them. */
static int place_of(const struct mu_choice *choices, const char *name)
{
    int place = 0;
    while (choices[place].name != NULL && strcmp(choices[place].name, name) != 0) place++;
    return place;
}

/* Orders rows by chip, app, input, load, workgroups, barrier, and the team; for qsort. */
static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = 0;
    for (size_t i = CHIP; i <= INPUT && order == 0; i++) order = strcmp(a->text[i], b->text[i]);
    if (order == 0) order = place_of(mu_loads, a->text[LOAD]) - place_of(mu_loads, b->text[LOAD]);
    if (order == 0) order = (a->groups > b->groups) - (a->groups < b->groups);
    if (order == 0) order = place_of(mu_resizings, a->text[RESIZING]) - place_of(mu_resizings, b->text[RESIZING]);
    if (order == 0) order = (a->team > b->team) - (a->team < b->team);
    return order != 0 ? order : (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

int mu_load_rows_time(struct rows *rows, struct mu_error *err)
{
    if (rows->plans.lost || rows->keys.lost || rows->kernels.lost || rows->sessions.lost)
        return mu_fail(err, MU_NO_MEMORY, "out of memory: rows");
    rows->idle = mu_calloc(rows->count + 1, sizeof *rows->idle, "times", err);
    if (rows->idle == NULL) return err->status;
    rows->alone = mu_calloc(rows->count + 1, sizeof *rows->alone, "times", err);
    if (rows->alone == NULL) return err->status;
    if (rows->count != 0) qsort(rows->rows, rows->count, sizeof *rows->rows, compare_rows);
    for (size_t i = 0; i < rows->count; i++) {
        struct row *row = &rows->rows[i];
        for (size_t k = 0; k < SERIES; k++)
            if (mu_processes_level(&row->series[k], err) != MU_OK) return err->status;
        const struct row **base = is_load(row, "idle") ? &rows->idle[row->kernel] : &rows->alone[row->plan];
        if (!mu_load_is(row) && *base == NULL) *base = row;
    }
    return MU_OK;
}

bool mu_load_slowdown(const struct rows *rows, const struct row *row, struct mu_ratio *slowdown, bool *is_idle)
{
    const struct row *base = rows->idle[row->kernel];
    *is_idle = base != NULL;
    if (base == NULL) base = rows->alone[row->plan];
    return base != NULL && mu_processes_ratio(&row->series[RUN], &base->series[RUN], slowdown);
}
