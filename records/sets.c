#include "records/sets.h"

#include "base/memory.h"
#include "base/user/data_folder.h"
#include "records/lines.h"
#include "records/runs.h"
#include "records/schema.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What readers of records look at whoever takes them. */
static const char *const own_members[] = {
    "schema", "kind",      "app",         "input",       "variant",
    "chip",   "outcome",   "key",         "samples_ns",  "label",
    "date",   "host.name", "device.uuid", "device.name", "configuration.condition"};
enum { OWN_MEMBERS = sizeof own_members / sizeof own_members[0] };

/* Where records are read from and to. */
struct reader {
    const struct mu_record_sink *sink;
    struct mu_scan *scan;
    const char *label; /* only this one; NULL: all */
    FILE *notes;
    json_t *places; /* paths of the files and folders that were read, by device, inode and label */
    json_t *files;  /* the same paths of files in the order in which they were read */
    json_t *file;   /* the one that is read now, borrowed */
    struct mu_known_runs runs;
    size_t next;               /* the place of the next record */
    size_t dropped, conflicts; /* records of this file that were read before; that have the key of another one */
    bool matched;              /* the set had a record of the label, or was read before */
    struct mu_error *err;
};

/* ---- One record ---- */

static int hand_over(struct reader *reader, json_t *record, size_t place, const struct mu_line *line)
{
    const int status = reader->sink->take(reader->sink->context, record, place, line, reader->err);
    return status != MU_OK ? mu_fail(reader->err, status, "a record was refused") : MU_OK;
}

/* A record whose key was read before. A copy of a file holds the same runs as the file: a run that is there twice
 * counts once. The same key with another content is a conflict, which a person should hear of. */
static int add_again(struct reader *reader, struct mu_known_run *before, json_t *record, const struct mu_line *line)
{
    const char *date = mu_json_text(record, "date");
    if (before->content == line->content) {
        reader->dropped++;
        return MU_OK;
    }
    if (reader->conflicts++ == 0)
        fprintf(reader->notes,
                "muster: note: %s:%zu: another record with this key was read before: of such, the one "
                "that was made first counts\n",
                line->path, line->number);
    const int order = strcmp(date, before->date);
    if (order > 0 || (order == 0 && line->content > before->content)) return MU_OK;
    /* Which file each was in makes no difference. */
    if (before->file != NULL && json_object_set(record, MU_RECORD_FILE, before->file) != 0)
        return mu_fail(reader->err, MU_NO_MEMORY, "out of memory for records");
    before->content = line->content;
    if (mu_known_run_set_date(&reader->runs, before, date, reader->err) != MU_OK) return reader->err->status;
    return hand_over(reader, record, before->place, line);
}

/* Adds a record, or what the one with its key was read before makes of it. Records without a key are all different. */
static int add_by_key(struct reader *reader, json_t *record, const struct mu_line *line)
{
    const char *key = mu_json_text_or(record, "key", NULL);
    struct mu_known_run run = {.content = line->content,
                               .date = mu_json_text(record, "date"),
                               .file = json_object_get(record, MU_RECORD_FILE),
                               .place = reader->next};
    if (key != NULL) {
        mu_run_name(record, key, run.name);
        struct mu_known_run *before = mu_known_runs_find(&reader->runs, &run, reader->err);
        if (reader->err->status != MU_OK) return reader->err->status;
        if (before != NULL) return add_again(reader, before, record, line);
    }
    return hand_over(reader, record, reader->next++, line);
}

/* For mu_line_reader. */
static int add_record(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct reader *reader = context;
    if (!mu_record_is_run(record)) return MU_OK;
    if (mu_record_check(record, line->path, line->number, err) != MU_OK) return err->status;
    if (reader->label != NULL && strcmp(mu_json_text(record, "label"), reader->label) != 0) return MU_OK;
    reader->matched = true;
    if (json_object_get(record, "configuration") == NULL && json_object_set(record, MU_RECORD_FILE, reader->file) != 0)
        return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", line->path);
    return add_by_key(reader, record, line);
}

/* ---- One file ---- */

static int read_records(struct reader *reader, const char *path)
{
    struct mu_line_reader lines = {
        .path = path, .take = add_record, .context = reader, .notes = reader->notes, .scan = reader->scan};
    reader->file = json_string_nocheck(path);
    if (json_array_append_new(reader->files, reader->file) != 0)
        return mu_fail(reader->err, MU_NO_MEMORY, "%s: out of memory", path);
    reader->dropped = reader->conflicts = 0;
    mu_lines_read_file(&lines, reader->err);
    if (reader->dropped != 0)
        fprintf(reader->notes, "muster: note: %s: %zu records have keys that were read before; each counts once\n",
                path, reader->dropped);
    if (reader->conflicts > 1)
        fprintf(reader->notes, "muster: note: %s: %zu records have the keys of others\n", path, reader->conflicts);
    return reader->err->status;
}

/* Remembers a file or folder. `known` tells that it was read before, maybe under another name, for the same label. */
static int note_place(struct reader *reader, const char *path, const struct stat *status, bool *known)
{
    char *name = mu_format(reader->err, "%ju:%ju%s%s", (uintmax_t)status->st_dev, (uintmax_t)status->st_ino,
                           reader->label != NULL ? "@" : "", reader->label != NULL ? reader->label : "");
    if (name == NULL) return reader->err->status;
    const char *before = json_string_value(json_object_get(reader->places, name));
    *known = before != NULL;
    reader->matched = reader->matched || *known;
    if (*known)
        fprintf(reader->notes, "muster: note: %s is the same as %s, and is read once\n", path, before);
    else if (json_object_set_new_nocheck(reader->places, name, json_string_nocheck(path)) != 0)
        mu_fail(reader->err, MU_NO_MEMORY, "%s: out of memory", path);
    mu_free(name);
    return reader->err->status;
}

static int read_file(struct reader *reader, const char *path)
{
    struct stat status;
    bool known = false;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        if (note_place(reader, path, &status, &known) != MU_OK || known) return reader->err->status;
        /* A file of nothing is a set of nothing; what unpacks would call it truncated. */
        if (status.st_size == 0) return MU_OK;
    }
    return read_records(reader, path);
}

/* ---- Folders ---- */

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

static int read_folder(struct reader *reader, const char *path);

static int read_entry(struct reader *reader, const char *folder, const char *name)
{
    struct stat status;
    char *path = mu_format(reader->err, "%s/%s", folder, name);
    if (path == NULL) return reader->err->status;
    if (stat(path, &status) != 0)
        mu_fail(reader->err, MU_IO, "%s: %s", path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        read_folder(reader, path);
    else if (S_ISREG(status.st_mode) && (ends_in(name, ".jsonl") || ends_in(name, ".jsonl.xz")))
        read_file(reader, path);
    mu_free(path);
    return reader->err->status;
}

/* Each folder is read once, so that links in a circle end. */
static int read_folder(struct reader *reader, const char *path)
{
    struct dirent **entries = NULL;
    struct stat status;
    bool known = false;
    if (stat(path, &status) != 0) return mu_fail(reader->err, MU_IO, "%s: %s", path, strerror(errno));
    if (note_place(reader, path, &status, &known) != MU_OK || known) return reader->err->status;
    const int count = scandir(path, &entries, choose_entry, compare_entries);
    if (count < 0) return mu_fail(reader->err, MU_IO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (reader->err->status == MU_OK) read_entry(reader, path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return reader->err->status;
}

/* ---- Sets ---- */

/* Where a file is that comes with the program and is named as it is in the source tree, such as doc/aa-h200.jsonl.xz;
 * NULL if it is nowhere. The caller frees it. */
static char *find_own_file(const char *name, struct mu_error *err)
{
    const char *folder = mu_data_folder();
    const bool document = strncmp(name, "doc/", 4) == 0;
    struct stat status;
    if (folder == NULL) return NULL;
    char *path = mu_format(err, "%s/%s", folder, name);
    if (path != NULL && document && stat(path, &status) != 0) { /* as it is installed */
        mu_free(path);
        path = mu_format(err, "%s/../doc/muster/%s", folder, name + 4);
    }
    if (path != NULL && stat(path, &status) == 0 && S_ISREG(status.st_mode)) return path;
    mu_free(path);
    return NULL;
}

/* MU_USAGE when there is no such file, folder or chip. */
static int read_set(struct reader *reader, const char *root, const char *set)
{
    struct stat status;
    char *own = NULL, *chip = mu_format(reader->err, "%s/%s", root, set);
    if (chip == NULL) return reader->err->status;
    if (stat(set, &status) == 0)
        S_ISDIR(status.st_mode) ? read_folder(reader, set) : read_file(reader, set);
    else if (set[0] != '\0' && stat(chip, &status) == 0 && S_ISDIR(status.st_mode))
        read_folder(reader, chip);
    else if ((own = find_own_file(set, reader->err)) != NULL)
        read_file(reader, own);
    else
        mu_fail(reader->err, MU_USAGE, "%s: no such file or folder, and no chip under %s", set, root);
    mu_free(own);
    mu_free(chip);
    return reader->err->status;
}

/* A set, with a label behind an @ or without. */
static int read_labelled(struct reader *reader, const char *root, const char *set)
{
    struct stat status;
    char *name = mu_strdup(set, reader->err);
    char *at = name != NULL ? strrchr(name, '@') : NULL;
    if (name == NULL) return reader->err->status;
    reader->label = NULL;
    /* An @ in the name of a file is part of it. */
    if (at != NULL && stat(set, &status) != 0) {
        *at = '\0';
        reader->label = at + 1;
    }
    reader->matched = false;
    read_set(reader, root, name);
    if (reader->err->status == MU_OK && reader->label != NULL && !reader->matched)
        mu_fail(reader->err, MU_USAGE, "%s: no record has the label '%s'", name, reader->label);
    reader->label = NULL;
    mu_free(name);
    return reader->err->status;
}

/* The scan of what readers and the sink want. NULL with MU_NO_MEMORY. */
static struct mu_scan *make_scan(const struct mu_record_sink *sink, struct mu_error *err)
{
    size_t count = 0;
    if (sink->members == NULL) return mu_scan_new(NULL, err);
    while (sink->members[count] != NULL) count++;
    const char **names = mu_calloc(OWN_MEMBERS + count + 1, sizeof *names, "members of records", err);
    if (names == NULL) return NULL;
    memcpy(names, own_members, sizeof own_members);
    memcpy(names + OWN_MEMBERS, sink->members, count * sizeof *names);
    struct mu_scan *scan = mu_scan_new(names, err);
    mu_free(names);
    return scan;
}

int mu_records_read(const char *root, const char *const *sets, size_t count, const struct mu_record_sink *sink,
                    FILE *notes, struct mu_error *err)
{
    struct reader reader = {.sink = sink, .notes = notes, .places = json_object(), .files = json_array(), .err = err};
    struct stat status;
    reader.scan = make_scan(sink, err);
    if (reader.places == NULL || reader.files == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for records");
    for (size_t i = 0; i < count && err->status == MU_OK; i++) read_labelled(&reader, root, sets[i]);
    if (count == 0 && err->status == MU_OK && stat(root, &status) == 0) read_folder(&reader, root);
    json_decref(reader.places);
    json_decref(reader.files);
    mu_known_runs_release(&reader.runs);
    mu_scan_free(reader.scan);
    return err->status;
}
