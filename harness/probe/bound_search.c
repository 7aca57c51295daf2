#include "harness/probe/bound_search.h"

#include <string.h>

/* Finds the verdict on so many groups, by majority: no more tries than that takes. */
static int judge(const struct mu_bound_search *search, uint32_t groups, struct mu_bound *bound, bool *completes,
                 struct mu_error *err)
{
    struct mu_bound_verdict verdict = {.groups = groups};
    const uint32_t majority = search->repeats / 2 + 1;
    while (verdict.tries < search->repeats && verdict.completed < majority &&
           verdict.tries - verdict.completed < majority) {
        bool completed = false;
        if (search->attempt(search->context, groups, &completed, err) != MU_OK) return err->status;
        verdict.tries++;
        verdict.completed += completed;
    }
    *completes = 2 * verdict.completed > verdict.tries;
    bound->disagreements += verdict.completed != 0 && verdict.completed != verdict.tries;
    if (bound->verdict_count == MU_BOUND_MAX_VERDICTS)
        return mu_fail(err, MU_LIMIT, "a bound search of more than %d verdicts", MU_BOUND_MAX_VERDICTS);
    bound->verdicts[bound->verdict_count++] = verdict;
    return MU_OK;
}

int mu_bound_find(const struct mu_bound_search *search, struct mu_bound *bound, struct mu_error *err)
{
    uint32_t groups = 1, fails = 0;
    memset(bound, 0, sizeof *bound);
    while (fails == 0 && groups <= search->limit) {
        bool completes = false;
        if (judge(search, groups, bound, &completes, err) != MU_OK) return err->status;
        if (!completes) {
            fails = groups;
            break;
        }
        bound->bound = groups;
        if (groups == search->limit) break;
        groups = groups > search->limit / 2 ? search->limit : 2 * groups;
    }
    bound->open = fails == 0;
    while (fails > bound->bound + 1) {
        const uint32_t middle = bound->bound + (fails - bound->bound) / 2;
        bool completes = false;
        if (judge(search, middle, bound, &completes, err) != MU_OK) return err->status;
        if (completes)
            bound->bound = middle;
        else
            fails = middle;
    }
    return MU_OK;
}
