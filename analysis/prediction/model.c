#include "analysis/prediction/model.h"

#include "base/memory.h"
#include "statistics/kriging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Variances of how far a choice is above the best, on the scale of those in alike.c; these are not fitted. CONSTANT: of
 * what all cases have in common, which is as good as free, for there is no estimate. NOISE: of what no other case
 * tells, which is much, since which of two near ones is faster differs from session to session. */
#define ABOVE_CONSTANT 10.0
#define VARIANT_NOISE  0.3
#define SIZE_NOISE     3.0

/* A fit tries each constant times and divided by STEP, in at most so many passes. The prior of a constant, by the
 * deviation of its logarithm, is within a factor of about 3 of the usual one, so that few cases do not carry it
 * away. */
#define STEP          1.5
#define MOST_PASSES   4
#define LOG_DEVIATION 1.1

/* Cases of which an interval at 95 % needs so many at least. */
#define INTERVAL_CASES 20

/* Returns the first estimate: the log of a persistent variant's time. */
static double estimate(const struct mu_case_facts *facts, const struct mu_constants *constants)
{
    return log(mu_case_work(facts) + facts->rollcall_ns + constants->of[MU_LATE_ARRIVAL] * facts->barriers_ns);
}

static bool is_multi(const struct mu_choice_key *key)
{
    return strncmp(key->variant, mu_variants[MU_MULTI_KERNEL].name, strlen(mu_variants[MU_MULTI_KERNEL].name)) == 0;
}

/* Returns the log of the least time of a choice that is not multi-kernel's. Each known case has one (mu_cases_load). */
static double best_persistent(const struct mu_case *known)
{
    double best = INFINITY;
    for (size_t i = 0; i < known->choice_count; i++)
        if (!is_multi(&known->choices[i].key) && known->choices[i].log_ns < best) best = known->choices[i].log_ns;
    return best;
}

/* ---- Which known cases are used ---- */

struct scope {
    const struct mu_cases *known;
    enum mu_left_out left_out;
    const struct mu_constants *constants;
    const struct mu_case *asked, *also; /* what is left out for these; also: NULL for none */
};

static bool may_use(const struct scope *scope, const struct mu_case *known)
{
    const struct mu_case *also = scope->also;
    return known != scope->asked && !mu_leaves_out(scope->left_out, scope->asked, known) &&
           (also == NULL || (known != also && !mu_leaves_out(scope->left_out, also, known)));
}

/* What is observed: a value of each of some known cases. */
struct observed {
    const struct mu_case **cases;
    double *values, *covariances; /* covariances: room for those with a case that is asked for */
    size_t count;
    const struct mu_constants *constants;
    double constant;
    struct mu_kriging kriging;
};

static void release(struct observed *observed)
{
    mu_free(observed->cases);
    mu_free(observed->values);
    mu_free(observed->covariances);
    mu_kriging_release(&observed->kriging);
}

/* Makes room for all known cases. Their number times the bytes of a case has been checked before. */
static int begin(struct observed *observed, const struct scope *scope, struct mu_error *err)
{
    const size_t most = scope->known->count;
    *observed = (struct observed){.constants = scope->constants};
    observed->cases = mu_malloc(most, sizeof *observed->cases, "known cases", err);
    observed->values = mu_malloc(most, sizeof *observed->values, "known cases", err);
    observed->covariances = mu_malloc(most, sizeof *observed->covariances, "known cases", err);
    return err->status;
}

static int fit(struct observed *observed, double constant, double noise, struct mu_error *err)
{
    const size_t count = observed->count;
    double *matrix = mu_malloc(count, count * sizeof *matrix, "covariances", err);
    if (matrix == NULL) return err->status;
    observed->constant = constant;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++)
            matrix[i * count + j] =
                constant + mu_alike(observed->cases[i], observed->cases[j], observed->constants) + (i == j ? noise : 0);
    return mu_kriging_fit(&observed->kriging, matrix, observed->values, count, err);
}

/* Returns the prediction for a case, and stores the variance of its error into *variance unless that is NULL. */
static double predict_one(const struct observed *observed, const struct mu_case *asked, double noise, double *variance)
{
    for (size_t i = 0; i < observed->count; i++)
        observed->covariances[i] = observed->constant + mu_alike(asked, observed->cases[i], observed->constants);
    if (variance != NULL)
        *variance = mu_kriging_variance(&observed->kriging, observed->covariances,
                                        observed->constant + mu_alike(asked, asked, observed->constants) + noise);
    return mu_kriging_value(&observed->kriging, observed->covariances);
}

/* Fits by how much persistent variants differed from the estimate. */
static int fit_level(const struct scope *scope, struct observed *level, struct mu_error *err)
{
    if (begin(level, scope, err) != MU_OK) return err->status;
    for (size_t i = 0; i < scope->known->count; i++) {
        const struct mu_case *next = &scope->known->cases[i];
        if (!may_use(scope, next)) continue;
        level->values[level->count] = best_persistent(next) - estimate(&next->facts, scope->constants);
        level->cases[level->count++] = next;
    }
    return fit(level, scope->constants->of[MU_OF_EVERY], scope->constants->of[MU_LEVEL_NOISE], err);
}

/* ---- Constants ---- */

/* Returns how unlikely the known cases are with these constants, but for a constant; INFINITY after a failure. It is
 * minus twice the log of the likelihood and of the constants' prior. */
static double unlikelihood(struct scope *scope, const struct mu_constants *constants, struct mu_error *err)
{
    struct observed level;
    double sum = 0;
    scope->constants = constants;
    const bool fitted = fit_level(scope, &level, err) == MU_OK;
    for (size_t i = 0; fitted && i < level.count; i++)
        sum += level.values[i] * level.kriging.weights[i] + 2 * log(level.kriging.factor[i * level.count + i]);
    for (int i = 0; i < MU_CONSTANT_COUNT; i++) {
        const double moved = log(constants->of[i] / mu_usual_constants.of[i]) / LOG_DEVIATION;
        sum += moved * moved;
    }
    release(&level);
    return fitted ? sum : INFINITY;
}

/* Moves one constant by a factor where that makes the known cases less unlikely than *least. */
static bool try_constant(struct scope *scope, struct mu_constants *constants, int which, double factor, double *least,
                         struct mu_error *err)
{
    struct mu_constants moved = *constants;
    moved.of[which] *= factor;
    if (moved.of[MU_OTHER_FORM] > 1) return false;
    const double sum = unlikelihood(scope, &moved, err);
    if (!(sum < *least)) return false;
    *least = sum;
    *constants = moved;
    return true;
}

int mu_model_constants(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                       struct mu_constants *constants, struct mu_error *err)
{
    struct scope scope = {.known = known, .left_out = left_out, .asked = asked};
    *constants = mu_usual_constants;
    double least = unlikelihood(&scope, constants, err);
    /* A pass tries each constant. It ends where all were tried in vain since the last one moved. */
    for (int trial = 0, vain = 0; trial < MOST_PASSES * MU_CONSTANT_COUNT && vain < MU_CONSTANT_COUNT; trial++) {
        const int which = trial % MU_CONSTANT_COUNT;
        const bool moved = err->status == MU_OK && (try_constant(&scope, constants, which, STEP, &least, err) ||
                                                    try_constant(&scope, constants, which, 1 / STEP, &least, err));
        vain = moved ? 0 : vain + 1;
    }
    return err->status;
}

/* ---- Choices ---- */

static bool is_comparable(const struct scope *scope, const struct mu_choice_key *key, const struct mu_case *next)
{
    return may_use(scope, next) && (key->workgroup == 0 || mu_same_chip(scope->asked, next));
}

/* Fits how far the choice was above the best of the persistent ones, on the scale of logarithms. */
static int fit_above(const struct scope *scope, const struct mu_choice_key *key, struct observed *above,
                     struct mu_error *err)
{
    if (begin(above, scope, err) != MU_OK) return err->status;
    for (size_t i = 0; i < scope->known->count; i++) {
        const struct mu_case *next = &scope->known->cases[i];
        const struct mu_case_choice *chosen = mu_find_choice(next, key);
        if (chosen == NULL || !is_comparable(scope, key, next)) continue;
        above->values[above->count] = chosen->log_ns - best_persistent(next);
        above->cases[above->count++] = next;
    }
    return fit(above, ABOVE_CONSTANT, key->workgroup != 0 ? SIZE_NOISE : VARIANT_NOISE, err);
}

/* Returns true if the cases that have the choice are the better part of those that are alike: what only a few have
 * tried cannot be held against the rest. */
static bool is_known(const struct scope *scope, const struct observed *above, const struct mu_choice_key *key,
                     const struct mu_case *asked)
{
    const double every = scope->constants->of[MU_OF_EVERY];
    double all = 0, with = 0;
    for (size_t i = 0; i < scope->known->count; i++)
        if (is_comparable(scope, key, &scope->known->cases[i]))
            all += every + mu_alike(asked, &scope->known->cases[i], scope->constants);
    for (size_t i = 0; i < above->count; i++) with += every + mu_alike(asked, above->cases[i], scope->constants);
    return above->count > 0 && with >= all / 2;
}

static void predict_choice(const struct scope *scope, const struct observed *level, const struct observed *above,
                           const struct mu_case *asked, struct mu_forecast *forecast)
{
    double variance;
    forecast->log_ns = NAN;
    const double beyond = predict_one(level, asked, scope->constants->of[MU_LEVEL_NOISE], &variance);
    if (is_known(scope, above, &forecast->key, asked))
        forecast->log_ns = estimate(&asked->facts, scope->constants) + beyond + predict_one(above, asked, 0, NULL);
    forecast->spread = sqrt(variance);
}

static bool is_taken_from_facts(const struct mu_case *asked, const struct mu_choice_key *key)
{
    return key->workgroup == 0 && strcmp(key->variant, asked->of->variant) == 0;
}

/* What was observed of one choice, once it has been asked for. */
struct above {
    struct mu_choice_key key;
    struct observed observed;
};

struct mu_model {
    struct mu_constants constants;
    struct scope scope;
    struct observed level;
    struct above *aboves;
    size_t count;
};

void mu_model_free(struct mu_model *model)
{
    if (model == NULL) return;
    release(&model->level);
    for (size_t i = 0; i < model->count; i++) release(&model->aboves[i].observed);
    mu_free(model->aboves);
    mu_free(model);
}

struct mu_model *mu_model_fit(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                              const struct mu_constants *constants, struct mu_error *err)
{
    struct mu_model *model = mu_calloc(1, sizeof *model, "a model", err);
    if (model == NULL) return NULL;
    model->constants = *constants;
    model->scope = (struct scope){known, left_out, &model->constants, asked, NULL};
    if (fit_level(&model->scope, &model->level, err) == MU_OK) return model;
    mu_model_free(model);
    return NULL;
}

/* Returns what the model knows of a choice; NULL after a failure. */
static const struct observed *find_above(struct mu_model *model, const struct mu_choice_key *key, struct mu_error *err)
{
    for (size_t i = 0; i < model->count; i++)
        if (mu_same_choice(&model->aboves[i].key, key)) return &model->aboves[i].observed;
    void *aboves = model->aboves;
    if (mu_resize(&aboves, model->count + 1, sizeof *model->aboves, "choices", err) != MU_OK) return NULL;
    model->aboves = aboves;
    struct above *made = &model->aboves[model->count++];
    made->key = *key;
    return fit_above(&model->scope, key, &made->observed, err) == MU_OK ? &made->observed : NULL;
}

int mu_model_predict(struct mu_model *model, const struct mu_case *asked, struct mu_forecast *forecasts, size_t count,
                     struct mu_error *err)
{
    for (size_t i = 0; i < count && err->status == MU_OK; i++) {
        const struct observed *above = find_above(model, &forecasts[i].key, err);
        if (above != NULL) predict_choice(&model->scope, &model->level, above, asked, &forecasts[i]);
        if (is_taken_from_facts(asked, &forecasts[i].key)) {
            forecasts[i].log_ns = asked->facts.log_ns;
            forecasts[i].spread = 0;
        }
    }
    return err->status;
}

bool mu_model_serves(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *fitted,
                     const struct mu_case *asked)
{
    const bool sizes = asked->choice_count > 0 && asked->choices[0].key.workgroup != 0; /* they ask for the same chip */
    bool same = fitted == asked || (mu_leaves_out(left_out, fitted, asked) && (!sizes || mu_same_chip(fitted, asked)));
    for (size_t i = 0; i < known->count && same; i++)
        same = mu_leaves_out(left_out, fitted, &known->cases[i]) == mu_leaves_out(left_out, asked, &known->cases[i]);
    return same;
}

const struct mu_forecast *mu_model_best(const struct mu_forecast *forecasts, size_t count)
{
    const struct mu_forecast *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (!isnan(forecasts[i].log_ns) && (best == NULL || forecasts[i].log_ns < best->log_ns)) best = &forecasts[i];
    return best;
}

/* ---- Intervals ---- */

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Adds how many spreads the predictions were off, of the cases that share with scope->also what is left out. */
static int add_errors(const struct scope *scope, const struct mu_choice_key *key, double *off, size_t *count,
                      struct mu_error *err)
{
    const struct scope any = {scope->known, scope->left_out, scope->constants, scope->asked, NULL};
    struct observed level, above = {0};
    if (fit_level(scope, &level, err) == MU_OK) fit_above(scope, key, &above, err);
    for (size_t i = 0; i < scope->known->count && err->status == MU_OK; i++) {
        const struct mu_case *next = &scope->known->cases[i];
        const struct mu_case_choice *truth = mu_find_choice(next, key);
        struct mu_forecast forecast = {.key = *key};
        if (truth == NULL || !may_use(&any, next) ||
            (next != scope->also && !mu_leaves_out(scope->left_out, scope->also, next)))
            continue;
        predict_choice(scope, &level, &above, next, &forecast);
        if (!isnan(forecast.log_ns)) off[(*count)++] = fabs(forecast.log_ns - truth->log_ns) / forecast.spread;
    }
    release(&level);
    release(&above);
    return err->status;
}

/* Returns true if an earlier case shares what is left out, so that its errors are counted already. */
static bool is_counted(const struct mu_cases *known, enum mu_left_out left_out, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (mu_leaves_out(left_out, &known->cases[at], &known->cases[i])) return true;
    return false;
}

int mu_model_spreads(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                     const struct mu_constants *constants, const char *variant, double *spreads, struct mu_error *err)
{
    const struct mu_choice_key key = {.variant = variant};
    double *off = mu_malloc(known->count, sizeof *off, "errors of predictions", err);
    size_t count = 0;
    *spreads = NAN;
    for (size_t i = 0; off != NULL && i < known->count && err->status == MU_OK; i++) {
        const struct scope scope = {known, left_out, constants, asked, &known->cases[i]};
        if (scope.also == asked || mu_leaves_out(left_out, asked, scope.also) || is_counted(known, left_out, i))
            continue;
        add_errors(&scope, &key, off, &count, err);
    }
    if (err->status == MU_OK && count > 0) qsort(off, count, sizeof *off, compare_numbers);
    const size_t rank = (size_t)ceil(0.95 * (double)(count + 1)); /* from 1 */
    if (err->status == MU_OK && count >= INTERVAL_CASES) *spreads = off[(rank < count ? rank : count) - 1];
    mu_free(off);
    return err->status;
}

/* ---- What predictions are compared with ---- */

const struct mu_choice_key *mu_model_truth(const struct mu_case *of)
{
    size_t best = 0;
    for (size_t i = 1; i < of->choice_count; i++)
        if (of->choices[i].log_ns < of->choices[best].log_ns) best = i;
    return &of->choices[best].key;
}

const struct mu_choice_key *mu_model_commonest(const struct mu_cases *known, enum mu_left_out left_out,
                                               const struct mu_case *asked)
{
    const struct scope scope = {.known = known, .left_out = left_out, .asked = asked};
    const struct mu_choice_key *commonest = NULL;
    size_t most = 0;
    for (size_t choice = 0; choice < asked->choice_count; choice++) {
        size_t wins = 0;
        for (size_t i = 0; i < known->count; i++)
            wins += may_use(&scope, &known->cases[i]) && mu_same_class(&known->cases[i], asked) &&
                    mu_same_choice(mu_model_truth(&known->cases[i]), &asked->choices[choice].key);
        if (commonest != NULL && wins <= most) continue;
        most = wins;
        commonest = &asked->choices[choice].key;
    }
    return commonest;
}
