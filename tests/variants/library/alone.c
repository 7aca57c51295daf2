/* For tests/variants/library.sh: builds a kernel file with the given options of the compiler for every device there is.
 * Prints a line for each, and the compiler's messages where it refuses; fails then, and where there is no device. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>

#define MOST 16

static char text[1 << 20];

static int build(cl_device_id device, const char *options)
{
    char name[256] = "", version[256] = "", log[8192] = "";
    const char *texts[] = {text};
    cl_int status;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_program program = status == CL_SUCCESS ? clCreateProgramWithSource(context, 1, texts, NULL, &status) : NULL;
    if (program != NULL) {
        status = clBuildProgram(program, 1, &device, options, NULL, NULL);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    }
    printf("%s (%s): %s\n%s", name, version, status == CL_SUCCESS ? "built" : "refused",
           status == CL_SUCCESS ? "" : log);
    return status == CL_SUCCESS ? 0 : 1;
}

int main(int count, char **arguments)
{
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    cl_uint platform_count = 0, device_count = 0, failed = 0, built = 0;
    FILE *file = count == 3 ? fopen(arguments[1], "r") : NULL;
    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0) {
        puts("alone FILE OPTIONS");
        return 2;
    }
    fclose(file);
    if (clGetPlatformIDs(MOST, platforms, &platform_count) != CL_SUCCESS) platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < MOST; p++) {
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST, devices, &device_count) != CL_SUCCESS) continue;
        for (cl_uint d = 0; d < device_count && d < MOST; d++, built++)
            failed += (cl_uint)build(devices[d], arguments[2]);
    }
    return failed != 0 || built == 0;
}
