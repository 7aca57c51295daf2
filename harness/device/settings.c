#include "harness/device/settings.h"

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variables that change the code which a driver's compiler makes. */
static const char *const compiler_variables[] = {"POCL_WORK_GROUP_METHOD", "POCL_WORK_GROUP_SPECIALIZATION",
                                                 "POCL_VECTORIZER_FORCE_VECTOR_WIDTH", "OCLGRIND_BUILD_OPTIONS",
                                                 MU_SETTING_INLINE};

static struct mu_setting *find(struct mu_settings *settings, const char *name)
{
    for (uint32_t i = 0; i < settings->count; i++)
        if (strcmp(settings->list[i].name, name) == 0) return &settings->list[i];
    return NULL;
}

bool mu_settings_add(struct mu_settings *settings, const char *name, const char *value)
{
    if (name[0] == '\0' || strlen(name) >= MU_SETTING_BYTES || strlen(value) >= MU_SETTING_BYTES) return false;
    if (getenv(name) != NULL) return false;
    struct mu_setting *setting = find(settings, name);
    if (setting == NULL) {
        if (settings->count == MU_MAX_SETTINGS) return false;
        setting = &settings->list[settings->count++];
    }
    snprintf(setting->name, sizeof setting->name, "%s", name);
    snprintf(setting->value, sizeof setting->value, "%s", value);
    return true;
}

void mu_settings_merge(struct mu_settings *settings, const struct mu_settings *more)
{
    for (uint32_t i = 0; i < more->count; i++) mu_settings_add(settings, more->list[i].name, more->list[i].value);
}

void mu_settings_apply(const struct mu_settings *settings)
{
    for (uint32_t i = 0; settings != NULL && i < settings->count; i++)
        setenv(settings->list[i].name, settings->list[i].value, 0);
}

json_t *mu_settings_to_json(const struct mu_settings *settings)
{
    struct mu_json object = mu_json_object();
    for (uint32_t i = 0; i < settings->count; i++)
        mu_json_set_text(&object, settings->list[i].name, settings->list[i].value);
    return mu_json_take(&object, "driver settings", NULL);
}

int mu_settings_from_json(const json_t *object, struct mu_settings *settings, struct mu_error *err)
{
    const char *name;
    json_t *value;
    memset(settings, 0, sizeof *settings);
    if (object == NULL) return MU_OK;
    if (!json_is_object(object) || json_object_size(object) > MU_MAX_SETTINGS)
        return mu_fail(err, MU_DEVICE, "driver settings are not an object of at most %d texts", MU_MAX_SETTINGS);
    json_object_foreach ((json_t *)object, name, value) {
        struct mu_setting *setting = &settings->list[settings->count++];
        const char *text = json_string_value(value);
        if (text == NULL || strlen(name) >= MU_SETTING_BYTES || strlen(text) >= MU_SETTING_BYTES)
            return mu_fail(err, MU_DEVICE, "driver setting '%.60s' is not a short text", name);
        snprintf(setting->name, sizeof setting->name, "%s", name);
        snprintf(setting->value, sizeof setting->value, "%s", text);
    }
    return MU_OK;
}

static void append(char *text, size_t bytes, const char *name, const char *value)
{
    const size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s=%s", used != 0 ? " " : "", name, value);
}

void mu_settings_text(const struct mu_settings *settings, char *text, size_t bytes)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < settings->count; i++) append(text, bytes, settings->list[i].name, settings->list[i].value);
}

void mu_settings_of_compilers(char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t i = 0; i < sizeof compiler_variables / sizeof compiler_variables[0]; i++) {
        const char *value = getenv(compiler_variables[i]);
        if (value != NULL) append(text, bytes, compiler_variables[i], value);
    }
}
