#include "analysis/tables/reading.h"

#include "analysis/tables/common.h"
#include "base/memory.h"

#include <string.h>

extern const struct mu_gather mu_origins_gather, mu_chips_gather, mu_resizing_gather, mu_load_gather;
const struct mu_gather *const mu_gathers[] = {&mu_origins_gather, &mu_chips_gather, &mu_resizing_gather,
                                              &mu_load_gather, NULL};
enum { GATHERS = sizeof mu_gathers / sizeof mu_gathers[0] - 1 };

bool mu_shared_records_has(const struct mu_table_request *request)
{
    return request->reading != NULL && request->set_count == 0;
}

/* Returns true if the request can use what was gathered, which knows no filters. */
static bool has_gathered(const struct mu_table_request *request)
{
    return mu_shared_records_has(request) && request->chip == NULL && request->app == NULL && request->input == NULL &&
           request->variant == NULL;
}

/* ---- Reading ---- */

static int make_states(struct mu_shared_records *reading, struct mu_error *err)
{
    reading->states = mu_calloc(GATHERS, sizeof *reading->states, "what tables gather", err);
    for (size_t i = 0; i < GATHERS && err->status == MU_OK; i++)
        reading->states[i] = mu_calloc(1, mu_gathers[i]->state_bytes, "what a table gathers", err);
    return err->status;
}

static size_t count_names(const char *const *names)
{
    size_t count = 0;
    while (names[count] != NULL) count++;
    return count;
}

/* Returns the members that studies and tables read, with NULL behind the last. The caller frees the list. */
static const char **list_members(struct mu_error *err)
{
    size_t count = count_names(mu_study_members) + 1, used = 0;
    for (size_t i = 0; i < GATHERS; i++) count += count_names(mu_gathers[i]->members);
    const char **members = mu_calloc(count, sizeof *members, "members of records", err);
    for (size_t i = 0; members != NULL && mu_study_members[i] != NULL; i++) members[used++] = mu_study_members[i];
    for (size_t i = 0; members != NULL && i < GATHERS; i++)
        for (size_t m = 0; mu_gathers[i]->members[m] != NULL; m++) members[used++] = mu_gathers[i]->members[m];
    return members;
}

/* Takes in one record (mu_record_sink). */
static int take(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    struct mu_shared_records *reading = context;
    mu_study_draft_put(&reading->draft, record, place, err);
    for (size_t i = 0; i < GATHERS && err->status == MU_OK; i++)
        mu_gathers[i]->take(reading->states[i], record, place, line, err);
    return err->status;
}

int mu_shared_records_fill(const struct mu_table_request *request, struct mu_error *err)
{
    struct mu_shared_records *reading = request->reading;
    if (reading->is_read) return MU_OK;
    mu_shared_records_release(reading); /* what a failure left */
    const char **members = list_members(err);
    reading->draft.kinds = MU_STUDY_MEASURED | MU_STUDY_TUNED;
    if (members != NULL && make_states(reading, err) == MU_OK) {
        const struct mu_record_sink sink = {.members = members, .take = take, .context = reading};
        mu_records_read(request->root, NULL, 0, &sink, stderr, err);
        reading->is_read = err->status == MU_OK;
    }
    mu_free(members);
    return err->status;
}

void mu_shared_records_release(struct mu_shared_records *reading)
{
    for (size_t i = 0; i < GATHERS && reading->states != NULL; i++) {
        if (reading->states[i] != NULL) mu_gathers[i]->release(reading->states[i]);
        mu_free(reading->states[i]);
    }
    mu_free(reading->states);
    mu_study_draft_release(&reading->draft);
    json_decref(reading->surveys);
    *reading = (struct mu_shared_records){0};
}

/* ---- What tables gather ---- */

void *mu_gather(const struct mu_table_request *request, const struct mu_gather *gather, struct mu_error *err)
{
    if (has_gathered(request)) {
        if (mu_shared_records_fill(request, err) != MU_OK) return NULL;
        for (size_t i = 0; i < GATHERS; i++)
            if (mu_gathers[i] == gather) return request->reading->states[i];
    }
    void *state = mu_calloc(1, gather->state_bytes, "what a table gathers", err);
    const struct mu_record_sink sink = {.members = gather->members, .take = gather->take, .context = state};
    if (state == NULL || mu_table_read(request, &sink, err) == MU_OK) return state;
    gather->release(state);
    mu_free(state);
    return NULL;
}

void mu_gathered_release(const struct mu_table_request *request, const struct mu_gather *gather, void *state)
{
    if (state == NULL || has_gathered(request)) return;
    gather->release(state);
    mu_free(state);
}
