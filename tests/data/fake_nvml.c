/* A stand-in for Nvidia's management library: one device, whose state is known and whose energy grows from call to
 * call. With -DOLD it is a library that cannot tell energy and memory errors; with -DBROKEN it does not start. */
#include <string.h>

static int started;
static char device;

int nvmlInit_v2(void)
{
#ifdef BROKEN
    return 9;
#else
    return started++ == 0 ? 0 : 1;
#endif
}

int nvmlShutdown(void)
{
    return --started == 0 ? 0 : 1;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **found)
{
    if (started != 1 || strcmp(uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff") != 0) return 6;
    *found = &device;
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **found)
{
    if (started != 1 || strcmp(address, "0000:3b:00.0") != 0) return 6;
    *found = &device;
    return 0;
}

int nvmlDeviceGetClockInfo(void *of, int kind, unsigned *mhz)
{
    if (of != &device) return 2;
    *mhz = kind == 1 ? 1980 : kind == 2 ? 3201 : 0;
    return 0;
}

int nvmlDeviceGetTemperature(void *of, int sensor, unsigned *celsius)
{
    if (of != &device || sensor != 0) return 2;
    *celsius = 41;
    return 0;
}

int nvmlDeviceGetPowerUsage(void *of, unsigned *milliwatts)
{
    *milliwatts = 123456;
    return of == &device ? 0 : 2;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *of, unsigned long long *reasons)
{
    *reasons = 4 | 0x40;
    return of == &device ? 0 : 2;
}

#ifndef OLD
int nvmlDeviceGetTotalEccErrors(void *of, int type, int counter, unsigned long long *errors)
{
    *errors = type == 0 ? 3 : 0;
    return of == &device && counter == 0 ? 0 : 2;
}

int nvmlDeviceGetTotalEnergyConsumption(void *of, unsigned long long *millijoules)
{
    static unsigned long long taken = 5000000000;
    *millijoules = taken += 1500;
    return of == &device ? 0 : 2;
}
#endif
