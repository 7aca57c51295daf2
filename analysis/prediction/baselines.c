/* Errors of predictions by class of device, beside what constants would have said. */
#include "analysis/prediction/judged.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* Cases on devices whose workgroups run on threads of the host, on others, and all. */
enum class { CPU, OTHERS, ALL, CLASSES };
static const char *const class_names[CLASSES] = {"CPU", "GPU", "all"};

static bool is_of(const struct mu_judged *judged, enum class class)
{
    return class == ALL || judged->of->of->every[0].on_threads == (class == CPU);
}

/* The median of values, which are put in order; NAN for none. */
static double median_of(double *values, size_t count)
{
    gsl_sort(values, 1, count);
    return count > 0 ? gsl_stats_median_from_sorted_data(values, 1, count) : (double)NAN;
}

/* The median ratio of the other cases of the same chip and app that are not left out for this one; NAN: there is none.
 */
static double by_chip_and_app(const struct mu_judged *judged, size_t count, size_t i, enum mu_left_out left_out,
                              double *room)
{
    size_t found = 0;
    const struct mu_measurement *own = judged[i].of->of;
    for (size_t j = 0; j < count; j++) {
        const struct mu_measurement *other = judged[j].of->of;
        if (judged[j].has_error && !mu_leaves_out(left_out, judged[i].of, judged[j].of) &&
            strcmp(own->chip, other->chip) == 0 && strcmp(own->app, other->app) == 0)
            room[found++] = judged[j].log_truth;
    }
    return median_of(room, found);
}

/* Errors of the model and of constants, as absolute logs; the margins of the model's intervals. */
enum { MODEL, SAME, CHIP_AND_APP, MARGIN, FIGURES };

static void percent_cell(struct mu_grid *grid, double log_error)
{
    mu_grid_number(grid, 100 * expm1(log_error), 1);
}

static void class_row(struct mu_grid *grid, const struct mu_judged *judged, size_t count, enum mu_left_out left_out,
                      enum class class, double *rooms[FIGURES + 1])
{
    size_t counts[FIGURES] = {0};
    double medians[FIGURES];
    for (size_t i = 0; i < count; i++) {
        if (!judged[i].has_error || !is_of(&judged[i], class)) continue;
        const double alike = by_chip_and_app(judged, count, i, left_out, rooms[FIGURES]);
        const double figures[FIGURES] = {fabs(judged[i].log_error), fabs(judged[i].log_truth),
                                         fabs(alike - judged[i].log_truth), judged[i].log_margin};
        for (int f = 0; f < FIGURES; f++)
            if (!isnan(figures[f])) rooms[f][counts[f]++] = figures[f];
    }
    if (counts[MODEL] == 0) return;
    for (int f = 0; f < FIGURES; f++) medians[f] = median_of(rooms[f], counts[f]);
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", mu_left_out_names[left_out].name);
    mu_grid_text(grid, "%s", class_names[class]);
    mu_grid_number(grid, (double)counts[MODEL], 0);
    percent_cell(grid, medians[MODEL]);
    mu_grid_number(grid, exp(medians[MARGIN]), 2);
    percent_cell(grid, medians[CHIP_AND_APP]);
    percent_cell(grid, medians[SAME]);
    const bool beaten = medians[CHIP_AND_APP] < medians[MODEL] || medians[SAME] < medians[MODEL];
    mu_grid_text(grid, "%s", beaten ? "a constant" : "the model");
    mu_grid_tone(grid, beaten ? MU_TONE_BAD : MU_TONE_GOOD);
}

struct mu_grid *mu_baselines_begin(struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "prediction-baselines", "Errors by class of device, beside what constants would have said");
    mu_grid_column(grid, "left_out", "left out", MU_COLUMN_LEFT);
    mu_grid_column(grid, "class", "class", MU_COLUMN_LEFT);
    mu_grid_column(grid, "cases", "cases", 0);
    mu_grid_column(grid, "error_percent", "error %", 0);
    mu_grid_column(grid, "margin", "interval, times", 0);
    mu_grid_column(grid, "chip_and_app_percent", "same chip and app %", 0);
    mu_grid_column(grid, "no_change_percent", "no change %", 0);
    mu_grid_column(grid, "nearest", "nearest", MU_COLUMN_LEFT);
    mu_grid_note(
        grid,
        "Medians over cases, of variants. interval: half of it, as a factor. same chip and app: the median ratio of "
        "other cases of these, where there are any, in place of a prediction. no change: as if portable "
        "took as long as multi-kernel.");
    return grid;
}

void mu_baselines_add(struct mu_grid *grid, const struct mu_judged *judged, size_t count, enum mu_left_out left_out,
                      struct mu_error *err)
{
    double *rooms[FIGURES + 1] = {NULL};
    for (int f = 0; f <= FIGURES && err->status == MU_OK; f++)
        rooms[f] = mu_malloc(count + 1, sizeof *rooms[f], "errors", err);
    for (int class = 0; class < CLASSES && err->status == MU_OK; class ++)
        class_row(grid, judged, count, left_out, (enum class) class, rooms);
    for (int f = 0; f <= FIGURES; f++) mu_free(rooms[f]);
}
