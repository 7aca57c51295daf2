/* The child's side of experiments: measures the points of a request, one after the other. */
#include "harness/engine/experiment.h"

#include "harness/device/child.h"
#include "harness/device/host/placement.h"

uint32_t mu_trial_number(const struct mu_trial *trial, const char *name)
{
    return mu_json_count(trial->parameters, name);
}

uint32_t mu_trial_known(const struct mu_trial *trial, const char *name)
{
    return mu_json_count(trial->known, name);
}

const char *mu_trial_text(const struct mu_trial *trial, const char *name)
{
    return mu_json_text_or(trial->parameters, name, NULL);
}

int mu_trial_add(struct mu_trial *trial, json_t *measurement, struct mu_error *err)
{
    mu_json_append(&trial->measurements, measurement);
    return trial->measurements.lost ? mu_fail(err, MU_NO_MEMORY, "out of memory: a measurement") : MU_OK;
}

/* Returns the experiment of a point; NULL: the table has none of that name. */
static const struct mu_experiment *experiment_of(const struct mu_experiment *table, const json_t *point)
{
    return mu_experiment_find(table, mu_json_text(json_object_get(point, "parameters"), "experiment"));
}

/* Measures a point and fills in its answer: measurements, outcome, duration. Returns the outcome's status. */
static int serve_point(const struct mu_experiment *table, const json_t *point, struct mu_trial *trial,
                       struct mu_json *answer)
{
    struct mu_error err = {0};
    const uint64_t start = mu_now_ns();
    const struct mu_experiment *experiment = experiment_of(table, point);
    trial->parameters = json_object_get(point, "parameters");
    trial->known = json_object_get(point, "known");
    trial->measurements = mu_json_array();
    if (experiment != NULL)
        experiment->measure(trial, &err);
    else
        mu_fail(&err, MU_CRASH, "a child process got an unknown experiment");
    mu_json_set_part(answer, "measurements", &trial->measurements);
    mu_child_add_outcome(answer, &err);
    mu_json_set_number(answer, "wall_ns", mu_now_ns() - start);
    return err.status;
}

/* Answers each point as a part, up to the first whose outcome may have harmed the device. The points may belong to
 * several experiments (`process` of struct mu_experiment). */
static void serve_points(const struct mu_experiment *table, const json_t *points, struct mu_trial *trial)
{
    size_t i;
    json_t *point;
    int status = MU_OK;
    mu_child_part(NULL);
    json_array_foreach ((json_t *)points, i, point) {
        struct mu_json answer = mu_json_object();
        if (mu_status_harmless(status)) {
            status = serve_point(table, point, trial, &answer);
            mu_child_part(&answer);
        }
        mu_json_release(&answer);
    }
}

int mu_experiment_serve(const struct mu_experiment *table, const json_t *request, struct mu_json *response,
                        struct mu_error *err)
{
    (void)response; /* the answer is its parts */
    struct mu_trial trial = {0};
    const json_t *points = json_object_get(request, "points");
    const struct mu_experiment *experiment = experiment_of(table, json_array_get(points, 0));
    if (experiment == NULL)
        mu_fail(err, MU_CRASH, "a child process got an unknown experiment");
    else if (mu_device_from_json(json_object_get(request, "device"), &trial.info, err) == MU_OK &&
             mu_selftest_from_json(json_object_get(request, "selftest"), &trial.selftest, err) == MU_OK &&
             mu_device_open(&trial.info, experiment->event_times, &trial.target, err) == MU_OK) {
        char placement[MU_PLACEMENT_BYTES];
        trial.info.yield = (int)trial.selftest.yield;
        trial.info.resident = mu_selftest_resident(&trial.info, &trial.selftest);
        trial.kernel_dir = mu_json_text_or(request, "kernel_dir", NULL);
        if (mu_json_flag(request, "place")) mu_placement_place(trial.info.compute_units, placement);
        serve_points(table, points, &trial);
    }
    mu_device_close(&trial.target);
    return err->status;
}
