/* muster chip import: adds a pack to a checkout. */
#include "base/files/scratch.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sink.h"
#include "base/units.h"
#include "harness/commands/chip/chip.h"
#include "harness/commands/chip/folder.h"
#include "harness/commands/chip/page.h"
#include "harness/commands/chip/refresh.h"
#include "records/lines.h"
#include "records/packs/pack.h"
#include "records/profile.h"
#include "records/schema.h"
#include "records/sets/files.h"
#include "records/sets/runs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in the folder of all chips while records are there of which sums and pages do not know. */
#define MU_IMPORT_BEGUN ".import-begun"

struct importing {
    const char *results; /* folder of results in the checkout */
    struct mu_pack pack;
    char chips[PATH_MAX], folder[PATH_MAX]; /* folder of all chips; folder of this chip */
    bool exists;
    struct mu_known_runs known; /* identities of the records that the folder has */
    size_t known_count;
    uint64_t records; /* number of new records */
    bool has_set;     /* the folder has a file of the current set */
    uint64_t left;    /* measurements left out because the folder has a file of their set */
    struct mu_error *err;
};

/* ---- What the folder has ---- */

/* Notes a record that the folder has. For mu_line_reader. */
static int take_known(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct importing *importing = context;
    struct mu_known_run run = {.date = mu_json_text(record, "date")};
    json_t *device = mu_pack_identity(record, err);
    (void)line;
    if (device != NULL && !json_equal(device, importing->pack.device))
        mu_fail(err, MU_USAGE,
                "%s: records of another device (%s, %s, %llu compute units) have this name; give this one another by "
                "--chip=NAME",
                importing->folder, mu_json_text(device, "vendor"), mu_json_text(device, "name"),
                (unsigned long long)mu_json_number(device, "compute_units"));
    json_decref(device);
    if (err->status != MU_OK) return err->status;
    mu_run_name(record, mu_json_text(record, "key"), run.name);
    mu_known_runs_find(&importing->known, &run, err);
    importing->known_count++;
    return err->status;
}

/* Reads a file of the folder. For struct mu_set_files. */
static int take_file(struct mu_set_files *files, const char *path, struct mu_error *err)
{
    struct mu_line_reader lines = {
        .path = path, .take = take_known, .context = files->context, .notes = files->notes, .tolerant = true};
    return mu_lines_read_file(&lines, err);
}

/* Looks at the chip's folder. Refuses a symbolic link and anything that is no folder. */
static int look_at_folder(struct importing *importing, struct mu_error *err)
{
    struct stat about;
    struct mu_set_files files = {.take = take_file, .context = importing, .notes = stderr};
    const char *folder = importing->folder;
    if (lstat(folder, &about) != 0)
        return errno == ENOENT ? MU_OK : mu_fail(err, MU_IO, "%s: %s", folder, strerror(errno));
    if (!S_ISDIR(about.st_mode)) return mu_fail(err, MU_USAGE, "%s: there is something that is no folder", folder);
    importing->exists = true;
    return mu_set_files_each(importing->chips, &folder, 1, &files, err);
}

/* ---- What the pack has ---- */

/* Returns true if the folder has a file of a set of that name. */
static bool has_set(const struct importing *importing, const char *name)
{
    static const char *const endings[] = {"", ".xz", ".gz", ".bz2", ".zst"};
    struct stat about;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/%s.jsonl%s", importing->folder, name, endings[i]);
        if (lstat(path, &about) == 0) return true;
    }
    return false;
}

/* Copies a record if it is new, under the chip's name in the checkout. */
static int take_new(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct importing *importing = context;
    struct mu_pack *pack = &importing->pack;
    struct mu_known_run run = {.date = mu_json_text(record, "date")};
    (void)line;
    if (json_object_set_new(record, "chip", json_string(pack->chip)) != 0)
        return mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    mu_run_name(record, mu_json_text(record, "key"), run.name);
    if (importing->has_set && !mu_record_is_run(record)) {
        importing->left++;
        return MU_OK;
    }
    if (mu_known_runs_find(&importing->known, &run, err) != NULL || err->status != MU_OK) return err->status;
    importing->records++;
    return mu_pack_add(pack, pack->sets[pack->set_count - 1].name, record, err);
}

/* Writes the set's name, with a number behind it if a file of that name exists. */
static int name_set(const struct importing *importing, struct mu_pack_set *set, struct mu_error *err)
{
    char name[MU_PACK_NAME_BYTES];
    snprintf(name, sizeof name, "%s", set->name);
    for (unsigned number = 2; has_set(importing, set->name); number++) {
        const int length = snprintf(set->name, sizeof set->name, "%.80s.import-%u", name, number);
        if (length < 0 || number > 9999) return mu_fail(err, MU_LIMIT, "%s: too many sets of one name", name);
    }
    return MU_OK;
}

static int choose_records(struct importing *importing, struct mu_error *err)
{
    struct mu_pack *pack = &importing->pack, all = *pack;
    pack->sets = NULL;
    pack->set_count = 0;
    pack->bytes = 0;
    for (size_t i = 0; i < all.set_count && err->status == MU_OK; i++) {
        struct mu_line_reader lines = {
            .path = all.sets[i].name, .take = take_new, .context = importing, .notes = stderr};
        if (mu_resize((void **)&pack->sets, pack->set_count + 1, sizeof *pack->sets, "sets", err) != MU_OK) break;
        memset(&pack->sets[pack->set_count], 0, sizeof *pack->sets);
        memcpy(pack->sets[pack->set_count].name, all.sets[i].name, sizeof all.sets[i].name);
        pack->set_count++;
        importing->has_set = has_set(importing, all.sets[i].name);
        mu_lines_read(&lines, all.sets[i].text, all.sets[i].bytes, err);
    }
    for (size_t i = 0; i < all.set_count; i++) mu_free(all.sets[i].text);
    mu_free(all.sets);
    for (size_t i = 0; i < pack->set_count && err->status == MU_OK; i++) name_set(importing, &pack->sets[i], err);
    return err->status;
}

/* ---- Writing ---- */

/* Moves new files into the existing folder. An existing profile and page stay. */
static int move_files(const struct importing *importing, const char *from, struct mu_error *err)
{
    DIR *files = opendir(from);
    if (files == NULL) return mu_fail(err, MU_IO, "%s: %s", from, strerror(errno));
    for (const struct dirent *file = readdir(files); file != NULL && err->status == MU_OK; file = readdir(files)) {
        if (!mu_pack_is_name(file->d_name)) continue;
        char *old = mu_format(err, "%s/%s", from, file->d_name);
        char *new = mu_format(err, "%s/%s", importing->folder, file->d_name);
        if (old != NULL && new != NULL && access(new, F_OK) != 0 && rename(old, new) != 0)
            mu_fail(err, MU_IO, "%s: %s", new, strerror(errno));
        mu_free(old);
        mu_free(new);
    }
    closedir(files);
    return err->status;
}

/* Makes the file that says that an import has begun, which stays if that ends before the pages are made. */
static int mark(const char *path, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    if (mu_sink_open(path, &sink, err) != MU_OK) return err->status;
    return mu_sink_close(sink, MU_OK, err);
}

/* Writes all files beside the folder, then makes the mark `begun` and moves them. */
static int write_files(const struct importing *importing, const char *begun, struct mu_error *err)
{
    struct mu_scratch beside;
    char *from = NULL;
    if (mu_scratch_make(importing->chips, ".import-", &beside, err) == MU_OK) {
        from = mu_format(err, "%s/%s", beside.path, importing->pack.chip);
        if (from != NULL && mu_folder_write(beside.path, &importing->pack, true, err) == MU_OK &&
            mark(begun, err) == MU_OK) {
            if (importing->exists)
                move_files(importing, from, err);
            else if (rename(from, importing->folder) != 0)
                mu_fail(err, MU_IO, "%s: %s", importing->folder, strerror(errno));
        }
        mu_scratch_remove(&beside);
    }
    mu_free(from);
    return err->status;
}

/* Makes a page for the chip if it has none, then checksums and all pages anew. */
static int refresh(const struct importing *importing, struct mu_error *err)
{
    char path[PATH_MAX];
    char *page = mu_format(err, "%s/%s", importing->folder, MU_CHIP_PAGE);
    if (page != NULL && access(page, F_OK) != 0) mu_chip_page_write(importing->chips, importing->pack.chip, path, err);
    mu_free(page);
    return err->status == MU_OK ? mu_refresh(importing->results, err) : err->status;
}

static void tell_new(const struct importing *importing)
{
    printf("%s: %llu new record%s\n", importing->folder, (unsigned long long)importing->records,
           mu_plural(importing->records));
    fflush(stdout);
    if (importing->left != 0)
        mu_note(stderr, "%llu measurements stay out: this chip has others, and of those one file is read",
                (unsigned long long)importing->left);
}

/* Writes the new records, then sums and pages: also without new records, if an earlier import did not come to that. */
static int take_in(const struct importing *importing, struct mu_error *err)
{
    char *begun = mu_format(err, "%s/" MU_IMPORT_BEGUN, importing->chips);
    if (begun == NULL) return err->status;
    if (importing->records != 0) write_files(importing, begun, err);
    if (err->status == MU_OK) tell_new(importing);
    if (err->status == MU_OK && access(begun, F_OK) == 0 && refresh(importing, err) == MU_OK) unlink(begun);
    mu_free(begun);
    return err->status;
}

/* ---- The command ---- */

/* Copies the name of the folder of results, without slashes at its end. */
static char *results_of(const struct mu_chip_arguments *arguments, struct mu_error *err)
{
    const char *results = arguments->output != NULL ? arguments->output : "results";
    size_t length = strlen(results);
    while (length > 1 && results[length - 1] == '/') length--;
    return mu_format(err, "%.*s", (int)length, results);
}

static int find_checkout(struct importing *importing, struct mu_error *err)
{
    struct stat about;
    const char *results = importing->results;
    const int length = snprintf(importing->chips, sizeof importing->chips, "%s/chips", results);
    const int all = snprintf(importing->folder, sizeof importing->folder, "%s/chips/%s", results, importing->pack.chip);
    if (length < 0 || all < 0 || (size_t)all >= sizeof importing->folder)
        return mu_fail(err, MU_LIMIT, "%.200s: the path is too long", results);
    if (stat(importing->chips, &about) == 0 && S_ISDIR(about.st_mode)) return MU_OK;
    return mu_fail(err, MU_USAGE, "%s: there is no folder of results of a checkout; --output=FOLDER names one",
                   importing->chips);
}

int mu_chip_import(const struct mu_chip_arguments *arguments, struct mu_error *err)
{
    struct importing importing = {.err = err};
    if (arguments->chip != NULL && !mu_pack_is_name(arguments->chip))
        return mu_fail(err, MU_USAGE, "--chip=%.90s: no plain word", arguments->chip);
    char *results = results_of(arguments, err);
    importing.results = results;
    if (results != NULL && mu_pack_read(arguments->subject, &importing.pack, err) == MU_OK) {
        if (arguments->chip != NULL) snprintf(importing.pack.chip, sizeof importing.pack.chip, "%s", arguments->chip);
        if (find_checkout(&importing, err) == MU_OK && look_at_folder(&importing, err) == MU_OK &&
            choose_records(&importing, err) == MU_OK)
            take_in(&importing, err);
    }
    mu_free(results);
    mu_known_runs_release(&importing.known);
    mu_pack_release(&importing.pack);
    return err->status;
}
