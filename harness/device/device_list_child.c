/* The devices of this machine: what a child process asks the drivers, and why these show nothing. */
#include "base/json.h"
#include "harness/device/device_list.h"
#include "harness/device/device_list_private.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static void explain(struct mu_json *reasons, const char *format, ...)
{
    char text[MU_PROBLEM_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mu_json_append_text(reasons, text);
}

/* Explains why a vendor file brings no platform, as far as its library tells. */
static void explain_file(const char *vendor_file, struct mu_json *reasons)
{
    char library[MU_NAME_BYTES] = "";
    FILE *file = fopen(vendor_file, "re");
    const bool named = file != NULL && fscanf(file, "%191s", library) == 1;
    void *loaded = named ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
    const char *reason = loaded != NULL ? "loads, but shows no platform" : named ? dlerror() : strerror(errno);
    explain(reasons, "%.190s: %.300s", vendor_file, reason != NULL ? reason : "?");
    if (file != NULL) fclose(file);
}

/* Explains why there are no platforms. The loader is silent about drivers that it cannot load for want of a file,
 * descriptors, memory or processes. */
static void explain_nothing(struct mu_json *reasons)
{
    char files[MU_MAX_ICDS][MU_NAME_BYTES];
    const size_t count = mu_vendor_files(files, NULL);
    for (size_t i = 0; i < count; i++) explain_file(files[i], reasons);
}

/* Explains why PoCL shows no device: it does not say so where it cannot write what it compiles. */
static bool explain_pocl(struct mu_json *reasons)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"POCL_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/pocl"}, {"HOME", "/.cache/pocl"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char folder[512];
        const char *value = getenv(places[i].variable);
        if (value == NULL || value[0] == '\0') continue;
        snprintf(folder, sizeof folder, "%s%s", value, places[i].below);
        if (access(folder, W_OK) == 0) return false;
        explain(reasons,
                "PoCL shows no device: its cache folder %.200s cannot be written (%s); POCL_CACHE_DIR names another",
                folder, strerror(errno));
        return true;
    }
    explain(reasons, "PoCL shows no device: it has no cache folder; POCL_CACHE_DIR names one");
    return true;
}

static void explain_no_device(uint32_t platform, struct mu_json *reasons)
{
    char name[MU_NAME_BYTES];
    struct mu_error unnamed = {0};
    if (mu_platform_name(platform, name, &unnamed) != MU_OK) snprintf(name, sizeof name, "platform %u", platform);
    if (strcmp(name, "Portable Computing Language") == 0 && explain_pocl(reasons)) return;
    explain(reasons, "%s shows no device", name);
}

/* Appends a device of a platform, or says why it cannot be used. */
static void append_device(uint32_t platform, uint32_t device, struct mu_json *devices, struct mu_json *reasons)
{
    struct mu_device_info info;
    struct mu_error unusable = {0};
    if (mu_platform_device(platform, device, &info, &unusable) == MU_OK)
        mu_json_append(devices, mu_device_to_json(&info));
    else
        explain(reasons, "platform %u, device %u%s%.60s%s is not used: %.300s", platform, device,
                info.name[0] != '\0' ? " ('" : "", info.name, info.name[0] != '\0' ? "')" : "", unusable.message);
}

/* Appends the devices of a platform, as an array. One that fails does not hide the others. */
static void append_devices(uint32_t platform, struct mu_json *platforms, struct mu_json *reasons)
{
    uint32_t count = 0;
    struct mu_error failure = {0};
    struct mu_json devices = mu_json_array();
    if (mu_platform_device_count(platform, &count, &failure) != MU_OK)
        explain(reasons, "platform %u: %.300s", platform, failure.message);
    else if (count == 0)
        explain_no_device(platform, reasons);
    if (count > MU_MAX_DEVICES)
        explain(reasons, "platform %u says that it has %u devices: the first %d are looked at", platform, count,
                MU_MAX_DEVICES);
    for (uint32_t i = 0; i < count && i < MU_MAX_DEVICES; i++) append_device(platform, i, &devices, reasons);
    mu_json_append_part(platforms, &devices);
}

int mu_platforms_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    uint32_t count = 0;
    struct mu_json reasons = mu_json_array(), platforms = mu_json_array();
    if (mu_platform_count(&count, err) == MU_OK && count == 0) explain_nothing(&reasons);
    if (count > MU_MAX_PLATFORMS)
        explain(&reasons, "the OpenCL loader says that there are %u platforms: the first %d are looked at", count,
                MU_MAX_PLATFORMS);
    if (count > MU_MAX_PLATFORMS) count = MU_MAX_PLATFORMS;
    mu_json_set_number(response, "count", count);
    if (json_is_true(json_object_get(request, "with_devices")))
        for (uint32_t i = 0; i < count; i++) append_devices(i, &platforms, &reasons);
    mu_json_set_part(response, "reasons", &reasons);
    mu_json_set_part(response, "platforms", &platforms);
    return err->status;
}

int mu_devices_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    uint32_t count = 0;
    struct mu_json reasons = mu_json_array(), platforms = mu_json_array(), devices = mu_json_array();
    const uint32_t platform = (uint32_t)json_integer_value(json_object_get(request, "platform"));
    const json_t *device = json_object_get(request, "device_index");
    if (device != NULL) {
        append_device(platform, (uint32_t)json_integer_value(device), &devices, &reasons);
        mu_json_append_part(&platforms, &devices);
    } else if (json_is_true(json_object_get(request, "only_counts"))) {
        mu_platform_device_count(platform, &count, err);
        mu_json_set_number(response, "count", count < MU_MAX_DEVICES ? count : MU_MAX_DEVICES);
    } else {
        append_devices(platform, &platforms, &reasons);
    }
    mu_json_release(&devices);
    mu_json_set_part(response, "reasons", &reasons);
    mu_json_set_part(response, "platforms", &platforms);
    return err->status;
}
