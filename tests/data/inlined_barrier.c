/* A kernel on which the compiler of rusticl on llvmpipe crashes (Mesa 25 and 26), reduced from muster's self-test:
 *
 *     cc inlined_barrier.c -o inlined_barrier -lOpenCL
 *     OCL_ICD_VENDORS=rusticl.icd RUSTICL_ENABLE=llvmpipe ./inlined_barrier [OPTION]
 *
 * What is built, with that option, is a loop that calls a function, which has a loop and then calls a function with a
 * barrier. With option -DINLINED it does not crash, nor without either loop. It ends with 0 where the kernel ran, and
 * with 1 where a call failed; a crash ends the process in clFinish. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>

static const char source[] = "#ifndef INLINED\n"
                             "#define FUNCTION static\n"
                             "#else\n"
                             "#define FUNCTION static __attribute__((always_inline))\n"
                             "#endif\n"
                             "FUNCTION void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
                             "FUNCTION void step(__global uint *words)\n"
                             "{\n"
                             "    for (uint i = 0; i < words[1]; i++) words[i + 2] = i;\n"
                             "    meet();\n"
                             "}\n"
                             "__kernel void run(__global uint *words)\n"
                             "{\n"
                             "    for (uint round = 0; round < words[0]; round++) step(words);\n"
                             "}\n";

static int check(cl_int status, const char *call)
{
    if (status != CL_SUCCESS) fprintf(stderr, "%s: %d\n", call, status);
    return status != CL_SUCCESS;
}

int main(int argc, char **argv)
{
    const char *text = source;
    const size_t items = 8;
    cl_uint words[16] = {2, 4};
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    if (check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs")) return 1;
    if (check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs")) return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (check(status, "clCreateContext")) return 1;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    if (check(status, "clCreateCommandQueue")) return 1;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    if (check(status, "clCreateProgramWithSource")) return 1;
    if (check(clBuildProgram(program, 1, &device, argc > 1 ? argv[1] : "", NULL, NULL), "clBuildProgram")) return 1;
    cl_kernel kernel = clCreateKernel(program, "run", &status);
    if (check(status, "clCreateKernel")) return 1;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &status);
    if (check(status, "clCreateBuffer")) return 1;
    if (check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg")) return 1;
    status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    if (check(status, "clEnqueueNDRangeKernel") || check(clFinish(queue), "clFinish")) return 1;
    puts("the kernel ran");
    return 0;
}
