/* What a runtime promises of workgroups that run at once, and its own barrier for them. Vendors are rows of
 * variants/barriers/vendors.clh. */
#ifndef MU_VARIANTS_PROMISE_H
#define MU_VARIANTS_PROMISE_H

#include "variants/launch/opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mu_promise;

/* Returns the number of the promise that the device makes (MU_NATIVE of kernels); 0: none. */
uint32_t mu_promise_of(cl_device_id device);

/* Returns the promise of that number; NULL: there is none. */
const struct mu_promise *mu_promise_get(uint32_t number);

/* Returns the extension's name. */
const char *mu_promise_name(const struct mu_promise *promise);

/* Asks the runtime how many workgroups of so many work-items of the kernel can run at once. MU_DEVICE. */
int mu_promise_count(const struct mu_promise *promise, const struct mu_target *target, cl_kernel kernel, size_t items,
                     size_t *count, struct mu_error *err);

/* Makes further launches of the kernel such that all of their workgroups run at once. MU_DEVICE. */
int mu_promise_dispatch(const struct mu_promise *promise, cl_kernel kernel, struct mu_error *err);

/* Returns whether the device says that subgroups of a workgroup go on whatever the others do: 1, 0, or -1 if it does
 * not say. */
int mu_promise_subgroups(cl_device_id device);

#endif
