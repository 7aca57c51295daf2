/* Experiments combining and divergence: two kernels with the same result, timed in turn (thesis, table 4.6). */
#include "harness/probe/probe.h"

#include "variants/launch/opencl.h"

#define REPEATS   9
#define GROUP     128
#define ADD_ITEMS 20480
#define ADDITIONS 16 /* of each work-item */

/* The thesis has 20 000 additions, in groups of which it does not tell the size. */
#define THESIS_ITEMS 20000
#define THESIS_GROUP 160

struct pair {
    const char *names[2]; /* of the kernels: the plain one first */
    const char *options;
    uint32_t items, group, rounds, words; /* work-items, those of a workgroup, the argument, room for the result */
    bool count;                           /* word 0 must come to items times rounds */
};

static int run_kernel(struct mu_trial *trial, cl_kernel kernel, cl_mem buffer, const struct pair *pair, double *ns,
                      struct mu_error *err)
{
    static const cl_uint zero = 0;
    cl_uint word = 0;
    cl_command_queue queue = trial->target.queue;
    cl_int status = clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, pair->words * sizeof zero, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 1, sizeof pair->rounds, &pair->rounds);
    if (mu_cl_check(status, "preparing a kernel of the probe", err) != MU_OK) return err->status;
    mu_probe_time_launch(trial, kernel, pair->items, pair->group, ns, err);
    if (err->status != MU_OK || !pair->count) return err->status;
    status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL);
    if (mu_cl_check(status, "reading a sum", err) == MU_OK && word != pair->items * pair->rounds)
        mu_fail(err, MU_WRONG, "%u additions came to %u", pair->items * pair->rounds, word);
    return err->status;
}

/* Times both kernels in turn; the first turn warms up. */
static int measure(struct mu_trial *trial, const cl_kernel kernels[2], cl_mem buffer, const struct pair *pair,
                   struct mu_error *err)
{
    struct mu_json samples[2] = {mu_json_array(), mu_json_array()};
    for (int turn = 0; turn <= REPEATS && err->status == MU_OK; turn++)
        for (int i = 0; i < 2 && err->status == MU_OK; i++) {
            double ns = 0;
            if (run_kernel(trial, kernels[i], buffer, pair, &ns, err) == MU_OK && turn > 0)
                mu_json_append_real(&samples[i], ns);
        }
    json_t *object = json_pack("{s:I, s:I, s:o, s:o}", "items", (json_int_t)pair->items, "rounds",
                               (json_int_t)pair->rounds, "plain_ns", mu_json_take(&samples[0], "samples", NULL),
                               "changed_ns", mu_json_take(&samples[1], "samples", NULL));
    if (err->status == MU_OK) return mu_trial_add(trial, object, err);
    json_decref(object);
    return err->status;
}

static int compare(struct mu_trial *trial, const struct pair *pair, struct mu_error *err)
{
    cl_program program = NULL;
    cl_kernel kernels[2] = {NULL, NULL};
    cl_mem buffer = NULL;
    cl_int status = CL_SUCCESS;
    if (mu_probe_program(trial, "harness/probe/costs.cl", pair->options, &program, err) != MU_OK) return err->status;
    for (int i = 0; i < 2 && err->status == MU_OK; i++) {
        kernels[i] = clCreateKernel(program, pair->names[i], &status);
        if (status == CL_INVALID_KERNEL_NAME)
            mu_fail(err, MU_UNSUPPORTED, "device '%s' has no subgroups", trial->info.name);
        else
            mu_cl_check(status, pair->names[i], err);
    }
    if (err->status == MU_OK) {
        buffer = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, (size_t)pair->words * sizeof(cl_uint), NULL,
                                &status);
        mu_cl_check(status, "an array of the probe", err);
    }
    if (err->status == MU_OK) measure(trial, kernels, buffer, pair, err);
    if (buffer != NULL) clReleaseMemObject(buffer);
    for (int i = 0; i < 2; i++)
        if (kernels[i] != NULL) clReleaseKernel(kernels[i]);
    clReleaseProgram(program);
    return err->status;
}

static int add(struct mu_trial *trial, uint32_t items, uint32_t group, uint32_t rounds, struct mu_error *err)
{
    const bool ptx = trial->info.available[MU_ATOMICS_PTX] && !trial->info.ptx_fences;
    const struct pair pair = {.names = {"probe_add", "probe_add_combined"},
                              .options = ptx ? "-DMU_PTX" : "",
                              .items = items,
                              .group = group,
                              .rounds = rounds,
                              .words = 1,
                              .count = true};
    return compare(trial, &pair, err);
}

int mu_probe_combining(struct mu_trial *trial, struct mu_error *err)
{
    return add(trial, ADD_ITEMS, GROUP, ADDITIONS, err);
}

int mu_probe_additions(struct mu_trial *trial, struct mu_error *err)
{
    return add(trial, THESIS_ITEMS, THESIS_GROUP, 1, err);
}

/* Measures 64 accesses of each work-item; there are enough of them to fill a GPU a few times over. */
int mu_probe_divergence(struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t items = trial->info.cpu ? 1u << 14 : 1u << 20, rounds = 64;
    const struct pair pair = {.names = {"probe_stride", "probe_stride_barrier"},
                              .options = "",
                              .items = items,
                              .group = GROUP,
                              .rounds = rounds,
                              .words = items * rounds};
    return compare(trial, &pair, err);
}
