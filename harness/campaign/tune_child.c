/* The child's side of a tuning: one input, one device, several workgroup and team sizes. */
#include "harness/campaign/tune.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/run/process.h"
#include "statistics/statistics.h"

/* A try that takes this many times longer than the best one is given up. */
#define HOPELESS 3

/* After these the context can still be trusted with the next try. */
static bool harmless(int status)
{
    return status == MU_OK || status == MU_UNSUPPORTED || status == MU_BUILD || status == MU_WRONG;
}

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

static int serve_try(struct mu_process *process, const json_t *wanted, uint64_t *best_ns, struct mu_json *record)
{
    struct mu_error err = {0};
    const uint64_t start = mu_now_ns();
    if (mu_process_next(wanted, process, record, &err) == MU_OK) {
        process->test.abandon_ns = HOPELESS * *best_ns;
        mu_process_measure(process, record, &err);
    }
    if (err.status == MU_OK) update_best(record->value, best_ns);
    mu_child_add_outcome(record, &err);
    mu_json_set_number(record, "wall_ns", mu_now_ns() - start);
    return err.status;
}

int mu_tune_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    size_t i;
    json_t *wanted;
    struct mu_process process = {0};
    struct mu_json shared = mu_json_object(), served = mu_json_array();
    uint64_t best_ns = mu_json_number(request, "best_ns");
    if (mu_process_open(request, &process, &shared, err) == MU_OK)
        json_array_foreach (json_object_get(request, "tries"), i, wanted) {
            struct mu_json record = mu_json_copy(&shared);
            const int status = serve_try(&process, wanted, &best_ns, &record);
            mu_json_append_part(&served, &record);
            if (!harmless(status)) break;
        }
    mu_json_set_part(response, "points", &served);
    mu_json_release(&shared);
    mu_process_close(&process);
    return err->status;
}
