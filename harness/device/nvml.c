#include "harness/device/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Types of NVML's functions, as far as they are used; each function returns 0 when all is well. Names and numbers are
 * those of its public interface (nvml.h of the CUDA toolkit). */
typedef int plain_function(void);
typedef int find_function(const char *name, void **device);
typedef int number_function(void *device, unsigned *value);
typedef int kind_function(void *device, int kind, unsigned *value);
typedef int large_function(void *device, unsigned long long *value);
typedef int error_function(void *device, int type, int counter, unsigned long long *value);

union function {
    void *symbol;
    plain_function *plain;
    find_function *find;
    number_function *number;
    kind_function *kind;
    large_function *large;
    error_function *error;
};

enum shape { NUMBER, KIND, LARGE, ERROR };

/* The questions, and the members that their answers become. `kind`: which clock, sensor or kind of error. */
static const struct question {
    const char *member, *symbol;
    enum shape shape;
    int kind;
} questions[] = {
    {"sm_mhz", "nvmlDeviceGetClockInfo", KIND, 1},
    {"memory_mhz", "nvmlDeviceGetClockInfo", KIND, 2},
    {"temperature_c", "nvmlDeviceGetTemperature", KIND, 0},
    {"power_mw", "nvmlDeviceGetPowerUsage", NUMBER, 0},
    {"corrected_errors", "nvmlDeviceGetTotalEccErrors", ERROR, 0},
    {"uncorrected_errors", "nvmlDeviceGetTotalEccErrors", ERROR, 1},
};

static const struct question throttling = {"throttle", "nvmlDeviceGetCurrentClocksThrottleReasons", LARGE, 0};
static const struct question energy = {NULL, "nvmlDeviceGetTotalEnergyConsumption", LARGE, 0};

/* Names of the reasons that hold clocks down, by bit. */
static const char *const reasons[] = {"idle",          "application clocks", "power cap",        "hardware slowdown",
                                      "sync boost",    "software thermal",   "hardware thermal", "power brake",
                                      "display clocks"};

static union function find(const struct mu_nvml *nvml, const char *symbol)
{
    return (union function){.symbol = dlsym(nvml->library, symbol)};
}

static bool ask(const struct mu_nvml *nvml, const struct question *question, unsigned long long *value)
{
    unsigned number = 0;
    int status = -1;
    const union function function = find(nvml, question->symbol);
    if (function.symbol == NULL) return false;
    if (question->shape == NUMBER) status = function.number(nvml->device, &number);
    if (question->shape == KIND) status = function.kind(nvml->device, question->kind, &number);
    *value = number;
    if (question->shape == LARGE) status = function.large(nvml->device, value);
    /* Since the driver was loaded. */
    if (question->shape == ERROR) status = function.error(nvml->device, question->kind, 0, value);
    return status == 0;
}

/* Writes the library's name of a device: "GPU-01234567-89ab-cdef-0123-456789abcdef", or its address. */
static void name_device(const char *uuid, char *name, size_t bytes)
{
    if (strncmp(uuid, "pci:", 4) == 0)
        snprintf(name, bytes, "%s", uuid + 4);
    else
        snprintf(name, bytes, "GPU-%.8s-%.4s-%.4s-%.4s-%.12s", uuid, uuid + 8, uuid + 12, uuid + 16, uuid + 20);
}

bool mu_nvml_open(const char *library, const char *uuid, struct mu_nvml *nvml)
{
    char name[64];
    const bool is_address = strncmp(uuid, "pci:", 4) == 0;
    *nvml = (struct mu_nvml){0};
    if (!is_address && strlen(uuid) != 32) return false;
    nvml->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (nvml->library == NULL) return false;
    const union function start = find(nvml, "nvmlInit_v2");
    const union function get =
        find(nvml, is_address ? "nvmlDeviceGetHandleByPciBusId_v2" : "nvmlDeviceGetHandleByUUID");
    name_device(uuid, name, sizeof name);
    const bool started = start.symbol != NULL && start.plain() == 0;
    if (started && get.symbol != NULL && get.find(name, &nvml->device) == 0 && nvml->device != NULL) return true;
    nvml->device = NULL;
    if (!started) {
        dlclose(nvml->library);
        nvml->library = NULL;
    }
    mu_nvml_close(nvml);
    return false;
}

void mu_nvml_describe(const struct mu_nvml *nvml, struct mu_json *state)
{
    unsigned long long value;
    if (nvml->device == NULL) return;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        if (ask(nvml, &questions[i], &value)) mu_json_set_number(state, questions[i].member, value);
    if (!ask(nvml, &throttling, &value)) return;
    struct mu_json names = mu_json_array();
    for (size_t bit = 0; bit < sizeof reasons / sizeof reasons[0]; bit++)
        if ((value >> bit & 1) != 0) mu_json_append_text(&names, reasons[bit]);
    mu_json_set_part(state, throttling.member, &names);
}

bool mu_nvml_energy(const struct mu_nvml *nvml, uint64_t *millijoules)
{
    unsigned long long value;
    if (nvml->device == NULL || !ask(nvml, &energy, &value)) return false;
    *millijoules = value;
    return true;
}

void mu_nvml_close(struct mu_nvml *nvml)
{
    if (nvml->library == NULL) return;
    const union function stop = find(nvml, "nvmlShutdown");
    if (stop.symbol != NULL) stop.plain();
    dlclose(nvml->library);
    *nvml = (struct mu_nvml){0};
}
