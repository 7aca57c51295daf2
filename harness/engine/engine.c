#include "harness/engine/engine.h"

#include "base/memory.h"
#include "harness/engine/order.h"

#include <math.h>
#include <string.h>

enum { DESCRIPTION = 512 };

int mu_engine_make(struct mu_engine *engine, size_t room, uint32_t tests, struct mu_error *err)
{
    if (room > UINT32_MAX) return mu_fail(err, MU_LIMIT, "the plan has too many steps");
    engine->steps = mu_calloc(room, sizeof *engine->steps, "a plan", err);
    if (engine->steps == NULL) return err->status;
    engine->tests = mu_calloc(tests, sizeof *engine->tests, "the tests of a plan", err);
    if (engine->tests == NULL) return err->status;
    engine->passed = mu_calloc(room, sizeof *engine->passed, "a plan", err);
    if (engine->passed == NULL) return err->status;
    engine->room = (uint32_t)room;
    engine->test_count = tests;
    const struct mu_level nothing = {0};
    bool reached;
    for (uint32_t i = 0; i < tests; i++) {
        engine->tests[i].needed = mu_enough_needed(&engine->enough, &nothing, &reached);
        engine->tests[i].room = UINT32_MAX;
    }
    return MU_OK;
}

void mu_engine_add(struct mu_engine *engine, const struct mu_work *work, uint32_t test, uint32_t repeat)
{
    uint32_t last = engine->step_count;
    if (engine->step_count >= engine->room) return;
    while (last > 0 && engine->steps[last - 1].work != work) last--;
    const uint32_t order = last > 0 ? engine->steps[last - 1].order + 1 : 0;
    engine->steps[engine->step_count++] = (struct mu_step){work, test, repeat, order, engine->group};
}

int mu_engine_add_round(struct mu_engine *engine, const struct mu_round *round, struct mu_error *err)
{
    uint32_t *order = mu_calloc(round->count, sizeof *order, "the order of a round", err);
    if (order == NULL) return err->status;
    mu_order_round(round->seed, round->group, round->repeat, round->count, order);
    for (uint32_t i = 0; i < round->count; i++)
        mu_engine_add(engine, round->work, round->first + order[i], round->repeat);
    mu_free(order);
    return MU_OK;
}

void mu_engine_release(struct mu_engine *engine)
{
    for (uint32_t i = 0; i < engine->test_count; i++) mu_tally_release(&engine->tests[i]);
    mu_free(engine->tests);
    mu_free(engine->steps);
    mu_free(engine->passed);
    engine->tests = NULL;
    engine->steps = NULL;
    engine->passed = NULL;
    engine->test_count = engine->step_count = 0;
}

/* ---- What is to be done, and how long it takes ---- */

bool mu_engine_leaves_out(const struct mu_engine *engine, const struct mu_step *step)
{
    const struct mu_tally *test = &engine->tests[step->test];
    return step->repeat >= test->room || (step->work->is_test && (test->failed || step->repeat >= test->needed));
}

double mu_engine_expect(const struct mu_engine *engine, const struct mu_step *step)
{
    return mu_engine_leaves_out(engine, step) ? 0 : step->work->expect(engine, step);
}

/* How often a plan is walked through as a whole to estimate the time to go: after each 1/128 of its steps, and after
 * every step of a short plan. So the effort grows linearly with the plan. In between, the steps that have passed are
 * subtracted. */
enum { LOOKS = 128 };

/* Counts the steps that are left from `from` on, and sums their expected durations. */
static void look_ahead(struct mu_engine *engine, const struct mu_step *from)
{
    struct mu_ahead *ahead = &engine->ahead;
    const struct mu_step *end = engine->steps + engine->step_count;
    *ahead = (struct mu_ahead){.from = from, .fresh_for = (uint32_t)(end - from) / LOOKS};
    for (const struct mu_step *step = from; step < end; step++) {
        if (mu_engine_leaves_out(engine, step)) continue;
        ahead->seconds += step->work->expect(engine, step);
        ahead->steps++;
        ahead->unknown += step->work->is_known != NULL && !step->work->is_known(engine, step);
    }
}

/* Returns how many seconds are left until the environment ends the plan. */
static double left_s(const struct mu_engine_environment *environment)
{
    if (environment->end_ns == 0) return INFINITY;
    const uint64_t now_ns = environment->now_ns(environment->context);
    return now_ns < environment->end_ns ? 1e-9 * (double)(environment->end_ns - now_ns) : 0;
}

/* Returns the expected seconds until the plan ends, at most what the budget and the environment leave; MU_UNKNOWN_S
 * while some of it is a guess. Updates the planned number of steps. */
static double plan_ahead(struct mu_engine *engine, const struct mu_step *from, uint32_t done)
{
    struct mu_ahead *ahead = &engine->ahead;
    if (ahead->from == NULL || from < ahead->from || (size_t)(from - ahead->from) >= ahead->fresh_for)
        look_ahead(engine, from);
    double seconds = ahead->seconds;
    uint32_t steps = ahead->steps;
    for (const struct mu_step *step = ahead->from; step < from && steps > 0; step++) {
        if (mu_engine_leaves_out(engine, step)) continue;
        seconds -= step->work->expect(engine, step);
        steps--;
    }
    engine->progress.planned = done + steps;
    if (ahead->unknown != 0) return MU_UNKNOWN_S;
    if (engine->budget.seconds > 0)
        seconds = fmin(seconds, engine->budget.seconds - mu_progress_elapsed(&engine->progress));
    return fmax(fmin(seconds, left_s(&engine->environment)), 0);
}

/* ---- Doing it ---- */

void mu_engine_show(struct mu_engine *engine, const struct mu_step *step)
{
    char what[DESCRIPTION];
    step->work->describe(engine, step, what, sizeof what);
    mu_progress_show(&engine->progress, what, plan_ahead(engine, step, engine->progress.done));
}

int mu_engine_call(struct mu_engine *engine, struct mu_call *call, json_t **response, uint64_t *wall_ns,
                   struct mu_error *err)
{
    const struct mu_engine_environment *environment = &engine->environment;
    const struct mu_progress_callback on_progress = {mu_progress_tell, &engine->progress};
    mu_engine_show(engine, engine->current);
    call->on_progress = &on_progress;
    const uint64_t start = environment->now_ns(environment->context);
    environment->call(environment->context, call, response, err);
    call->on_progress = NULL;
    *wall_ns = environment->now_ns(environment->context) - start;
    return err->status;
}

bool mu_engine_trusts(const struct mu_engine *engine, const struct mu_selftest *selftest)
{
    return selftest->trust != MU_REFUSED || (engine->only_steps && selftest->steps);
}

/* Repeats the self-test in a fresh process if a step may have harmed the device. Fails with MU_DEVICE if the device no
 * longer passes. */
static int check_health(const struct mu_engine *engine, int harm, struct mu_error *err)
{
    struct mu_selftest selftest;
    if (harm == MU_OK) return MU_OK;
    if (engine->environment.check(engine->environment.context, true, &selftest, err) != MU_OK) return err->status;
    if (mu_engine_trusts(engine, &selftest)) return MU_OK;
    return mu_fail(err, MU_DEVICE,
                   "device '%s' no longer works after %s that ended by %s: %s; once it does, the same command goes on "
                   "from here",
                   engine->device, engine->unit, mu_status_text(harm), selftest.reason);
}

/* Notes the outcome of a step, and adds its record to its test. */
static int settle(struct mu_engine *engine, const struct mu_step *step, const struct mu_ending *ending,
                  struct mu_error *err)
{
    struct mu_tally *test = &engine->tests[step->test];
    engine->worst = mu_status_worse(ending->status, engine->worst);
    if (!step->work->is_test) return MU_OK;
    if (ending->status == MU_OK)
        return ending->record != NULL ? mu_tally_add(test, &engine->enough, ending->record, err) : MU_OK;
    test->failed = true;
    engine->failed++;
    return MU_OK;
}

/* Shows that a step has ended, with the message of what went wrong. */
static void show_ending(struct mu_engine *engine, const struct mu_step *step, int status, const char *message)
{
    char what[DESCRIPTION];
    const double to_go_s = plan_ahead(engine, step + 1, engine->progress.done + 1);
    step->work->describe(engine, step, what, sizeof what);
    mu_progress_done(&engine->progress, 1, what, mu_status_outcome(status), to_go_s);
    if (status != MU_OK && message != NULL) fprintf(stderr, "    %s\n", message);
}

void mu_engine_pass(struct mu_engine *engine, const struct mu_step *step, int status, const char *message)
{
    show_ending(engine, step, status, message);
    engine->passed[step - engine->steps] = true;
}

bool mu_engine_has_passed(const struct mu_engine *engine, const struct mu_step *step)
{
    return engine->passed[step - engine->steps];
}

/* Runs one step unless it is left out or does not fit the budget. */
static int run_step(struct mu_engine *engine, const struct mu_step *step, struct mu_error *err)
{
    struct mu_ending ending = {0};
    if (engine->environment.interrupted(engine->environment.context))
        return mu_fail(err, MU_INTERRUPTED, "interrupted");
    if (mu_engine_leaves_out(engine, step)) return MU_OK;
    mu_budget_decide(engine, step, mu_progress_elapsed(&engine->progress));
    if (mu_engine_leaves_out(engine, step)) return MU_OK;
    engine->current = step;
    if (step->work->run(engine, step, &ending, err) == MU_OK && settle(engine, step, &ending, err) == MU_OK) {
        if (!ending.fresh)
            engine->progress.done++;
        else if (!mu_engine_has_passed(engine, step))
            show_ending(engine, step, ending.status, ending.message);
        check_health(engine, ending.harm, err);
    }
    json_decref(ending.record);
    return err->status;
}

int mu_engine_run(struct mu_engine *engine, struct mu_error *err)
{
    plan_ahead(engine, engine->steps, 0);
    for (uint32_t i = 0; i < engine->step_count && err->status == MU_OK; i++) run_step(engine, &engine->steps[i], err);
    if (err->status == MU_INTERRUPTED)
        snprintf(err->message, sizeof err->message,
                 "interrupted: %u of %u steps are done; the same command goes on from here", engine->progress.done,
                 engine->progress.planned);
    return err->status;
}

/* ---- A dry run ---- */

/* Returns true if the store holds all records of a step, which then counts as if it had been run. False without
 * `only_looks`. */
static bool is_there(struct mu_engine *engine, const struct mu_step *step, struct mu_error *err)
{
    struct mu_ending ending = {0};
    struct mu_error missing = {0};
    if (!engine->only_looks) return false;
    engine->current = step;
    if (step->work->run(engine, step, &ending, &missing) == MU_OK) settle(engine, step, &ending, err);
    json_decref(ending.record);
    if (missing.status == MU_OK) return err->status == MU_OK;
    if (missing.status != MU_INTERRUPTED)
        mu_fail(err, missing.status, "%s", missing.message);
    else if (engine->environment.interrupted(engine->environment.context))
        mu_fail(err, MU_INTERRUPTED, "interrupted");
    return false;
}

int mu_engine_list(struct mu_engine *engine, FILE *to, struct mu_listing *listing, struct mu_error *err)
{
    char what[DESCRIPTION];
    *listing = (struct mu_listing){0};
    for (const struct mu_step *step = engine->steps; step < engine->steps + engine->step_count; step++) {
        if (mu_engine_leaves_out(engine, step)) continue;
        const bool there = is_there(engine, step, err);
        if (err->status != MU_OK) return err->status;
        *(there ? &listing->done : &listing->steps) += 1;
        *(there ? &listing->done_tests : &listing->tests) += step->work->is_test;
        if (there) continue;
        mu_budget_decide(engine, step, listing->seconds);
        if (mu_engine_leaves_out(engine, step)) {
            listing->steps--;
            listing->tests -= step->work->is_test;
            continue;
        }
        listing->seconds += step->work->expect(engine, step);
        step->work->describe(engine, step, what, sizeof what);
        fprintf(to, "%s\n", what);
    }
    return MU_OK;
}
