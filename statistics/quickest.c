/* The quickest of several forms by the samples of one process each: what statistics/statistics.h promises for it. */
#include "statistics/statistics.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* More splits change a level by less than a tenth of its error. */
enum { SPLITS = 200 };

/* One form: its samples, which each split orders anew, and two sums of the log of the median of the half that did not
 * choose. One is over all splits, the other over those that the form won. */
struct form {
    double *values;
    size_t count, wins;
    double sum, winner_sum;
    struct mu_level level;
};

/* Orders the samples at random: those of the first half, the greater one, choose. */
static void shuffle(struct form *form, uint64_t *state)
{
    for (size_t i = form->count; i > 1; i--) {
        const size_t other = mu_draw(state, i);
        const double value = form->values[i - 1];
        form->values[i - 1] = form->values[other];
        form->values[other] = value;
    }
}

static double log_median(double *values, size_t count)
{
    gsl_sort(values, 1, count);
    return log(gsl_stats_median_from_sorted_data(values, 1, count));
}

static void add_split(struct form *forms, size_t count, uint64_t *state)
{
    size_t winner = 0;
    double least = INFINITY, told = 0;
    for (size_t i = 0; i < count; i++) {
        struct form *form = &forms[i];
        const size_t half = (form->count + 1) / 2;
        shuffle(form, state);
        const double chosen_by = log_median(form->values, half);
        const double other = log_median(form->values + half, form->count - half);
        form->sum += other;
        if (chosen_by >= least) continue;
        least = chosen_by;
        winner = i;
        told = other;
    }
    forms[winner].wins++;
    forms[winner].winner_sum += told;
}

/* Fills in the mean over the splits. What the halves of a form tell on average is taken to be its whole level, which
 * leaves no chance in the result if the same form always wins. */
static size_t finish(const struct form *forms, size_t count, struct mu_level *level)
{
    size_t most = 0;
    double log_value = 0, variance = 0, df = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct form *form = &forms[i];
        const double part = (double)form->wins / SPLITS;
        if (form->wins > forms[most].wins) most = i;
        if (form->wins == 0) continue;
        log_value += form->winner_sum / SPLITS + part * (form->level.log_value - form->sum / SPLITS);
        variance += part * form->level.variance;
        df = fmin(df, form->level.df);
    }
    *level = forms[most].level;
    for (size_t s = 0; s < MU_SESSIONS_MAX; s++)
        if ((level->sessions.known >> s & 1) != 0) level->sessions.value[s] += log_value - level->log_value;
    level->log_value = log_value;
    level->variance = variance;
    level->df = df;
    return most;
}

/* Copies the samples, and takes the level of them all. */
static int read_form(const struct mu_samples *samples, struct form *form, struct mu_error *err)
{
    form->values = mu_malloc(samples->count, sizeof *form->values, "samples", err);
    if (form->values == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < samples->count; i++) form->values[i] = samples->values[i];
    form->count = samples->count;
    return mu_level_of(samples, 1, &form->level, err);
}

/* Takes the form with the least level. The samples that chose it tell its time, so that its variance says nothing. */
static size_t take_least(const struct form *forms, size_t count, struct mu_level *level)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        if (forms[i].level.log_value < forms[least].level.log_value) least = i;
    *level = forms[least].level;
    if (count > 1) level->df = 0;
    return least;
}

int mu_level_of_quickest(const struct mu_samples *samples, size_t count, struct mu_level *level, size_t *most,
                         struct mu_error *err)
{
    uint64_t state = 1; /* always the same, so that the same samples tell the same everywhere */
    bool split = count > 1;
    int status = MU_OK;
    struct form *forms = mu_calloc(count, sizeof *forms, "forms", err);
    if (forms == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < count && status == MU_OK; i++) {
        status = read_form(&samples[i], &forms[i], err);
        split = split && samples[i].count > 1;
    }
    for (size_t i = 0; status == MU_OK && split && i < SPLITS; i++) add_split(forms, count, &state);
    if (status == MU_OK) *most = split ? finish(forms, count, level) : take_least(forms, count, level);
    for (size_t i = 0; i < count; i++) mu_free(forms[i].values);
    mu_free(forms);
    return status;
}
