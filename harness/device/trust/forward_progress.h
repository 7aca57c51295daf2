/* Forward-progress tests: they run the blocking idioms of records/scheduler_models.h on a device, with more workgroups
 * than fit at once, and say which of them come to their end. */
#ifndef MU_HARNESS_DEVICE_TRUST_FORWARD_PROGRESS_H
#define MU_HARNESS_DEVICE_TRUST_FORWARD_PROGRESS_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/device/trust/selftest.h"
#include "records/scheduler_models.h"
#include "variants/launch/opencl.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns the polls after which a wait is starvation, a power of two. They take about a second on a CPU, where a worker
 * may have to wait for its core; a quarter where waiting workers give their cores away, and elsewhere. A worker that
 * shares its core makes fewer polls in that time. */
uint32_t mu_forward_progress_spin_limit(const struct mu_device_info *info, const struct mu_selftest *selftest);

/* Runs all tests in this process on an open device. Starvation is an outcome, not an error. They take a few seconds,
 * most of them in spins that end after spin_limit polls. MU_BUILD, MU_DEVICE, MU_NO_MEMORY. */
int mu_forward_progress_run(const struct mu_target *target, const struct mu_device_info *info, uint32_t spin_limit,
                            struct mu_forward_progress *result, struct mu_error *err);

/* Gets the outcomes from the cache, or in a child with a deadline; for the parent. The device must have passed the
 * self-test. */
int mu_forward_progress_get(const struct mu_device_info *info, const struct mu_selftest *selftest, bool use_cache,
                            struct mu_forward_progress *result, struct mu_error *err);

/* Serves a request of the kind "progress", on the child's side. */
int mu_forward_progress_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* Refuses roll call lobe with MU_UNSUPPORTED, which says what starved, unless the device is consistent with LOBE by
 * these tests. */
int mu_forward_progress_need_lobe(const struct mu_device_info *info, const struct mu_selftest *selftest, bool use_cache,
                                  struct mu_error *err);

#endif
