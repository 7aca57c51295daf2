/* Distinguishes equal devices. */
#include "base/json.h"
#include "harness/device/device.h"

#include <CL/cl_ext.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Names that some <CL/cl_ext.h> lack. */
#ifndef CL_DEVICE_UUID_KHR
#define CL_DEVICE_UUID_KHR 0x106A
#endif
#ifndef CL_DEVICE_PCI_BUS_INFO_KHR
#define CL_DEVICE_PCI_BUS_INFO_KHR 0x410F
#endif

enum { UUID = 16, LEAST_PART = 4, SHORT_TAG = 8 };

/* A PCI address: domain, bus, device and function. */
struct pci_address {
    cl_uint parts[4];
};

void mu_device_identify(cl_device_id device, struct mu_device_info *info)
{
    unsigned char uuid[UUID];
    struct pci_address pci;
    if (mu_device_has_extension(device, "cl_khr_device_uuid") &&
        clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, NULL) == CL_SUCCESS)
        for (size_t i = 0; i < UUID; i++) snprintf(info->uuid + 2 * i, 3, "%02x", uuid[i]);
    else if (mu_device_has_extension(device, "cl_khr_pci_bus_info") &&
             clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof pci, &pci, NULL) == CL_SUCCESS)
        snprintf(info->uuid, sizeof info->uuid, "pci:%04x:%02x:%02x.%x", pci.parts[0], pci.parts[1], pci.parts[2],
                 pci.parts[3]);
    else
        snprintf(info->uuid, sizeof info->uuid, "index:%u", info->device_index);
}

bool mu_device_has_uuid(const struct mu_device_info *info, const char *wanted)
{
    char part[MU_UUID_BYTES];
    size_t length = 0;
    const bool is_address = strchr(info->uuid, ':') != NULL;
    if (strncasecmp(wanted, "GPU-", 4) == 0) wanted += 4;
    for (; *wanted != '\0'; wanted++) {
        if (*wanted == '-' && !is_address) continue;
        if (length + 1 >= sizeof part) return false;
        part[length++] = *wanted;
    }
    part[length] = '\0';
    return length >= LEAST_PART && strncasecmp(info->uuid, part, length) == 0;
}

/* ---- Several devices of a chip ---- */

bool mu_device_is_alike(const struct mu_device_info *a, const struct mu_device_info *b)
{
    return strcmp(a->vendor, b->vendor) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->platform, b->platform) == 0 && a->compute_units == b->compute_units;
}

bool mu_device_is_named(const struct mu_device_info *info, const json_t *object)
{
    return mu_json_is(object, "vendor", info->vendor) && mu_json_is(object, "name", info->name) &&
           mu_json_is(object, "platform", info->platform) &&
           mu_json_count(object, "compute_units") == info->compute_units;
}

bool mu_device_is_of(const struct mu_device_info *info, const json_t *record)
{
    const json_t *device = json_object_get(record, "device");
    return mu_device_is_named(info, device) && mu_json_count(device, "units") == info->resident;
}

/* Makes a uuid of the place on the platform, if another device has the same: some drivers give all their devices one
 * uuid. */
static void make_unique(struct mu_device_info *infos, uint32_t count, uint32_t at)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i == at || !mu_device_is_alike(&infos[i], &infos[at]) || strcmp(infos[i].uuid, infos[at].uuid) != 0)
            continue;
        snprintf(infos[at].uuid, sizeof infos[at].uuid, "index:%u:%u", infos[at].platform_index,
                 infos[at].device_index);
        return;
    }
}

/* Makes a tag of the first `length` characters of the uuid, as file names take them. */
static void make_tag(struct mu_device_info *info, size_t length)
{
    size_t i = 0;
    for (; i < length && info->uuid[i] != '\0'; i++)
        info->tag[i] = isalnum((unsigned char)info->uuid[i]) ? info->uuid[i] : '-';
    info->tag[i] = '\0';
}

/* Returns true if their records are in one folder. */
static bool share_folder(const struct mu_device_info *a, const struct mu_device_info *b)
{
    return mu_device_is_alike(a, b) || strcmp(a->chip, b->chip) == 0;
}

static bool has_rival(const struct mu_device_info *infos, uint32_t count, uint32_t at, bool with_tag)
{
    for (uint32_t i = 0; i < count; i++)
        if (i != at && share_folder(&infos[i], &infos[at]) && (!with_tag || strcmp(infos[i].tag, infos[at].tag) == 0))
            return true;
    return false;
}

/* Gives short tags if these distinguish the devices of the chip, else whole ones. */
void mu_device_tell_apart(struct mu_device_info *infos, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--) make_unique(infos, count, i - 1);
    for (uint32_t i = 0; i < count; i++)
        if (has_rival(infos, count, i, false)) make_tag(&infos[i], SHORT_TAG);
    bool alike = false;
    for (uint32_t i = 0; i < count; i++) alike = alike || (infos[i].tag[0] != '\0' && has_rival(infos, count, i, true));
    for (uint32_t i = 0; i < count && alike; i++)
        if (infos[i].tag[0] != '\0') make_tag(&infos[i], sizeof infos[i].tag - 1);
}

json_t *mu_device_record(const struct mu_device_info *info)
{
    struct mu_json object = mu_json_object();
    mu_json_set_text(&object, "name", info->name);
    mu_json_set_text(&object, "vendor", info->vendor);
    mu_json_set_text(&object, "platform", info->platform);
    mu_json_set_text(&object, "uuid", info->uuid);
    mu_json_set_number(&object, "compute_units", info->compute_units);
    if (info->resident != 0) mu_json_set_number(&object, "units", info->resident);
    mu_json_set_number(&object, "global_bytes", info->global_bytes);
    return mu_json_take(&object, "a device", NULL);
}
