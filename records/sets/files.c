#include "records/sets/files.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/user/data_folder.h"
#include "records/results.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where a walk through files and folders is. */
struct walk {
    struct mu_set_files *files;
    json_t *places; /* paths of the files and folders that were read, by device, inode and label */
    struct mu_error *err;
};

/* Remembers a file or folder. `known` tells that it was read before, maybe under another name, for the same label. */
static int note_place(struct walk *walk, const char *path, const struct stat *status, bool *known)
{
    char *name = mu_format(walk->err, "%ju:%ju%s%s", (uintmax_t)status->st_dev, (uintmax_t)status->st_ino,
                           walk->files->label != NULL ? "@" : "", walk->files->label != NULL ? walk->files->label : "");
    if (name == NULL) return walk->err->status;
    const char *before = json_string_value(json_object_get(walk->places, name));
    *known = before != NULL;
    walk->files->matched = walk->files->matched || *known;
    if (*known)
        mu_note(walk->files->notes, "%s is the same as %s, and is read once", path, before);
    else if (json_object_set_new_nocheck(walk->places, name, json_string_nocheck(path)) != 0)
        mu_fail(walk->err, MU_NO_MEMORY, "%s: out of memory", path);
    mu_free(name);
    return walk->err->status;
}

static int read_file(struct walk *walk, const char *path)
{
    struct stat status;
    bool known = false;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        if (note_place(walk, path, &status, &known) != MU_OK || known) return walk->err->status;
        /* A file of nothing is a set of nothing; what unpacks would call it truncated. */
        if (status.st_size == 0) return MU_OK;
    }
    return walk->files->take(walk->files, path, walk->err);
}

/* ---- Folders ---- */

/* Records of one-off questions, which enter a table only where their folder is named. */
static const char experiments[] = "experiments";

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static int choose_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder(struct walk *walk, const char *path);

static int read_entry(struct walk *walk, const char *folder, const char *name)
{
    struct stat status;
    char *path = mu_format(walk->err, "%s/%s", folder, name);
    if (path == NULL) return walk->err->status;
    if (stat(path, &status) != 0)
        mu_fail(walk->err, MU_IO, "%s: %s", path, strerror(errno));
    else if (S_ISDIR(status.st_mode) && strcmp(name, experiments) != 0)
        read_folder(walk, path);
    else if (S_ISREG(status.st_mode) &&
             (ends_in(name, ".jsonl") || ends_in(name, ".jsonl.xz") || ends_in(name, ".jsonl.gz")))
        read_file(walk, path);
    mu_free(path);
    return walk->err->status;
}

/* Reads a folder once, so that links in a circle end. */
static int read_folder(struct walk *walk, const char *path)
{
    struct dirent **entries = NULL;
    struct stat status;
    bool known = false;
    if (stat(path, &status) != 0) return mu_fail(walk->err, MU_IO, "%s: %s", path, strerror(errno));
    if (note_place(walk, path, &status, &known) != MU_OK || known) return walk->err->status;
    const int count = scandir(path, &entries, choose_entry, compare_entries);
    if (count < 0) return mu_fail(walk->err, MU_IO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (walk->err->status == MU_OK) read_entry(walk, path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return walk->err->status;
}

/* ---- Sets ---- */

/* Returns where a file is that comes with the program and is named as it is in the source tree, such as
 * results/chips/<chip>/paper.jsonl; NULL if it is nowhere. The caller frees it. */
static char *find_own_file(const char *name, struct mu_error *err)
{
    const char *folder = mu_data_folder();
    struct stat status;
    if (folder == NULL) return NULL;
    char *path = mu_format(err, "%s/%s", folder, name);
    if (path != NULL && stat(path, &status) == 0 && S_ISREG(status.st_mode)) return path;
    mu_free(path);
    return NULL;
}

/* Reads the chip's folder under each of the roots that has it. */
static int read_chip(struct walk *walk, const char *roots, const char *chip, bool *found)
{
    char root[PATH_MAX];
    struct stat status;
    while (walk->err->status == MU_OK && mu_results_next_root(&roots, root)) {
        char *path = mu_format(walk->err, "%s/%s", root, chip);
        if (path != NULL && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            *found = true;
            read_folder(walk, path);
        }
        mu_free(path);
    }
    return walk->err->status;
}

/* Reads a file, a folder or a chip. MU_USAGE if there is none of that name. */
static int read_set(struct walk *walk, const char *roots, const char *set)
{
    struct stat status;
    char *own = NULL;
    bool found = false;
    if (stat(set, &status) == 0)
        S_ISDIR(status.st_mode) ? read_folder(walk, set) : read_file(walk, set);
    else if (set[0] != '\0' && read_chip(walk, roots, set, &found) == MU_OK && found)
        return MU_OK;
    else if ((own = find_own_file(set, walk->err)) != NULL)
        read_file(walk, own);
    else
        mu_fail(walk->err, MU_USAGE, "%s: no such file or folder, and no chip under %s%s%s",
                set[0] != '\0' ? set : "''", roots, mu_results_have_records() ? "" : "; ",
                mu_results_have_records() ? "" : mu_results_missing);
    mu_free(own);
    return walk->err->status;
}

/* Reads a set, with a label behind an @ or without. */
static int read_labelled(struct walk *walk, const char *roots, const char *set)
{
    struct stat status;
    char *name = mu_strdup(set, walk->err);
    char *at = name != NULL ? strrchr(name, '@') : NULL;
    if (name == NULL) return walk->err->status;
    walk->files->label = NULL;
    /* An @ in the name of a file is part of it. */
    if (at != NULL && stat(set, &status) != 0) {
        *at = '\0';
        walk->files->label = at + 1;
    }
    walk->files->matched = false;
    read_set(walk, roots, name);
    if (walk->err->status == MU_OK && walk->files->label != NULL && !walk->files->matched)
        mu_fail(walk->err, MU_USAGE, "%s: no record has the label '%s'", name, walk->files->label);
    walk->files->label = NULL;
    mu_free(name);
    return walk->err->status;
}

int mu_set_files_each(const char *roots, const char *const *sets, size_t count, struct mu_set_files *files,
                      struct mu_error *err)
{
    struct walk walk = {.files = files, .places = json_object(), .err = err};
    struct stat status;
    char root[PATH_MAX];
    const char *named = getenv("MUSTER_RESULTS");
    if (count == 0 && strcmp(roots, mu_results_reading_root()) == 0 && stat(mu_results_root(), &status) != 0 &&
        !mu_results_have_records())
        mu_note(files->notes, "%s", mu_results_missing);
    if (walk.places == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for the names of files");
    for (size_t i = 0; i < count && err->status == MU_OK; i++) read_labelled(&walk, roots, sets[i]);
    while (count == 0 && err->status == MU_OK && mu_results_next_root(&roots, root)) {
        if (stat(root, &status) == 0)
            read_folder(&walk, root);
        else if (named != NULL && named[0] != '\0')
            mu_fail(err, MU_USAGE, "%s: %s (MUSTER_RESULTS names it)", root, strerror(errno));
    }
    json_decref(walk.places);
    return err->status;
}
