/* The classes of the thesis's table 5.4: what resizable teams cost the apps with global barriers, the work-stealing
 * ones, and all. */
#include "analysis/cooperative/classes.h"

#include "analysis/cooperative/processes.h"
#include "analysis/cooperative/stealing.h"
#include "analysis/tables/common.h"
#include "analysis/tables/probe_results.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BARRIER, STEALING, ALL, CLASSES };
static const char *const class_names[CLASSES] = {"global barriers", "work stealing", "all"};

/* The classes of a chip. */
struct classes {
    struct mu_class of[CLASSES];
    char names[CLASSES][256]; /* of the greatest of each */
};

static int add_ratio(struct classes *classes, int which, const struct mu_ratio *ratio, const char *name,
                     struct mu_error *err)
{
    const int wanted[] = {which, ALL};
    for (size_t i = 0; i < 2 && err->status == MU_OK; i++) {
        struct mu_class *class = &classes->of[wanted[i]];
        if (mu_class_add(class, ratio, NULL, err) == MU_OK && class->greatest + 1 == class->count)
            snprintf(classes->names[wanted[i]], sizeof classes->names[wanted[i]], "%s", name);
    }
    return err->status;
}

static int add_pairs(struct classes *classes, const struct mu_ratio_matrix *matrix, size_t place, struct mu_error *err)
{
    for (size_t i = 0; i < matrix->benchmark_count && err->status == MU_OK; i++) {
        const struct mu_ratio_pair *pair = mu_ratio_pair_of(matrix, i, place);
        char name[256];
        snprintf(name, sizeof name, "%s %s", matrix->benchmarks[i]->app, matrix->benchmarks[i]->shown);
        if (pair->counts) add_ratio(classes, BARRIER, &pair->ratio, name, err);
    }
    return err->status;
}

/* Adds the work-stealing apps; measurements may be NULL. */
static int add_stealing(struct classes *classes, const json_t *measurements, struct mu_error *err)
{
    struct mu_stealing_tests tests = {0};
    mu_stealing_tests_make(measurements, &tests, err);
    for (size_t i = 0; i < tests.count && err->status == MU_OK; i++) {
        const struct mu_stealing_test *test = &tests.tests[i];
        struct mu_ratio ratio;
        char name[64];
        snprintf(name, sizeof name, "%s %" PRIu64, test->app, test->size);
        if (mu_processes_ratio(&test->cooperative, &test->original, &ratio))
            add_ratio(classes, STEALING, &ratio, name, err);
    }
    mu_stealing_tests_release(&tests);
    return err->status;
}

/* Adds the rows of classes that have tests, and releases these. `of` is NULL for a chip that has work stealing only. */
static void add_rows(struct mu_grid *grid, const char *chip, const struct mu_measurement *of, struct classes *classes)
{
    for (int which = 0; which < CLASSES; which++) {
        const struct mu_class *class = &classes->of[which];
        const bool shown = class->count != 0;
        if (shown) {
            mu_grid_row(grid);
            mu_grid_text(grid, "%s", chip);
            of != NULL ? mu_table_set_cell(grid, of) : mu_grid_empty(grid);
            mu_grid_text(grid, "%s", class_names[which]);
            mu_grid_number(grid, (double)class->count, 0);
            mu_class_mean_cell(grid, class);
            mu_class_greatest_cells(grid, class, classes->names[which]);
        }
        mu_class_release(&classes->of[which]);
    }
}

static struct mu_grid *add_grid(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "cooperative-classes", "The same by class of apps");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "set", "set", MU_COLUMN_LEFT);
    mu_grid_column(grid, "class", "class", MU_COLUMN_LEFT);
    mu_grid_column(grid, "tests", "tests", 0);
    mu_class_mean_column(grid);
    mu_class_greatest_columns(grid);
    mu_grid_note(grid,
                 "Apps and inputs are those of suites cooperative and stealing; the thesis's table 5.4 has eleven "
                 "with global barriers and two with work stealing. slowdown: geometric mean; most: the greatest, "
                 "and whose it is. " MU_NOT_CONFIDENT_NOTE);
    return grid;
}

/* Returns true if a place of the matrix is of the chip, and has a ratio. */
static bool has_place(const struct mu_ratio_matrix *matrix, size_t place, const char *chip)
{
    bool counts = false;
    for (size_t i = 0; i < matrix->benchmark_count; i++) counts |= mu_ratio_pair_of(matrix, i, place)->counts;
    return counts && (chip == NULL || strcmp(matrix->places[place]->plain_chip, chip) == 0);
}

static void add_places(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, json_t *chips, struct mu_error *err)
{
    for (size_t place = 0; place < matrix->place_count && err->status == MU_OK; place++) {
        const struct mu_measurement *of = matrix->places[place];
        struct classes classes = {0};
        if (!has_place(matrix, place, NULL)) continue;
        if (add_pairs(&classes, matrix, place, err) == MU_OK)
            add_stealing(&classes, json_object_get(chips, of->plain_chip), err);
        add_rows(grid, of->chip, of, &classes);
    }
}

/* Adds the chips that have work-stealing apps only. */
static void add_others(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, json_t *chips, struct mu_error *err)
{
    const char *chip;
    json_t *measurements;
    json_object_foreach (chips, chip, measurements) {
        struct classes classes = {0};
        bool has = false;
        for (size_t place = 0; place < matrix->place_count; place++) has |= has_place(matrix, place, chip);
        if (has || err->status != MU_OK) continue;
        add_stealing(&classes, measurements, err);
        add_rows(grid, chip, NULL, &classes);
    }
}

int mu_cooperative_add_classes(const struct mu_table_request *request, const struct mu_ratio_matrix *matrix,
                               struct mu_grids *grids)
{
    json_t *chips = NULL;
    struct mu_table_request all = *request;
    struct mu_grid *grid = add_grid(grids);
    all.set_count = 0; /* beside files of records there are none of work-stealing apps */
    if (mu_survey_results_load(&all, MU_STEALING_FILE, &chips, grids->err) == MU_OK) {
        add_places(grid, matrix, chips, grids->err);
        if (request->set_count == 0) add_others(grid, matrix, chips, grids->err);
    }
    json_decref(chips);
    return grids->err->status;
}
