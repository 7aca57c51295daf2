#include "analysis/prediction/judged.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char portable[] = "portable";

static double regret_of(const struct mu_case *of, const struct mu_choice_key *named, const struct mu_choice_key *best)
{
    return expm1(mu_find_choice(of, named)->log_ns - mu_find_choice(of, best)->log_ns);
}

void mu_judge_name(struct mu_judged *judged, const struct mu_choice_key *named, const struct mu_choice_key *usual)
{
    judged->named = named;
    judged->usual = usual;
    judged->best = mu_model_truth(judged->of);
    judged->regret = regret_of(judged->of, named, judged->best);
    judged->usual_regret = regret_of(judged->of, usual, judged->best);
}

/* Fills in the error of portable's prediction. */
static void judge_error(const struct mu_forecast *forecasts, size_t count, struct mu_judged *judged)
{
    const struct mu_choice_key key = {.variant = portable};
    for (size_t i = 0; i < count; i++) {
        if (!mu_same_choice(&forecasts[i].key, &key) || isnan(forecasts[i].log_ns)) continue;
        judged->has_error = true;
        judged->log_truth = mu_find_choice(judged->of, &key)->log_ns - judged->of->facts.log_ns;
        judged->log_error = forecasts[i].log_ns - mu_find_choice(judged->of, &key)->log_ns;
        judged->spread = forecasts[i].spread;
    }
}

/* Judges the prediction that a model which has not seen the case makes of it. */
static int judge(const struct mu_cases *cases, enum mu_left_out left_out, struct mu_model *model,
                 const struct mu_case *of, struct mu_judged *judged, struct mu_error *err)
{
    struct mu_forecast *forecasts = mu_calloc(of->choice_count, sizeof *forecasts, "predictions", err);
    *judged = (struct mu_judged){.of = of, .constants = judged->constants, .log_margin = NAN, .done = true};
    if (forecasts == NULL) return err->status;
    for (size_t i = 0; i < of->choice_count; i++) forecasts[i].key = of->choices[i].key;
    mu_model_predict(model, of, forecasts, of->choice_count, err);
    const struct mu_forecast *named = mu_model_best(forecasts, of->choice_count);
    const struct mu_choice_key *usual = mu_model_commonest(cases, left_out, of);
    if (err->status == MU_OK && named != NULL && usual != NULL)
        mu_judge_name(judged, &mu_find_choice(of, &named->key)->key, usual);
    if (err->status == MU_OK) judge_error(forecasts, of->choice_count, judged);
    mu_free(forecasts);
    return err->status;
}

enum mu_left_out mu_fitted_without(enum mu_left_out left_out)
{
    return left_out == MU_LEAVE_INPUT ? MU_LEAVE_FAMILY : left_out;
}

/* Fits the constants for a case, or copies those of an earlier case that leave out the same. */
static int set_constants(const struct mu_cases *cases, enum mu_left_out left_out, size_t at, struct mu_judged *judged,
                         struct mu_error *err)
{
    const enum mu_left_out without = mu_fitted_without(left_out);
    size_t earlier = 0;
    while (earlier < at && !mu_model_serves(cases, without, &cases->cases[earlier], &cases->cases[at])) earlier++;
    if (earlier == at) return mu_model_constants(cases, without, &cases->cases[at], &judged[at].constants, err);
    judged[at].constants = judged[earlier].constants;
    return MU_OK;
}

/* Judges a case, and those behind it for which the same cases are left out. */
static int judge_fold(const struct mu_cases *cases, enum mu_left_out left_out, size_t first, struct mu_judged *judged,
                      struct mu_error *err)
{
    const struct mu_case *of = &cases->cases[first];
    if (set_constants(cases, left_out, first, judged, err) != MU_OK) return err->status;
    struct mu_model *model = mu_model_fit(cases, left_out, of, &judged[first].constants, err);
    for (size_t i = first; i < cases->count && err->status == MU_OK; i++) {
        if (judged[i].done || !mu_model_serves(cases, left_out, of, &cases->cases[i])) continue;
        judged[i].constants = judged[first].constants;
        judge(cases, left_out, model, &cases->cases[i], &judged[i], err);
    }
    mu_model_free(model);
    return err->status;
}

struct mu_judged *mu_judge_all(const struct mu_cases *cases, enum mu_left_out left_out, struct mu_error *err)
{
    struct mu_judged *judged = mu_calloc(cases->count, sizeof *judged, "predictions", err);
    for (size_t i = 0; judged != NULL && i < cases->count && err->status == MU_OK; i++)
        if (!judged[i].done) judge_fold(cases, left_out, i, judged, err);
    if (err->status == MU_OK) return judged;
    mu_free(judged);
    return NULL;
}

/* Finds once for all cases that are left out together how many spreads wide their margins are. */
int mu_judge_margins(const struct mu_cases *cases, enum mu_left_out left_out, struct mu_judged *judged,
                     struct mu_error *err)
{
    for (size_t i = 0; i < cases->count && err->status == MU_OK; i++) {
        size_t alike = 0;
        while (alike < i && (!judged[alike].has_error || !mu_leaves_out(left_out, judged[i].of, judged[alike].of)))
            alike++;
        if (!judged[i].has_error) continue;
        judged[i].spreads = judged[alike].spreads;
        if (alike == i)
            mu_model_spreads(cases, left_out, judged[i].of, &judged[i].constants, portable, &judged[i].spreads, err);
        judged[i].log_margin = judged[i].spreads * judged[i].spread;
    }
    return err->status;
}
