#include "analysis/prediction/predict.h"

#include "analysis/prediction/judged.h"
#include "analysis/tables/common.h"
#include "base/memory.h"
#include "records/implementations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes and teams that are shown. */
#define BEST_SHOWN 5

/* Known cases, and how predictions of those of each class of device did. */
struct known_kind {
    struct mu_cases cases;
    struct mu_rating ratings[MU_DEVICE_CLASSES];
};

struct known {
    struct known_kind measured, tuned;
};

static const struct mu_rating *rating_for(const struct known_kind *kind, const struct mu_case *asked)
{
    return &kind->ratings[mu_case_on_cpu(asked) ? MU_DEVICES_CPU : MU_DEVICES_GPU];
}

/* Adds a forecast's time, and its ratio to multi-kernel. */
static void time_cells(struct mu_grid *grid, const struct mu_case *asked, double log_ns, double margin)
{
    mu_grid_time(grid, exp(log_ns));
    if (!isnan(margin)) mu_grid_interval(grid, exp(log_ns - margin), exp(log_ns + margin));
    mu_grid_number(grid, exp(log_ns - asked->facts.log_ns), 2);
}

static int compare_forecasts(const void *left, const void *right)
{
    const struct mu_forecast *a = left, *b = right;
    if (isnan(a->log_ns) || isnan(b->log_ns)) return (int)isnan(a->log_ns) - (int)isnan(b->log_ns);
    return (a->log_ns > b->log_ns) - (a->log_ns < b->log_ns);
}

/* What is asked, of which cases, and the constants that were fitted for it. */
struct question {
    const struct mu_cases *known;
    const struct mu_case *asked;
    struct mu_constants constants;
};

/* Predicts the choices from the known cases of other inputs, and orders them if `sorted`. */
static int forecast(struct question *question, struct mu_forecast *forecasts, size_t count, bool sorted,
                    struct mu_error *err)
{
    const struct mu_case *asked = question->asked;
    struct mu_constants *constants = &question->constants;
    struct mu_model *model = NULL;
    if (mu_model_constants(question->known, mu_fitted_without(MU_LEAVE_INPUT), asked, constants, err) == MU_OK)
        model = mu_model_fit(question->known, MU_LEAVE_INPUT, asked, constants, err);
    if (model != NULL) mu_model_predict(model, asked, forecasts, count, err);
    mu_model_free(model);
    if (sorted) qsort(forecasts, count, sizeof *forecasts, compare_forecasts);
    return err->status;
}

/* Returns all choices that the known cases have, once each, with that of the run in front. The caller frees them by
 * mu_free. */
static struct mu_forecast *list_choices(const struct mu_cases *known, const struct mu_case *asked, size_t *count,
                                        struct mu_error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < known->count; i++) most += known->cases[i].choice_count;
    struct mu_forecast *list = mu_calloc(most, sizeof *list, "choices", err);
    if (list != NULL) list[0].key = (struct mu_choice_key){.variant = asked->of->variant};
    *count = 1;
    for (size_t i = 0; list != NULL && i < known->count; i++)
        for (size_t j = 0; j < known->cases[i].choice_count; j++) {
            const struct mu_choice_key *key = &known->cases[i].choices[j].key;
            size_t at = 0;
            while (at < *count && !mu_same_choice(&list[at].key, key)) at++;
            if (at == *count) list[(*count)++].key = *key;
        }
    return list;
}

static bool is_measured(const struct mu_case *asked, const struct mu_forecast *forecast)
{
    return strcmp(forecast->key.variant, asked->of->variant) == 0;
}

/* Adds a forecast's row, with its interval unless it was measured. */
static int add_variant(const struct question *question, const struct mu_forecast *forecast, struct mu_grid *grid,
                       struct mu_error *err)
{
    const struct mu_case *asked = question->asked;
    const char *variant = forecast->key.variant;
    const bool measured = is_measured(asked, forecast);
    double spreads = NAN;
    if (!measured &&
        mu_model_spreads(question->known, MU_LEAVE_INPUT, asked, &question->constants, variant, &spreads, err) != MU_OK)
        return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", variant);
    time_cells(grid, asked, forecast->log_ns, spreads * forecast->spread);
    mu_grid_text(grid, "%s", measured ? "measured" : "predicted");
    return MU_OK;
}

/* Returns true if the list of times may name the fastest. */
static bool names_fastest(const struct mu_rating *rating)
{
    return mu_rating_has_times(rating) && mu_rating_has_names(rating);
}

/* Says why something is not told, or how often it was right. */
static void note_ratings(const struct known *known, const struct mu_case *asked, struct mu_grid *grid)
{
    const struct mu_rating *rating = rating_for(&known->measured, asked);
    const char *const class = mu_device_class_names[mu_case_on_cpu(asked) ? MU_DEVICES_CPU : MU_DEVICES_GPU];
    if (!mu_rating_has_times(rating))
        mu_grid_note(grid, "No times are predicted: on the %zu known cases of class %s a constant is nearer.",
                     rating->rated, class);
    else
        mu_grid_note(grid,
                     names_fastest(rating)
                         ? "The fastest first, named rightly in %.0f %% of %zu known cases of class %s; always naming "
                           "the commonest, in %.0f %%."
                         : "No fastest is named: the model is right in %.0f %% of %zu known cases of class %s, always "
                           "naming the commonest in %.0f %%.",
                     100 * rating->right, rating->named, class, 100 * rating->usual_right);
    const struct mu_rating *sizes = rating_for(&known->tuned, asked);
    if (!mu_rating_has_names(sizes) && sizes->named > 0)
        mu_grid_note(grid,
                     "No sizes and teams are named (muster tune finds them): the model is right in %.0f %% of %zu "
                     "tunings of class %s, always naming the commonest in %.0f %%.",
                     100 * sizes->right, sizes->named, class, 100 * sizes->usual_right);
}

static int add_variants(const struct known *known, const struct mu_case *asked, struct mu_grids *grids)
{
    const struct mu_measurement *of = asked->of;
    const struct mu_cases *cases = &known->measured.cases;
    const struct mu_rating *rating = rating_for(&known->measured, asked);
    size_t count;
    struct mu_forecast *forecasts = list_choices(cases, asked, &count, grids->err);
    if (forecasts == NULL) return grids->err->status;
    struct mu_grid *grid =
        mu_grids_add(grids, "predicted", "%s on %s, %s: predicted times", of->app, of->shown, of->chip);
    struct question question = {.known = cases, .asked = asked};
    forecast(&question, forecasts, count, names_fastest(rating), grids->err);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "time_ns", "time", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "ratio", "to multi-kernel", 0);
    mu_grid_column(grid, "from", "", MU_COLUMN_LEFT);
    for (size_t i = 0; i < count && grids->err->status == MU_OK; i++)
        if (!isnan(forecasts[i].log_ns) && (is_measured(asked, &forecasts[i]) || mu_rating_has_times(rating)))
            add_variant(&question, &forecasts[i], grid, grids->err);
    note_ratings(known, asked, grid);
    mu_grid_note(grid, "From %g launches and %g read-backs%s, the chip's profile and %zu known cases.",
                 asked->facts.launches, asked->facts.readbacks,
                 !isnan(asked->facts.work_ns) ? ", the time in kernels by a trace" : "", cases->count);
    mu_free(forecasts);
    return grids->err->status;
}

static int add_sizes(const struct mu_cases *known, const struct mu_case *asked, struct mu_grids *grids)
{
    size_t count;
    struct mu_forecast *forecasts = list_choices(known, asked, &count, grids->err);
    if (forecasts == NULL) return grids->err->status;
    struct question question = {.known = known, .asked = asked};
    forecast(&question, forecasts, count, true, grids->err);
    if (count > 1 && !isnan(forecasts[1].log_ns)) {
        struct mu_grid *grid = mu_grids_add(grids, "sizes", "The best workgroup sizes and teams of those tried before");
        mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
        mu_grid_column(grid, "workgroup", "workgroup", 0);
        mu_grid_column(grid, "team", "team", 0);
        mu_grid_column(grid, "time_ns", "time", MU_COLUMN_INTERVAL);
        mu_grid_column(grid, "ratio", "to multi-kernel", 0);
        for (size_t i = 0; i < count && i < BEST_SHOWN && !isnan(forecasts[i].log_ns); i++) {
            mu_grid_row(grid);
            mu_grid_text(grid, "%s", forecasts[i].key.variant);
            mu_table_count_cell(grid, forecasts[i].key.workgroup);
            mu_table_count_cell(grid, forecasts[i].key.team_limit);
            time_cells(grid, asked, forecasts[i].log_ns, NAN);
        }
        mu_grid_note(grid, "-: that of the run; team: as many as fit.");
    }
    mu_free(forecasts);
    return grids->err->status;
}

/* Predicts from one measurement of multi-kernel. */
static int predict(const struct mu_predict_request *request, const struct known *known,
                   const struct mu_measurement *multi, struct mu_grids *grids)
{
    struct mu_profile profile;
    struct mu_case asked = {.of = multi};
    if (!mu_case_profile(request->root, multi, &profile) || !mu_case_facts_of(multi, &profile, &asked.facts))
        return mu_fail(grids->err, MU_USAGE,
                       "%s: no profile that tells what launches, read-backs and barriers cost (muster probe)",
                       multi->chip);
    if (add_variants(known, &asked, grids) != MU_OK || !mu_rating_has_names(rating_for(&known->tuned, &asked)))
        return grids->err->status;
    return add_sizes(&known->tuned.cases, &asked, grids);
}

/* Rates predictions of the known cases, each without those of its input. */
static int rate_known(struct known_kind *kind, struct mu_error *err)
{
    struct mu_judged *judged = mu_judge_all(&kind->cases, MU_LEAVE_INPUT, err);
    for (int class = 0; class < MU_DEVICE_CLASSES && err->status == MU_OK; class ++)
        mu_rate(judged, kind->cases.count, MU_LEAVE_INPUT, (enum mu_device_class) class, &kind->ratings[class], err);
    mu_free(judged);
    return err->status;
}

static int load_known(const struct mu_predict_request *request, struct known *known, struct mu_error *err)
{
    const struct mu_table_request all = {.root = request->root};
    struct mu_cases *measured = &known->measured.cases, *tuned = &known->tuned.cases;
    if (mu_cases_load(&all, MU_STUDY_MEASURED, measured, err) == MU_OK && measured->count == 0)
        mu_fail(err, MU_USAGE,
                "%s: no campaign has compared variants on a chip with a profile (muster probe makes one, muster bench "
                "compares variants)",
                request->root);
    if (err->status != MU_OK || mu_cases_load(&all, MU_STUDY_TUNED, tuned, err) != MU_OK) return err->status;
    return rate_known(&known->measured, err) == MU_OK ? rate_known(&known->tuned, err) : err->status;
}

static bool is_start(const struct mu_measurement *measurement)
{
    return mu_case_is_multi(measurement) && mu_table_counts(measurement);
}

/* Checks that there is a run to start from. */
static int check_start(const struct mu_predict_request *request, const struct mu_study *study, struct mu_error *err)
{
    for (size_t i = 0; i < study->count; i++)
        if (is_start(&study->measurements[i])) return MU_OK;
    return mu_fail(err, MU_USAGE,
                   "%s: no run of multi-kernel that went well is among the records (muster run APP "
                   "--variant=multi-kernel --trace --json)",
                   request->file_count == 1 ? request->files[0] : "the files");
}

int mu_predict(const struct mu_predict_request *request, struct mu_grids *grids)
{
    const struct mu_table_request own = {
        .root = request->root, .sets = request->files, .set_count = request->file_count};
    struct mu_table_data data = {0};
    struct known known = {0};
    if (mu_table_load(&own, MU_STUDY_MEASURED, &data, grids->err) == MU_OK &&
        check_start(request, &data.study, grids->err) == MU_OK)
        load_known(request, &known, grids->err);
    for (size_t i = 0; i < data.study.count && grids->err->status == MU_OK; i++)
        if (is_start(&data.study.measurements[i])) predict(request, &known, &data.study.measurements[i], grids);
    mu_cases_release(&known.measured.cases);
    mu_cases_release(&known.tuned.cases);
    mu_table_release(&data);
    return grids->err->status;
}
