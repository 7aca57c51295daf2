/* The devices of this machine, found without trusting their drivers. */
#ifndef MU_HARNESS_DEVICE_DEVICE_LIST_H
#define MU_HARNESS_DEVICE_DEVICE_LIST_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"

#include <jansson.h>

#define MU_MAX_LISTED    64
#define MU_PROBLEM_BYTES 512

struct mu_device_list {
    double deadline_s; /* of each child that is asked */
    uint32_t count;
    struct mu_device_info devices[MU_MAX_LISTED];
    uint32_t problem_count;
    char problems[MU_MAX_LISTED][MU_PROBLEM_BYTES]; /* what cannot be used, and why, one line each */
};

/* Asks all platforms in one child process. When that crashes or hangs, every vendor file (OCL_ICD_VENDORS, or
 * /etc/OpenCL/vendors) is asked alone; and if one crashes, each of its platforms and devices. A vendor file that hung
 * is left out for an hour, or until the host boots again or the file changes, unless it is to be asked `anew`.
 *
 * To find nothing is not an error. The list's problems say what was left out, and why. Devices have the names that the
 * user gives them (aliases.h), and the watchdog that their profile tells. MU_INTERRUPTED, MU_NO_MEMORY, MU_IO,
 * MU_INPUT. */
int mu_device_list(struct mu_device_list *list, bool anew, struct mu_error *err);

/* Returns the device that `wanted` names: by its index, by a part of the chip's, device's or platform's name, in any
 * case, or by the beginning of its uuid. NULL wants the first. MU_USAGE when several match, MU_DEVICE when none does;
 * the message has the list, and what kept a driver from being asked. */
const struct mu_device_info *mu_device_find(const struct mu_device_list *list, const char *wanted,
                                            struct mu_error *err);

/* Lists the devices, and fills in *info with the one that `wanted` names. *count, where it is not NULL, gets the number
 * of devices. The errors of mu_device_list and mu_device_find; MU_NO_MEMORY. */
int mu_device_choose(const char *wanted, struct mu_device_info *info, uint32_t *count, struct mu_error *err);

/* Serve the kinds "platforms" and "devices" of request, on the child's side. */
int mu_platforms_serve(const json_t *request, struct mu_json *response, struct mu_error *err);
int mu_devices_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

#endif
