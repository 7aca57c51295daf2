/* The axes of a probe's experiments. Each list ends in an axis without a name. */
#ifndef MU_HARNESS_PROBE_AXES_H
#define MU_HARNESS_PROBE_AXES_H

#include "harness/engine/experiment.h"

/* One point. */
extern const struct mu_axis mu_probe_no_axes[];
/* The four microbenchmarks: one work-item or the largest workgroup, least or all local memory. */
extern const struct mu_axis mu_probe_axes_ends[];
/* The same, with a number of roll calls. */
extern const struct mu_axis mu_probe_axes_ends_runs[];
/* The same, with as many as a patience must find everything in. */
extern const struct mu_axis mu_probe_axes_ends_all_runs[];
/* Workgroup sizes, with least local memory. */
extern const struct mu_axis mu_probe_axes_swept[];
/* The same, with a number of roll calls. */
extern const struct mu_axis mu_probe_axes_swept_cost_runs[];
/* The same at each multiple of MU_FINE_STEP, where the user asks for that. */
extern const struct mu_axis mu_probe_axes_fine_cost_runs[];
/* The device's usual workgroup size. */
extern const struct mu_axis mu_probe_axes_usual[];
/* The same, with wide steps from one number of polls to the next. */
extern const struct mu_axis mu_probe_axes_quick_steps[];
/* The same, with a number of roll calls. */
extern const struct mu_axis mu_probe_axes_usual_runs[];
/* Workgroup sizes, with parts of the workgroups that the runtime promises. */
extern const struct mu_axis mu_probe_axes_parts[];
/* Numbers of launches. */
extern const struct mu_axis mu_probe_axes_kernel_times[];
/* Sizes of arrays. */
extern const struct mu_axis mu_probe_axes_copied[];
/* The time of a kernel that the user asks for. */
extern const struct mu_axis mu_probe_axes_watched[];
/* The app and input that the user asks for, and its workgroup sizes. */
extern const struct mu_axis mu_probe_axes_kernel_of_app[];
extern const struct mu_axis mu_probe_axes_kernel_of_app_as[]; /* with the format of the input */

#endif
