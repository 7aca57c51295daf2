#include "harness/commands/chip/folder.h"

#include "base/memory.h"
#include "base/sink.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of records that are larger than this are packed by xz. */
#define LARGE_BYTES ((size_t)200 << 10)

enum { PRESET = 6 };

static int write_bytes(const char *path, const void *bytes, size_t count, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    if (mu_sink_open(path, &sink, err) != MU_OK) return err->status;
    mu_sink_bytes(sink, bytes, count);
    return mu_sink_close(sink, MU_OK, err);
}

static int write_set(const char *folder, const struct mu_pack_set *set, bool small, struct mu_error *err)
{
    const bool packed = small && set->bytes > LARGE_BYTES;
    const size_t room = lzma_stream_buffer_bound(set->bytes);
    size_t bytes = 0;
    char *path = mu_format(err, "%s/%s.jsonl%s", folder, set->name, packed ? ".xz" : "");
    unsigned char *out = packed && path != NULL ? mu_malloc(room, 1, "a packed file", err) : NULL;
    if (out != NULL && lzma_easy_buffer_encode(PRESET, LZMA_CHECK_CRC64, NULL, (const uint8_t *)set->text, set->bytes,
                                               out, &bytes, room) != LZMA_OK)
        mu_fail(err, MU_NO_MEMORY, "%s: xz cannot pack it", path);
    if (err->status == MU_OK && path != NULL)
        write_bytes(path, packed ? (const void *)out : set->text, packed ? bytes : set->bytes, err);
    mu_free(out);
    mu_free(path);
    return err->status;
}

bool mu_folder_is_of(const struct mu_profile *profile, const json_t *device)
{
    const struct {
        const char *name, *there;
    } compared[] = {
        {"vendor", profile->chip_vendor}, {"name", profile->chip_device}, {"platform", profile->chip_platform_name}};
    char text[MU_PROFILE_TEXT];
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        mu_profile_set_text(text, mu_json_text(device, compared[i].name));
        if (strcmp(text, compared[i].there) != 0) return false;
    }
    return profile->chip_compute_units == mu_json_count(device, "compute_units");
}

/* Reads the profile that was written to a path. A message begins with the pack's profile instead of the path, which is
 * a temporary one. */
static int read_profile(const char *path, struct mu_profile *profile, struct mu_error *err)
{
    struct mu_error fault = {0};
    if (mu_profile_read(path, profile, &fault) == MU_OK) return MU_OK;
    const size_t length = strncmp(fault.message, path, strlen(path)) == 0 ? strlen(path) : 0;
    return mu_fail(err, fault.status, "the pack's profile%s%s", length != 0 ? "" : ": ", fault.message + length);
}

/* Writes the profile of a pack. It is read as any profile and written anew, so that nothing else in the text is
 * kept. */
static int write_profile(const char *folder, const struct mu_pack *pack, struct mu_error *err)
{
    struct mu_profile profile;
    char *path = mu_format(err, "%s/%s", folder, MU_PROFILE_FILE);
    if (path != NULL && write_bytes(path, pack->profile, strlen(pack->profile), err) == MU_OK &&
        read_profile(path, &profile, err) == MU_OK) {
        if (mu_folder_is_of(&profile, pack->device)) {
            mu_profile_set_text(profile.chip_name, pack->chip);
            mu_profile_write(path, &profile, err);
        } else {
            mu_fail(err, MU_INPUT, "the pack's profile is of another device than its records");
        }
    }
    mu_free(path);
    return err->status;
}

int mu_folder_write(const char *root, const struct mu_pack *pack, bool small, struct mu_error *err)
{
    char *folder = mu_format(err, "%s/%s", root, pack->chip);
    if (folder != NULL && mkdir(folder, 0777) != 0)
        mu_fail(err, MU_IO, "%s: cannot make the folder: %s", folder, strerror(errno));
    if (err->status == MU_OK && pack->profile != NULL) write_profile(folder, pack, err);
    for (size_t i = 0; i < pack->set_count && err->status == MU_OK; i++)
        if (pack->sets[i].records != 0) write_set(folder, &pack->sets[i], small, err);
    mu_free(folder);
    return err->status;
}
