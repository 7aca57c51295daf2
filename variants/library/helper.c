/* muster-team/trust: the self-test of a device for mu_team_trust, in a process of its own. Its arguments are the
 * numbers of platform and device, and the settings in the order of struct mu_team_settings, but with `specialised`,
 * `yield`, `large` and `native` as 0 or 1. It prints what is wrong, and ends with 0 or the negated status. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* a queue of any version */
#include "variants/library/team.h"
#include "variants/library/trust.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST     64
#define SETTINGS 11

static int fail(const char *message)
{
    fputs(message, stdout);
    return -MU_TEAM_USAGE;
}

int main(int count, char **arguments)
{
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    cl_uint number[SETTINGS], found = 0;
    cl_int status;
    if (count != SETTINGS + 1) return fail("the helper of libmuster-team is not for the command line");
    for (int i = 0; i < SETTINGS; i++) number[i] = (cl_uint)strtoul(arguments[i + 1], NULL, 10);
    if (clGetPlatformIDs(MOST, platforms, &found) != CL_SUCCESS || number[0] >= found || number[0] >= MOST ||
        clGetDeviceIDs(platforms[number[0]], CL_DEVICE_TYPE_ALL, MOST, devices, &found) != CL_SUCCESS ||
        number[1] >= found || number[1] >= MOST)
        return fail("the device is not there for another process");
    cl_context context = clCreateContext(NULL, 1, &devices[number[1]], NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, devices[number[1]], 0, &status);
    if (status != CL_SUCCESS) return fail("the device gives no queue to another process");
    const struct mu_team_settings settings = {.workgroup = number[2],
                                              .groups = number[3],
                                              .expected = number[4],
                                              .patience = number[5],
                                              .spin_limit = number[6],
                                              .specialised = number[7] != 0,
                                              .yield = number[8] != 0,
                                              .large = number[9] != 0,
                                              .native = number[10] != 0};
    struct mu_team *team = NULL;
    struct mu_team_error error;
    setenv(MU_TRUST_WHERE, MU_TRUST_HELPER, 1);
    if (mu_team_new(queue, &settings, &team, &error) == MU_TEAM_OK) mu_team_trust(team, &error);
    fputs(error.message, stdout);
    fflush(stdout);
    _Exit(-error.status); /* a driver that crashes in its destructors has given its answer already */
}
