/* muster table devices: whether equal chips are equal. Devices of one chip that measured the same tests in one session,
 * each beside the mean of them all. */
#include "analysis/parts/parts.h"
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <string.h>

enum { SIDES = 16, SHOWN_UUID = 8 };

/* A test that several devices measured in one session. */
struct shared_test {
    const struct mu_measurement *measurement; /* of the first device */
    struct mu_level levels[SIDES];            /* by device */
    double p;                                 /* that they are equal; NAN: not told */
};

/* Devices of one chip that measured a set in one session, and the tests that all of them have. */
struct host {
    const struct mu_part *sides[SIDES];
    size_t side_count;
    struct shared_test *tests;
    size_t test_count;
};

/* Tells of which part a record is (mu_part_texts): a device in a session. */
static void side_of(const struct mu_measurement *record, const char *texts[MU_PART_TEXTS])
{
    texts[0] = record->session;
    texts[1] = record->device;
}

static bool has_place(const struct mu_part *part, const struct mu_measurement *place)
{
    for (size_t i = 0; i < part->study.count; i++)
        if (mu_compare_places(&part->study.measurements[i], place) == 0) return true;
    return false;
}

/* ---- The tests of a host ---- */

/* Returns true if the devices all have the test in the same configuration; with their levels. */
static bool find_levels(const struct host *host, const struct mu_measurement *of, struct mu_level *levels)
{
    for (size_t i = 0; i < host->side_count; i++) {
        const struct mu_measurement *found = mu_study_find(&host->sides[i]->study, of, of, of->variant);
        if (!mu_table_counts(found) || memcmp(found->identity, of->identity, sizeof of->identity) != 0) return false;
        levels[i] = found->level;
    }
    return true;
}

/* Corrects the tests' p for their number. */
static int correct(struct host *host, struct mu_error *err)
{
    size_t count = 0;
    double *p = mu_malloc(host->test_count, sizeof *p, "p values", err);
    for (size_t i = 0; i < host->test_count && p != NULL; i++)
        if (!isnan(host->tests[i].p)) p[count++] = host->tests[i].p;
    if (count > 0) mu_false_discovery(p, count, p, err);
    for (size_t i = host->test_count; i-- > 0 && count > 0;)
        if (!isnan(host->tests[i].p)) host->tests[i].p = p[--count];
    mu_free(p);
    return err->status;
}

static int find_tests(struct host *host, const struct mu_measurement *place, struct mu_error *err)
{
    const struct mu_study *study = &host->sides[0]->study;
    host->tests = mu_malloc(study->count, sizeof *host->tests, "tests of several devices", err);
    if (host->tests == NULL) return err->status;
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *of = &study->measurements[i];
        struct shared_test *test = &host->tests[host->test_count];
        if (mu_compare_places(of, place) != 0 || !find_levels(host, of, test->levels)) continue;
        test->measurement = of;
        test->p = mu_levels_differ(test->levels, host->side_count);
        host->test_count++;
    }
    return err->status == MU_OK ? correct(host, err) : err->status;
}

/* ---- Rows ---- */

/* Returns the log of a device's time over the mean of all of them. */
static double log_beside_all(const struct host *host, const struct shared_test *test, size_t side)
{
    double mean = 0;
    for (size_t i = 0; i < host->side_count; i++) mean += test->levels[i].log_value / (double)host->side_count;
    return test->levels[side].log_value - mean;
}

/* Finds the mean of a device over apps and inputs. Forms of one app on one input may share processes, so that they are
 * one observation. */
static int mean_of_side(const struct host *host, size_t side, struct mu_ratio *mean, size_t *observations,
                        struct mu_error *err)
{
    size_t count = 0;
    double *logs = mu_malloc(host->test_count, sizeof *logs, "figures of a device", err);
    for (size_t i = 0, end; i < host->test_count && logs != NULL; i = end) {
        const struct mu_measurement *first = host->tests[i].measurement;
        double sum = 0;
        for (end = i; end < host->test_count && mu_compare_benchmarks(first, host->tests[end].measurement) == 0; end++)
            sum += log_beside_all(host, &host->tests[end], side);
        logs[count++] = sum / (double)(end - i);
    }
    if (logs != NULL) mu_ratio_over(logs, count, mean);
    *observations = count;
    mu_free(logs);
    return err->status;
}

static void begin_row(struct mu_grid *grid, const struct host *host, const struct mu_measurement *place)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", place->chip);
    mu_table_set_cell(grid, place);
    mu_grid_text(grid, "%.10s", host->tests[0].measurement->last_date);
}

static int add_sides(struct mu_grid *grid, const struct host *host, const struct mu_measurement *place,
                     struct mu_error *err)
{
    for (size_t i = 0; i < host->side_count; i++) {
        struct mu_ratio mean = {0};
        size_t observations = 0;
        if (mean_of_side(host, i, &mean, &observations, err) != MU_OK) return err->status;
        begin_row(grid, host, place);
        mu_grid_text(grid, "%.*s", SHOWN_UUID, host->sides[i]->texts[1]);
        mu_grid_number(grid, (double)host->test_count, 0);
        mu_grid_number(grid, (double)observations, 0);
        mean.spans = 1;
        mu_table_ratio_cell(grid, &mean, 4);
    }
    return MU_OK;
}

static void add_tests(struct mu_grid *grid, const struct host *host, const struct mu_measurement *place)
{
    for (size_t i = 0; i < host->test_count; i++) {
        const struct shared_test *test = &host->tests[i];
        size_t least = 0, most = 0;
        for (size_t side = 1; side < host->side_count; side++) {
            if (test->levels[side].log_value < test->levels[least].log_value) least = side;
            if (test->levels[side].log_value > test->levels[most].log_value) most = side;
        }
        begin_row(grid, host, place);
        mu_grid_text(grid, "%s", test->measurement->app);
        mu_grid_text(grid, "%s", test->measurement->shown);
        mu_grid_text(grid, "%s", test->measurement->variant);
        mu_grid_text(grid, "%.*s", SHOWN_UUID, host->sides[least]->texts[1]);
        mu_grid_number(grid, exp(log_beside_all(host, test, least)), 3);
        mu_grid_text(grid, "%.*s", SHOWN_UUID, host->sides[most]->texts[1]);
        mu_grid_number(grid, exp(log_beside_all(host, test, most)), 3);
        if (isnan(test->p)) {
            mu_grid_empty(grid);
            mu_grid_empty(grid);
            continue;
        }
        mu_grid_number(grid, test->p, 3);
        mu_grid_text(grid, "%s", test->p < 0.05 ? "different" : "not shown");
    }
}

/* ---- Hosts ---- */

/* Finds the devices that measured the place in the session of the part `first`, which is the first of them. */
static void find_sides(const struct mu_parts *parts, size_t first, const struct mu_measurement *place,
                       struct host *host)
{
    for (size_t i = first; i < parts->count && host->side_count < SIDES; i++)
        if (parts->parts[i].texts[0] == parts->parts[first].texts[0] && parts->parts[i].texts[1][0] != '\0' &&
            has_place(&parts->parts[i], place))
            host->sides[host->side_count++] = &parts->parts[i];
}

static int add_host(const struct mu_parts *parts, size_t first, const struct mu_measurement *place,
                    struct mu_grid *grids[2], struct mu_error *err)
{
    struct host host = {0};
    for (size_t i = 0; i < first; i++)
        if (parts->parts[i].texts[0] == parts->parts[first].texts[0] && has_place(&parts->parts[i], place))
            return MU_OK; /* it is there already */
    find_sides(parts, first, place, &host);
    if (host.side_count > 1 && find_tests(&host, place, err) == MU_OK && host.test_count > 0 &&
        add_sides(grids[0], &host, place, err) == MU_OK)
        add_tests(grids[1], &host, place);
    mu_free(host.tests);
    return err->status;
}

static int add_hosts(const struct mu_parts *parts, struct mu_grid *grids[2], struct mu_error *err)
{
    for (size_t i = 0; i < parts->count; i++) {
        const struct mu_study *study = &parts->parts[i].study;
        for (size_t j = 0; j < study->count && err->status == MU_OK; j++)
            if (j == 0 || mu_compare_places(&study->measurements[j - 1], &study->measurements[j]) != 0)
                add_host(parts, i, &study->measurements[j], grids, err);
    }
    return err->status;
}

/* ---- The table ---- */

static void place_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "set", "set", MU_COLUMN_LEFT);
    mu_grid_column(grid, "date", "date", MU_COLUMN_LEFT);
}

static void add_columns(struct mu_grid *grids[2])
{
    place_columns(grids[0]);
    mu_grid_column(grids[0], "device", "device", MU_COLUMN_LEFT);
    mu_grid_column(grids[0], "tests", "tests", 0);
    mu_grid_column(grids[0], "inputs", "apps on inputs", 0);
    mu_grid_column(grids[0], "ratio", "time beside all [95 %]", MU_COLUMN_INTERVAL);
    place_columns(grids[1]);
    mu_grid_column(grids[1], "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grids[1], "input", "input", MU_COLUMN_LEFT);
    mu_grid_column(grids[1], "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grids[1], "fastest", "fastest", MU_COLUMN_LEFT);
    mu_grid_column(grids[1], "least", "its time", 0);
    mu_grid_column(grids[1], "slowest", "slowest", MU_COLUMN_LEFT);
    mu_grid_column(grids[1], "most", "its time", 0);
    mu_grid_column(grids[1], "p", "p", 0);
    mu_grid_column(grids[1], "verdict", "verdict", MU_COLUMN_LEFT);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_study_draft draft;
    struct mu_parts parts = {0};
    struct mu_grid *both[2] = {mu_grids_add(grids, "devices", "Equal chips: each device beside all of its host"),
                               mu_grids_add(grids, "tests", "The same, test by test")};
    add_columns(both);
    if (mu_table_draft(request, MU_STUDY_MEASURED, &draft, grids->err) == MU_OK &&
        mu_parts_make(&draft, side_of, &parts, grids->err) == MU_OK)
        add_hosts(&parts, both, grids->err);
    mu_grid_note(both[0], "time beside all: over the geometric mean of all devices that ran the same tests in the same "
                          "session, and the mean of that over apps on inputs. " MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(both[0], "muster bench --device=all lets each device do all of a campaign.");
    mu_grid_note(both[1],
                 "its time: the same for one test. p: of the F test that all devices are equal, by their processes, "
                 "corrected for the number of tests (Benjamini and Hochberg); it takes two processes on a device.");
    mu_parts_release(&parts);
    mu_study_draft_release(&draft);
    return grids->err->status;
}

const struct mu_table mu_table_devices = {"devices", "whether the equal devices of a host are equally fast", fill};
