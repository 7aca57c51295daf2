#include "harness/device_list.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "harness/child.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define LIST_DEADLINE_S    20.0
#define VENDORS_FOLDER     "/etc/OpenCL/vendors"
#define MU_MAX_ICDS        32
#define MU_MAX_ON_PLATFORM 16

int mu_platforms_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    uint32_t count = 0;
    (void)request;
    if (mu_platform_count(&count, err) == MU_OK) mu_json_set_number(response, "count", count);
    return err->status;
}

int mu_devices_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_device_info infos[MU_MAX_ON_PLATFORM];
    uint32_t count = 0;
    const json_int_t platform = json_integer_value(json_object_get(request, "platform"));
    struct mu_json devices = mu_json_array();
    if (mu_platform_devices((uint32_t)platform, infos, MU_MAX_ON_PLATFORM, &count, err) == MU_OK)
        for (uint32_t i = 0; i < count && i < MU_MAX_ON_PLATFORM; i++)
            mu_json_append(&devices, mu_device_to_json(&infos[i]));
    mu_json_set_part(response, "devices", &devices);
    return err->status;
}

static void note_problem(struct mu_device_list *list, const char *where, const struct mu_error *failure)
{
    if (list->problem_count < MU_MAX_LISTED)
        snprintf(list->problems[list->problem_count++], sizeof list->problems[0], "%.60s: %s: %.150s", where,
                 mu_status_text(failure->status), failure->message);
}

static void add_devices(struct mu_device_list *list, const json_t *devices, const char *icd)
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
        add_devices(list, json_object_get(response, "devices"), icd);
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
    json_decref(request);
    json_decref(response);
    if (failure.status == MU_INTERRUPTED) return mu_fail(err, failure.status, "%s", failure.message);
    if (!*answered && icd[0] != '\0') note_problem(list, icd, &failure);
    for (json_int_t platform = 0; *answered && platform < count && err->status == MU_OK; platform++)
        ask_platform(list, (uint32_t)platform, icd, err);
    return err->status;
}

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

int mu_device_list(struct mu_device_list *list, struct mu_error *err)
{
    bool answered = false;
    memset(list, 0, sizeof *list);
    if (ask_loader(list, "", &answered, err) != MU_OK || answered) return err->status;
    char files[MU_MAX_ICDS][MU_NAME_BYTES];
    const size_t count = find_vendor_files(files);
    for (size_t i = 0; i < count && err->status == MU_OK; i++) ask_loader(list, files[i], &answered, err);
    return err->status;
}

static bool contains(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

static bool is_wanted(const struct mu_device_info *info, const char *wanted)
{
    uint64_t index = 0;
    if (mu_number_whole(wanted, 0, UINT64_MAX, &index)) return index == info->index;
    return contains(info->chip, wanted) || contains(info->name, wanted) || contains(info->platform, wanted);
}

/* "0: pocl-epyc-2 (AMD EPYC, Portable Computing Language)", one a line. */
static void list_choices(const struct mu_device_list *list, char *text, size_t bytes)
{
    size_t used = 0;
    snprintf(text, bytes, "none");
    for (uint32_t i = 0; i < list->count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%u: %s (%s, %s)", i ? "; " : "", i,
                                 list->devices[i].chip, list->devices[i].name, list->devices[i].platform);
}

const struct mu_device_info *mu_device_find(const struct mu_device_list *list, const char *wanted, struct mu_error *err)
{
    const struct mu_device_info *found = NULL;
    uint32_t matches = 0;
    char choices[1536];
    list_choices(list, choices, sizeof choices);
    if (wanted == NULL && list->count != 0) return &list->devices[0];
    for (uint32_t i = 0; wanted != NULL && i < list->count; i++)
        if (is_wanted(&list->devices[i], wanted)) {
            found = &list->devices[i];
            matches++;
        }
    if (matches == 1) return found;
    if (wanted == NULL)
        mu_fail(err, MU_DEVICE, "no OpenCL device here (Debian's package pocl-opencl-icd makes one of the CPU)");
    else
        mu_fail(err, MU_USAGE,
                matches == 0 ? "no device matches '%s'; there are: %s" : "'%s' matches several devices of: %s", wanted,
                choices);
    return NULL;
}
