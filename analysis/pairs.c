/* The grid of a comparison: a row for each test, its verdict, and what they come to. */
#include "analysis/pairs.h"

#include "analysis/report_tests.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Counts a verdict, and returns it. */
static const char *count_as(const char *verdict, size_t *count)
{
    ++*count;
    return verdict;
}

static const char *verdict_of(const struct mu_pair *pair, const struct mu_comparison_request *request,
                              struct mu_comparison_result *result)
{
    const struct mu_ratio *ratio = &pair->ratio;
    if (!pair->counts) {
        const bool a = mu_table_counts(pair->a), b = mu_table_counts(pair->b);
        if (pair->a == NULL || pair->b == NULL || (!a && !b)) return count_as("incomparable", &result->incomparable);
        return a ? count_as("broken", &result->broken) : count_as("fixed", &result->fixed);
    }
    if (mu_pair_has_one_process(pair)) return count_as("not shown (one process)", &result->not_shown);
    if (!ratio->has_interval || !mu_pair_is_judgeable(pair, request->session))
        return count_as("not shown", &result->not_shown);
    if (ratio->high <= 1 + request->margin && ratio->low >= 1 / (1 + request->margin))
        return count_as("equivalent", &result->equivalent);
    if (!ratio->confident || pair->p >= 0.05) return count_as("not shown", &result->not_shown);
    return ratio->value > 1 ? count_as("slower", &result->slower) : count_as("faster", &result->faster);
}

static void time_cell(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    if (measurement == NULL)
        mu_grid_text(grid, "missing");
    else
        mu_table_time_cell(grid, measurement, false);
}

static void add_row(struct mu_grid *grid, const struct mu_pairs *pairs, const struct mu_pair *pair, const char *verdict)
{
    const struct mu_measurement *any = pair->a != NULL ? pair->a : pair->b;
    mu_grid_row(grid);
    if (pairs->with_chip) mu_grid_text(grid, "%.*s", (int)strcspn(any->chip, "@"), any->chip);
    mu_grid_text(grid, "%s", any->app);
    mu_grid_text(grid, "%s", any->shown);
    mu_grid_text(grid, "%s", any->variant);
    time_cell(grid, pair->a);
    time_cell(grid, pair->b);
    if (pair->counts) {
        mu_grid_number(grid, pair->ratio.value, 3);
        if (pair->ratio.has_interval) mu_grid_interval(grid, pair->ratio.low, pair->ratio.high);
        mu_grid_sessions(grid, pair->ratio.spans);
        mu_grid_number(grid, pair->ranks.effect, 2);
        mu_grid_number(grid, pair->ranks.p, 4);
        mu_grid_number(grid, pair->p, 4);
        mu_grid_number(grid, 100 * (pair->detectable - 1), 1);
    } else {
        for (int i = 0; i < 5; i++) mu_grid_empty(grid);
    }
    mu_grid_text(grid, "%s", verdict);
    if (strcmp(verdict, "slower") == 0 || strcmp(verdict, "broken") == 0) mu_grid_tone(grid, MU_TONE_BAD);
    if (strcmp(verdict, "faster") == 0 || strcmp(verdict, "fixed") == 0) mu_grid_tone(grid, MU_TONE_GOOD);
}

/* Takes the smallest change that a test would have shown into those of all. */
static void note_detectable(const struct mu_pair *pair, struct mu_comparison_result *result)
{
    if (!pair->counts || !isfinite(pair->detectable)) return;
    const double change = pair->detectable - 1;
    if (result->finds_most <= 0 || change < result->finds_least) result->finds_least = change;
    result->finds_most = fmax(result->finds_most, change);
}

/* Reports the verdict on a pair: slower and broken are failures; what could not be compared is skipped. */
static void report(const struct mu_pair *pair, const char *verdict, const struct mu_comparison_request *request)
{
    struct mu_junit *junit = request->junit;
    const struct mu_measurement *any = pair->b != NULL ? pair->b : pair->a;
    const bool timed = pair->b != NULL && mu_table_counts(pair->b);
    char suite[256], name[512], message[200];
    enum mu_junit_result result = MU_JUNIT_PASSED;
    if (junit == NULL) return;
    mu_report_names(any, suite, sizeof suite, name, sizeof name);
    snprintf(message, sizeof message, "%s", verdict);
    if (pair->counts)
        snprintf(message, sizeof message, "%s: B / A is %.3f [%.3f, %.3f]", verdict, pair->ratio.value, pair->ratio.low,
                 pair->ratio.high);
    if (pair->counts && isfinite(pair->p))
        snprintf(message + strlen(message), sizeof message - strlen(message), ", corrected p %.4f", pair->p);
    if (pair->counts && isfinite(pair->detectable))
        snprintf(message + strlen(message), sizeof message - strlen(message), ", margin %g %%, finds %.1f %%",
                 100 * request->margin, 100 * (pair->detectable - 1));
    if (strcmp(verdict, "slower") == 0 || strcmp(verdict, "broken") == 0) result = MU_JUNIT_FAILURE;
    if (strcmp(verdict, "incomparable") == 0) result = MU_JUNIT_SKIPPED;
    mu_junit_add(junit, &(struct mu_junit_case){.suite = suite,
                                                .name = name,
                                                .seconds = timed ? exp(pair->b->level.log_value) * 1e-9 : 0,
                                                .result = result,
                                                .message = message});
}

static void add_columns(struct mu_grid *grid, bool with_chip)
{
    if (with_chip) mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "a_ns", "A", MU_COLUMN_INTERVAL | MU_COLUMN_MINOR);
    mu_grid_column(grid, "b_ns", "B", MU_COLUMN_INTERVAL | MU_COLUMN_MINOR);
    mu_grid_column(grid, "ratio", "B / A", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "effect", "effect", MU_COLUMN_MINOR);
    mu_grid_column(grid, "rank_p", "rank p", MU_COLUMN_MINOR);
    mu_grid_column(grid, "corrected_p", "corrected p", MU_COLUMN_MINOR);
    mu_grid_column(grid, "detectable_percent", "finds %", MU_COLUMN_MINOR);
    mu_grid_column(grid, "verdict", "verdict", MU_COLUMN_LEFT);
}

/* The tests with several processes on each side: how many, their mean, and by how much their processes differ. */
struct several {
    size_t tests, single; /* with several; with one on a side */
    struct mu_ratio mean;
    double deviation; /* of a process's log; NAN: unknown */
    bool apart;       /* a test is of different sessions */
};

static void find_several(const struct mu_pairs *pairs, struct several *several)
{
    struct mu_ratio *ratios = mu_malloc(pairs->count, sizeof *ratios, "ratios", NULL);
    double squares = 0, weights = 0;
    *several = (struct several){.deviation = (double)NAN};
    for (size_t i = 0; ratios != NULL && i < pairs->count; i++) {
        const struct mu_pair *pair = &pairs->pair[i];
        if (!pair->counts) continue;
        several->apart = several->apart || pair->ratio.scope == MU_APART_IN_SESSION;
        if (mu_pair_has_one_process(pair)) {
            several->single++;
            continue;
        }
        const struct mu_level *const levels[] = {&pair->a->level, &pair->b->level};
        for (size_t side = 0; side < 2; side++) {
            const uint32_t sessions = levels[side]->sessions.known;
            if ((sessions & (sessions - 1)) != 0) continue; /* then its variance is that between sessions */
            squares += levels[side]->variance * (double)levels[side]->processes * levels[side]->df;
            weights += levels[side]->df;
        }
        ratios[several->tests++] = pair->ratio;
    }
    if (several->tests > 0) mu_ratio_mean(ratios, several->tests, &several->mean);
    if (weights > 0) several->deviation = sqrt(squares / weights);
    mu_free(ratios);
}

/* Notes what "one process" may hide if its processes differ as those of the other tests. */
static void note_single(struct mu_grid *grid, const struct several *several)
{
    struct mu_ratio ratio = {
        .has_interval = true, .variance = 2 * several->deviation * several->deviation, .df = INFINITY};
    mu_grid_note(grid,
                 "one process: %zu tests have a single process in A or B, which does not tell by how much processes "
                 "differ, so that nothing is shown, and B / A is of samples alone. Measure with --repeats=3 or more.",
                 several->single);
    if (!(several->deviation > 0)) return;
    const double least = mu_ratio_detectable(&ratio, 0.05 / (double)several->single);
    mu_grid_note(
        grid,
        "Processes of the other tests differ by %.2g %%. If theirs do, too, even one process each could tell no "
        "difference below %.2g %%.",
        100 * several->deviation, 100 * (least - 1));
}

/* Writes a number of percent with two digits or more, and without an exponent. */
static const char *show_percent(double percent, char text[32])
{
    snprintf(text, 32, percent < 10 ? "%.2g" : percent < 1e15 ? "%.0f" : "%g", percent);
    return text;
}

void mu_comparison_finds_note(struct mu_grid *grid, const struct mu_comparison_result *result)
{
    char least[32], most[32];
    if (result->finds_most > 0)
        mu_grid_note(grid, "The smallest change of a test that is found in four of five cases is %s to %s %%, by test.",
                     show_percent(100 * result->finds_least, least), show_percent(100 * result->finds_most, most));
    else
        mu_grid_note(grid, "No test tells which change would have been found.");
}

static void add_notes(struct mu_grid *grid, const struct mu_pairs *pairs, const struct mu_comparison_request *request,
                      const struct mu_comparison_result *result)
{
    struct several several;
    find_several(pairs, &several);
    mu_grid_note(
        grid,
        "%zu tests: %zu slower, %zu faster, %zu equivalent within %g %%, %zu not shown, %zu broken, %zu fixed, "
        "%zu incomparable.",
        pairs->count, result->slower, result->faster, result->equivalent, 100 * request->margin, result->not_shown,
        result->broken, result->fixed, result->incomparable);
    mu_comparison_finds_note(grid, result);
    if (several.tests > 0) {
        const struct mu_ratio *mean = &several.mean;
        mu_grid_note(grid, "Geometric mean of B / A over %zu tests%s: %.3f%s.", several.tests,
                     several.single > 0 ? " with several processes on each side" : "", mean->value,
                     mean->has_interval ? "" : ", without an interval");
        if (mean->has_interval) mu_grid_note(grid, "Its interval at 95 %%: [%.3f, %.3f].", mean->low, mean->high);
    }
    mu_grid_note(grid, "slower, faster: the interval excludes 1 and the corrected p is below 0.05.");
    mu_grid_note(grid, "equivalent: the interval lies within %g %%. not shown: neither; there may be a difference.",
                 100 * request->margin);
    mu_grid_note(grid, "finds %%: a difference of so much in this test alone is found in four of five cases.");
    mu_grid_note(grid, "effect: the chance that a sample of B takes longer than one of A; 0.5 is none.");
    if (several.single > 0) note_single(grid, &several);
    if (several.apart && request->session > 0)
        mu_grid_note(grid, "Some are of different sessions, which are taken to differ by %g %%.",
                     100 * request->session);
    else if (several.apart)
        mu_grid_note(grid,
                     "Some are of different sessions, with one only in A or B: what differs between sessions hides "
                     "a difference. Measure both in one, or in several, or say --session-effect.");
}

void mu_pairs_show(struct mu_grid *grid, const struct mu_pairs *pairs, const struct mu_comparison_request *request,
                   struct mu_comparison_result *result)
{
    *result = (struct mu_comparison_result){0};
    add_columns(grid, pairs->with_chip);
    for (size_t i = 0; i < pairs->count; i++) {
        const char *verdict = verdict_of(&pairs->pair[i], request, result);
        add_row(grid, pairs, &pairs->pair[i], verdict);
        note_detectable(&pairs->pair[i], result);
        report(&pairs->pair[i], verdict, request);
    }
    add_notes(grid, pairs, request, result);
}
