/* Devices as JSON: one table of members serves both directions. */
#include "harness/device/device.h"

#include "base/json.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum kind { TEXT, NUMBER32, NUMBER64, FLAG };

#define MU_MEMBER(name, kind)                                                                                          \
    {                                                                                                                  \
#name, kind, offsetof(struct mu_device_info, name), sizeof((struct mu_device_info *)0)->name                   \
    }
static const struct {
    const char *name;
    enum kind kind;
    size_t offset, bytes;
} members[] = {
    MU_MEMBER(index, NUMBER32),
    MU_MEMBER(platform_index, NUMBER32),
    MU_MEMBER(device_index, NUMBER32),
    MU_MEMBER(icd, TEXT),
    MU_MEMBER(chip, TEXT),
    MU_MEMBER(uuid, TEXT),
    MU_MEMBER(platform, TEXT),
    MU_MEMBER(platform_version, TEXT),
    MU_MEMBER(name, TEXT),
    MU_MEMBER(vendor, TEXT),
    MU_MEMBER(version, TEXT),
    MU_MEMBER(driver, TEXT),
    MU_MEMBER(c_standard, TEXT),
    MU_MEMBER(cpu, FLAG),
    MU_MEMBER(simulator, FLAG),
    MU_MEMBER(compute_units, NUMBER32),
    MU_MEMBER(resident, NUMBER32),
    MU_MEMBER(max_workgroup, NUMBER32),
    MU_MEMBER(local_bytes, NUMBER64),
    MU_MEMBER(global_bytes, NUMBER64),
    MU_MEMBER(max_allocation_bytes, NUMBER64),
    MU_MEMBER(watchdog_ms, NUMBER32),
    MU_MEMBER(watchdog, TEXT),
    MU_MEMBER(timer_ns, NUMBER64),
    MU_MEMBER(has_double, FLAG),
    MU_MEMBER(kernel_clock, FLAG),
    MU_MEMBER(split_barrier, FLAG),
    MU_MEMBER(native, NUMBER32),
    MU_MEMBER(ptx_fences, FLAG),
    MU_MEMBER(subgroup_paths, NUMBER32),
    MU_MEMBER(atomics_reason, TEXT),
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static void add_member(struct mu_json *object, const struct mu_device_info *info, size_t i)
{
    const char *place = (const char *)info + members[i].offset, *name = members[i].name;
    uint32_t number32;
    uint64_t number64;
    bool flag;
    switch (members[i].kind) {
    case TEXT:
        mu_json_set_text(object, name, place);
        break;
    case NUMBER32:
        memcpy(&number32, place, sizeof number32);
        mu_json_set_number(object, name, number32);
        break;
    case NUMBER64:
        memcpy(&number64, place, sizeof number64);
        mu_json_set_number(object, name, number64);
        break;
    case FLAG:
        memcpy(&flag, place, sizeof flag);
        mu_json_set_flag(object, name, flag);
        break;
    }
}

json_t *mu_device_to_json(const struct mu_device_info *info)
{
    struct mu_json object = mu_json_object(), available = mu_json_array();
    for (size_t i = 0; i < MEMBERS; i++) add_member(&object, info, i);
    for (int path = 0; mu_atomics_paths[path].name != NULL; path++)
        if (info->available[path]) mu_json_append_text(&available, mu_atomics_paths[path].name);
    mu_json_set_text(&object, "atomics", mu_atomics_paths[info->atomics].name);
    mu_json_set_part(&object, "atomics_available", &available);
    mu_json_set_text(&object, "yield", info->yield < 0 ? "auto" : mu_yields[info->yield].name);
    return mu_json_take(&object, "a device's description", NULL);
}

static bool member_from_json(const json_t *value, size_t i, struct mu_device_info *info)
{
    char *place = (char *)info + members[i].offset;
    const uint64_t number64 = (uint64_t)json_integer_value(value);
    const uint32_t number32 = (uint32_t)number64;
    const bool flag = json_is_true(value);
    switch (members[i].kind) {
    case TEXT:
        snprintf(place, members[i].bytes, "%s", json_is_string(value) ? json_string_value(value) : "");
        return json_is_string(value);
    case NUMBER32:
        memcpy(place, &number32, sizeof number32);
        return json_is_integer(value);
    case NUMBER64:
        memcpy(place, &number64, sizeof number64);
        return json_is_integer(value);
    case FLAG:
        memcpy(place, &flag, sizeof flag);
        return json_is_boolean(value);
    }
    return false;
}

int mu_device_from_json(const json_t *object, struct mu_device_info *info, struct mu_error *err)
{
    memset(info, 0, sizeof *info);
    for (size_t i = 0; i < MEMBERS; i++)
        if (!member_from_json(json_object_get(object, members[i].name), i, info))
            return mu_fail(err, MU_DEVICE, "a device's description lacks '%s'", members[i].name);
    int path = 0;
    const char *atomics = json_string_value(json_object_get(object, "atomics"));
    if (mu_choice_find(mu_atomics_paths, "atomics", atomics ? atomics : "", &path, err) != MU_OK) return err->status;
    info->atomics = (enum mu_atomics)path;
    const char *yield = json_string_value(json_object_get(object, "yield"));
    info->yield = -1;
    if (yield == NULL || strcmp(yield, "auto") != 0)
        mu_choice_find(mu_yields, "yield", yield != NULL ? yield : "", &info->yield, err);
    size_t i;
    json_t *name;
    json_array_foreach (json_object_get(object, "atomics_available"), i, name)
        if (mu_choice_find(mu_atomics_paths, "atomics", json_string_value(name) ? json_string_value(name) : "", &path,
                           err) == MU_OK)
            info->available[path] = true;
    return err->status;
}
