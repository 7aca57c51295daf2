#include "harness/device/aliases.h"

#include "base/sink.h"
#include "records/packs/pack.h"
#include "records/results.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int find_file(char path[PATH_MAX], struct mu_error *err)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", mu_results_root(), MU_ALIASES_FILE);
    if (length > 0 && length < PATH_MAX) return MU_OK;
    return mu_fail(err, MU_LIMIT, "%s/%s: the path is too long", mu_results_root(), MU_ALIASES_FILE);
}

/* Reads the file's object, which is the caller's; an empty one where there is no file. NULL with MU_INPUT. */
static json_t *read_file(const char *path, struct mu_error *err)
{
    const char *name;
    json_t *chip;
    if (access(path, F_OK) != 0 && errno == ENOENT) return json_object();
    json_t *aliases = mu_json_read_object(path, err);
    json_object_foreach (aliases, name, chip)
        if (!mu_pack_is_name(name) || !json_is_object(chip))
            mu_fail(err, MU_INPUT, "%s: '%.90s' is not the name of a chip, with an object behind it", path, name);
    if (err->status == MU_OK) return aliases;
    json_decref(aliases);
    return NULL;
}

static bool is_of(const json_t *alias, const struct mu_device_info *info, const char *chip)
{
    return mu_device_is_named(info, alias) && mu_json_is(alias, "chip", chip);
}

int mu_aliases_apply(struct mu_device_info *infos, uint32_t count, struct mu_error *err)
{
    char path[PATH_MAX];
    const char *name;
    json_t *alias;
    if (find_file(path, err) != MU_OK) return err->status;
    json_t *aliases = read_file(path, err);
    for (uint32_t i = 0; i < count && aliases != NULL; i++) {
        char chip[MU_CHIP_BYTES];
        memcpy(chip, infos[i].chip, sizeof chip);
        json_object_foreach (aliases, name, alias)
            if (is_of(alias, &infos[i], chip)) {
                snprintf(infos[i].chip, sizeof infos[i].chip, "%s", name);
                infos[i].resident = mu_json_count(alias, "units");
            }
    }
    json_decref(aliases);
    return err->status;
}

/* Writes the names of chips into the file. */
static int write_file(const char *path, const struct mu_json *aliases, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    char *text = aliases->lost ? NULL : json_dumps(aliases->value, JSON_INDENT(2));
    if (text == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory for names of chips");
    if (mkdir(mu_results_root(), 0777) != 0 && errno != EEXIST)
        mu_fail(err, MU_IO, "%s: cannot make the folder: %s", mu_results_root(), strerror(errno));
    if (err->status == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, text);
        mu_sink_text(sink, "\n");
        mu_sink_close(sink, MU_OK, err);
    }
    free(text);
    return err->status;
}

/* Describes a chip for the file, with the short name that it had before. */
static struct mu_json describe(const struct mu_device_info *info, const char *before, uint32_t units)
{
    struct mu_json alias = mu_json_object();
    mu_json_set_text(&alias, "chip", before);
    mu_json_set_text(&alias, "vendor", info->vendor);
    mu_json_set_text(&alias, "name", info->name);
    mu_json_set_text(&alias, "platform", info->platform);
    mu_json_set_number(&alias, "compute_units", info->compute_units);
    if (units != 0) mu_json_set_number(&alias, "units", units);
    return alias;
}

static int keep(struct mu_device_info *info, const char *name, uint32_t units, const char *path, struct mu_error *err)
{
    struct mu_json aliases = {read_file(path, err), false};
    if (aliases.value == NULL) return err->status;
    const json_t *other = json_object_get(aliases.value, name), *own = json_object_get(aliases.value, info->chip);
    /* A chip that has a given name already keeps its own short name. */
    const char *before = own != NULL ? mu_json_text(own, "chip") : info->chip;
    struct mu_json alias = describe(info, before, units != 0 ? units : mu_json_count(own, "units"));
    if (other != NULL && !is_of(other, info, before)) {
        mu_fail(err, MU_USAGE, "--chip=%s: %s gives this name to another chip, %s", name, path,
                mu_json_text(other, "name"));
    } else if (other == NULL || !json_equal(other, alias.value)) {
        if (own != NULL && own != other) json_object_del(aliases.value, info->chip);
        mu_json_set_part(&aliases, name, &alias);
        write_file(path, &aliases, err);
    }
    if (err->status == MU_OK && name != info->chip) snprintf(info->chip, sizeof info->chip, "%s", name);
    if (err->status == MU_OK && units != 0) info->resident = units;
    mu_json_release(&alias);
    mu_json_release(&aliases);
    return err->status;
}

int mu_alias_keep(struct mu_device_info *info, const char *name, uint32_t units, struct mu_error *err)
{
    char path[PATH_MAX];
    if (!mu_pack_is_name(name) || strlen(name) >= sizeof info->chip)
        return mu_fail(err, MU_USAGE,
                       "--chip=%.90s: a chip's name is letters, digits, dots, dashes, underscores and tildes", name);
    return find_file(path, err) == MU_OK ? keep(info, name, units, path, err) : err->status;
}
