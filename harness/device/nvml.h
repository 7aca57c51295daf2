/* Nvidia's management library (NVML), where it can be loaded: what it tells of the state of a device. muster is not
 * linked with it. What it lacks, or does not tell, is left out. */
#ifndef MU_HARNESS_DEVICE_NVML_H
#define MU_HARNESS_DEVICE_NVML_H

#include "base/json.h"

#include <stdbool.h>
#include <stdint.h>

#define MU_NVML_LIBRARY "libnvidia-ml.so.1"

struct mu_nvml {
    void *library, *device; /* NULL: there is none */
};

/* Loads the library and finds the device: 32 hexadecimal digits, or "pci:0000:3b:00.0" (device.h). Returns false if
 * there is no such library or it does not know the device; then the other functions do nothing. */
bool mu_nvml_open(const char *library, const char *uuid, struct mu_nvml *nvml);

/* Adds the device's present state to an object: clocks, what holds them down, temperature, power, memory errors. */
void mu_nvml_describe(const struct mu_nvml *nvml, struct mu_json *state);

/* Reads the energy in millijoules that the device has used since its driver was loaded. Returns false if it is not
 * told. */
bool mu_nvml_energy(const struct mu_nvml *nvml, uint64_t *millijoules);

/* Closes the library. Accepts what mu_nvml_open did not open. */
void mu_nvml_close(struct mu_nvml *nvml);

#endif
