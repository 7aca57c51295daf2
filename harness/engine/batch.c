#include "harness/engine/batch.h"

#include "base/memory.h"
#include "harness/engine/cost.h"

int mu_point_status(const struct mu_point *point)
{
    return mu_outcome_status(mu_json_text(point->record, "outcome"));
}

void mu_points_release(struct mu_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_decref(points[i].record);
        points[i].record = NULL;
    }
}

int mu_batch_harm(int status)
{
    return status == MU_CRASH || status == MU_DEADLINE || status == MU_DEVICE ? status : MU_OK;
}

/* Appends the records of point `which` to the store, and keeps a reference to the first one in the point. Counts the
 * point as fresh, and notes whether its outcome may have harmed the device. */
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
        json_array_foreach (records, i, record) mu_cost_learn(&engine->progress, record);
        point->record = json_incref(json_array_get(records, 0));
        const int harm = mu_batch_harm(mu_point_status(point));
        if (harm != MU_OK) batch->harm = harm;
        batch->fresh++;
        if (batch->kept != NULL) batch->kept(batch->context, which, records, err);
    }
    json_decref(records);
    return err->status;
}

/* What a child process answered about the points that it was given. */
struct said {
    json_t *response; /* without the parts */
    json_t *parts;    /* an answer for each point, in order; NULL: the child ended before its first point */
    struct mu_error outcome;
};

/* Returns true if the child ended by itself or was killed, so that the point that it was measuring has no answer. */
static bool has_died(int outcome)
{
    return outcome == MU_CRASH || outcome == MU_DEADLINE;
}

/* What keep_part needs: the points of a child whose answers are stored as they arrive. */
struct hearing {
    struct mu_batch *batch;
    struct mu_engine *engine;
    const size_t *which;
    size_t count, kept;
    const struct mu_call *call;
    struct mu_error *err; /* a failure to store an answer; the child's own outcome is in struct said */
};

/* Stores an answer while the child measures its next point. For struct mu_taker. */
static int keep_part(void *context, const json_t *part, struct mu_error *err)
{
    static const struct mu_error none;
    struct hearing *hearing = context;
    const struct mu_answer answer = {.response = part, .outcome = &none, .not_placed = hearing->call->not_placed};
    if (hearing->kept == hearing->count) return MU_OK;
    if (keep(hearing->batch, hearing->engine, hearing->which[hearing->kept], &answer, hearing->err) != MU_OK)
        return mu_fail(err, hearing->err->status, "%s", hearing->err->message);
    hearing->kept++;
    return MU_OK;
}

/* Returns how many of the points need no further process. These are the points that the child answered, and the one at
 * which it died. A child that ended well may have stopped early, because it does not trust itself with the next point;
 * then the rest goes to another child. If it ended before its first point, its outcome is that of all points. */
static size_t count_settled(const struct mu_batch *batch, const struct said *said, size_t count)
{
    if (batch->alone || said->parts == NULL) return count;
    const size_t settled = json_array_size(said->parts) + (has_died(said->outcome.status) ? 1 : 0);
    return settled < count && settled != 0 ? settled : count;
}

/* Stores the records of points `first` … `settled` - 1. A point without an answer gets the outcome of the process. */
static int keep_said(struct mu_batch *batch, struct mu_engine *engine, const size_t *which, size_t first,
                     size_t settled, const struct said *said, struct mu_answer *answer, struct mu_error *err)
{
    static const struct mu_error none;
    for (size_t i = first; i < settled && err->status == MU_OK; i++) {
        const json_t *part = json_array_get(said->parts, i);
        answer->response = part != NULL ? part : said->response;
        answer->outcome = part != NULL ? &none : &said->outcome;
        keep(batch, engine, which[i], answer, err);
    }
    return err->status;
}

/* Measures points in one child process. *settled gets how many of them, from the first, have records now. */
static int run_together(struct mu_batch *batch, struct mu_engine *engine, const size_t *which, size_t count,
                        size_t *settled, struct mu_error *err)
{
    struct said said = {0};
    struct mu_call call = {0};
    struct mu_answer answer = {.not_placed = call.not_placed};
    struct hearing hearing = {
        .batch = batch, .engine = engine, .which = which, .count = count, .call = &call, .err = err};
    const struct mu_taker taker = {keep_part, &hearing};
    *settled = 0;
    if (batch->call(batch->context, which, count, &call, err) == MU_OK) {
        if (count > 1) call.taker = &taker; /* a single point is timed by its process: wall_ns */
        mu_engine_call(engine, &call, &said.response, &answer.wall_ns, &said.outcome);
        said.parts = json_incref(json_object_get(said.response, "parts"));
        json_object_del(said.response, "parts");
        const bool interrupted = said.outcome.status == MU_INTERRUPTED;
        *settled = interrupted ? json_array_size(said.parts) : count_settled(batch, &said, count);
        if (err->status == MU_OK)
            keep_said(batch, engine, which, hearing.kept, *settled < count ? *settled : count, &said, &answer, err);
        if (interrupted && err->status == MU_OK) mu_fail(err, MU_INTERRUPTED, "%s", said.outcome.message);
    }
    json_decref(call.request);
    json_decref(said.response);
    json_decref(said.parts);
    return err->status;
}

/* Finds the points from `first` on that have no record, and stores a record for each that was refused. `which` gets the
 * numbers of the others. Returns how many these are. */
static size_t list_pending(struct mu_batch *batch, struct mu_engine *engine, size_t first, size_t *which,
                           struct mu_error *err)
{
    size_t count = 0;
    for (size_t i = first; i < batch->count && err->status == MU_OK; i++) {
        struct mu_point *point = &batch->points[i];
        const struct mu_answer refused = {.outcome = &point->refused, .not_placed = ""};
        json_decref(point->record);
        point->record = batch->find != NULL ? json_incref((json_t *)batch->find(batch->context, i))
                                            : mu_store_find(batch->store, point->key, err);
        if (point->record != NULL || err->status != MU_OK) continue;
        if (engine->only_looks)
            mu_fail(err, MU_INTERRUPTED, "not done");
        else if (point->refused.status == MU_OK)
            which[count++] = i;
        else
            keep(batch, engine, i, &refused, err);
    }
    return count;
}

int mu_batch_run(struct mu_batch *batch, struct mu_engine *engine, size_t first, struct mu_error *err)
{
    size_t settled = 0;
    size_t *which = mu_calloc(batch->count, sizeof *which, "a batch", err);
    if (which == NULL) return err->status;
    const size_t count = list_pending(batch, engine, first, which, err);
    for (size_t done = 0; done < count && err->status == MU_OK; done += settled) {
        if (batch->careful && batch->harm != MU_OK) break;
        run_together(batch, engine, which + done, count - done, &settled, err);
    }
    mu_free(which);
    return err->status;
}
