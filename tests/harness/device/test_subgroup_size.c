/* mu_subgroup_size_of: what a driver says of a kernel's subgroups is believed, unless a workgroup cannot have them. The
 * drivers are stand-ins of this file, since the PoCL of these tests has no subgroups. */
#include "harness/device/trust/selftest.h"

#include "tests/tap.h"

#include <string.h>

#define WORKGROUP 64
#define SEEN      32 /* by the trial */

static struct {
    cl_int status;
    size_t size;
    bool has_extension;
    int asked;
} driver;

cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what, size_t given,
                               const void *input, size_t room, void *value, size_t *length)
{
    (void)kernel, (void)device, (void)length;
    driver.asked++;
    if (what != CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE || given != sizeof(size_t) || room != sizeof(size_t) ||
        *(const size_t *)input != WORKGROUP)
        return CL_INVALID_VALUE;
    memcpy(value, &driver.size, room);
    return driver.status;
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    cl_int (*const own)(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *, size_t, void *,
                        size_t *) = clGetKernelSubGroupInfo;
    void *found = NULL;
    (void)platform;
    if (driver.has_extension && strcmp(name, "clGetKernelSubGroupInfoKHR") == 0) memcpy(&found, &own, sizeof found);
    return found;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *length)
{
    (void)device, (void)length;
    if (what != CL_DEVICE_PLATFORM) return CL_INVALID_VALUE;
    memset(value, 0, room);
    return CL_SUCCESS;
}

int main(void)
{
    static const struct {
        const char *what;
        enum mu_subgroups path;
        bool has_extension;
        cl_int status;
        size_t says;
        uint32_t size;
        int asked;
    } rows[] = {
        {"OpenCL 3.0 says another size", MU_SUBGROUPS_C30, false, CL_SUCCESS, 16, 16, 1},
        {"... or the same", MU_SUBGROUPS_C30, false, CL_SUCCESS, SEEN, SEEN, 1},
        {"... or refuses to say", MU_SUBGROUPS_C30, false, CL_INVALID_OPERATION, 16, SEEN, 1},
        {"... or none", MU_SUBGROUPS_C30, false, CL_SUCCESS, 0, SEEN, 1},
        {"... or one that does not divide a workgroup", MU_SUBGROUPS_C30, false, CL_SUCCESS, 24, SEEN, 1},
        {"... or one above a workgroup", MU_SUBGROUPS_C30, false, CL_SUCCESS, (size_t)1 << 32, SEEN, 1},
        {"the extension says another size", MU_SUBGROUPS_KHRONOS, true, CL_SUCCESS, 8, 8, 1},
        {"... or has no such function", MU_SUBGROUPS_KHRONOS, false, CL_SUCCESS, 8, SEEN, 0},
        {"a warp has one size", MU_SUBGROUPS_PTX, true, CL_SUCCESS, 8, SEEN, 0},
    };
    const struct mu_target target = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct mu_selftest selftest = {.subgroups = rows[i].path, .subgroup_size = SEEN};
        driver.status = rows[i].status;
        driver.size = rows[i].says;
        driver.has_extension = rows[i].has_extension;
        driver.asked = 0;
        const uint32_t size = mu_subgroup_size_of(&target, NULL, WORKGROUP, &selftest);
        CHECK(size == rows[i].size && driver.asked == rows[i].asked, "%s: %u, asked %d times", rows[i].what, size,
              driver.asked);
    }
    return tap_done();
}
