/* harness/device/device_json: a device's description survives the way through JSON; what is no description is refused.
 */
#include "harness/device/device.h"
#include "tests/tap.h"

#include <string.h>

static struct mu_device_info example(void)
{
    struct mu_device_info info;
    memset(&info, 0, sizeof info);
    info.index = 3;
    info.platform_index = 1;
    info.device_index = 2;
    snprintf(info.icd, sizeof info.icd, "/etc/OpenCL/vendors/x.icd");
    snprintf(info.chip, sizeof info.chip, "h200");
    snprintf(info.uuid, sizeof info.uuid, "pci:0000:3b:00.0");
    snprintf(info.platform, sizeof info.platform, "A \"quoted\" platform");
    snprintf(info.platform_version, sizeof info.platform_version, "OpenCL 3.0");
    snprintf(info.name, sizeof info.name, "a\\b\tc");
    snprintf(info.vendor, sizeof info.vendor, "V");
    snprintf(info.version, sizeof info.version, "OpenCL 3.0 x");
    snprintf(info.driver, sizeof info.driver, "580.1");
    snprintf(info.c_standard, sizeof info.c_standard, "CL3.0");
    info.cpu = true;
    info.simulator = true;
    info.compute_units = UINT32_MAX;
    info.max_workgroup = 1024;
    info.local_bytes = 49152;
    info.global_bytes = UINT64_C(150) << 30;
    info.max_allocation_bytes = INT64_MAX;
    info.timer_ns = 1000;
    info.has_double = true;
    info.split_barrier = true;
    info.available[MU_ATOMICS_PTX] = info.available[MU_ATOMICS_FENCES] = true;
    info.ptx_fences = true;
    info.subgroup_paths = 5;
    info.atomics = MU_ATOMICS_PTX;
    snprintf(info.atomics_reason, sizeof info.atomics_reason, "because");
    return info;
}

int main(void)
{
    const struct mu_device_info info = example();
    struct mu_device_info back;
    struct mu_error err = {0};
    const char *key;
    json_t *value;
    json_t *object = mu_device_to_json(&info);
    char *text = json_dumps(object, JSON_COMPACT);
    json_t *parsed = json_loads(text != NULL ? text : "", 0, NULL);
    CHECK(parsed != NULL && mu_device_from_json(parsed, &back, &err) == MU_OK, "to JSON and back");
    CHECK(memcmp(&info, &back, sizeof info) == 0, "nothing is lost");
    json_object_foreach (object, key, value) {
        if (strcmp(key, "atomics_available") == 0) continue;
        struct mu_error missing = {0}, mistyped = {0};
        json_t *less = json_copy(object), *other = json_copy(object);
        json_object_del(less, key);
        json_object_set_new(other, key, json_array());
        CHECK(mu_device_from_json(less, &back, &missing) != MU_OK, "without %s: %s", key, missing.message);
        CHECK(mu_device_from_json(other, &back, &mistyped) != MU_OK, "%s of another type is refused", key);
        json_decref(less);
        json_decref(other);
    }
    struct mu_error nothing = {0};
    CHECK(mu_device_from_json(NULL, &back, &nothing) == MU_DEVICE, "nothing is no device");
    json_decref(parsed);
    json_decref(object);
    free(text);
    return tap_done();
}
