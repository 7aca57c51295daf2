/* muster chip pack: packs a chip's records into one file. */
#include "records/packs/pack.h"
#include "base/files/scratch.h"
#include "base/files/stream.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sink.h"
#include "base/units.h"
#include "harness/commands/chip/chip.h"
#include "harness/commands/chip/folder.h"
#include "harness/commands/chip/page.h"
#include "records/lines.h"
#include "records/packs/strip.h"
#include "records/profile.h"
#include "records/results.h"
#include "records/schema.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECRET_BYTES = 64 };

struct packing {
    struct mu_pack pack;
    char secret[SECRET_BYTES];
    char set[MU_PACK_NAME_BYTES]; /* the set whose file is being read */
    size_t others;                /* records of other devices or chips, which are left out */
};

/* ---- Which chip ---- */

/* Returns whether an entry is a chip's folder. For scandir. */
static int is_chip(const struct dirent *entry)
{
    struct stat about;
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", mu_results_root(), entry->d_name);
    return mu_pack_is_name(entry->d_name) && length > 0 && (size_t)length < sizeof path && stat(path, &about) == 0 &&
           S_ISDIR(about.st_mode);
}

/* Finds the only chip in the user's folder. Fails with MU_USAGE if there are none or several. */
static int find_chip(char chip[MU_PACK_NAME_BYTES], struct mu_error *err)
{
    struct dirent **found = NULL;
    const int count = scandir(mu_results_root(), &found, is_chip, alphasort);
    if (count <= 0)
        mu_fail(err, MU_USAGE, "%s: there is no chip in it; muster chip add measures one", mu_results_root());
    else if (count > 1)
        mu_fail(err, MU_USAGE, "which chip? In %s there are %d, such as %.90s", mu_results_root(), count,
                found[0]->d_name);
    else
        snprintf(chip, MU_PACK_NAME_BYTES, "%.95s", found[0]->d_name);
    for (int i = 0; i < count; i++) free(found[i]);
    free(found);
    return err->status;
}

/* ---- Its records ---- */

/* Finds the secret from which names of hosts are replaced: a number of this machine, or else a random one. It is not in
 * the pack. */
static int find_secret(char secret[SECRET_BYTES], struct mu_error *err)
{
    unsigned char chance[16];
    FILE *file = fopen("/etc/machine-id", "r");
    secret[0] = '\0';
    if (file != NULL && fgets(secret, SECRET_BYTES, file) == NULL) secret[0] = '\0';
    if (file != NULL) fclose(file);
    if (strlen(secret) > sizeof chance) return MU_OK;
    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        return mu_fail(err, MU_IO, "getrandom: %s", strerror(errno));
    for (size_t i = 0; i < sizeof chance; i++) snprintf(secret + 2 * i, 3, "%02x", chance[i]);
    return MU_OK;
}

/* Takes a record into the pack. The first one decides the device. For mu_line_reader. */
static int take_record(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct packing *packing = context;
    struct mu_pack *pack = &packing->pack;
    struct mu_error useless = {0};
    const bool is_run = mu_record_is_run(record);
    if (json_object_get(record, "schema") == NULL ||
        mu_record_check_schema(record, line->path, line->number, &useless) != MU_OK ||
        (is_run && mu_record_check(record, line->path, line->number, &useless) != MU_OK)) {
        mu_note(stderr, "%s:%zu: not packed: %s", line->path, line->number,
                useless.status != MU_OK ? useless.message : "it tells no schema");
        return MU_OK;
    }
    json_t *device = mu_pack_identity(record, err);
    if (pack->device == NULL) pack->device = json_incref(device);
    if (err->status != MU_OK || device == NULL || !json_equal(device, pack->device) ||
        !mu_json_is(record, "chip", pack->chip))
        packing->others++;
    else if (mu_record_strip(record, packing->secret, err) == MU_OK)
        mu_pack_add(pack, packing->set, record, err);
    json_decref(device);
    return err->status;
}

/* Returns whether an entry is a file of a set. For scandir. */
static int is_set(const struct dirent *entry)
{
    static const char *const endings[] = {".jsonl", ".jsonl.xz", ".jsonl.gz"};
    const size_t length = strlen(entry->d_name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(entry->d_name + length - ending, endings[i]) == 0)
            return mu_pack_is_name(entry->d_name);
    }
    return 0;
}

static int read_sets(const char *folder, struct packing *packing, struct mu_error *err)
{
    struct dirent **found = NULL;
    const int count = scandir(folder, &found, is_set, alphasort);
    if (count < 0) mu_fail(err, MU_USAGE, "%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        char *path = mu_format(err, "%s/%s", folder, found[i]->d_name);
        struct mu_line_reader lines = {
            .path = path, .take = take_record, .context = packing, .notes = stderr, .tolerant = true};
        const size_t length = (size_t)(strstr(found[i]->d_name, ".jsonl") - found[i]->d_name);
        snprintf(packing->set, sizeof packing->set, "%.*s", (int)length, found[i]->d_name);
        if (err->status == MU_OK) mu_lines_read_file(&lines, err);
        mu_free(path);
        free(found[i]);
    }
    free(found);
    if (err->status == MU_OK && packing->pack.set_count == 0)
        mu_fail(err, MU_USAGE, "%s: there are no records in it", folder);
    return err->status;
}

/* ---- Its texts ---- */

/* Returns the text of a file, to be freed; NULL if there is none. */
static char *read_text(const char *path, struct mu_error *err)
{
    struct mu_source source = {0};
    if (access(path, F_OK) != 0 || mu_source_read(path, &source, err) != MU_OK) return NULL;
    char *text = mu_strdup((const char *)source.bytes, err);
    mu_source_release(&source);
    return text;
}

/* Takes the chip's profile into the pack, unless it is another device's than the packed records. */
static int take_profile(struct mu_pack *pack, const char *path, struct mu_error *err)
{
    struct mu_profile profile;
    if (access(path, F_OK) != 0 || mu_profile_read(path, &profile, err) != MU_OK) return err->status;
    if (mu_folder_is_of(&profile, pack->device))
        pack->profile = read_text(path, err);
    else
        mu_note(stderr, "%s is the profile of another device ('%s'), and is not packed", path, profile.chip_device);
    return err->status;
}

/* Makes the pack's page from the packed records alone, not from other files in the folder. */
static int make_page(struct mu_pack *pack, struct mu_error *err)
{
    struct mu_scratch scratch;
    char path[PATH_MAX];
    if (mu_scratch_make(NULL, "muster-pack-", &scratch, err) != MU_OK) return err->status;
    if (mu_folder_write(scratch.path, pack, false, err) == MU_OK &&
        mu_chip_page_write(scratch.path, pack->chip, path, err) == MU_OK)
        pack->readme = read_text(path, err);
    mu_scratch_remove(&scratch);
    return err->status;
}

static void tell_pack(const struct packing *packing, const char *output)
{
    uint64_t records = 0;
    for (size_t i = 0; i < packing->pack.set_count; i++) records += packing->pack.sets[i].records;
    if (packing->others != 0)
        mu_note(stderr, "%zu records are of another device or chip, and are not packed", packing->others);
    printf("%s: %llu record%s of %s in %zu set%s, without the names of hosts and folders\n", output,
           (unsigned long long)records, mu_plural(records), packing->pack.chip, packing->pack.set_count,
           mu_plural(packing->pack.set_count));
    printf("`muster table speedup %s` shows it; `muster chip import %s` takes it into a checkout.\n", output, output);
}

int mu_chip_pack(const struct mu_chip_arguments *arguments, struct mu_error *err)
{
    struct packing packing = {.others = 0};
    char folder[PATH_MAX], profile[PATH_MAX], *own = NULL;
    if (arguments->subject != NULL && !mu_pack_is_name(arguments->subject))
        return mu_fail(err, MU_USAGE, "'%.90s' is not the name of a chip", arguments->subject);
    if (arguments->subject != NULL)
        snprintf(packing.pack.chip, sizeof packing.pack.chip, "%s", arguments->subject);
    else if (find_chip(packing.pack.chip, err) != MU_OK)
        return err->status;
    const char *chip = packing.pack.chip;
    if (arguments->output == NULL) own = mu_format(err, "%s.pack.jsonl.xz", chip);
    const char *output = arguments->output != NULL ? arguments->output : own;
    if (err->status == MU_OK && mu_results_path(chip, NULL, folder, sizeof folder, err) == MU_OK &&
        mu_results_path(chip, MU_PROFILE_FILE, profile, sizeof profile, err) == MU_OK &&
        mu_sink_check(output, err) == MU_OK && find_secret(packing.secret, err) == MU_OK &&
        read_sets(folder, &packing, err) == MU_OK && take_profile(&packing.pack, profile, err) == MU_OK &&
        make_page(&packing.pack, err) == MU_OK && mu_pack_write(&packing.pack, output, err) == MU_OK)
        tell_pack(&packing, output);
    mu_pack_release(&packing.pack);
    mu_free(own);
    return err->status;
}
