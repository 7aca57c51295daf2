/* The host's reading of an app's state list and plan. Included by <app>.c after <app>.state.h; <app>.plan.h follows it:
 *
 *     #include "mis.state.h"
 *     #include "apps/host.h"
 *     #include "mis.plan.h"
 *
 * It defines, all static: struct app_state (a member for each scalar, a pointer for each buffer, and `option`, which
 * has a member for each of the app's options), the tables that MU_APP_TABLES puts into the descriptor, and app_plan,
 * the multi-kernel form of the plan.
 *
 * An app that has options defines APP_OPTIONS before it includes this file: rows of base/option.h, in the form
 * X(name, type, …). prepare finds their values in S->option, and may replace those that stand for its own choice. */
#ifndef MU_APPS_HOST_H
#define MU_APPS_HOST_H

#include "apps/app.h"
#include "apps/plan_run.h"

#include <stddef.h>

typedef double real; /* of plan variables */

#define MU_MEMBER_POINTER(name, type, length, role) MU_HOST_##type *MU_NAME_##role(name);
#define MU_NAME_INPUT(name)                         name
#define MU_NAME_STATE(name)                         name
#define MU_NAME_RESULT(name)                        name
#define MU_NAME_FLAG(name)                          mu_flag_##name
#define MU_NAME_COUNTER(name)                       mu_counter_##name
#define MU_NAME_SUM(name)                           mu_sum_##name
#define MU_NAME_MAX(name)                           mu_max_##name
#define MU_MEMBER_SCALAR(name, type)                MU_SCALAR_##type name;
#define MU_SCALAR_uint                              uint
#define MU_SCALAR_real                              double
#ifndef APP_OPTIONS
#define APP_OPTIONS(X)
#endif
struct app_state {
    APP_SCALARS(MU_MEMBER_SCALAR)
    APP_BUFFERS(MU_MEMBER_POINTER)
    struct {
        APP_OPTIONS(MU_OPTION_MEMBER)
        bool none; /* a struct of an app without options has a member too */
    } option;
};

#define MU_APP_OPTION_ROW(member, kind, ...)                                                                           \
    {.name = #member, .type = MU_OPTION_##kind, .offset = offsetof(struct app_state, option.member), __VA_ARGS__},
static const struct mu_option app_options[] = {APP_OPTIONS(MU_APP_OPTION_ROW){.name = NULL}};
_Static_assert(sizeof app_options / sizeof app_options[0] <= MU_MAX_APP_OPTIONS + 1, "an app has that many options");

#define MU_BUFFER_ROW(name, type, length, role)                                                                        \
    {#name, MU_TYPE_##type, MU_ROLE_##role, offsetof(struct app_state, MU_NAME_##role(name))},
static const struct mu_buffer app_buffers[] = {APP_BUFFERS(MU_BUFFER_ROW)};

#define MU_SCALAR_ROW(name, type) {#name, MU_TYPE_##type, offsetof(struct app_state, name)},
static const struct mu_scalar app_scalars[] = {APP_SCALARS(MU_SCALAR_ROW)};

/* BUFFER_<name>: the index of a buffer, for READ. */
#define MU_BUFFER_INDEX(name, type, length, role) BUFFER_##name,
enum { APP_BUFFERS(MU_BUFFER_INDEX) BUFFER_COUNT };

/* Lengths are computed in 64 bits; their terms are the scalars and `edges`, none above 2^32 but `edges`. */
#define MU_LENGTH_uint uint64_t
#define MU_LENGTH_real double
#define MU_SCALAR_LOCAL(name, type)                                                                                    \
    const MU_LENGTH_##type name = S.name;                                                                              \
    (void)name;
#define MU_LENGTH_CASE(name, type, length, role)                                                                       \
    case BUFFER_##name:                                                                                                \
        return MU_LENGTH_OF_##role(length);
#define MU_LENGTH_OF_INPUT(length)   (length)
#define MU_LENGTH_OF_STATE(length)   (length)
#define MU_LENGTH_OF_RESULT(length)  (length)
#define MU_LENGTH_OF_FLAG(length)    MU_FLAG_WORDS
#define MU_LENGTH_OF_COUNTER(length) MU_COUNTER_WORDS
#define MU_LENGTH_OF_SUM(length)     0 /* the execution decides */
#define MU_LENGTH_OF_MAX(length)     0
static uint64_t app_length(const struct mu_instance *instance, size_t buffer)
{
    const struct app_state S = *(const struct app_state *)instance->state;
    const uint64_t edges = instance->edges;
    (void)edges;
    APP_SCALARS(MU_SCALAR_LOCAL)
    switch (buffer) {
        APP_BUFFERS(MU_LENGTH_CASE)
    }
    return 0;
}

/* The plan language (doc/apps.md). After a failure STEP returns from the plan; READ then gives 0. */
static void app_plan(struct mu_plan_run *run, const void *state);
#define PLAN(app)                                                                                                      \
    static void app_plan_body(struct mu_plan_run *run, const struct app_state S);                                      \
    static void app_plan(struct mu_plan_run *run, const void *state)                                                   \
    {                                                                                                                  \
        app_plan_body(run, *(const struct app_state *)state);                                                          \
    }                                                                                                                  \
    static void app_plan_body(struct mu_plan_run *run, const struct app_state S)
#define STEP2(name, extent, a, b)                                                                                      \
    do {                                                                                                               \
        if (mu_plan_step(run, "mu_step_" #name, (struct mu_step_arguments){(extent), (a), (b)}) != MU_OK) return;      \
    } while (0)
#define STEP(name, extent, a) STEP2(name, extent, a, 0)
/* Behind the whole of the step, which is more than the plan may rely on. */
#define STEP_SPLIT(name, extent, a, beside, its_extent, its_a)                                                         \
    do {                                                                                                               \
        STEP(name, extent, a);                                                                                         \
        if (mu_plan_beside(run, "mu_step_" #beside, (struct mu_step_arguments){(its_extent), (its_a), 0}) != MU_OK)    \
            return;                                                                                                    \
    } while (0)
#define READ(buffer, index)                   MU_BY_TYPE(S.buffer, mu_plan_read, mu_plan_read_real)(run, BUFFER_##buffer, (index))
#define STAMPED(name, round)                  ((void)S.mu_flag_##name, mu_plan_stamped(run, BUFFER_##name, (round)))
#define COUNTED(name, round)                  ((void)S.mu_counter_##name, mu_plan_counted(run, BUFFER_##name, (round)))
#define TEAM_SUM(name)                        MU_BY_TYPE(S.mu_sum_##name, mu_plan_total, mu_plan_total_real)(run, BUFFER_##name)
#define TEAM_MAX(name)                        MU_BY_TYPE(S.mu_max_##name, mu_plan_total, mu_plan_total_real)(run, BUFFER_##name)
#define MU_BY_TYPE(pointer, of_uint, of_real) _Generic((pointer), uint * : of_uint, MU_HOST_real * : of_real)

#define MU_APP_TABLES                                                                                                  \
    .state_bytes = sizeof(struct app_state), .buffers = app_buffers, .buffer_count = BUFFER_COUNT,                     \
    .scalars = app_scalars, .scalar_count = sizeof app_scalars / sizeof app_scalars[0], .length = app_length,          \
    .options = app_options, .plan = app_plan

#endif
