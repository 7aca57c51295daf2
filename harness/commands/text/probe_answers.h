/* The answers at the end of `muster probe`: whether barriers work on a device, what they and launches cost, and from
 * when on a barrier is faster. */
#ifndef MU_HARNESS_COMMANDS_TEXT_PROBE_ANSWERS_H
#define MU_HARNESS_COMMANDS_TEXT_PROBE_ANSWERS_H

#include "harness/device/device.h"
#include "records/profile.h"

#include <jansson.h>

/* Prints the answers that a device's profile gives. Intervals come from the array of the probe's measurements; NULL:
 * without intervals. */
void mu_probe_answer(const struct mu_device_info *info, const struct mu_profile *profile, const json_t *measurements);

#endif
