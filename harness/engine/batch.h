/* Points that share a child process, and their records.
 *
 * A process is dear: it opens the device, reads an input, compiles. So points whose set-up is alike are measured in
 * one, one after the other. Only those run that the store does not have. The child answers in parts, one for each
 * point. A point's records are in the store as soon as its part has come, while the child measures the next one: so
 * whatever ends this process costs no more than the point that is measured. A crash or a hang of the child costs the
 * point at which it comes: those behind it go on in another process. What goes wrong before the first point is the
 * outcome of all. */
#ifndef MU_HARNESS_ENGINE_BATCH_H
#define MU_HARNESS_ENGINE_BATCH_H

#include "harness/engine/engine.h"
#include "records/key.h"
#include "records/store.h"

struct mu_point {
    char key[MU_KEY_BYTES];  /* of its record; of the first one where it has several */
    json_t *record;          /* the point's own; NULL until the store has one */
    struct mu_error refused; /* why it cannot run; MU_OK: it can */
};

/* What came of a point. */
struct mu_answer {
    const json_t *response;         /* the child's for this point; NULL: none */
    const struct mu_error *outcome; /* the process's, or why the point was refused */
    const char *not_placed;         /* as in struct mu_call; empty where there was no child */
    uint64_t wall_ns;               /* the process's; 0 where it goes on: then the response has its own */
};

struct mu_batch {
    struct mu_store *store;
    struct mu_point *points;
    size_t count;
    void *context; /* the first argument of the functions */

    /* The call that measures the points which[0] … which[count - 1]. The child answers in parts (mu_child_part), as
     * many as it measured, each with its outcome; where `alone` is true there is one point, and the response is its
     * answer. */
    int (*call)(void *context, const size_t *which, size_t count, struct mu_call *call, struct mu_error *err);
    bool alone;
    bool careful; /* a point that may have harmed the device ends the run, so that somebody looks at the device */

    /* Appends the records of a point, at least one, to an array. */
    int (*record)(void *context, size_t which, const struct mu_answer *answer, struct mu_json *records,
                  struct mu_error *err);

    /* The record of a point that need not be measured, else NULL; NULL: the store's record with the point's key. */
    const json_t *(*find)(void *context, size_t which);

    /* Told of a point's records once the store has them; may be NULL. */
    int (*kept)(void *context, size_t which, json_t *records, struct mu_error *err);

    uint32_t fresh; /* points that got their records now */
    int harm;       /* as in struct mu_ending, of the fresh ones */
};

/* Runs what the store lacks, from point `first` on. What goes wrong with a point is in its record. MU_INTERRUPTED,
 * MU_IO, MU_NO_MEMORY; what was answered before is in the store then. */
int mu_batch_run(struct mu_batch *batch, struct mu_engine *engine, size_t first, struct mu_error *err);

/* A status, where it may have harmed the device: MU_CRASH, MU_DEADLINE, MU_DEVICE; else MU_OK. */
int mu_batch_harm(int status);

/* Gives up the records of points. */
void mu_points_release(struct mu_point *points, size_t count);

/* The outcome in a point's record, as a status. */
int mu_point_status(const struct mu_point *point);

#endif
