#include "analysis/prediction/model.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How alike cases are. They are round numbers that were chosen once, and are not fitted anew: a case whose share
 * differs by a factor of e^WIDTH counts 0.6 of one with the same share, and one of the same app or chip counts so many
 * times one of another. */
#define WIDTH     0.3
#define SAME_APP  10.0
#define SAME_CHIP 30.0
#define SAME_FORM 10.0 /* both are traced or neither is, and both have a fixed grid or neither has */

/* Of multi-kernel's time, this share at least is work: the profile's launches are of kernels that do nothing, which may
 * take longer than launches that overlap with work. */
#define LEAST_WORK 0.05

/* No known case is so unlike that it counts nothing: where none is alike, their mean is the best there is. */
#define LEAST_WEIGHT 1e-9

/* Cases of which a margin at 95 % needs so many at least. */
#define MARGIN_CASES 20

const struct mu_choice mu_left_out_names[] = {
    [MU_LEAVE_NOTHING] = {"nothing", ""}, [MU_LEAVE_INPUT] = {"input", ""}, [MU_LEAVE_FAMILY] = {"family", ""},
    [MU_LEAVE_CHIP] = {"chip", ""},       [MU_LEAVE_APP] = {"app", ""},     {NULL, NULL},
};

static bool same_chip(const struct mu_case *a, const struct mu_case *b)
{
    const size_t length = strcspn(a->of->chip, "@");
    return strcspn(b->of->chip, "@") == length && strncmp(a->of->chip, b->of->chip, length) == 0;
}

static bool same_family(const char *a, const char *b)
{
    const size_t length = strcspn(a, ":");
    return strcspn(b, ":") == length && strncmp(a, b, length) == 0;
}

bool mu_leaves_out(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known)
{
    switch (left_out) {
    case MU_LEAVE_INPUT:
        return strcmp(asked->of->input, known->of->input) == 0;
    case MU_LEAVE_FAMILY:
        return same_family(asked->of->input, known->of->input);
    case MU_LEAVE_CHIP:
        return same_chip(asked, known);
    case MU_LEAVE_APP:
        return strcmp(asked->of->app, known->of->app) == 0;
    default:
        return false;
    }
}

double mu_model_estimate(const struct mu_case_facts *facts)
{
    const double multi = exp(facts->log_ns);
    double work = !isnan(facts->work_ns) ? facts->work_ns : multi - facts->overhead_ns;
    if (work > multi) work = multi;
    if (work < LEAST_WORK * multi) work = LEAST_WORK * multi;
    return log(work + facts->sync_ns);
}

/* The share of multi-kernel's time that the profile's launches and read-backs would take, as a logarithm. */
static double log_share(const struct mu_case_facts *facts)
{
    return log(facts->overhead_ns) - facts->log_ns;
}

static bool same_form(const struct mu_case_facts *a, const struct mu_case_facts *b)
{
    return a->fixed == b->fixed && isnan(a->work_ns) == isnan(b->work_ns);
}

static double weight_of(const struct mu_case *asked, const struct mu_case *known)
{
    const double apart = (log_share(&asked->facts) - log_share(&known->facts)) / WIDTH;
    return exp(-0.5 * apart * apart) * (strcmp(asked->of->app, known->of->app) == 0 ? SAME_APP : 1) *
               (same_chip(asked, known) ? SAME_CHIP : 1) * (same_form(&asked->facts, &known->facts) ? SAME_FORM : 1) +
           LEAST_WEIGHT;
}

static bool is_multi(const struct mu_choice_key *key)
{
    return strncmp(key->variant, mu_variants[MU_MULTI_KERNEL].name, strlen(mu_variants[MU_MULTI_KERNEL].name)) == 0;
}

/* The log of the least time of another choice than those of multi-kernel; such a case has one (mu_cases_load). */
static double best_persistent(const struct mu_case *known)
{
    double best = INFINITY;
    for (size_t i = 0; i < known->choice_count; i++)
        if (!is_multi(&known->choices[i].key) && known->choices[i].log_ns < best) best = known->choices[i].log_ns;
    return best;
}

static const struct mu_case_choice *find_choice(const struct mu_case *known, const struct mu_choice_key *key)
{
    for (size_t i = 0; i < known->choice_count; i++)
        if (mu_same_choice(&known->choices[i].key, key)) return &known->choices[i];
    return NULL;
}

/* A mean with weights. */
struct mean {
    double sum, weights;
};

static void add(struct mean *mean, double value, double weight)
{
    mean->sum += weight * value;
    mean->weights += weight;
}

static bool may_use(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known)
{
    return known != asked && !mu_leaves_out(left_out, asked, known);
}

static bool is_taken_from_facts(const struct mu_case *asked, const struct mu_choice_key *key)
{
    return key->workgroup == 0 && strcmp(key->variant, asked->of->variant) == 0;
}

/* How far the choice is above the best of the persistent ones, on the scale of logarithms. NAN where the cases that
 * have it are not the better part of those that are alike: what only a few have tried cannot be held against the rest.
 */
static double predict_above(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                            const struct mu_choice_key *key)
{
    struct mean above = {0, 0};
    double weights = 0;
    for (size_t i = 0; i < known->count; i++) {
        const struct mu_case *next = &known->cases[i];
        const struct mu_case_choice *chosen = find_choice(next, key);
        if (!may_use(left_out, asked, next) || (key->workgroup != 0 && !same_chip(asked, next))) continue;
        weights += weight_of(asked, next);
        if (chosen != NULL) add(&above, chosen->log_ns - best_persistent(next), weight_of(asked, next));
    }
    return above.weights > 0 && above.weights >= weights / 2 ? above.sum / above.weights : (double)NAN;
}

void mu_model_predict(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                      struct mu_forecast *forecasts, size_t count)
{
    struct mean level = {0, 0};
    for (size_t i = 0; i < known->count; i++) {
        const struct mu_case *next = &known->cases[i];
        if (may_use(left_out, asked, next))
            add(&level, best_persistent(next) - mu_model_estimate(&next->facts), weight_of(asked, next));
    }
    for (size_t choice = 0; choice < count; choice++) {
        struct mu_forecast *forecast = &forecasts[choice];
        const double above = predict_above(known, left_out, asked, &forecast->key);
        forecast->log_ns = mu_model_estimate(&asked->facts) + level.sum / level.weights + above;
        if (is_taken_from_facts(asked, &forecast->key)) forecast->log_ns = asked->facts.log_ns;
    }
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

int mu_model_margin(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                    const char *variant, double *margin, struct mu_error *err)
{
    const struct mu_choice_key key = {.variant = variant};
    double *off = mu_malloc(known->count, sizeof *off, "errors of predictions", err);
    size_t count = 0;
    *margin = NAN;
    if (off == NULL) return err->status;
    for (size_t i = 0; i < known->count; i++) {
        struct mu_forecast forecast = {.key = key};
        const struct mu_case_choice *truth = find_choice(&known->cases[i], &key);
        if (truth == NULL || !may_use(left_out, asked, &known->cases[i])) continue;
        mu_model_predict(known, left_out, &known->cases[i], &forecast, 1);
        if (!isnan(forecast.log_ns)) off[count++] = fabs(forecast.log_ns - truth->log_ns);
    }
    if (count > 0) qsort(off, count, sizeof *off, compare_numbers);
    const size_t rank = (size_t)ceil(0.95 * (double)(count + 1)); /* from 1 */
    if (count >= MARGIN_CASES) *margin = off[(rank < count ? rank : count) - 1];
    mu_free(off);
    return MU_OK;
}

/* ---- What predictions are compared with ---- */

static const struct mu_choice_key *best_of(const struct mu_case *known)
{
    size_t best = 0;
    for (size_t i = 1; i < known->choice_count; i++)
        if (known->choices[i].log_ns < known->choices[best].log_ns) best = i;
    return &known->choices[best].key;
}

const struct mu_choice_key *mu_model_commonest(const struct mu_cases *known, enum mu_left_out left_out,
                                               const struct mu_case *asked)
{
    const struct mu_choice_key *commonest = NULL;
    size_t most = 0;
    for (size_t choice = 0; choice < asked->choice_count; choice++) {
        size_t wins = 0;
        for (size_t i = 0; i < known->count; i++)
            wins += may_use(left_out, asked, &known->cases[i]) &&
                    mu_same_choice(best_of(&known->cases[i]), &asked->choices[choice].key);
        if (commonest != NULL && wins <= most) continue;
        most = wins;
        commonest = &asked->choices[choice].key;
    }
    return commonest;
}
