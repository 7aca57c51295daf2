/* muster table prediction: how far predictions are off on cases that the model has not seen. */
#include "analysis/prediction/judged.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char portable[] = "portable";

/* Returns a case of the same test that was measured at another time, or in another set; NULL for none. It is the first
 * of those with most choices in common. */
static const struct mu_case *find_twin(const struct mu_cases *cases, const struct mu_case *of)
{
    const struct mu_case *twin = NULL;
    size_t most = 1;
    for (size_t i = 0; i < cases->count; i++) {
        const struct mu_case *next = &cases->cases[i];
        size_t common = 0;
        if (next == of || !mu_same_test(next, of)) continue;
        for (size_t j = 0; j < of->choice_count; j++) common += mu_find_choice(next, &of->choices[j].key) != NULL;
        if (common <= most) continue;
        most = common;
        twin = next;
    }
    return twin;
}

/* Judges a twin's times as if they were predictions of a case: the best of the choices that both have, and the ratio to
 * a run of the same form. */
static void judge_twin(const struct mu_cases *cases, const struct mu_case *of, const struct mu_case *twin,
                       struct mu_judged *judged)
{
    const struct mu_choice_key key = {.variant = portable}, *named = NULL;
    for (size_t i = 0; i < of->choice_count; i++) {
        const struct mu_case_choice *next = mu_find_choice(twin, &of->choices[i].key);
        if (next != NULL && (named == NULL || next->log_ns < mu_find_choice(twin, named)->log_ns))
            named = &of->choices[i].key;
    }
    *judged = (struct mu_judged){.of = of, .log_margin = NAN};
    mu_judge_name(judged, named, mu_model_commonest(cases, MU_LEAVE_NOTHING, of));
    const struct mu_case_choice *truth = mu_find_choice(of, &key), *other = mu_find_choice(twin, &key);
    judged->has_error = truth != NULL && other != NULL && strcmp(of->of->variant, twin->of->variant) == 0;
    if (judged->has_error) judged->log_error = other->log_ns - twin->facts.log_ns - truth->log_ns + of->facts.log_ns;
}

/* ---- Sums ---- */

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Returns the nearest q-quantile of `count` sorted values. */
static double quantile(const double *values, size_t count, double q)
{
    return values[(size_t)((double)(count - 1) * q + 0.5)];
}

static void error_cells(struct mu_grid *grid, const struct mu_judged *judged, size_t count, struct mu_error *err)
{
    double *off = mu_malloc(count, sizeof *off, "errors", err);
    size_t rated = 0, with_margin = 0, within = 0;
    for (size_t i = 0; off != NULL && i < count; i++) {
        if (!judged[i].has_error) continue;
        off[rated++] = fabs(judged[i].log_error);
        if (!isnan(judged[i].log_margin)) with_margin++;
        if (fabs(judged[i].log_error) <= judged[i].log_margin) within++;
    }
    if (rated > 0) qsort(off, rated, sizeof *off, compare_numbers);
    for (int i = 0; i < 2; i++)
        if (rated > 0)
            mu_grid_number(grid, 100 * expm1(quantile(off, rated, i == 0 ? 0.5 : 0.9)), 1);
        else
            mu_grid_empty(grid);
    if (with_margin > 0)
        mu_grid_number(grid, 100 * (double)within / (double)with_margin, 0);
    else
        mu_grid_empty(grid);
    mu_free(off);
}

/* Returns how often the commonest best is the best, and stores into *named for how many cases a best was named. */
static size_t count_commonest(const struct mu_judged *judged, size_t count, size_t *named)
{
    size_t most = 0;
    *named = 0;
    for (size_t i = 0; i < count; i++) {
        size_t wins = 0;
        if (judged[i].named == NULL) continue;
        ++*named;
        for (size_t j = 0; j < count; j++)
            wins += judged[j].named != NULL && mu_same_choice(judged[j].best, judged[i].best);
        if (wins > most) most = wins;
    }
    return most;
}

static void winner_cells(struct mu_grid *grid, const struct mu_judged *judged, size_t count)
{
    size_t named, right = 0, usual_right = 0;
    double regret = 0, usual_regret = 0;
    const size_t most = count_commonest(judged, count, &named);
    for (size_t i = 0; i < count; i++) {
        if (judged[i].named == NULL) continue;
        right += mu_same_choice(judged[i].named, judged[i].best);
        usual_right += mu_same_choice(judged[i].usual, judged[i].best);
        regret += judged[i].regret;
        usual_regret += judged[i].usual_regret;
    }
    if (named == 0) return;
    mu_grid_number(grid, 100 * (double)most / (double)named, 0);
    mu_grid_number(grid, 100 * (double)right / (double)named, 0);
    mu_grid_number(grid, 100 * (double)usual_right / (double)named, 0);
    mu_grid_number(grid, 100 * regret / (double)named, 1);
    mu_grid_number(grid, 100 * usual_regret / (double)named, 1);
}

/* ---- The two grids ---- */

static struct mu_grid *begin_sums(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "prediction", "Prediction: cases that the model has not seen");
    mu_grid_column(grid, "choice", "choice among", MU_COLUMN_LEFT);
    mu_grid_column(grid, "left_out", "left out", MU_COLUMN_LEFT);
    mu_grid_column(grid, "cases", "cases", 0);
    mu_grid_column(grid, "error_percent", "error %", 0);
    mu_grid_column(grid, "error_90_percent", "90 % below", 0);
    mu_grid_column(grid, "within_percent", "in interval %", 0);
    mu_grid_column(grid, "commonest_percent", "commonest best %", 0);
    mu_grid_column(grid, "right_percent", "named rightly %", 0);
    mu_grid_column(grid, "usual_right_percent", "by the commonest %", 0);
    mu_grid_column(grid, "regret_percent", "regret %", 0);
    mu_grid_column(grid, "usual_regret_percent", "of the commonest %", 0);
    return grid;
}

static void sum_row(struct mu_grid *grid, const char *choice, const char *left_out, const struct mu_judged *judged,
                    size_t count, struct mu_error *err)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", choice);
    mu_grid_text(grid, "%s", left_out);
    mu_grid_number(grid, (double)count, 0);
    error_cells(grid, judged, count, err);
    winner_cells(grid, judged, count);
}

static void key_cell(struct mu_grid *grid, const struct mu_choice_key *key)
{
    if (key == NULL)
        mu_grid_empty(grid);
    else if (key->workgroup == 0)
        mu_grid_text(grid, "%s", key->variant);
    else if (key->team_limit == 0)
        mu_grid_text(grid, "%s %u", key->variant, key->workgroup);
    else
        mu_grid_text(grid, "%s %u, team %u", key->variant, key->workgroup, key->team_limit);
}

static struct mu_grid *begin_cases(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "prediction-cases", "Each case, with its input left out");
    mu_table_key_columns(grid);
    mu_grid_column(grid, "ratio", "portable to multi-kernel", 0);
    mu_grid_column(grid, "predicted", "predicted", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "best", "best", MU_COLUMN_LEFT);
    mu_grid_column(grid, "named", "named", MU_COLUMN_LEFT);
    mu_grid_column(grid, "regret_percent", "regret %", 0);
    return grid;
}

static void case_row(struct mu_grid *grid, const struct mu_judged *judged)
{
    const struct mu_choice_key key = {.variant = portable};
    const struct mu_case_choice *truth = mu_find_choice(judged->of, &key);
    mu_grid_row(grid);
    mu_table_key_cells(grid, judged->of->of);
    if (judged->has_error) {
        const double ratio = truth->log_ns - judged->of->facts.log_ns, predicted = ratio + judged->log_error;
        mu_grid_number(grid, exp(ratio), 2);
        mu_grid_number(grid, exp(predicted), 2);
        if (!isnan(judged->log_margin))
            mu_grid_interval(grid, exp(predicted - judged->log_margin), exp(predicted + judged->log_margin));
    } else {
        mu_grid_empty(grid);
        mu_grid_empty(grid);
    }
    key_cell(grid, judged->best);
    key_cell(grid, judged->named);
    if (judged->named != NULL) mu_grid_number(grid, 100 * judged->regret, 1);
}

/* Moves the cases whose run had a fixed grid to the front; how many these are. */
static size_t take_fixed(struct mu_judged *judged, size_t count)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++) {
        if (!judged[i].of->facts.fixed) continue;
        const struct mu_judged other = judged[taken];
        judged[taken++] = judged[i];
        judged[i] = other;
    }
    return taken;
}

static const char *const names[] = {"variants", "variants, sizes, teams"};

/* Adds the row of the cases of which the same test was measured twice. No prediction from other tests can be expected
 * to be nearer. */
static int twin_row(const struct mu_cases *cases, bool tuned, struct mu_grid *sums, struct mu_error *err)
{
    struct mu_judged *judged = mu_calloc(cases->count, sizeof *judged, "predictions", err);
    size_t count = 0;
    for (size_t i = 0; judged != NULL && i < cases->count; i++) {
        const struct mu_case *of = &cases->cases[i], *twin = find_twin(cases, of);
        if (twin != NULL) judge_twin(cases, of, twin, &judged[count++]);
    }
    if (count > 0) sum_row(sums, names[tuned], "(measured twice)", judged, count, err);
    mu_free(judged);
    return err->status;
}

/* The grids that are filled. */
struct tables {
    struct mu_grid *sums, *times, *names, *each;
};

static int judge_kind(const struct mu_table_request *request, unsigned kind, const struct tables *tables,
                      struct mu_error *err)
{
    struct mu_grid *const sums = tables->sums;
    struct mu_cases cases;
    const bool tuned = kind == MU_STUDY_TUNED;
    mu_cases_load(request, kind, &cases, err);
    for (enum mu_left_out left_out = MU_LEAVE_INPUT; left_out < MU_LEAVE_OUT_COUNT && err->status == MU_OK;
         left_out++) {
        if (cases.count == 0 || (tuned && left_out == MU_LEAVE_CHIP)) continue;
        const char *name = mu_left_out_names[left_out].name;
        struct mu_judged *judged = mu_judge_all(&cases, left_out, err);
        if (judged == NULL) break;
        mu_judge_margins(&cases, left_out, judged, err);
        if (err->status == MU_OK) sum_row(sums, names[tuned], name, judged, cases.count, err);
        if (err->status == MU_OK)
            mu_baselines_add(tuned ? NULL : tables->times, tables->names, names[tuned], judged, cases.count, left_out,
                             err);
        for (size_t i = 0; err->status == MU_OK && left_out == MU_LEAVE_INPUT && i < cases.count; i++)
            case_row(tables->each, &judged[i]);
        const size_t fixed = err->status == MU_OK && !tuned ? take_fixed(judged, cases.count) : 0;
        if (fixed > 0) sum_row(sums, "variants, from a fixed grid", name, judged, fixed, err);
        mu_free(judged);
    }
    if (err->status == MU_OK) twin_row(&cases, tuned, sums, err);
    if (cases.without_profile > 0)
        mu_grid_note(sums, "%zu cases lack launches, or their chip a profile with its costs, and are left out.",
                     cases.without_profile);
    mu_cases_release(&cases);
    return err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *const sums = begin_sums(grids);
    const struct tables tables = {sums, mu_baselines_begin_times(grids), mu_baselines_begin_names(grids),
                                  begin_cases(grids)};
    if (judge_kind(request, MU_STUDY_MEASURED, &tables, grids->err) != MU_OK) return grids->err->status;
    judge_kind(request, MU_STUDY_TUNED, &tables, grids->err);
    mu_grid_note(sums,
                 "Each case is predicted from one run of multi-kernel, the chip's profile, and the other cases; "
                 "those that share its input, family of inputs, chip or app are left out. So are they from the fit of "
                 "the model's constants (with an input its family).");
    mu_grid_note(sums, "from a fixed grid: those of them whose run had one. (measured twice): not predicted, but as "
                       "another set or tuning has the same test.");
    mu_grid_note(sums,
                 "error: of the ratio of portable to that run of multi-kernel, by a factor less 1: the median, and "
                 "what 90 %% are below. in interval: how often the truth is in the interval at 95 %%.");
    mu_grid_note(sums, "regret: the time of what is named over that of the best, less 1, on average. commonest: what "
                       "most of the other cases of the same class of device have as their best.");
    return grids->err->status;
}

const struct mu_table mu_table_prediction = {"prediction", "how far predictions of times are off, by what was left out",
                                             fill};
