/* The devices of this machine, found without trusting their drivers. */
#ifndef MU_HARNESS_DEVICE_DEVICE_LIST_H
#define MU_HARNESS_DEVICE_DEVICE_LIST_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"

#include <jansson.h>

#define MU_MAX_LISTED 64

struct mu_device_list {
    uint32_t count;
    struct mu_device_info devices[MU_MAX_LISTED];
    uint32_t problem_count;
    char problems[MU_MAX_LISTED][256]; /* platforms or vendor files that crashed, hung or failed, one line each */
};

/* Asks all platforms in one child process. When that fails, each platform is asked in a child of its own. When the
 * loader itself crashes, because it loads a broken driver, or anything hangs, every vendor file (OCL_ICD_VENDORS, or
 * /etc/OpenCL/vendors) is asked alone. Finding nothing is not an error, but vendor files that bring nothing are
 * problems. MU_INTERRUPTED, MU_NO_MEMORY, MU_IO. */
int mu_device_list(struct mu_device_list *list, struct mu_error *err);

/* The device that `wanted` names: an index, or part of the chip's, device's or platform's name, in any case, or the
 * beginning of its uuid; NULL wants the first. MU_USAGE when several match, MU_DEVICE when none does, both with
 * the list, and with what kept a driver from being asked; MU_DEVICE when the first is wanted and there is none. */
const struct mu_device_info *mu_device_find(const struct mu_device_list *list, const char *wanted,
                                            struct mu_error *err);

/* Lists the devices, and finds one of them. *list is the caller's (mu_free), also after a failure. NULL: the errors of
 * both. */
const struct mu_device_info *mu_device_choose(const char *wanted, struct mu_device_list **list, struct mu_error *err);

/* The child's side: the kinds "platforms" and "devices". */
int mu_platforms_serve(const json_t *request, struct mu_json *response, struct mu_error *err);
int mu_devices_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

#endif
