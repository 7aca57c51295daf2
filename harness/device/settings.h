/* Driver settings: environment variables that muster chooses for the child processes that use a device.
 *
 * A driver reads its environment when it is loaded, so that only a fresh process can have another one. Variables that
 * the user has set stay as they are, and are never among the settings. Records name the settings that were made. */
#ifndef MU_HARNESS_DEVICE_SETTINGS_H
#define MU_HARNESS_DEVICE_SETTINGS_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define MU_MAX_SETTINGS  4
#define MU_SETTING_BYTES 48

/* A variable that muster itself reads when it compiles for a device: all functions of kernels are inlined. */
#define MU_SETTING_INLINE "MUSTER_INLINE"

struct mu_settings {
    uint32_t count;
    struct mu_setting {
        char name[MU_SETTING_BYTES], value[MU_SETTING_BYTES];
    } list[MU_MAX_SETTINGS];
};

/* Adds name=value, or replaces its value. Returns true when the settings hold it now; false if the user has set the
 * variable, even to nothing, or if there is no room. */
bool mu_settings_add(struct mu_settings *settings, const char *name, const char *value);

/* Adds all of `more`, under the same rule. */
void mu_settings_merge(struct mu_settings *settings, const struct mu_settings *more);

/* Puts the settings into this process's environment, except for variables that are there already. For a process that
 * becomes a child. NULL has none. */
void mu_settings_apply(const struct mu_settings *settings);

/* Convert settings to an object {name: value} and back: MU_DEVICE for anything else. No object (NULL) means no
 * settings. */
json_t *mu_settings_to_json(const struct mu_settings *settings);
int mu_settings_from_json(const json_t *object, struct mu_settings *settings, struct mu_error *err);

/* Writes "name=value name=value", cut off at `bytes`; empty for no settings. */
void mu_settings_text(const struct mu_settings *settings, char *text, size_t bytes);

/* Writes, in the same way, the variables of this process's environment that change what a driver's compiler makes,
 * whoever has set them. They are a part of the keys of caches. */
void mu_settings_of_compilers(char *text, size_t bytes);

#endif
