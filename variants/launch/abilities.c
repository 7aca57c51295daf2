#include "variants/launch/abilities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cl_nv_device_attribute_query; not in every <CL/cl_ext.h>. */
#define MU_COMPUTE_CAPABILITY_MAJOR_NV 0x4000

/* The first compute capability whose instructions carry acquire and release. */
#define MU_PTX_ORDERED_MAJOR 7

/* A longer list of extensions, versions or features is a driver's mistake: it counts as empty. */
#define MOST_LIST_BYTES ((size_t)1 << 20)

/* Returns a list that the device reports, with a zero byte behind it, which the caller frees; NULL if it reports
 * none. */
static void *get_list(cl_device_id device, cl_device_info what, size_t *bytes)
{
    *bytes = 0;
    if (clGetDeviceInfo(device, what, 0, NULL, bytes) != CL_SUCCESS || *bytes == 0 || *bytes > MOST_LIST_BYTES)
        return NULL;
    void *list = calloc(*bytes + 1, 1);
    if (list != NULL && clGetDeviceInfo(device, what, *bytes, list, NULL) == CL_SUCCESS) return list;
    free(list);
    return NULL;
}

bool mu_device_has_extension(cl_device_id device, const char *name)
{
    size_t bytes = 0;
    bool found = false;
    char *list = get_list(device, CL_DEVICE_EXTENSIONS, &bytes), *rest = NULL;
    for (char *word = list != NULL ? strtok_r(list, " ", &rest) : NULL; word != NULL && !found;
         word = strtok_r(NULL, " ", &rest))
        found = strcmp(word, name) == 0;
    free(list);
    return found;
}

/* Returns the API version a device reports, as major * 10 + minor. The specification fixes the form "OpenCL 3.0 …". */
static int api_version(const char *version)
{
    static const char form[] = "OpenCL ";
    char *dot;
    if (strncmp(version, form, strlen(form)) != 0) return 0;
    const unsigned long major = strtoul(version + strlen(form), &dot, 10);
    if (*dot != '.' || major > 9 || dot[1] < '0' || dot[1] > '9') return 0;
    return (int)major * 10 + (dot[1] - '0');
}

/* Finds the newest OpenCL C that the device compiles and that this suite uses. A 3.0 device need not have 2.0. */
static void find_c_standard(cl_device_id device, const char *version, struct mu_abilities *abilities)
{
    size_t bytes = 0;
    bool has_20 = api_version(version) / 10 == 2, has_30 = false;
    cl_name_version *versions =
        api_version(version) >= 30 ? get_list(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, &bytes) : NULL;
    for (size_t i = 0; versions != NULL && i < bytes / sizeof versions[0]; i++) {
        has_20 |= CL_VERSION_MAJOR(versions[i].version) == 2;
        has_30 |= CL_VERSION_MAJOR(versions[i].version) == 3;
    }
    free(versions);
    snprintf(abilities->c_standard, sizeof abilities->c_standard, "%s", has_30 ? "CL3.0" : has_20 ? "CL2.0" : "CL1.2");
}

/* Returns true if the device has acquire/release at device scope: mandatory in OpenCL 2.x, a queried capability in
 * 3.0. */
static bool has_c11_atomics(cl_device_id device, const char *version, const struct mu_abilities *abilities)
{
    if (api_version(version) / 10 == 2) return true;
    cl_device_atomic_capabilities capabilities = 0;
    const cl_device_atomic_capabilities needed = CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
    return api_version(version) >= 30 && strcmp(abilities->c_standard, "CL1.2") != 0 &&
           clGetDeviceInfo(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof capabilities, &capabilities, NULL) ==
               CL_SUCCESS &&
           (capabilities & needed) == needed;
}

static void find_atomics(cl_device_id device, const char *version, struct mu_abilities *abilities)
{
    cl_uint major = 0;
    abilities->available[MU_ATOMICS_FENCES] = true;
    abilities->available[MU_ATOMICS_C11] = has_c11_atomics(device, version, abilities);
    abilities->available[MU_ATOMICS_PTX] =
        mu_device_has_extension(device, "cl_nv_device_attribute_query") &&
        clGetDeviceInfo(device, MU_COMPUTE_CAPABILITY_MAJOR_NV, sizeof major, &major, NULL) == CL_SUCCESS;
    abilities->ptx_fences = abilities->available[MU_ATOMICS_PTX] && major < MU_PTX_ORDERED_MAJOR;
    if (abilities->available[MU_ATOMICS_C11]) {
        abilities->atomics = MU_ATOMICS_C11;
        snprintf(abilities->reason, sizeof abilities->reason, "reports acquire/release at device scope");
    } else if (abilities->available[MU_ATOMICS_PTX]) {
        abilities->atomics = MU_ATOMICS_PTX;
        snprintf(abilities->reason, sizeof abilities->reason,
                 "reports no acquire/release at device scope; takes inline PTX, compute capability %u.x: %s", major,
                 abilities->ptx_fences ? "membar.gl" : "ld.acquire, st.release");
    } else {
        abilities->atomics = MU_ATOMICS_FENCES;
        snprintf(abilities->reason, sizeof abilities->reason,
                 "reports no acquire/release at device scope, takes no PTX");
    }
}

/* Returns true if the device compiles that optional feature of OpenCL C 3.0. */
static bool has_feature(cl_device_id device, const char *name)
{
    size_t bytes = 0;
    bool found = false;
    cl_name_version *features = get_list(device, CL_DEVICE_OPENCL_C_FEATURES, &bytes);
    for (size_t i = 0; features != NULL && i < bytes / sizeof features[0] && !found; i++)
        found = strncmp(features[i].name, name, sizeof features[i].name) == 0;
    free(features);
    return found;
}

static void find_subgroups(cl_device_id device, struct mu_abilities *abilities)
{
    abilities->subgroups = 1u << MU_SUBGROUPS_NONE;
    if (abilities->available[MU_ATOMICS_PTX]) abilities->subgroups |= 1u << MU_SUBGROUPS_PTX;
    if (strcmp(abilities->c_standard, "CL3.0") == 0 && has_feature(device, "__opencl_c_subgroups"))
        abilities->subgroups |= 1u << MU_SUBGROUPS_C30;
    if (mu_device_has_extension(device, "cl_khr_subgroups")) abilities->subgroups |= 1u << MU_SUBGROUPS_KHRONOS;
}

void mu_abilities_find(cl_device_id device, const char *version, struct mu_abilities *abilities)
{
    memset(abilities, 0, sizeof *abilities);
    find_c_standard(device, version, abilities);
    find_atomics(device, version, abilities);
    find_subgroups(device, abilities);
}
