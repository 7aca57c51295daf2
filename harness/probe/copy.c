/* Experiment copy: how fast the device's memory is read and written, by a kernel that copies. */
#include "harness/probe/probe.h"

#include "variants/launch/opencl.h"

#define REPEATS 11
#define GROUP   256
#define WORDS   4u          /* that a work-item copies */
#define FACTOR  2654435761u /* word i is i times this */
#define CHECKED 4096u       /* words at each end of the copy that are looked at */

struct copy {
    cl_kernel fill, copy;
    cl_mem from, to;
    cl_uint words;
};

/* Checks that both ends of the copy hold what was filled in. */
static int check(struct mu_trial *trial, const struct copy *copy, struct mu_error *err)
{
    static cl_uint end[CHECKED];
    const cl_uint count = copy->words < CHECKED ? copy->words : CHECKED, firsts[] = {0, copy->words - count};
    for (int i = 0; i < 2; i++) {
        const cl_int status = clEnqueueReadBuffer(trial->target.queue, copy->to, CL_TRUE, firsts[i] * sizeof end[0],
                                                  count * sizeof end[0], end, 0, NULL, NULL);
        if (mu_cl_check(status, "reading a copy", err) != MU_OK) return err->status;
        for (cl_uint word = 0; word < count; word++)
            if (end[word] != (firsts[i] + word) * FACTOR)
                return mu_fail(err, MU_WRONG, "word %u of a copy is %u", firsts[i] + word, end[word]);
    }
    return MU_OK;
}

/* Times copies, of which the first warms up. */
static int measure(struct mu_trial *trial, const struct copy *copy, struct mu_error *err)
{
    static const cl_uint zero = 0;
    struct mu_json samples = mu_json_array();
    const size_t bytes = copy->words * sizeof(cl_uint), items = copy->words / WORDS;
    const json_int_t moved = 2 * (json_int_t)bytes;
    double ns = 0;
    cl_int status = clSetKernelArg(copy->fill, 0, sizeof copy->from, &copy->from);
    if (status == CL_SUCCESS) status = clSetKernelArg(copy->copy, 0, sizeof copy->to, &copy->to);
    if (status == CL_SUCCESS) status = clSetKernelArg(copy->copy, 1, sizeof copy->from, &copy->from);
    if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(trial->target.queue, copy->to, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    if (mu_cl_check(status, "preparing a copy", err) == MU_OK)
        mu_probe_time_launch(trial, copy->fill, items, GROUP, &ns, err);
    for (int turn = 0; turn <= REPEATS && err->status == MU_OK; turn++)
        if (mu_probe_time_launch(trial, copy->copy, items, GROUP, &ns, err) == MU_OK && turn > 0)
            mu_json_append_real(&samples, ns);
    json_t *object = json_pack("{s:I, s:o}", "bytes_moved", moved, "ns", mu_json_take(&samples, "samples", NULL));
    if (err->status == MU_OK && check(trial, copy, err) == MU_OK) return mu_trial_add(trial, object, err);
    json_decref(object);
    return err->status;
}

static void make(struct mu_trial *trial, cl_program program, struct copy *copy, struct mu_error *err)
{
    cl_int status;
    copy->fill = clCreateKernel(program, "probe_fill", &status);
    if (status == CL_SUCCESS) copy->copy = clCreateKernel(program, "probe_copy", &status);
    const size_t bytes = copy->words * sizeof(cl_uint);
    if (status == CL_SUCCESS)
        copy->from = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status == CL_SUCCESS) copy->to = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    mu_cl_check(status, "kernels and arrays of a copy", err);
}

int mu_probe_copy(struct mu_trial *trial, struct mu_error *err)
{
    struct copy copy = {.words = mu_trial_number(trial, "bytes") / (cl_uint)sizeof(cl_uint)};
    cl_program program = NULL;
    if (copy.words % (WORDS * GROUP) != 0 || copy.words == 0)
        return mu_fail(err, MU_USAGE, "a copy of %u words is not of whole workgroups", copy.words);
    if (mu_probe_program(trial, "harness/probe/costs.cl", "", &program, err) != MU_OK) return err->status;
    make(trial, program, &copy, err);
    if (err->status == MU_OK) measure(trial, &copy, err);
    if (copy.from != NULL) clReleaseMemObject(copy.from);
    if (copy.to != NULL) clReleaseMemObject(copy.to);
    if (copy.fill != NULL) clReleaseKernel(copy.fill);
    if (copy.copy != NULL) clReleaseKernel(copy.copy);
    clReleaseProgram(program);
    return err->status;
}
