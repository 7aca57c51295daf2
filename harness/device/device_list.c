#include "harness/device/device_list.h"

#include "base/files/cache.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "harness/device/aliases.h"
#include "harness/device/child.h"
#include "harness/device/chip_name.h"
#include "harness/device/device_list_private.h"
#include "harness/device/host/profile_use.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

/* The number of platforms, or of devices of a platform, that may crash. After more, the others are not asked. */
#define MOST_DEATHS 2

#define USUAL_DEADLINE_S 20.0
#define VENDORS_FOLDER   "/etc/OpenCL/vendors"

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

size_t mu_vendor_files(char files[MU_MAX_ICDS][MU_NAME_BYTES], bool *more)
{
    const char *named = getenv("OCL_ICD_VENDORS");
    const char *folder = named != NULL && named[0] != '\0' ? named : VENDORS_FOLDER;
    struct stat about;
    size_t count = 0;
    bool left_out = false;
    if (more != NULL) *more = false;
    if (stat(folder, &about) == 0 && S_ISREG(about.st_mode)) {
        snprintf(files[0], MU_NAME_BYTES, "%s", folder);
        return 1;
    }
    DIR *entries = opendir(folder);
    if (entries == NULL) return 0;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".icd") != 0) continue;
        if (count < MU_MAX_ICDS &&
            (size_t)snprintf(files[count], MU_NAME_BYTES, "%s/%s", folder, entry->d_name) < MU_NAME_BYTES)
            count++;
        else
            left_out = true;
    }
    closedir(entries);
    if (more != NULL) *more = left_out;
    qsort(files, count, sizeof files[0], by_name);
    return count;
}

/* Notes a problem. The last place says that there are more. */
static void note_text(struct mu_device_list *list, const char *text)
{
    if (list->problem_count < MU_MAX_LISTED)
        snprintf(list->problems[list->problem_count++], sizeof list->problems[0], "%s", text);
    else
        snprintf(list->problems[MU_MAX_LISTED - 1], sizeof list->problems[0], "and more problems");
}

static void note_problem(struct mu_device_list *list, const char *where, const struct mu_error *failure)
{
    char text[sizeof list->problems[0]];
    snprintf(text, sizeof text, "%.120s: %s: %.300s", where, mu_status_text(failure->status), failure->message);
    note_text(list, text);
}

static void note_reasons(struct mu_device_list *list, const json_t *reasons)
{
    size_t i;
    json_t *reason;
    json_array_foreach (reasons, i, reason)
        if (json_is_string(reason)) note_text(list, json_string_value(reason));
}

static void add_devices_of(struct mu_device_list *list, const json_t *devices, const char *icd)
{
    size_t i;
    json_t *object;
    json_array_foreach (devices, i, object) {
        struct mu_error unusable = {0};
        if (list->count == MU_MAX_LISTED) {
            note_text(list, "there are more devices: the first 64 are listed");
            return;
        }
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

/* Asks a child, and takes the devices and reasons of its answer. Returns false if there was none. */
static bool ask(struct mu_device_list *list, json_t *request, const char *icd, json_int_t *count,
                struct mu_error *failure)
{
    json_t *response = NULL;
    const struct mu_child_environment environment = {.icd = icd};
    const bool answered = mu_child_call(request, &environment, list->deadline_s, &response, failure) == MU_OK;
    if (answered) {
        note_reasons(list, json_object_get(response, "reasons"));
        add_devices(list, response, icd);
        *count = json_integer_value(json_object_get(response, "count"));
    }
    json_decref(request);
    json_decref(response);
    return answered;
}

/* Settles a failure: a signal ends the whole list, anything else is a problem of the list. */
static int settle(struct mu_device_list *list, const char *where, const struct mu_error *failure, struct mu_error *err)
{
    if (failure->status == MU_INTERRUPTED) return mu_fail(err, failure->status, "%s", failure->message);
    if (failure->status != MU_OK) note_problem(list, where, failure);
    return MU_OK;
}

static bool has_died(const struct mu_error *failure)
{
    return failure->status == MU_CRASH || failure->status == MU_DEADLINE;
}

/* Asks for the devices of a platform, each in a child of its own. */
static int ask_one_by_one(struct mu_device_list *list, json_int_t platform, const char *icd, struct mu_error *err)
{
    char where[300];
    json_int_t count = 0, none = 0;
    int deaths = 0;
    struct mu_error failure = {0};
    snprintf(where, sizeof where, "%s%splatform %d", icd, icd[0] ? ", " : "", (int)platform);
    ask(list, json_pack("{s:s, s:I, s:b}", "kind", "devices", "platform", platform, "only_counts", 1), icd, &count,
        &failure);
    if (settle(list, where, &failure, err) != MU_OK) return err->status;
    for (json_int_t device = 0; device < count && err->status == MU_OK; device++) {
        failure = (struct mu_error){0};
        snprintf(where, sizeof where, "%s%splatform %d, device %d", icd, icd[0] ? ", " : "", (int)platform,
                 (int)device);
        ask(list, json_pack("{s:s, s:I, s:I}", "kind", "devices", "platform", platform, "device_index", device), icd,
            &none, &failure);
        settle(list, where, &failure, err);
        if (failure.status == MU_DEADLINE) return err->status; /* the next one would most likely hang, too */
        if (failure.status == MU_CRASH && ++deaths > MOST_DEATHS) return err->status;
    }
    return err->status;
}

/* Asks for the platforms of a vendor file ("" for all of them), each in a child of its own. */
static int ask_platforms(struct mu_device_list *list, const char *icd, struct mu_error *err)
{
    json_int_t count = 0, none = 0;
    int deaths = 0;
    struct mu_error failure = {0};
    ask(list, json_pack("{s:s}", "kind", "platforms"), icd, &count, &failure);
    if (settle(list, icd[0] != '\0' ? icd : "the OpenCL loader", &failure, err) != MU_OK) return err->status;
    for (json_int_t platform = 0; platform < count && err->status == MU_OK; platform++) {
        failure = (struct mu_error){0};
        json_t *request = json_pack("{s:s, s:I}", "kind", "devices", "platform", platform);
        if (ask(list, request, icd, &none, &failure)) continue;
        if (!has_died(&failure))
            settle(list, icd, &failure, err);
        else if (++deaths <= MOST_DEATHS)
            ask_one_by_one(list, platform, icd, err);
        else
            break;
    }
    if (deaths > MOST_DEATHS) note_text(list, "further platforms are not asked: too many have crashed");
    return err->status;
}

/* ---- Vendor files whose library hangs ---- */

#define HUNG_KIND    "hung-driver"
#define HUNG_SECONDS 3600 /* a busy machine makes a healthy driver late, too: it is asked again when this is over */

/* Returns the key of the file as it is, in this boot of the host: after a change or a boot it is asked again. */
static char *hung_key(const char *icd)
{
    struct stat about;
    char boot[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file != NULL && fgets(boot, sizeof boot, file) == NULL) boot[0] = '\0';
    if (file != NULL) fclose(file);
    if (stat(icd, &about) != 0) return NULL;
    return mu_format(NULL, "%s\n%lld\n%lld\n%s", icd, (long long)about.st_mtime, (long long)about.st_size, boot);
}

/* Returns true if the file's driver hung within HUNG_SECONDS. The cache holds the time when it hung, or 0 if it has
 * answered since. */
static bool has_hung(const char *icd)
{
    size_t bytes = 0;
    char *key = hung_key(icd);
    int64_t *when = key != NULL ? mu_cache_get(HUNG_KIND, key, strlen(key), &bytes) : NULL;
    const int64_t now = (int64_t)time(NULL);
    const bool recently = when != NULL && bytes == sizeof *when && *when <= now && now - *when < HUNG_SECONDS;
    mu_free(when);
    mu_free(key);
    return recently;
}

static void remember(const char *icd, bool hangs)
{
    const int64_t when = hangs ? (int64_t)time(NULL) : 0;
    char *key = hung_key(icd);
    if (key != NULL && (hangs || has_hung(icd))) mu_cache_put(HUNG_KIND, key, strlen(key), &when, sizeof when);
    mu_free(key);
}

/* ---- All of them ---- */

/* Asks a vendor file alone. */
static int ask_vendor(struct mu_device_list *list, const char *icd, bool anew, struct mu_error *err)
{
    json_int_t none = 0;
    struct mu_error failure = {0};
    if (!anew && has_hung(icd)) {
        mu_fail(&failure, MU_DEADLINE,
                "hung within the last hour, and is left out (muster devices --no-cache asks again)");
        return settle(list, icd, &failure, err);
    }
    ask(list, json_pack("{s:s, s:b}", "kind", "platforms", "with_devices", 1), icd, &none, &failure);
    if (failure.status != MU_INTERRUPTED) remember(icd, failure.status == MU_DEADLINE);
    if (failure.status == MU_DEADLINE)
        fprintf(stderr,
                "muster: %s: its driver hangs, and is left out for an hour (muster devices --no-cache asks again)\n",
                icd);
    if (failure.status == MU_CRASH) return ask_platforms(list, icd, err);
    return settle(list, icd, &failure, err);
}

static int ask_vendors(struct mu_device_list *list, bool anew, struct mu_error *err)
{
    char files[MU_MAX_ICDS][MU_NAME_BYTES];
    bool more = false, any_hung = false;
    json_int_t none = 0;
    struct mu_error failure = {0};
    const size_t count = mu_vendor_files(files, &more);
    for (size_t i = 0; i < count && !anew; i++) any_hung = any_hung || has_hung(files[i]);
    /* One child asks all drivers, which it loads once, unless one of them would hang again. */
    if (!any_hung && ask(list, json_pack("{s:s, s:b}", "kind", "platforms", "with_devices", 1), "", &none, &failure)) {
        for (size_t i = 0; i < count && anew; i++) remember(files[i], false);
        return MU_OK;
    }
    if (!any_hung && (count == 0 || !has_died(&failure)))
        return has_died(&failure) ? ask_platforms(list, "", err) : settle(list, "the OpenCL loader", &failure, err);
    for (size_t i = 0; i < count && err->status == MU_OK; i++) ask_vendor(list, files[i], anew, err);
    if (more) note_text(list, "there are more vendor files than can be asked one by one, or with longer names");
    return err->status;
}

int mu_device_list(struct mu_device_list *list, bool anew, struct mu_error *err)
{
    const char *seconds = getenv("MUSTER_LIST_DEADLINE");
    memset(list, 0, sizeof *list);
    list->deadline_s = USUAL_DEADLINE_S;
    if (seconds != NULL && seconds[0] != '\0' &&
        (!mu_number_real(seconds, &list->deadline_s) || list->deadline_s <= 0 || list->deadline_s > 1e6))
        return mu_fail(err, MU_USAGE, "MUSTER_LIST_DEADLINE=%.80s: not a number of seconds", seconds);
    ask_vendors(list, anew, err);
    mu_aliases_apply(list->devices, list->count, err);
    for (uint32_t i = 0; i < list->count; i++) mu_profile_take_watchdog(&list->devices[i]);
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
    char own[MU_CHIP_BYTES]; /* the short name before a user gave another, which commands that are pasted may say */
    mu_chip_name(info, own, sizeof own);
    return contains(info->chip, wanted) || contains(own, wanted) || contains(info->name, wanted) ||
           contains(info->platform, wanted);
}

/* Writes "0: pocl-epyc-2 (AMD EPYC, Portable Computing Language)" for each device. */
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
    else if (wanted == NULL || list->count == 0)
        mu_fail(err, MU_DEVICE, "no OpenCL device here%s%s (Debian's package pocl-opencl-icd makes one of the CPU)",
                wanted != NULL ? ", so none that matches " : "", wanted != NULL ? wanted : "");
    else
        mu_fail(err, matches == 0 ? MU_DEVICE : MU_USAGE,
                matches == 0 ? "no device matches '%s'; there are: %s" : "'%s' matches several devices of: %s", wanted,
                choices);
    return NULL;
}

int mu_device_choose(const char *wanted, struct mu_device_info *info, uint32_t *count, struct mu_error *err)
{
    struct mu_device_list *list = mu_calloc(1, sizeof *list, "a list of devices", err);
    const struct mu_device_info *found = NULL;
    if (list != NULL && mu_device_list(list, false, err) == MU_OK) found = mu_device_find(list, wanted, err);
    if (found != NULL) *info = *found;
    if (found != NULL && count != NULL) *count = list->count;
    mu_free(list);
    return err->status;
}
