/* The child's side of several tests: one app, one input, one device. */
#include "harness/run/process.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/nvml.h"
#include "statistics/statistics.h"

/* A test that takes this many times longer than the best one is given up, where that is asked for. */
#define HOPELESS 3

static void update_best(const json_t *record, uint64_t *best_ns)
{
    struct mu_summary summary;
    size_t count = 0;
    double *values = mu_json_numbers(json_object_get(record, "samples_ns"), &count, NULL);
    if (values != NULL && mu_summarise(values, count, &summary, NULL) == MU_OK &&
        (*best_ns == 0 || summary.median < (double)*best_ns))
        *best_ns = (uint64_t)summary.median;
    mu_free(values);
}

/* Measures a test, and says what came of it. best_ns is NULL where nothing is given up. */
static int serve_one(struct mu_process *process, const json_t *wanted, uint64_t *best_ns, struct mu_json *record)
{
    struct mu_error err = {0};
    const uint64_t start = mu_now_ns();
    if (mu_process_next(wanted, process, record, &err) == MU_OK) {
        if (best_ns != NULL) process->test.abandon_ns = HOPELESS * *best_ns;
        mu_process_measure(process, record, &err);
    }
    if (err.status == MU_OK && best_ns != NULL) update_best(record->value, best_ns);
    mu_child_add_outcome(record, &err);
    mu_json_set_number(record, "wall_ns", mu_now_ns() - start);
    return err.status;
}

static void serve_all(struct mu_process *process, const json_t *request, const struct mu_json *shared)
{
    const json_t *tests = json_object_get(request, "tests");
    uint64_t best = mu_json_number(request, "best_ns");
    uint64_t *best_ns = json_object_get(request, "best_ns") != NULL ? &best : NULL;
    int status = MU_OK;
    struct mu_nvml held = {0}; /* as long as one user is left, NVML need not begin anew for each test */
    mu_nvml_open(MU_NVML_LIBRARY, process->info.uuid, &held);
    mu_child_part(NULL);
    for (size_t i = 0; i < json_array_size(tests) && mu_status_harmless(status); i++) {
        struct mu_json record = mu_json_copy(shared);
        status = serve_one(process, json_array_get(tests, i), best_ns, &record);
        mu_child_part(&record);
        mu_json_release(&record);
    }
    mu_nvml_close(&held);
}

int mu_tests_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_process process = {0};
    struct mu_json shared = mu_json_object();
    (void)response; /* the answer is its parts */
    if (mu_process_load(request, &process, &shared, err) == MU_OK) {
        mu_process_build_ahead(&process, json_object_get(request, "tests"));
        if (mu_process_open(request, &process, &shared, err) == MU_OK) serve_all(&process, request, &shared);
    }
    mu_json_release(&shared);
    mu_process_close(&process);
    return err->status;
}
