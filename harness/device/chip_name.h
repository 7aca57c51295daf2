/* Short names for chips: "h200", "pocl-epyc-2", "pocl6-epyc-2". */
#ifndef MU_HARNESS_DEVICE_CHIP_NAME_H
#define MU_HARNESS_DEVICE_CHIP_NAME_H

#include <stddef.h>

struct mu_device_info;

/* Writes the short name of the device into chip (always terminated): the telling word of the device's name in lower
 * case; for a CPU the platform before it and the number of compute units behind it. Uses name, platform and its
 * version, cpu and compute_units of info. */
void mu_chip_name(const struct mu_device_info *info, char *chip, size_t bytes);

#endif
