#include "harness/engine/batch.h"

#include "base/memory.h"
#include "harness/engine/cost.h"

int mu_point_status(const struct mu_point *point)
{
    return mu_outcome_status(mu_json_text(point->record, "outcome"));
}

/* Puts a point's records into the store. */
static int keep(struct mu_batch *batch, struct mu_engine *engine, size_t which, const struct mu_answer *answer,
                struct mu_error *err)
{
    size_t i;
    json_t *record;
    struct mu_point *point = &batch->points[which];
    struct mu_json built = mu_json_array();
    batch->record(batch->context, which, answer, &built, err);
    json_t *records = mu_json_take(&built, "the records of a point", err);
    if (err->status == MU_OK && mu_store_append_all(batch->store, records, err) == MU_OK) {
        json_array_foreach (records, i, record) mu_cost_learn(&engine->meter, record);
        point->record = json_array_get(records, 0); /* the store has a reference of its own */
        const int status = mu_point_status(point);
        if (status == MU_CRASH || status == MU_DEADLINE || status == MU_DEVICE) batch->harm = status;
        batch->fresh++;
        if (batch->kept != NULL) batch->kept(batch->context, records, err);
    }
    json_decref(records);
    return err->status;
}

/* The child's answer for the i-th of the points that it was given; NULL for none. */
static const json_t *answer_of(const struct mu_batch *batch, const json_t *response, size_t i)
{
    return batch->alone ? response : json_array_get(json_object_get(response, "points"), i);
}

/* How many of the points that a child was given are settled by its response. One that dies or hangs says nothing of
 * several. What else goes wrong before the first point (a bad input, no memory) is the outcome of all. */
static size_t count_answers(const struct mu_batch *batch, const json_t *response, size_t count, int outcome)
{
    const size_t answers = json_array_size(json_object_get(response, "points"));
    if (!batch->alone && answers != 0) return answers < count ? answers : count;
    return count == 1 || (outcome != MU_CRASH && outcome != MU_DEADLINE && outcome != MU_OK) ? count : 0;
}

/* Measures points in one process. *settled gets how many of them have records now. */
static int run_together(struct mu_batch *batch, struct mu_engine *engine, const size_t *which, size_t count,
                        size_t *settled, struct mu_error *err)
{
    struct mu_error outcome = {0};
    struct mu_call call = {0};
    struct mu_answer answer = {.outcome = &outcome, .not_placed = call.not_placed};
    json_t *response = NULL;
    *settled = 0;
    if (batch->call(batch->context, which, count, &call, err) == MU_OK) {
        mu_engine_call(engine, &call, &response, &answer.wall_ns, &outcome);
        if (outcome.status == MU_INTERRUPTED) mu_fail(err, MU_INTERRUPTED, "%s", outcome.message);
        const size_t answers = count_answers(batch, response, count, outcome.status);
        for (; *settled < answers && err->status == MU_OK; ++*settled) {
            answer.response = answer_of(batch, response, *settled);
            keep(batch, engine, which[*settled], &answer, err);
        }
    }
    json_decref(call.request);
    json_decref(response);
    return err->status;
}

/* Looks up what the store has, and records what is refused; `which` gets the points that are left. */
static size_t list_pending(struct mu_batch *batch, struct mu_engine *engine, size_t first, size_t *which,
                           struct mu_error *err)
{
    size_t count = 0;
    for (size_t i = first; i < batch->count && err->status == MU_OK; i++) {
        struct mu_point *point = &batch->points[i];
        const struct mu_answer refused = {.outcome = &point->refused, .not_placed = ""};
        point->record = batch->find != NULL ? batch->find(batch->context, i) : mu_store_find(batch->store, point->key);
        if (point->record != NULL) continue;
        if (point->refused.status == MU_OK)
            which[count++] = i;
        else
            keep(batch, engine, i, &refused, err);
    }
    return count;
}

int mu_batch_run(struct mu_batch *batch, struct mu_engine *engine, size_t first, struct mu_error *err)
{
    bool together = true;
    size_t settled = 0;
    size_t *which = mu_calloc(batch->count, sizeof *which, "a batch", err);
    if (which == NULL) return err->status;
    const size_t count = list_pending(batch, engine, first, which, err);
    for (size_t done = 0; done < count && err->status == MU_OK; done += settled) {
        run_together(batch, engine, which + done, together ? count - done : 1, &settled, err);
        together = together && settled != 0;
    }
    mu_free(which);
    return err->status;
}
