#include "harness/device/device_list.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "harness/device/child.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define LIST_DEADLINE_S    20.0
#define VENDORS_FOLDER     "/etc/OpenCL/vendors"
#define MU_MAX_ICDS        32
#define MU_MAX_ON_PLATFORM 16

/* ---- The child's side ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The vendor files, sorted: what OCL_ICD_VENDORS names, or all of its folder, or all of the system's. */
static size_t find_vendor_files(char files[MU_MAX_ICDS][MU_NAME_BYTES])
{
    const char *named = getenv("OCL_ICD_VENDORS");
    const char *folder = named != NULL && named[0] != '\0' ? named : VENDORS_FOLDER;
    struct stat about;
    size_t count = 0;
    if (stat(folder, &about) == 0 && S_ISREG(about.st_mode)) {
        snprintf(files[0], MU_NAME_BYTES, "%s", folder);
        return 1;
    }
    DIR *entries = opendir(folder);
    if (entries == NULL) return 0;
    for (struct dirent *entry = readdir(entries); entry != NULL && count < MU_MAX_ICDS; entry = readdir(entries)) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".icd") != 0) continue;
        if ((size_t)snprintf(files[count], MU_NAME_BYTES, "%s/%s", folder, entry->d_name) < MU_NAME_BYTES) count++;
    }
    closedir(entries);
    qsort(files, count, sizeof files[0], by_name);
    return count;
}

/* Why a vendor file brings no platform, as far as its library tells. */
static void explain(const char *vendor_file, struct mu_json *reasons)
{
    char library[MU_NAME_BYTES] = "", text[MU_NAME_BYTES + 310];
    FILE *file = fopen(vendor_file, "re");
    const bool named = file != NULL && fscanf(file, "%191s", library) == 1;
    void *loaded = named ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
    const char *reason = loaded != NULL ? "loads, but shows no platform" : named ? dlerror() : strerror(errno);
    snprintf(text, sizeof text, "%.190s: %.300s", vendor_file, reason != NULL ? reason : "?");
    if (file != NULL) fclose(file);
    mu_json_append_text(reasons, text);
}

/* The loader is silent about drivers that it cannot load, for want of a file, descriptors, memory or processes. */
static void explain_nothing(struct mu_json *reasons)
{
    char files[MU_MAX_ICDS][MU_NAME_BYTES];
    const size_t count = find_vendor_files(files);
    for (size_t i = 0; i < count; i++) explain(files[i], reasons);
}

/* Appends the devices of a platform, as an array. */
static int append_devices(uint32_t platform, struct mu_json *platforms, struct mu_error *err)
{
    struct mu_device_info infos[MU_MAX_ON_PLATFORM];
    uint32_t count = 0;
    struct mu_json devices = mu_json_array();
    if (mu_platform_devices(platform, infos, MU_MAX_ON_PLATFORM, &count, err) == MU_OK)
        for (uint32_t i = 0; i < count && i < MU_MAX_ON_PLATFORM; i++)
            mu_json_append(&devices, mu_device_to_json(&infos[i]));
    mu_json_append_part(platforms, &devices);
    return err->status;
}

int mu_platforms_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    uint32_t count = 0;
    struct mu_json reasons = mu_json_array(), platforms = mu_json_array();
    if (mu_platform_count(&count, err) == MU_OK) mu_json_set_number(response, "count", count);
    if (err->status == MU_OK && count == 0) explain_nothing(&reasons);
    if (json_is_true(json_object_get(request, "with_devices")))
        for (uint32_t i = 0; i < count && err->status == MU_OK; i++) append_devices(i, &platforms, err);
    mu_json_set_part(response, "reasons", &reasons);
    mu_json_set_part(response, "platforms", &platforms);
    return err->status;
}

int mu_devices_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_json platforms = mu_json_array();
    append_devices((uint32_t)json_integer_value(json_object_get(request, "platform")), &platforms, err);
    mu_json_set_part(response, "platforms", &platforms);
    return err->status;
}

/* ---- The parent's side ---- */

static void note_problem(struct mu_device_list *list, const char *where, const struct mu_error *failure)
{
    if (list->problem_count < MU_MAX_LISTED)
        snprintf(list->problems[list->problem_count++], sizeof list->problems[0], "%.60s: %s: %.150s", where,
                 mu_status_text(failure->status), failure->message);
}

static void note_reasons(struct mu_device_list *list, const json_t *reasons)
{
    size_t i;
    json_t *reason;
    json_array_foreach (reasons, i, reason)
        if (list->problem_count < MU_MAX_LISTED && json_is_string(reason))
            snprintf(list->problems[list->problem_count++], sizeof list->problems[0], "%.250s",
                     json_string_value(reason));
}

static void add_devices_of(struct mu_device_list *list, const json_t *devices, const char *icd)
{
    size_t i;
    json_t *object;
    json_array_foreach (devices, i, object) {
        struct mu_error unusable = {0};
        if (list->count == MU_MAX_LISTED) return;
        struct mu_device_info *info = &list->devices[list->count];
        if (mu_device_from_json(object, info, &unusable) != MU_OK) continue;
        info->index = list->count++;
        snprintf(info->icd, sizeof info->icd, "%s", icd);
    }
}

static void add_devices(struct mu_device_list *list, const json_t *response, const char *icd)
{
    size_t i;
    json_t *devices;
    json_array_foreach (json_object_get(response, "platforms"), i, devices) add_devices_of(list, devices, icd);
}

/* The devices of one platform; a platform that fails becomes a problem. */
static int ask_platform(struct mu_device_list *list, uint32_t platform, const char *icd, struct mu_error *err)
{
    json_t *response = NULL;
    struct mu_error failure = {0};
    char where[300];
    json_t *request = json_pack("{s:s, s:I}", "kind", "devices", "platform", (json_int_t)platform);
    mu_child_call(request, &(struct mu_child_environment){.icd = icd}, LIST_DEADLINE_S, &response, &failure);
    snprintf(where, sizeof where, "%s%splatform %u", icd, icd[0] ? ", " : "", platform);
    if (failure.status == MU_INTERRUPTED)
        mu_fail(err, failure.status, "%s", failure.message);
    else if (failure.status != MU_OK)
        note_problem(list, where, &failure);
    else
        add_devices(list, response, icd);
    json_decref(request);
    json_decref(response);
    return err->status;
}

/* The platforms that the loader shows with `icd` ("" for all vendor files). *answered tells whether it showed any. */
static int ask_loader(struct mu_device_list *list, const char *icd, bool *answered, struct mu_error *err)
{
    json_t *response = NULL;
    struct mu_error failure = {0};
    json_t *request = json_pack("{s:s}", "kind", "platforms");
    const struct mu_child_environment environment = {.icd = icd};
    *answered = mu_child_call(request, &environment, LIST_DEADLINE_S, &response, &failure) == MU_OK;
    const json_int_t count = json_integer_value(json_object_get(response, "count"));
    note_reasons(list, json_object_get(response, "reasons"));
    json_decref(request);
    json_decref(response);
    if (failure.status == MU_INTERRUPTED) return mu_fail(err, failure.status, "%s", failure.message);
    /* A loader that crashed or hung is asked again, a vendor file at a time. */
    if (!*answered && (icd[0] != '\0' || (failure.status != MU_CRASH && failure.status != MU_DEADLINE)))
        note_problem(list, icd[0] != '\0' ? icd : "the OpenCL loader", &failure);
    for (json_int_t platform = 0; *answered && platform < count && err->status == MU_OK; platform++)
        ask_platform(list, (uint32_t)platform, icd, err);
    return err->status;
}

/* Asks for everything in one child, which loads the drivers once. *hung tells whether it had to be killed. What it
 * could not do, for whatever reason, is asked again in parts. */
static bool ask_all(struct mu_device_list *list, bool *hung, struct mu_error *err)
{
    json_t *response = NULL;
    struct mu_error failure = {0};
    json_t *request = json_pack("{s:s, s:b}", "kind", "platforms", "with_devices", 1);
    const struct mu_child_environment environment = {.icd = ""};
    const bool answered = mu_child_call(request, &environment, LIST_DEADLINE_S, &response, &failure) == MU_OK;
    *hung = failure.status == MU_DEADLINE;
    if (failure.status == MU_INTERRUPTED) mu_fail(err, failure.status, "%s", failure.message);
    if (answered) {
        note_reasons(list, json_object_get(response, "reasons"));
        add_devices(list, response, "");
    }
    json_decref(request);
    json_decref(response);
    return answered;
}

static int ask_vendors(struct mu_device_list *list, struct mu_error *err)
{
    bool answered = false, hung = false;
    if (ask_all(list, &hung, err) || err->status != MU_OK) return err->status;
    char files[MU_MAX_ICDS][MU_NAME_BYTES];
    const size_t count = find_vendor_files(files);
    /* What hung would hang again. */
    if ((!hung || count == 0) && (ask_loader(list, "", &answered, err) != MU_OK || answered)) return err->status;
    for (size_t i = 0; i < count && err->status == MU_OK; i++) ask_loader(list, files[i], &answered, err);
    return err->status;
}

int mu_device_list(struct mu_device_list *list, struct mu_error *err)
{
    memset(list, 0, sizeof *list);
    ask_vendors(list, err);
    mu_device_tell_apart(list->devices, list->count);
    return err->status;
}

static bool contains(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

static bool is_wanted(const struct mu_device_info *info, const char *wanted)
{
    uint64_t index = 0;
    if (mu_device_has_uuid(info, wanted)) return true;
    if (mu_number_whole(wanted, 0, UINT64_MAX, &index)) return index == info->index;
    return contains(info->chip, wanted) || contains(info->name, wanted) || contains(info->platform, wanted);
}

/* "0: pocl-epyc-2 (AMD EPYC, Portable Computing Language)", one a line. */
static void list_choices(const struct mu_device_list *list, char *text, size_t bytes)
{
    size_t used = 0;
    snprintf(text, bytes, "none");
    for (uint32_t i = 0; i < list->count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%u: %s (%s, %s%s%s)", i ? "; " : "", i,
                                 list->devices[i].chip, list->devices[i].name, list->devices[i].platform,
                                 list->devices[i].tag[0] != '\0' ? ", " : "",
                                 list->devices[i].tag[0] != '\0' ? list->devices[i].uuid : "");
}

const struct mu_device_info *mu_device_find(const struct mu_device_list *list, const char *wanted, struct mu_error *err)
{
    const struct mu_device_info *found = NULL;
    uint32_t matches = 0;
    char choices[1536];
    list_choices(list, choices, sizeof choices);
    if (wanted == NULL && list->count != 0) return &list->devices[0];
    if (wanted != NULL && wanted[0] == '\0') {
        mu_fail(err, MU_USAGE, "--device= names no device; there are: %s", choices);
        return NULL;
    }
    for (uint32_t i = 0; wanted != NULL && i < list->count; i++)
        if (is_wanted(&list->devices[i], wanted)) {
            found = &list->devices[i];
            matches++;
        }
    if (matches == 1) return found;
    const char *problem = list->problem_count != 0 ? list->problems[0] : NULL;
    if (problem != NULL && wanted == NULL)
        mu_fail(err, MU_DEVICE, "no OpenCL device here; not every driver could be asked: %s", problem);
    else if (problem != NULL && matches == 0)
        mu_fail(err, MU_DEVICE, "no device matches '%s'; there are: %s; not every driver could be asked: %s", wanted,
                choices, problem);
    else if (wanted == NULL)
        mu_fail(err, MU_DEVICE, "no OpenCL device here (Debian's package pocl-opencl-icd makes one of the CPU)");
    else
        mu_fail(err, matches == 0 ? MU_DEVICE : MU_USAGE,
                matches == 0 ? "no device matches '%s'; there are: %s" : "'%s' matches several devices of: %s", wanted,
                choices);
    return NULL;
}

const struct mu_device_info *mu_device_choose(const char *wanted, struct mu_device_list **list, struct mu_error *err)
{
    *list = mu_calloc(1, sizeof **list, "a list of devices", err);
    if (*list == NULL || mu_device_list(*list, err) != MU_OK) return NULL;
    return mu_device_find(*list, wanted, err);
}
