#include "harness/device/host/watch.h"

#include "variants/launch/opencl.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Reads the first line of a file under the root. Returns false if there is none. */
static bool read_text(const char *root, const char *path, char *text, size_t bytes)
{
    char full[512];
    if ((size_t)snprintf(full, sizeof full, "%s%s", root, path) >= sizeof full) return false;
    FILE *file = fopen(full, "re");
    const bool found = file != NULL && fgets(text, (int)bytes, file) != NULL;
    if (file != NULL) fclose(file);
    if (found) text[strcspn(text, "\n")] = '\0';
    return found && text[0] != '\0';
}

static bool read_count(const char *root, const char *path, uint64_t *count)
{
    char text[64], *end;
    if (!read_text(root, path, text, sizeof text) || text[0] < '0' || text[0] > '9') return false;
    *count = strtoull(text, &end, 10);
    return *end == '\0';
}

/* Returns the mean clock of the processor's cores, in MHz; 0 if it is not told. */
static double read_mhz(const char *root)
{
    char full[512], line[256];
    double sum = 0;
    size_t cores = 0;
    if ((size_t)snprintf(full, sizeof full, "%s/proc/cpuinfo", root) >= sizeof full) return 0;
    FILE *file = fopen(full, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "cpu MHz", 7) != 0 || colon == NULL) continue;
        sum += strtod(colon + 1, NULL);
        cores++;
    }
    if (file != NULL) fclose(file);
    return cores > 0 ? sum / (double)cores : 0;
}

/* ---- Energy of processor packages (RAPL) ---- */

static bool read_package(const char *root, size_t package, const char *file, uint64_t *microjoules)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%zu/%s", package, file);
    return read_count(root, path, microjoules);
}

/* Computes the energy of a package since the watch began. The counter starts again at 0 when it reaches its range. */
static bool package_energy(const struct mu_watch *watch, size_t package, uint64_t *microjoules)
{
    uint64_t now, range;
    const uint64_t before = watch->package_uj[package];
    if (!read_package(watch->root, package, "energy_uj", &now)) return false;
    *microjoules = now - before;
    if (now >= before) return true;
    if (!read_package(watch->root, package, "max_energy_range_uj", &range) || range < before) return false;
    *microjoules = range - before + now;
    return true;
}

static void add_energy(const struct mu_watch *watch, struct mu_json *seen)
{
    struct mu_json energy = mu_json_object();
    uint64_t device, sum = 0, one;
    size_t told = 0;
    if (watch->has_device_energy && mu_nvml_energy(&watch->nvml, &device) && device >= watch->device_mj)
        mu_json_set_number(&energy, "device", device - watch->device_mj);
    for (; told < watch->packages && package_energy(watch, told, &one); told++) sum += one;
    if (told > 0 && told == watch->packages) mu_json_set_number(&energy, "cpu", sum / 1000);
    if (energy.value != NULL && json_object_size(energy.value) == 0)
        mu_json_release(&energy);
    else
        mu_json_set_part(seen, "energy_mj", &energy);
}

/* ---- Before and after ---- */

static void add_state(const struct mu_watch *watch, const char *cpu, const char *device, struct mu_json *seen)
{
    const double mhz = read_mhz(watch->root);
    if (mhz > 0) mu_json_set_real(seen, cpu, mhz);
    if (watch->nvml.device == NULL) return;
    struct mu_json state = mu_json_object();
    mu_nvml_describe(&watch->nvml, &state);
    mu_json_set_part(seen, device, &state);
}

static void count_switches(uint64_t *voluntary, uint64_t *involuntary)
{
    struct rusage usage;
    *voluntary = *involuntary = 0;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return;
    *voluntary = (uint64_t)usage.ru_nvcsw;
    *involuntary = (uint64_t)usage.ru_nivcsw;
}

/* Parses the first line of /proc/stat: clock ticks by kind, of which the fourth and the fifth are idle, and the eighth
 * went to other virtual machines of the host. Those behind it are part of others. */
bool mu_processors_read(const char *root, struct mu_processor_times *times)
{
    enum { IDLE = 3, WAITING = 4, STEAL = 7, KINDS = 8 };
    char line[512], *at = line + 3;
    const long per_second = sysconf(_SC_CLK_TCK);
    *times = (struct mu_processor_times){0};
    if (per_second <= 0 || !read_text(root, "/proc/stat", line, sizeof line) || strncmp(line, "cpu ", 4) != 0)
        return false;
    for (int kind = 0; kind < KINDS; kind++) {
        char *end;
        const uint64_t ticks = strtoull(at, &end, 10);
        if (end == at) {
            *times = (struct mu_processor_times){0};
            return false;
        }
        uint64_t *sum = kind == IDLE || kind == WAITING ? &times->idle_ns
                        : kind == STEAL                 ? &times->steal_ns
                                                        : &times->used_ns;
        *sum += ticks * (1000000000 / (uint64_t)per_second);
        at = end;
    }
    return true;
}

static uint64_t own_time(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000000000 +
           ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000;
}

static uint64_t since(uint64_t before, uint64_t now)
{
    return now > before ? now - before : 0;
}

double mu_steal_share(const struct mu_processor_times *before, const struct mu_processor_times *after)
{
    const double steal = (double)since(before->steal_ns, after->steal_ns);
    const double all =
        steal + (double)since(before->used_ns, after->used_ns) + (double)since(before->idle_ns, after->idle_ns);
    return all > 0 ? steal / all : 0;
}

struct mu_processor_use mu_processor_use_of(const struct mu_processor_times *before,
                                            const struct mu_processor_times *after)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const double used = (double)since(before->used_ns, after->used_ns);
    const double idle = (double)since(before->idle_ns, after->idle_ns);
    const double all = used + idle + (double)since(before->steal_ns, after->steal_ns);
    struct mu_processor_use use = {.cores = online > 0 ? (unsigned)online : 1};
    if (all <= 0) return use;
    use.used = used / all * use.cores;
    use.idle = idle / all * use.cores;
    return use;
}

bool mu_processors_are_busy(const struct mu_processor_use *use, double needed)
{
    const double little = 1.0 / 3;
    return use->used > little && use->idle < fmin(needed, use->cores) - little;
}

bool mu_processors_look(const char *root, struct mu_processor_use *use)
{
    const struct timespec look = {.tv_nsec = 100000000};
    struct mu_processor_times before, after;
    if (!mu_processors_read(root, &before)) return false;
    nanosleep(&look, NULL);
    if (!mu_processors_read(root, &after)) return false;
    *use = mu_processor_use_of(&before, &after);
    return true;
}

/* Adds the processors' time that went to other programs meanwhile, to none, and to other virtual machines. */
static void add_others(const struct mu_watch *watch, struct mu_json *seen)
{
    struct mu_processor_times now;
    if (!watch->has_processors || !mu_processors_read(watch->root, &now)) return;
    const uint64_t all = since(watch->processors.used_ns, now.used_ns);
    mu_json_set_number(seen, "others_ns", since(own_time() - watch->own_ns, all));
    mu_json_set_number(seen, "idle_ns", since(watch->processors.idle_ns, now.idle_ns));
    mu_json_set_number(seen, "steal_ns", since(watch->processors.steal_ns, now.steal_ns));
}

void mu_watch_begin(const char *root, const char *library, const char *uuid, struct mu_watch *watch)
{
    char governor[64];
    *watch = (struct mu_watch){.root = root, .seen = mu_json_object()};
    if (uuid != NULL) mu_nvml_open(library, uuid, &watch->nvml);
    if (read_text(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor, sizeof governor))
        mu_json_set_text(&watch->seen, "governor", governor);
    add_state(watch, "cpu_mhz_before", "device_before", &watch->seen);
    while (watch->packages < MU_WATCH_PACKAGES &&
           read_package(root, watch->packages, "energy_uj", &watch->package_uj[watch->packages]))
        watch->packages++;
    count_switches(&watch->voluntary, &watch->involuntary);
    watch->has_processors = mu_processors_read(root, &watch->processors);
    watch->own_ns = own_time();
    watch->has_device_energy = mu_nvml_energy(&watch->nvml, &watch->device_mj);
    watch->start_ns = mu_now_ns();
}

void mu_watch_end(struct mu_watch *watch, struct mu_json *environment)
{
    struct mu_json switches = mu_json_object();
    uint64_t voluntary, involuntary;
    double load;
    mu_json_set_number(&watch->seen, "watched_ns", mu_now_ns() - watch->start_ns);
    add_others(watch, &watch->seen);
    add_energy(watch, &watch->seen);
    count_switches(&voluntary, &involuntary);
    mu_json_set_number(&switches, "voluntary", voluntary - watch->voluntary);
    mu_json_set_number(&switches, "involuntary", involuntary - watch->involuntary);
    mu_json_set_part(&watch->seen, "context_switches", &switches);
    add_state(watch, "cpu_mhz_after", "device_after", &watch->seen);
    if (getloadavg(&load, 1) == 1) mu_json_set_real(&watch->seen, "load_after", load);
    environment->lost = environment->lost || watch->seen.lost;
    mu_json_update(environment, watch->seen.value);
    mu_json_release(&watch->seen);
    mu_nvml_close(&watch->nvml);
}
