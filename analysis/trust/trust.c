/* muster table trust: what may be relied on, chip by chip: what its self-test, its litmus tests and its
 * forward-progress tests say together (doc/trust.md). */
#include "analysis/progress/wild.h"
#include "analysis/tables/probe_results.h"
#include "analysis/trust/idioms.h"
#include "analysis/trust/litmus.h"
#include "base/memory.h"
#include "records/measurements.h"
#include "records/profile.h"
#include "records/results.h"
#include "records/scheduler_models.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Begins a row, whose last column is the caller's to fill. */
static void begin_row(struct mu_grid *grid, const char *chip, const char *of, const char *what, const char *verdict)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", of);
    mu_grid_text(grid, "%s", what);
    mu_grid_text(grid, "%s", verdict);
}

/* ---- The self-test ---- */

static void add_profile(struct mu_grid *grid, const char *root, const char *chip, struct mu_error *err)
{
    char path[PATH_MAX], what[2 * MU_PROFILE_TEXT + 16];
    struct mu_profile profile;
    if (!mu_results_find(root, chip, MU_PROFILE_FILE, path)) return;
    if (mu_profile_read(path, &profile, err) != MU_OK || profile.selftest_trust[0] == '\0') return;
    snprintf(what, sizeof what, "%s, driver %s", profile.chip_device, profile.chip_driver);
    begin_row(grid, chip, "self-test", what, profile.selftest_trust);
    mu_grid_text(grid, "%s", profile.selftest_reason);
}

/* ---- Memory ---- */

/* What the tests of an experiment saw through one path, in the form that the program uses and in the relaxed one. */
struct path_total {
    const json_t *of; /* a measurement of it */
    double million;
    unsigned tests, broken;             /* whose outcome the path's order forbids; of them those that had it */
    const struct mu_litmus_test *worst; /* the broken one of the highest rate */
    unsigned controls, telling;         /* the same tests relaxed; of them those that had the outcome */
};

static const char *parameter(const json_t *measurement, const char *name)
{
    return mu_json_text(json_object_get(measurement, "parameters"), name);
}

/* Returns true if the ordered form of the relaxed test forbids its outcome. */
static bool is_control(struct mu_litmus_tests *tests, const struct mu_litmus_test *relaxed)
{
    const struct mu_litmus_test *ordered = mu_litmus_find_form(tests, relaxed, "ordered");
    return ordered != NULL && mu_json_flag(ordered->first, "forbidden") && !mu_json_flag(relaxed->first, "forbidden");
}

static void add_test(struct path_total *path, struct mu_litmus_tests *tests, const struct mu_litmus_test *test)
{
    const struct mu_litmus_total *total = &test->total;
    if (strcmp(parameter(test->first, "form"), "relaxed") == 0) {
        const bool control = is_control(tests, test);
        path->controls += control;
        path->telling += control && total->weak > 0;
        return;
    }
    if (!mu_json_flag(test->first, "forbidden") || total->instances <= 0) return;
    path->tests++;
    path->million += total->instances / 1e6;
    if (total->weak <= 0) return;
    path->broken++;
    if (path->worst == NULL || mu_litmus_per_million(total) > mu_litmus_per_million(&path->worst->total))
        path->worst = test;
}

static void add_path(struct mu_grid *grid, const char *chip, const struct path_total *path)
{
    char what[128];
    if (path->tests == 0) return;
    snprintf(what, sizeof what, "%.40s through atomics path %.40s", parameter(path->of, "experiment"),
             parameter(path->of, "atomics"));
    begin_row(grid, chip, "memory", what, path->broken > 0 ? "NOT KEPT" : "kept");
    if (path->broken == 0) {
        mu_grid_text(grid, "nothing forbidden in %.1f million instances of %u tests; without order %u of %u show it",
                     path->million, path->tests, path->telling, path->controls);
        return;
    }
    const struct mu_litmus_total *worst = &path->worst->total;
    mu_grid_text(grid, "%s: %s, %.1f of a million, at most %.1f%s%s; forbidden outcomes in %u of %u tests",
                 mu_json_text(path->worst->first, "test"), mu_json_text(path->worst->first, "outcome_of_interest"),
                 mu_litmus_per_million(worst), worst->most, worst->where[0] != '\0' ? " " : "", worst->where,
                 path->broken, path->tests);
}

/* Adds a row for each path of each experiment. */
static void add_memory(struct mu_grid *grid, const char *chip, const json_t *measurements, struct mu_error *err)
{
    struct mu_litmus_tests tests = {0};
    struct mu_json places = mu_json_object();
    size_t count = 0, place;
    mu_litmus_gather(measurements, &tests, err);
    struct path_total *paths = mu_calloc(tests.count + 1, sizeof *paths, "paths", err);
    for (size_t i = 0; i < tests.count && paths != NULL; i++) {
        const json_t *of = tests.tests[i].first;
        if (mu_json_place(&places, json_pack("[s, s]", parameter(of, "experiment"), parameter(of, "atomics")), &place))
            paths[place = count++].of = of;
        add_test(&paths[place], &tests, &tests.tests[i]);
    }
    if (places.lost) mu_fail(err, MU_NO_MEMORY, "out of memory: paths");
    for (size_t i = 0; i < count && err->status == MU_OK; i++) add_path(grid, chip, &paths[i]);
    mu_free(paths);
    mu_json_release(&places);
    mu_litmus_release(&tests);
}

/* ---- Progress ---- */

/* What is known of a chip's scheduler: what a probe found, and litmus tests. */
struct chip_facts {
    const struct mu_forward_progress *progress; /* NULL: nothing */
    const json_t *tested;
    struct mu_error *err;
};

static void add_models(struct mu_grid *grid, const char *chip, const struct mu_forward_progress *progress)
{
    static const char *const verdicts[] = {
        [MU_CONSISTENT] = "not refuted", [MU_INCONSISTENT] = "REFUTED", [MU_NOT_TESTED] = "not tested"};
    for (int model = 0; model < MU_SCHEDULERS; model++) {
        enum mu_idiom idiom = MU_IDIOM_MUTEX;
        enum mu_id_order order = MU_IDS_ASCENDING;
        char what[64];
        const enum mu_verdict verdict = mu_forward_progress_verdict(progress, (enum mu_scheduler)model);
        snprintf(what, sizeof what, "scheduler model %s", mu_scheduler_name((enum mu_scheduler)model));
        begin_row(grid, chip, "progress", what, verdicts[verdict]);
        if (mu_forward_progress_consistent(progress, (enum mu_scheduler)model, &idiom, &order))
            mu_grid_text(grid, "all that it allows came to its end among %u workgroups, tried %u times at least",
                         progress->groups, mu_forward_progress_least_tries(progress));
        else
            mu_grid_text(grid, "%s: %s, ids %s", mu_idiom_text(idiom),
                         mu_forward_progress_outcome_name(progress->outcomes[idiom][order]), mu_id_order_name(order));
    }
}

/* Returns what the tests leave of the schedulers that allow an idiom; "not refuted" is the best. */
static const char *verdict_of(unsigned allowed, const struct mu_forward_progress *progress)
{
    static const enum mu_lts_scheduler lts[MU_SCHEDULERS] = {[MU_SCHEDULER_HSA] = MU_LTS_HSA,
                                                             [MU_SCHEDULER_OBE] = MU_LTS_OBE,
                                                             [MU_SCHEDULER_HSA_OBE] = MU_LTS_HSA_OBE,
                                                             [MU_SCHEDULER_LOBE] = MU_LTS_LOBE};
    const char *verdict = "REFUTED";
    if ((allowed >> MU_LTS_UNFAIR & 1u) != 0) return "always";
    if (progress == NULL) return "not tested";
    for (int model = 0; model < MU_SCHEDULERS; model++) {
        if ((allowed >> lts[model] & 1u) == 0) continue;
        const enum mu_verdict measured = mu_forward_progress_verdict(progress, (enum mu_scheduler)model);
        if (measured == MU_CONSISTENT) return "not refuted";
        if (measured == MU_NOT_TESTED) verdict = "not tested";
    }
    return verdict;
}

/* Idioms that are in use: whether a scheduler that allows them may be the chip's, and what became of them there. */
static void add_idiom(struct mu_grid *grid, const char *chip, const struct mu_wild_idiom *idiom, const char *ids,
                      const struct chip_facts *facts)
{
    const enum mu_lts_idiom program = strcmp(ids, "native") == 0 ? idiom->native : idiom->ticketed;
    const json_t *seen = mu_idioms_seen(facts->tested, idiom->measured, ids);
    const bool same = idiom->native == idiom->ticketed;
    unsigned allowed = 0;
    char what[96];
    if (mu_lts_allowed(program, &allowed, facts->err) != MU_OK) return;
    snprintf(what, sizeof what, same ? "%s" : "%s, %s ids", idiom->name, ids);
    begin_row(grid, chip, "idiom", what,
              seen != NULL && !mu_json_is(seen, "ended", "completed") ? "NOT KEPT"
                                                                      : verdict_of(allowed, facts->progress));
    if (seen == NULL)
        mu_grid_text(grid, "needs %s", mu_lts_needs(allowed));
    else
        mu_grid_text(grid, "needs %s; tried %u times among %u workgroups: %s", mu_lts_needs(allowed),
                     mu_json_count(seen, "tries"), mu_json_count(seen, "groups"), mu_json_text(seen, "ended"));
}

static void add_progress(struct mu_grid *grid, const char *chip, const json_t *probed, const json_t *tested,
                         struct mu_error *err)
{
    struct mu_forward_progress progress;
    struct chip_facts facts = {NULL, tested, err};
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)probed, i, measurement) {
        struct mu_error none = {0};
        if (!mu_probe_is(measurement, "progress") ||
            mu_forward_progress_from_json(json_object_get(measurement, "progress"), &progress, &none) != MU_OK)
            continue;
        facts.progress = &progress;
        add_models(grid, chip, &progress);
    }
    for (const struct mu_wild_idiom *idiom = mu_wild_idioms; idiom->name != NULL; idiom++) {
        if (facts.progress == NULL && mu_idioms_seen(tested, idiom->measured, "native") == NULL) continue;
        add_idiom(grid, chip, idiom, "native", &facts);
        if (idiom->native != idiom->ticketed) add_idiom(grid, chip, idiom, "ticketed", &facts);
    }
}

/* ---- The table ---- */

/* Loads both sets of a chip. It may have been probed, or had its litmus tests, or both; what is missing is left out. */
static int load(const struct mu_table_request *request, json_t **probed, json_t **tested, struct mu_error *err)
{
    struct mu_error errors[2] = {{0}, {0}};
    mu_probe_results_load(request, probed, &errors[0]);
    mu_survey_results_load(request, MU_LITMUS_FILE, tested, &errors[1]);
    for (int i = 0; i < 2; i++)
        if (errors[i].status != MU_OK && (errors[i].status != MU_USAGE || errors[1 - i].status != MU_OK))
            mu_fail(err, errors[i].status, "%s", errors[i].message);
    return err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "trust", "What may be relied on here");
    json_t *probed = NULL, *tested = NULL, *measurements;
    const char *chip;
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "of", "of", MU_COLUMN_LEFT);
    mu_grid_column(grid, "what", "what", MU_COLUMN_LEFT);
    mu_grid_column(grid, "verdict", "verdict", MU_COLUMN_LEFT);
    mu_grid_column(grid, "because", "because", MU_COLUMN_LEFT);
    if (load(request, &probed, &tested, grids->err) == MU_OK) {
        json_object_foreach (tested, chip, measurements)
            if (json_object_get(probed, chip) == NULL) json_object_set_new(probed, chip, json_array());
        json_object_foreach (probed, chip, measurements) {
            add_profile(grid, request->root, chip, grids->err);
            add_memory(grid, chip, json_object_get(tested, chip), grids->err);
            add_progress(grid, chip, measurements, json_object_get(tested, chip), grids->err);
        }
        if (mu_grid_rows(grid) == 0) mu_grid_note(grid, "No measurements: see muster probe and muster litmus.");
        mu_grid_note(grid, "An outcome that was not seen may still happen, and a model that is not refuted may not be "
                           "kept. Which idioms a model allows is in table schedulers, each litmus test in litmus.");
    }
    json_decref(probed);
    json_decref(tested);
    return grids->err->status;
}

const struct mu_table mu_table_trust = {"trust", "what may be relied on: self-test, memory and progress", fill};
