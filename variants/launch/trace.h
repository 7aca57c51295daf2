/* What a run of variant multi-kernel did, launch by launch: which step, over how many elements, in which round, and how
 * long the device worked on it. */
#ifndef MU_VARIANTS_LAUNCH_TRACE_H
#define MU_VARIANTS_LAUNCH_TRACE_H

#include "base/error.h"
#include "base/json.h"
#include "variants/launch/execution.h"

#include <stddef.h>
#include <stdint.h>

/* Launches that a trace keeps; it counts the others. Of these, so many are told one by one, the first ones. */
#define MU_TRACE_KEPT   65536
#define MU_TRACE_LISTED 256

/* Sizes are told apart by how many bits a number of elements has. */
#define MU_TRACE_SIZES 33

struct mu_traced_launch {
    uint32_t kernel;   /* of the execution */
    uint32_t elements; /* that the step was launched over */
    uint32_t round;    /* the step's first argument, which most plans make the round */
    uint64_t device_ns;
    cl_event event; /* until its times are read */
};

struct mu_trace {
    struct mu_execution *execution;
    bool has_clock; /* the device's: the execution takes times of events meanwhile */
    struct mu_timed times;
    struct mu_traced_launch *launches;
    size_t count;
    uint64_t left_out; /* launches beyond those that are kept */
};

/* Traces the execution's launches from here to mu_trace_end; the run between the two must not be timed. MU_NO_MEMORY,
 * MU_DEVICE. */
int mu_trace_begin(struct mu_trace *trace, struct mu_execution *execution, bool has_clock, struct mu_error *err);

/* Waits for the device and reads the times; the execution is as it was before. Also after a failure of begin or of the
 * run, whose message then stands. */
int mu_trace_end(struct mu_trace *trace, struct mu_error *err);

/* Returns where the next launch leaves its event; NULL if nothing is traced. Accepts a NULL trace. */
cl_event *mu_trace_launch(struct mu_trace *trace, size_t kernel, uint32_t elements, uint32_t round);

/* The record's member "trace" (doc/results-format.md). */
struct mu_json mu_trace_to_json(const struct mu_trace *trace);

void mu_trace_free(struct mu_trace *trace);

#endif
