/* What a device is called: its model, as records have it, and a short name for people and folders, such as
 * "nvidia-h200-132" or "pocl-3.1-skylake-avx512-amd-epyc-2". */
#ifndef MU_HARNESS_DEVICE_CHIP_NAME_H
#define MU_HARNESS_DEVICE_CHIP_NAME_H

#include <stddef.h>

struct mu_device_info;

/* Writes the device's model into `model` (always terminated): CL_DEVICE_NAME, but
 * - with the name of the board before it, where the driver tells one (AMD calls every chip of an architecture alike);
 * - with the number from CL_DEVICE_VERSION behind it, where that alone has it (Adreno);
 * - without what Mesa says of the driver's build in parentheses, which would change with every upgrade. */
void mu_device_model(const char *name, const char *version, const char *board, char *model, size_t bytes);

/* Writes the short name of the device into chip (always terminated): the words of the model in lower case and the
 * number of compute units; before them the driver stack with its major and minor version, where that is not the
 * vendor's or the device is a processor. Uses name, platform and its version, driver, cpu and compute_units of info. */
void mu_chip_name(const struct mu_device_info *info, char *chip, size_t bytes);

#endif
