#include "harness/device/host/host.h"

#include "base/date.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

/* The compiler of this program. */
#ifdef __clang__
#define MU_COMPILER __VERSION__
#else
#define MU_COMPILER "gcc " __VERSION__
#endif

/* Prefixes of the variables that change what OpenCL loaders and drivers do. */
static const char *const prefixes[] = {"POCL_", "OCL_",     "CL_",  "CUDA_", "NV_",   "GPU_",     "AMD_",
                                       "HSA_",  "ROCR_",    "IGC_", "NEO",   "ZE_",   "RUSTICL_", "LP_",
                                       "MESA_", "GALLIUM_", "OMP_", "TBB_",  "DPCPP_"};

/* Reads the first line of a file that begins with `name`, from behind its colon. Without a name, reads the first line.
 * Returns false if there is none. */
static bool read_line(const char *path, const char *name, char *value, size_t bytes)
{
    char line[512];
    bool found = false;
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        const char *at = line;
        if (strncmp(line, name, strlen(name)) != 0) continue;
        if (name[0] != '\0' && (at = strchr(line, ':')) == NULL) continue;
        at += name[0] != '\0';
        at += strspn(at, " \t");
        snprintf(value, bytes, "%.*s", (int)strcspn(at, "\n"), at);
        found = value[0] != '\0';
    }
    fclose(file);
    return found;
}

void mu_host_describe(struct mu_json *host)
{
    struct utsname names;
    char model[256];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const bool named = uname(&names) == 0;
    if (named) mu_json_set_text(host, "name", names.nodename);
    if (read_line("/proc/cpuinfo", "model name", model, sizeof model)) mu_json_set_text(host, "cpu", model);
    if (cores > 0) mu_json_set_number(host, "cores", (uint64_t)cores);
    if (named) mu_json_set_text(host, "kernel", names.release);
}

void mu_host_session(struct mu_json *session)
{
    struct utsname names;
    char boot[64], date[MU_DATE_TEXT];
    mu_date_now(date);
    date[strcspn(date, "T")] = '\0';
    if (read_line("/proc/sys/kernel/random/boot_id", "", boot, sizeof boot)) mu_json_set_text(session, "boot", boot);
    mu_json_set_text(session, "date", date);
    if (uname(&names) == 0) mu_json_set_text(session, "host", names.nodename);
}

static bool is_of_drivers(const char *variable)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

void mu_host_environment(struct mu_json *environment)
{
    double load;
    struct mu_json variables = mu_json_object();
    if (getloadavg(&load, 1) == 1) mu_json_set_real(environment, "load", load);
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
        char name[64];
        const char *value = strchr(*variable, '=');
        if (value == NULL || !is_of_drivers(*variable) || strchr(value, '/') != NULL) continue;
        if ((size_t)snprintf(name, sizeof name, "%.*s", (int)(value - *variable), *variable) < sizeof name)
            mu_json_set_text(&variables, name, value + 1);
    }
    mu_json_set_part(environment, "variables", &variables);
    mu_json_set_text(environment, "compiler", MU_COMPILER);
    mu_json_set_text(environment, "compiler_flags", MU_BUILD_FLAGS);
}

void mu_host_add(struct mu_json *record, const json_t *told)
{
    struct mu_json host = mu_json_object(), session = mu_json_object(), environment = mu_json_object();
    mu_host_describe(&host);
    mu_host_session(&session);
    mu_host_environment(&environment);
    mu_json_update(&environment, told);
    mu_json_set_part(record, "host", &host);
    mu_json_set_part(record, "session", &session);
    mu_json_set_part(record, "environment", &environment);
}
