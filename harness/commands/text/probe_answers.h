/* What `muster probe` ends with: whether barriers work on a device, what they and launches cost, and from when on a
 * barrier is worth it. */
#ifndef MU_HARNESS_COMMANDS_TEXT_PROBE_ANSWERS_H
#define MU_HARNESS_COMMANDS_TEXT_PROBE_ANSWERS_H

#include "harness/device/device.h"
#include "records/profile.h"

#include <jansson.h>

/* Prints the answers that the profile of a device gives. Intervals are of the measurements, of which the probe has the
 * array; NULL: none are printed. */
void mu_probe_answer(const struct mu_device_info *info, const struct mu_profile *profile, const json_t *measurements);

#endif
