/* The suites of campaigns: which app runs on which input, and how long it is measured. A suite is an experiment. A
 * campaign makes its points of the suite's rows and forms, or of what the user names in their place. */
#ifndef MU_HARNESS_CAMPAIGN_SUITES_H
#define MU_HARNESS_CAMPAIGN_SUITES_H

#include "harness/engine/experiment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MU_SUITE_INPUTS 8
#define MU_SUITE_SWEEPS 4

/* An app and its inputs. */
struct mu_suite_row {
    const char *app;                     /* "suite/app" */
    const char *inputs[MU_SUITE_INPUTS]; /* generators; behind the last one NULL */
};

struct mu_suite {
    struct mu_experiment experiment;     /* a point of it is a test; `together`: of an app on an input, at most */
    const struct mu_suite_row *rows;     /* ended by a row whose app is NULL */
    const char *forms;                   /* what is compared, unless the user says otherwise: mu_form_list_read */
    const char *sweeps[MU_SUITE_SWEEPS]; /* "load=none,light": options with several values, unless the user names them;
                                            behind the last one NULL */
    uint32_t min_samples;                /* of a test, over all its processes */
    uint32_t max_samples;                /* of one process */
    double target_width;                 /* relative half-width of the interval of one process */
    double max_time_s;                   /* of one process's samples */
    bool tuned;                          /* unless the user says otherwise */
    double tune_time_s;                  /* of one try's samples */
};

/* All suites; the last row has no name. */
extern const struct mu_suite mu_suites[];

/* Returns the suite of that name, or NULL. */
const struct mu_suite *mu_suite_find(const char *name);

/* Serves a request of the kind "suite": tests of a campaign, as the experiment of the named suite serves them. */
int mu_suite_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* A graph of the literature for which an input stands in: its file's name without suffixes, and who publishes it. */
struct mu_suite_original {
    const char *input, *name, *from;
};

/* All such graphs; the last row has no input. */
extern const struct mu_suite_original mu_suite_originals[];

/* Writes the path of the file in `folder` that is the graph of the literature for which a suite's input stands in. The
 * file has the graph's name, or what follows the last dot of that ("NY" for "USA-road-d.NY"), and a suffix such as
 * ".gr" or ".gr.gz". The path is empty when there is no such file or graph. MU_LIMIT when a path does not fit; MU_IO
 * when there is no such folder. */
int mu_suite_original(const char *input, const char *folder, char *path, size_t bytes, struct mu_error *err);

#endif
