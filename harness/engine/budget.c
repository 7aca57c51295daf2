#include "harness/engine/budget.h"

#include "harness/engine/engine.h"

void mu_budget_decide(struct mu_engine *engine, const struct mu_step *step, double spent_s)
{
    struct mu_budget *budget = &engine->budget;
    const struct mu_step *end = engine->steps + engine->step_count;
    double seconds = spent_s;
    if (budget->seconds <= 0 || (budget->decided && step->group == budget->group)) return;
    budget->decided = true;
    budget->group = step->group;
    for (const struct mu_step *other = step; other < end && other->group == step->group; other++)
        seconds += mu_engine_expect(engine, other);
    if (seconds <= budget->seconds) return;
    for (const struct mu_step *other = step; other < end && other->group == step->group; other++)
        if (engine->tests[other->test].room > other->repeat) engine->tests[other->test].room = other->repeat;
    engine->ahead.from = NULL;
}

void mu_budget_forecast(struct mu_engine *engine)
{
    double seconds = 0;
    for (const struct mu_step *step = engine->steps; step < engine->steps + engine->step_count; step++) {
        mu_budget_decide(engine, step, seconds);
        seconds += mu_engine_expect(engine, step);
    }
}

void mu_budget_reset(struct mu_engine *engine)
{
    for (uint32_t i = 0; i < engine->test_count; i++) engine->tests[i].room = UINT32_MAX;
    engine->budget.decided = false;
    engine->ahead.from = NULL;
}
