/* Predictions by class of device, beside what constants would have said. */
#include "analysis/prediction/judged.h"

#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

const char *const mu_device_class_names[MU_DEVICE_CLASSES] = {"CPU", "GPU", "all"};

static bool is_of(const struct mu_judged *judged, enum mu_device_class class)
{
    return class == MU_DEVICES_ALL || mu_case_on_cpu(judged->of) == (class == MU_DEVICES_CPU);
}

/* Returns the median of values, which it puts in order; NAN for none. */
static double median_of(double *values, size_t count)
{
    gsl_sort(values, 1, count);
    return count > 0 ? gsl_stats_median_from_sorted_data(values, 1, count) : (double)NAN;
}

/* Returns the median ratio of the other cases of the same chip and app that are not left out for this one; NAN for
 * none. */
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

/* ---- Ratings ---- */

/* Errors of the model and of constants, as absolute logs; the margins of the model's intervals; and room. */
enum { MODEL, SAME, CHIP_AND_APP, MARGIN, FIGURES, ROOMS };

static void rate_times(const struct mu_judged *judged, size_t count, enum mu_left_out left_out,
                       enum mu_device_class class, double *rooms[ROOMS], struct mu_rating *rating)
{
    size_t counts[FIGURES] = {0};
    for (size_t i = 0; i < count; i++) {
        if (!judged[i].has_error || !is_of(&judged[i], class)) continue;
        const double alike = by_chip_and_app(judged, count, i, left_out, rooms[FIGURES]);
        const double figures[FIGURES] = {fabs(judged[i].log_error), fabs(judged[i].log_truth),
                                         fabs(alike - judged[i].log_truth), judged[i].log_margin};
        for (int f = 0; f < FIGURES; f++)
            if (!isnan(figures[f])) rooms[f][counts[f]++] = figures[f];
    }
    rating->rated = counts[MODEL];
    rating->error = median_of(rooms[MODEL], counts[MODEL]);
    rating->no_change = median_of(rooms[SAME], counts[SAME]);
    rating->chip_and_app = median_of(rooms[CHIP_AND_APP], counts[CHIP_AND_APP]);
    rating->margin = median_of(rooms[MARGIN], counts[MARGIN]);
}

static void rate_names(const struct mu_judged *judged, size_t count, enum mu_device_class class,
                       struct mu_rating *rating)
{
    for (size_t i = 0; i < count; i++) {
        if (judged[i].named == NULL || !is_of(&judged[i], class)) continue;
        rating->named++;
        rating->right += mu_same_choice(judged[i].named, judged[i].best);
        rating->usual_right += mu_same_choice(judged[i].usual, judged[i].best);
        rating->regret += judged[i].regret;
        rating->usual_regret += judged[i].usual_regret;
    }
    if (rating->named == 0) return;
    rating->right /= (double)rating->named;
    rating->usual_right /= (double)rating->named;
    rating->regret /= (double)rating->named;
    rating->usual_regret /= (double)rating->named;
}

int mu_rate(const struct mu_judged *judged, size_t count, enum mu_left_out left_out, enum mu_device_class class,
            struct mu_rating *rating, struct mu_error *err)
{
    double *rooms[ROOMS] = {NULL};
    *rating = (struct mu_rating){0};
    for (int f = 0; f < ROOMS && err->status == MU_OK; f++)
        rooms[f] = mu_malloc(count + 1, sizeof *rooms[f], "errors", err);
    if (err->status == MU_OK) {
        rate_times(judged, count, left_out, class, rooms, rating);
        rate_names(judged, count, class, rating);
    }
    for (int f = 0; f < ROOMS; f++) mu_free(rooms[f]);
    return err->status;
}

/* Returns true if neither constant is nearer. One that cannot be told is NAN, and less than nothing. */
bool mu_rating_has_times(const struct mu_rating *rating)
{
    return rating->rated > 0 && !(rating->chip_and_app < rating->error) && !(rating->no_change < rating->error);
}

bool mu_rating_has_names(const struct mu_rating *rating)
{
    return rating->named > 0 && rating->right > rating->usual_right && rating->regret <= rating->usual_regret;
}

/* ---- Grids ---- */

static void percent_cell(struct mu_grid *grid, double log_error)
{
    mu_grid_number(grid, 100 * expm1(log_error), 1);
}

static void offered_cell(struct mu_grid *grid, bool offered)
{
    mu_grid_text(grid, "%s", offered ? "yes" : "no");
    mu_grid_tone(grid, offered ? MU_TONE_GOOD : MU_TONE_BAD);
}

static void times_row(struct mu_grid *grid, const char *left_out, const char *class, const struct mu_rating *rating)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", left_out);
    mu_grid_text(grid, "%s", class);
    mu_grid_number(grid, (double)rating->rated, 0);
    percent_cell(grid, rating->error);
    mu_grid_number(grid, exp(rating->margin), 2);
    percent_cell(grid, rating->chip_and_app);
    percent_cell(grid, rating->no_change);
    offered_cell(grid, mu_rating_has_times(rating));
}

static void names_row(struct mu_grid *grid, const char *choice, const char *left_out, const char *class,
                      const struct mu_rating *rating)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", choice);
    mu_grid_text(grid, "%s", left_out);
    mu_grid_text(grid, "%s", class);
    mu_grid_number(grid, (double)rating->named, 0);
    mu_grid_number(grid, 100 * rating->right, 0);
    mu_grid_number(grid, 100 * rating->usual_right, 0);
    mu_grid_number(grid, 100 * rating->regret, 1);
    mu_grid_number(grid, 100 * rating->usual_regret, 1);
    offered_cell(grid, mu_rating_has_names(rating));
}

struct mu_grid *mu_baselines_begin_times(struct mu_grids *grids)
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
    mu_grid_column(grid, "offered", "offered", MU_COLUMN_LEFT);
    mu_grid_note(
        grid,
        "Medians over cases, of variants. interval: half of it, as a factor. same chip and app: the median ratio of "
        "other cases of these, where there are any, in place of a prediction. no change: as if portable "
        "took as long as multi-kernel. offered: no constant is nearer; `muster predict` goes by the input left out.");
    return grid;
}

struct mu_grid *mu_baselines_begin_names(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "prediction-names",
                                        "Naming the best by class of device, beside always naming the commonest best");
    mu_grid_column(grid, "choice", "choice among", MU_COLUMN_LEFT);
    mu_grid_column(grid, "left_out", "left out", MU_COLUMN_LEFT);
    mu_grid_column(grid, "class", "class", MU_COLUMN_LEFT);
    mu_grid_column(grid, "cases", "cases", 0);
    mu_grid_column(grid, "right_percent", "named rightly %", 0);
    mu_grid_column(grid, "usual_right_percent", "by the commonest %", 0);
    mu_grid_column(grid, "regret_percent", "regret %", 0);
    mu_grid_column(grid, "usual_regret_percent", "of the commonest %", 0);
    mu_grid_column(grid, "offered", "offered", MU_COLUMN_LEFT);
    mu_grid_note(grid, "offered: the model is right more often than the commonest, and its regret is no larger. Where "
                       "it is not, `muster predict` names no best one; it goes by the input left out.");
    return grid;
}

int mu_baselines_add(struct mu_grid *times, struct mu_grid *names, const char *choice, const struct mu_judged *judged,
                     size_t count, enum mu_left_out left_out, struct mu_error *err)
{
    const char *const name = mu_left_out_names[left_out].name;
    for (int class = 0; class < MU_DEVICE_CLASSES; class ++) {
        struct mu_rating rating;
        if (mu_rate(judged, count, left_out, (enum mu_device_class) class, &rating, err) != MU_OK) break;
        if (times != NULL && rating.rated > 0) times_row(times, name, mu_device_class_names[class], &rating);
        if (rating.named > 0) names_row(names, choice, name, mu_device_class_names[class], &rating);
    }
    return err->status;
}
