/* harness/device/host/watch and nvml: what is seen of a machine with known counters, by a stand-in for Nvidia's library
 * and a folder that stands for /sys and /proc; and that what is missing is left out. */
#include "harness/device/host/watch.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UUID "00112233445566778899aabbccddeeff"

static char root[64] = "/tmp/muster-watch-XXXXXX";

/* Writes a file under the root, and the folders that it needs. */
static bool put(const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

static bool build(const char *flags, char *library, size_t bytes)
{
    char command[512];
    const char *source = getenv("srcdir") != NULL ? getenv("srcdir") : ".", *cc = getenv("CC");
    snprintf(library, bytes, "%s/nvml%s.so", root, flags);
    snprintf(command, sizeof command, "%s -shared -fPIC %s%s -o %s %s/tests/data/fake_nvml.c", cc != NULL ? cc : "cc",
             flags[0] != '\0' ? "-D" : "", flags, library, source);
    return system(command) == 0;
}

static double member(const struct mu_json *object, const char *part, const char *name)
{
    const json_t *from = part != NULL ? json_object_get(object->value, part) : object->value;
    return json_object_get(from, name) != NULL ? mu_json_real(from, name) : (double)NAN;
}

static bool is(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void test_device(const char *library)
{
    struct mu_watch watch;
    struct mu_json seen = mu_json_object();
    mu_watch_begin("", library, UUID, &watch);
    mu_watch_end(&watch, &seen);
    const json_t *before = json_object_get(seen.value, "device_before");
    CHECK(is(member(&seen, "device_before", "sm_mhz"), 1980) && is(member(&seen, "device_after", "memory_mhz"), 3201) &&
              is(member(&seen, "device_after", "temperature_c"), 41) &&
              is(member(&seen, "device_before", "power_mw"), 123456),
          "clocks, temperature and power, before and after");
    CHECK(is(member(&seen, "device_before", "corrected_errors"), 3) &&
              is(member(&seen, "device_before", "uncorrected_errors"), 0),
          "memory errors");
    const json_t *throttle = json_object_get(before, "throttle");
    CHECK(json_array_size(throttle) == 2 && strcmp(json_string_value(json_array_get(throttle, 0)), "power cap") == 0 &&
              strcmp(json_string_value(json_array_get(throttle, 1)), "hardware thermal") == 0,
          "what holds the clocks down");
    CHECK(is(member(&seen, "energy_mj", "device"), 1500), "the device's energy: %.0f mJ",
          member(&seen, "energy_mj", "device"));
    mu_json_release(&seen);
}

static void test_address(const char *library)
{
    struct mu_nvml nvml;
    CHECK(mu_nvml_open(library, "pci:0000:3b:00.0", &nvml), "a device by its address");
    mu_nvml_close(&nvml);
    CHECK(!mu_nvml_open(library, "pci:0000:3c:00.0", &nvml) && nvml.library == NULL, "another is not there");
    CHECK(!mu_nvml_open(library, "ffffffffffffffffffffffffffffffff", &nvml), "nor by its uuid");
    CHECK(!mu_nvml_open(library, "index:0", &nvml), "a place is no name");
    CHECK(mu_nvml_open(library, UUID, &nvml), "the library starts again after all this");
    mu_nvml_close(&nvml);
}

static void test_less(const char *old, const char *broken)
{
    struct mu_watch watch;
    struct mu_json seen = mu_json_object(), none = mu_json_object();
    mu_watch_begin(root, old, UUID, &watch);
    mu_watch_end(&watch, &seen);
    CHECK(is(member(&seen, "device_after", "sm_mhz"), 1980) &&
              json_object_get(json_object_get(seen.value, "device_after"), "corrected_errors") == NULL &&
              json_object_get(json_object_get(seen.value, "energy_mj"), "device") == NULL,
          "an old library: what it cannot tell is left out");
    mu_watch_begin(root, broken, UUID, &watch);
    mu_watch_end(&watch, &none);
    CHECK(json_object_get(none.value, "device_before") == NULL, "a library that does not start");
    mu_json_release(&none);
    none = mu_json_object();
    mu_watch_begin(root, "/nowhere/libnvidia-ml.so.1", UUID, &watch);
    mu_watch_end(&watch, &none);
    CHECK(json_object_get(none.value, "device_before") == NULL &&
              json_object_get(none.value, "context_switches") != NULL && !none.lost,
          "no library");
    mu_json_release(&seen);
    mu_json_release(&none);
}

static void test_linux(void)
{
    struct mu_watch watch;
    struct mu_json seen = mu_json_object(), none = mu_json_object();
    mu_watch_begin(root, MU_NVML_LIBRARY, NULL, &watch);
    mu_watch_end(&watch, &none);
    CHECK(json_object_get(none.value, "governor") == NULL && json_object_get(none.value, "cpu_mhz_before") == NULL &&
              json_object_get(none.value, "energy_mj") == NULL,
          "a system that tells nothing");
    const bool written =
        put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n") &&
        put("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2000.5\n\nprocessor\t: 1\ncpu MHz\t: 3000.5\n") &&
        put("/sys/class/powercap/intel-rapl:0/energy_uj", "1000000\n") &&
        put("/sys/class/powercap/intel-rapl:1/energy_uj", "9000000\n") &&
        put("/sys/class/powercap/intel-rapl:1/max_energy_range_uj", "10000000\n");
    mu_watch_begin(root, MU_NVML_LIBRARY, NULL, &watch);
    const bool moved = put("/sys/class/powercap/intel-rapl:0/energy_uj", "3500000\n") &&
                       put("/sys/class/powercap/intel-rapl:1/energy_uj", "500000\n");
    mu_watch_end(&watch, &seen);
    CHECK(written && moved && is(member(&seen, "energy_mj", "cpu"), 4000),
          "the processors' energy, one of whose counters began again: %.0f mJ", member(&seen, "energy_mj", "cpu"));
    CHECK(strcmp(mu_json_text(seen.value, "governor"), "performance") == 0 &&
              is(member(&seen, NULL, "cpu_mhz_before"), 2500.5) && is(member(&seen, NULL, "cpu_mhz_after"), 2500.5),
          "governor and clock");
    CHECK(mu_json_number(seen.value, "watched_ns") > 0 && member(&seen, "context_switches", "voluntary") >= 0 &&
              member(&seen, "context_switches", "involuntary") >= 0 && member(&seen, NULL, "load_after") >= 0,
          "how long, context switches, load");
    put("/sys/class/powercap/intel-rapl:0/energy_uj", "secret\n");
    mu_json_release(&seen);
    seen = mu_json_object();
    mu_watch_begin(root, MU_NVML_LIBRARY, NULL, &watch);
    mu_watch_end(&watch, &seen);
    CHECK(json_object_get(seen.value, "energy_mj") == NULL, "a counter that is none");
    mu_json_release(&seen);
    mu_json_release(&none);
}

/* Watches while the processors' counters go from one line to another. */
static struct mu_json watch_processors(const char *before, const char *after)
{
    struct mu_watch watch;
    struct mu_json seen = mu_json_object();
    put("/proc/stat", before);
    mu_watch_begin(root, MU_NVML_LIBRARY, NULL, &watch);
    put("/proc/stat", after);
    mu_watch_end(&watch, &seen);
    return seen;
}

static void test_processors(void)
{
    const double tick_ns = 1e9 / (double)sysconf(_SC_CLK_TCK);
    const char *before = "cpu  100 10 50 1000 20 3 4 5 70 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
    /* 20 + 1 + 2 + 3 + 4 ticks of work, 70 + 8 of none, 5 for other machines; guests' are in the first two. */
    struct mu_json seen = watch_processors(before, "cpu  120 11 52 1070 28 6 8 10 90 9\n");
    const double others = member(&seen, NULL, "others_ns"), idle = member(&seen, NULL, "idle_ns");
    const double stolen = member(&seen, NULL, "steal_ns");
    CHECK(others <= 30 * tick_ns && others > 29 * tick_ns && is(idle, 78 * tick_ns) && is(stolen, 5 * tick_ns),
          "what others had of the processors, nobody, and other machines: %.0f, %.0f, %.0f ns", others, idle, stolen);
    mu_json_release(&seen);
    seen = watch_processors(before, before);
    CHECK(is(member(&seen, NULL, "others_ns"), 0) && is(member(&seen, NULL, "idle_ns"), 0), "nobody had any");
    mu_json_release(&seen);
    seen = watch_processors(before, "cpu  120 11 52\n");
    CHECK(json_object_get(seen.value, "others_ns") == NULL, "a line that is too short tells nothing");
    mu_json_release(&seen);
    seen = watch_processors("intr 1 2 3 4 5 6 7 8\n", before);
    CHECK(json_object_get(seen.value, "others_ns") == NULL && json_object_get(seen.value, "idle_ns") == NULL,
          "nor does another line");
    mu_json_release(&seen);
}

static void test_use(void)
{
    const unsigned cores = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    struct mu_processor_times before, after;
    struct mu_processor_use use;
    const bool read = put("/proc/stat", "cpu  100 10 50 1000 20 3 4 5 70 7\n") && mu_processors_read(root, &before) &&
                      put("/proc/stat", "cpu  120 11 52 1070 28 6 8 37 90 9\n") && mu_processors_read(root, &after);
    use = mu_processor_use_of(&before, &after);
    CHECK(read && is(use.used, 30.0 / 140 * cores) && is(use.idle, 78.0 / 140 * cores) && use.cores == cores,
          "of all cores %.2f were used and %.2f idle", use.used, use.idle);
    use = mu_processor_use_of(&before, &before);
    CHECK(is(use.used, 0) && is(use.idle, 0), "none in no time");
    static const struct {
        double used, idle, needed;
        bool busy;
    } cases[] = {{1, 1, 2, true},      {2, 0, 2, true},   {1, 31, 1, false},    {31.5, 0.5, 1, true},
                 {0.2, 1.8, 2, false}, {1, 31, 32, true}, {0.2, 0.4, 2, false}, {1, 1, 64, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        use = (struct mu_processor_use){cases[i].used, cases[i].idle, (unsigned)(cases[i].used + cases[i].idle + 0.5)};
        CHECK(mu_processors_are_busy(&use, cases[i].needed) == cases[i].busy,
              "%.1f used and %.1f idle are %s for a device of %.0f", use.used, use.idle,
              cases[i].busy ? "too little" : "enough", cases[i].needed);
    }
    put("/proc/stat", "intr 1\n");
    CHECK(!mu_processors_look(root, &use), "a system that does not tell");
}

static void test_steal(void)
{
    struct mu_processor_times before, after;
    const bool read = put("/proc/stat", "cpu  100 10 50 1000 20 3 4 5 70 7\n") && mu_processors_read(root, &before) &&
                      put("/proc/stat", "cpu  120 11 52 1070 28 6 8 37 90 9\n") && mu_processors_read(root, &after);
    /* 32 ticks of 32 + 30 + 78. */
    CHECK(read && is(mu_steal_share(&before, &after), 32.0 / 140), "what the host took is a share of all time: %f",
          mu_steal_share(&before, &after));
    CHECK(is(mu_steal_share(&before, &before), 0), "of no time nothing was taken");
    CHECK(is(mu_steal_share(&after, &before), 0), "nor where counters go back");
    put("/proc/stat", "cpu  120 11 52\n");
    CHECK(!mu_processors_read(root, &after) && after.used_ns == 0, "a line that is too short is no reading");
}

int main(void)
{
    char library[128], old[128], broken[128], command[128];
    if (mkdtemp(root) == NULL) return 99;
    test_linux();
    test_processors();
    test_steal();
    test_use();
    if (build("", library, sizeof library) && build("OLD", old, sizeof old) && build("BROKEN", broken, sizeof broken)) {
        test_device(library);
        test_address(library);
        test_less(old, broken);
    } else {
        tap_skip("Nvidia's library", "no compiler makes a shared library here");
    }
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) == 0 ? tap_done() : 99;
}
