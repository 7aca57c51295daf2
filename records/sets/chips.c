#include "records/sets/chips.h"

#include "base/memory.h"

#include <string.h>

/* Returns the identity of the record's device, which the caller frees; NULL with MU_NO_MEMORY. */
static char *device_of(const json_t *record, struct mu_error *err)
{
    const json_t *device = json_object_get(record, "device");
    return mu_format(err, "%s\n%s\n%s\n%u", mu_json_text(device, "vendor"), mu_json_text(device, "name"),
                     mu_json_text(device, "platform"), mu_json_count(device, "compute_units"));
}

char *mu_chip_names_of(struct mu_chip_names *names, const json_t *record, bool *is_new, struct mu_error *err)
{
    const char *chip = mu_json_text(record, "chip");
    char *device = device_of(record, err), *name = mu_strdup(chip, err);
    if (names->devices == NULL) names->devices = json_object();
    *is_new = false;
    for (unsigned number = 2; device != NULL && name != NULL; number++) {
        const char *known = json_string_value(json_object_get(names->devices, name));
        if (known != NULL && strcmp(known, device) == 0) break;
        if (known == NULL) {
            *is_new = true;
            if (json_object_set_new(names->devices, name, json_string(device)) != 0)
                mu_fail(err, MU_NO_MEMORY, "out of memory for chips");
            break;
        }
        mu_free(name);
        name = mu_format(err, "%s~%u", chip, number);
    }
    mu_free(device);
    if (err->status == MU_OK) return name;
    mu_free(name);
    return NULL;
}

void mu_chip_names_release(struct mu_chip_names *names)
{
    json_decref(names->devices);
    names->devices = NULL;
}
