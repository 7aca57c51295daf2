/* Sweeps: options of a test that a campaign's command line gives as lists, and the points that their values make.
 *
 * Options that say what is compared (an app's, and the seed) make comparisons; the others make further configurations
 * of each variant. So there are two families of points: those of an app's comparisons, and, where `app` is NULL, those
 * of the configurations. Points are numbered from 0. */
#ifndef MU_HARNESS_CAMPAIGN_SWEEP_H
#define MU_HARNESS_CAMPAIGN_SWEEP_H

#include "harness/run/option_line.h"

#define MU_SWEEP_POINTS 4096 /* combinations that one command line may have */

/* Counts the points; there is at least one. MU_LIMIT. */
int mu_sweep_count(const struct mu_option_line *line, const struct mu_app *app, uint32_t *count, struct mu_error *err);

/* Asks for the values of a point. MU_USAGE naming an option and a value that it does not take. */
int mu_sweep_ask(const struct mu_option_line *line, const struct mu_app *app, uint32_t point, struct mu_asked *asked,
                 struct mu_error *err);

/* Writes "barrier=xf,patience=20": the values of a point of the configurations, for options that have several values
 * and apply to the variant. `asked` has the point's values. Returns false if the point repeats another one: they differ
 * only in options that do not apply to the variant, or that the other values make idle. */
bool mu_sweep_name(const struct mu_option_line *line, const struct mu_asked *asked, int variant, uint32_t point,
                   char *name, size_t bytes);

/* Writes the same for a point of an app's comparisons, with a blank before each: " delta=4 batch=2". */
void mu_sweep_name_comparison(const struct mu_option_line *line, const struct mu_app *app, uint32_t point, char *name,
                              size_t bytes);

#endif
