/* Scheduler models, and the blocking idioms that tell them apart: what each model allows, and what outcomes say of it.
 *
 * After chapter 6 of the thesis (tables 6.1 and 6.2, section 6.7): a model promises fair scheduling to some workgroups,
 * and so allows some idioms. HSA promises it to the lowest id that has not ended; OBE to all that have taken a step;
 * HSA+OBE to both; LOBE to all whose id is not above that of one that has taken a step. A test launches more workgroups
 * than fit at once. An idiom that a model allows and that starves refutes the model; one that completes proves nothing:
 * a device is at most "consistent with" a model.
 *
 * Nothing here needs a device: outcomes are plain data, made by harness/device/trust/forward_progress.c and kept in
 * measurements. */
#ifndef MU_RECORDS_SCHEDULER_MODELS_H
#define MU_RECORDS_SCHEDULER_MODELS_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* X(identifier, name, text for people) */
#define MU_IDIOM_TABLE(X)                                                                                              \
    X(MUTEX, "mutex", "every workgroup takes a mutex once")                                                            \
    X(BARRIER, "barrier", "a barrier of all workgroups launched")                                                      \
    X(BARRIER_TEAM, "barrier-team", "a barrier of the team of a roll call")                                            \
    X(BARRIER_LOBE, "barrier-lobe", "a barrier of the team of roll call lobe")                                         \
    X(ONE_WAY, "one-way", "producer-consumer: each waits for the id below")                                            \
    X(TWO_WAY, "two-way", "producer-consumer: first and last, second and last but one, … wait for each other")         \
    X(TWO_WAY_TEAM, "two-way-team", "the same in the team of a roll call")

#define MU_IDIOM_ENUM(identifier, name, text) MU_IDIOM_##identifier,
enum mu_idiom { MU_IDIOM_TABLE(MU_IDIOM_ENUM) MU_IDIOMS };
#undef MU_IDIOM_ENUM

/* Ids as the device numbers them, or counted from the other end. */
enum mu_id_order { MU_IDS_ASCENDING, MU_IDS_DESCENDING, MU_ID_ORDERS };

enum mu_forward_progress_outcome {
    MU_FORWARD_COMPLETED,
    MU_FORWARD_STARVED, /* a bounded spin ran out */
    MU_FORWARD_ALONE,   /* completed by a team of one, which says nothing */
    MU_FORWARD_WRONG,   /* ended without starving, but not everybody got to the end */
    MU_FORWARD_OUTCOMES
};

enum mu_scheduler { MU_SCHEDULER_HSA, MU_SCHEDULER_OBE, MU_SCHEDULER_HSA_OBE, MU_SCHEDULER_LOBE, MU_SCHEDULERS };

struct mu_forward_progress {
    uint32_t groups;     /* workgroups launched */
    uint32_t workgroup;  /* work-items in each */
    uint32_t spin_limit; /* polls after which a wait is starvation */
    uint32_t lobe_delay; /* times a group takes the mutex in roll call lobe: the longest that was tried */
    enum mu_forward_progress_outcome outcomes[MU_IDIOMS][MU_ID_ORDERS];
    uint32_t tries[MU_IDIOMS][MU_ID_ORDERS]; /* how often each was run: the first that did not complete ends a test, and
                                                a slow one is not repeated */
};

/* Return names for records and people; never NULL. */
const char *mu_idiom_name(enum mu_idiom idiom);                                         /* "one-way" */
const char *mu_idiom_text(enum mu_idiom idiom);                                         /* a line for people */
const char *mu_id_order_name(enum mu_id_order order);                                   /* "ascending" */
const char *mu_forward_progress_outcome_name(enum mu_forward_progress_outcome outcome); /* "starved" */
const char *mu_scheduler_name(enum mu_scheduler scheduler);                             /* "HSA+OBE" */

/* Returns true if every idiom that the model allows has completed. Otherwise *idiom and *order are the first that has
 * not. */
bool mu_forward_progress_consistent(const struct mu_forward_progress *progress, enum mu_scheduler scheduler,
                                    enum mu_idiom *idiom, enum mu_id_order *order);

/* What the tests say of a model: inconsistent where an idiom that it promises starved or went wrong; not tested where
 * none did, but a team of one completed some of them; else consistent, which is no proof. */
enum mu_verdict { MU_CONSISTENT, MU_INCONSISTENT, MU_NOT_TESTED };
enum mu_verdict mu_forward_progress_verdict(const struct mu_forward_progress *progress, enum mu_scheduler scheduler);

/* The same, of a measurement by muster probe (doc/profile.md). */
enum mu_verdict mu_forward_progress_measured(const json_t *measurement, enum mu_scheduler scheduler);

/* Returns the fewest tries behind a test that completed; 0 if none did. */
uint32_t mu_forward_progress_least_tries(const struct mu_forward_progress *progress);

/* Convert the outcomes to a JSON object and back. NULL: out of memory; MU_DEVICE for an object that is none. */
json_t *mu_forward_progress_to_json(const struct mu_forward_progress *progress);
int mu_forward_progress_from_json(const json_t *object, struct mu_forward_progress *progress, struct mu_error *err);

#endif
