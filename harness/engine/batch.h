/* Batches: points that share a child process, and their records.
 *
 * A child process is expensive: it opens the device, reads an input and compiles. So points with the same set-up are
 * measured in one child, one after the other. Points whose records are in the store already are left out.
 *
 * The child answers in parts, one for each point. Each part is stored while the child measures the next point. So if
 * this process is interrupted, only the point that is being measured is lost. If the child crashes or hangs, the
 * outcome is that of the point it was measuring, and the points behind it go on in another child. A failure before the
 * first point is the outcome of all points. */
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

/* What is known of a point after its child has answered or ended. */
struct mu_answer {
    const json_t *response;         /* the child's for this point; NULL: none */
    const struct mu_error *outcome; /* the process's, or why the point was refused */
    const char *not_placed;         /* as in struct mu_call; empty where there was no child */
    uint64_t
        wall_ns; /* how long the process took; 0 while it still runs, when the response has a "wall_ns" of its own */
};

struct mu_batch {
    struct mu_store *store;
    struct mu_point *points;
    size_t count;
    void *context; /* the first argument of the functions */

    /* Fills in the call that measures the points which[0] … which[count - 1]. The child answers in parts
     * (mu_child_part), one for each point that it measured, each with its outcome. If `alone` is true, there is one
     * point, and the whole response is its answer. */
    int (*call)(void *context, const size_t *which, size_t count, struct mu_call *call, struct mu_error *err);
    bool alone;
    bool careful; /* end the run after a point that may have harmed the device, so that it is checked first */

    /* Appends the records of a point, at least one, to an array. */
    int (*record)(void *context, size_t which, const struct mu_answer *answer, struct mu_json *records,
                  struct mu_error *err);

    /* Returns the record of a point that need not be measured, borrowed, else NULL. If `find` is NULL, the store's
     * record with the point's key counts. */
    const json_t *(*find)(void *context, size_t which);

    /* Called with a point's records once they are stored; may be NULL. */
    int (*kept)(void *context, size_t which, json_t *records, struct mu_error *err);

    uint32_t fresh; /* points that were recorded by this batch */
    int harm;       /* as in struct mu_ending, of the fresh ones */
};

/* Measures the points from `first` on that have no record yet. A failure of a point is an outcome in its record. Fails
 * with MU_INTERRUPTED, MU_IO or MU_NO_MEMORY; the answers received before that are stored. */
int mu_batch_run(struct mu_batch *batch, struct mu_engine *engine, size_t first, struct mu_error *err);

/* Returns the status if it may have harmed the device (MU_CRASH, MU_DEADLINE, MU_DEVICE), else MU_OK. */
int mu_batch_harm(int status);

/* Releases the records of `count` points, but not the array. */
void mu_points_release(struct mu_point *points, size_t count);

/* Returns the outcome in a point's record as a status. */
int mu_point_status(const struct mu_point *point);

#endif
