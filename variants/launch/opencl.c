#include "variants/launch/opencl.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define MU_CL_STATUS(name) {name, #name},
static const struct {
    cl_int status;
    const char *name;
} cl_statuses[] = {
    MU_CL_STATUS(CL_SUCCESS) MU_CL_STATUS(CL_DEVICE_NOT_FOUND) MU_CL_STATUS(CL_DEVICE_NOT_AVAILABLE) MU_CL_STATUS(
        CL_COMPILER_NOT_AVAILABLE) MU_CL_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE) MU_CL_STATUS(CL_OUT_OF_RESOURCES)
        MU_CL_STATUS(CL_OUT_OF_HOST_MEMORY) MU_CL_STATUS(CL_PROFILING_INFO_NOT_AVAILABLE) MU_CL_STATUS(
            CL_MEM_COPY_OVERLAP) MU_CL_STATUS(CL_BUILD_PROGRAM_FAILURE) MU_CL_STATUS(CL_MAP_FAILURE)
            MU_CL_STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET) MU_CL_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
                MU_CL_STATUS(CL_COMPILE_PROGRAM_FAILURE) MU_CL_STATUS(CL_LINKER_NOT_AVAILABLE) MU_CL_STATUS(
                    CL_LINK_PROGRAM_FAILURE) MU_CL_STATUS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
                    MU_CL_STATUS(CL_INVALID_VALUE) MU_CL_STATUS(CL_INVALID_DEVICE_TYPE) MU_CL_STATUS(
                        CL_INVALID_PLATFORM) MU_CL_STATUS(CL_INVALID_DEVICE) MU_CL_STATUS(CL_INVALID_CONTEXT)
                        MU_CL_STATUS(CL_INVALID_QUEUE_PROPERTIES) MU_CL_STATUS(CL_INVALID_COMMAND_QUEUE) MU_CL_STATUS(
                            CL_INVALID_MEM_OBJECT) MU_CL_STATUS(CL_INVALID_BINARY)
                            MU_CL_STATUS(CL_INVALID_BUILD_OPTIONS) MU_CL_STATUS(CL_INVALID_PROGRAM) MU_CL_STATUS(
                                CL_INVALID_PROGRAM_EXECUTABLE) MU_CL_STATUS(CL_INVALID_KERNEL_NAME)
                                MU_CL_STATUS(CL_INVALID_KERNEL_DEFINITION) MU_CL_STATUS(CL_INVALID_KERNEL) MU_CL_STATUS(
                                    CL_INVALID_ARG_INDEX) MU_CL_STATUS(CL_INVALID_ARG_VALUE)
                                    MU_CL_STATUS(CL_INVALID_ARG_SIZE) MU_CL_STATUS(CL_INVALID_KERNEL_ARGS) MU_CL_STATUS(
                                        CL_INVALID_WORK_DIMENSION) MU_CL_STATUS(CL_INVALID_WORK_GROUP_SIZE)
                                        MU_CL_STATUS(CL_INVALID_WORK_ITEM_SIZE) MU_CL_STATUS(CL_INVALID_GLOBAL_OFFSET)
                                            MU_CL_STATUS(CL_INVALID_EVENT_WAIT_LIST) MU_CL_STATUS(CL_INVALID_EVENT)
                                                MU_CL_STATUS(CL_INVALID_OPERATION) MU_CL_STATUS(CL_INVALID_BUFFER_SIZE)
                                                    MU_CL_STATUS(CL_INVALID_GLOBAL_WORK_SIZE)
                                                        MU_CL_STATUS(CL_INVALID_PROPERTY)
                                                            MU_CL_STATUS(CL_INVALID_COMPILER_OPTIONS)
                                                                MU_CL_STATUS(CL_INVALID_LINKER_OPTIONS){
                                                                    -1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

const char *mu_cl_name(cl_int status)
{
    for (size_t i = 0; i < sizeof cl_statuses / sizeof cl_statuses[0]; i++)
        if (cl_statuses[i].status == status) return cl_statuses[i].name;
    return "an unknown OpenCL status";
}

int mu_cl_check(cl_int status, const char *what, struct mu_error *err)
{
    if (status == CL_SUCCESS) return MU_OK;
    const bool memory = status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_HOST_MEMORY ||
                        status == CL_INVALID_BUFFER_SIZE;
    const bool workgroup = status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE;
    return mu_fail(err,
                   memory      ? MU_NO_MEMORY
                   : workgroup ? MU_UNSUPPORTED
                               : MU_DEVICE,
                   "%s: %s (%d)", what, mu_cl_name(status), status);
}

uint64_t mu_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
