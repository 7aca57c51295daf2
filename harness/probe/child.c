/* The child's side of a probe: what its experiments share. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "harness/device/program.h"
#include "variants/launch/opencl.h"
#include "variants/launch/report.h"

#include <stdio.h>
#include <string.h>

#define DEADLOCK_S         0.05 /* a wait that takes longer is a deadlock */
#define KEEPING_DEADLOCK_S 0.2  /* the same where a worker may have to wait for a core that no other gives away */

static struct mu_lab_spec spec_of(const struct mu_trial *trial, enum mu_variant join, enum mu_barrier barrier)
{
    const uint32_t polls = mu_trial_known(trial, "yield_polls");
    return (struct mu_lab_spec){.join = join,
                                .barrier = barrier,
                                .atomics = trial->info.atomics,
                                .yield = (enum mu_yield)trial->info.yield,
                                .yield_polls = polls != 0 ? polls : MU_YIELD_POLLS_DEFAULT,
                                .workgroup = mu_trial_number(trial, "workgroup"),
                                .spin_limit = trial->selftest.spin_limit,
                                .cache = true};
}

double mu_probe_deadlock_s(const struct mu_trial *trial)
{
    return trial->info.cpu && trial->selftest.yield == MU_YIELD_NONE ? KEEPING_DEADLOCK_S : DEADLOCK_S;
}

int mu_probe_lab(const struct mu_trial *trial, int rollcall, enum mu_barrier barrier, double seconds,
                 struct mu_lab **lab, struct mu_error *err)
{
    struct mu_lab_spec spec = spec_of(trial, rollcall < 0 ? MU_SPECIALISED : MU_PORTABLE, barrier);
    spec.rollcall = rollcall < 0 ? MU_ROLLCALL_ATOMIC : (enum mu_rollcall)rollcall;
    if (seconds > 0) spec.spin_limit = mu_polls_about(trial->selftest.poll_ns, seconds);
    return mu_lab_open(&trial->target, &trial->info, &spec, lab, err);
}

int mu_probe_lab_yielding(const struct mu_trial *trial, uint32_t polls, struct mu_lab **lab, struct mu_error *err)
{
    struct mu_lab_spec spec = spec_of(trial, MU_SPECIALISED, MU_BARRIER_COUNTER);
    spec.rollcall = MU_ROLLCALL_ATOMIC;
    spec.yield_polls = polls;
    return mu_lab_open(&trial->target, &trial->info, &spec, lab, err);
}

uint64_t mu_probe_ns(const struct mu_trial *trial, uint64_t device_ns, uint64_t host_ns)
{
    return trial->info.timer_ns != 0 && device_ns != 0 ? device_ns : host_ns;
}

int mu_probe_time_launch(const struct mu_trial *trial, cl_kernel kernel, size_t items, size_t workgroup, double *ns,
                         struct mu_error *err)
{
    cl_command_queue queue = trial->target.queue;
    cl_event event = NULL, *timed = trial->info.timer_ns != 0 ? &event : NULL;
    uint64_t device_ns = 0;
    if (mu_cl_check(clFinish(queue), "clFinish", err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    if (mu_cl_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, timed), "a launch",
                    err) != MU_OK)
        return err->status;
    mu_cl_check(clFinish(queue), "clFinish", err);
    const uint64_t host_ns = mu_now_ns() - start;
    if (timed != NULL) mu_event_time(event, &device_ns, err);
    *ns = (double)mu_probe_ns(trial, device_ns, host_ns);
    return err->status;
}

int mu_probe_program(const struct mu_trial *trial, const char *path, const char *options, cl_program *program,
                     struct mu_error *err)
{
    struct mu_sources sources = {0};
    snprintf(sources.options, sizeof sources.options, "-cl-std=%s %s", trial->info.c_standard, options);
    mu_sources_add(&sources, path, NULL, err);
    *program = mu_program_make(&trial->target, &trial->info, &sources, true, err);
    return err->status;
}

int mu_probe_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    return mu_experiment_serve(mu_probe_experiments, request, response, err);
}
