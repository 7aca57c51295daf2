#include "records/sets.h"

#include "base/memory.h"
#include "base/stream.h"
#include "records/lines.h"
#include "records/schema.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where records are read from and to. */
struct reader {
    json_t *records;
    const char *label; /* only this one; NULL: all */
    FILE *notes;
    json_t *places;            /* paths of the files and folders that were read, by device, inode and label */
    struct mu_json keys;       /* places in `records`, by device, host and key */
    size_t dropped, conflicts; /* records of this file that were read before; that have the key of another one */
    bool matched;              /* the set had a record of the label, or was read before */
    struct mu_error *err;
};

/* ---- One record ---- */

/* Of two different records with one key, the one that was made first counts, whichever was read first: by date, then by
 * their text. */
static int choose(struct reader *reader, size_t place, json_t *record)
{
    const json_t *before = json_array_get(reader->records, place);
    int order = strcmp(mu_json_text(record, "date"), mu_json_text(before, "date"));
    if (order == 0) {
        char *text = json_dumps(record, JSON_COMPACT | JSON_SORT_KEYS);
        char *other = json_dumps(before, JSON_COMPACT | JSON_SORT_KEYS);
        if (text == NULL || other == NULL) mu_fail(reader->err, MU_NO_MEMORY, "out of memory for records");
        if (text != NULL && other != NULL) order = strcmp(text, other);
        free(text);
        free(other);
    }
    if (order < 0 && json_array_set(reader->records, place, record) != 0)
        mu_fail(reader->err, MU_NO_MEMORY, "out of memory for records");
    return reader->err->status;
}

/* A record whose key was read before. A copy of a file holds the same runs as the file: a run that is there twice
 * counts once. The same key with another content is a conflict, which a person should hear of. */
static int add_again(struct reader *reader, size_t place, json_t *record, const struct mu_line *line)
{
    const json_t *before = json_array_get(reader->records, place);
    json_t *file = json_object_get(before, MU_RECORD_FILE); /* which file each was in makes no difference */
    if (file != NULL && json_object_set(record, MU_RECORD_FILE, file) != 0)
        return mu_fail(reader->err, MU_NO_MEMORY, "out of memory for records");
    if (json_equal(before, record)) {
        reader->dropped++;
        return MU_OK;
    }
    if (reader->conflicts++ == 0)
        fprintf(reader->notes,
                "muster: note: %s:%zu: another record with this key was read before: of such, the one "
                "that was made first counts\n",
                line->path, line->number);
    return choose(reader, place, record);
}

/* The key, and what it is unique on: a device of a host. Two machines, or two equal devices of one, that have made the
 * same campaign each have measured it. The caller's. */
static char *name_of(const json_t *record, const char *key, struct mu_error *err)
{
    return mu_format(err, "%s\n%s\n%s\n%s", mu_json_text(record, "chip"),
                     mu_json_text(json_object_get(record, "host"), "name"),
                     mu_json_text(json_object_get(record, "device"), "uuid"), key);
}

/* Adds a record, or what the one with its key was read before makes of it. Records without a key are all different. */
static int add_by_key(struct reader *reader, json_t *record, const struct mu_line *line)
{
    const char *key = mu_json_text_or(record, "key", NULL);
    const size_t place = json_array_size(reader->records);
    char *name = key != NULL ? name_of(record, key, reader->err) : NULL;
    if (key != NULL && name == NULL) return reader->err->status;
    const json_t *known = name != NULL ? json_object_get(reader->keys.value, name) : NULL;
    if (known != NULL) {
        add_again(reader, (size_t)json_integer_value(known), record, line);
    } else {
        if (name != NULL) mu_json_set_number(&reader->keys, name, place);
        if (reader->keys.lost || json_array_append(reader->records, record) != 0)
            mu_fail(reader->err, MU_NO_MEMORY, "%s: out of memory", line->path);
    }
    mu_free(name);
    return reader->err->status;
}

/* For mu_line_reader. */
static int add_record(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct reader *reader = context;
    if (!mu_record_is_run(record)) return MU_OK;
    if (mu_record_check(record, line->path, line->number, err) != MU_OK) return err->status;
    if (reader->label != NULL && strcmp(mu_json_text(record, "label"), reader->label) != 0) return MU_OK;
    reader->matched = true;
    if (json_object_get(record, "configuration") == NULL &&
        json_object_set_new(record, MU_RECORD_FILE, json_string_nocheck(line->path)) != 0)
        return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", line->path);
    return add_by_key(reader, record, line);
}

/* ---- One file ---- */

static int read_records(struct reader *reader, const struct mu_source *source)
{
    struct mu_line_reader lines = {.path = source->path, .take = add_record, .context = reader, .notes = reader->notes};
    reader->dropped = reader->conflicts = 0;
    mu_lines_read(&lines, (const char *)source->bytes, source->size, reader->err);
    if (reader->dropped != 0)
        fprintf(reader->notes, "muster: note: %s: %zu records have keys that were read before; each counts once\n",
                source->path, reader->dropped);
    if (reader->conflicts > 1)
        fprintf(reader->notes, "muster: note: %s: %zu records have the keys of others\n", source->path,
                reader->conflicts);
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
    struct mu_source source = {0};
    struct stat status;
    bool known = false;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        if (note_place(reader, path, &status, &known) != MU_OK || known) return reader->err->status;
        /* A file of nothing is a set of nothing; what unpacks would call it truncated. */
        if (status.st_size == 0) return MU_OK;
    }
    if (mu_source_read(path, &source, reader->err) == MU_OK) read_records(reader, &source);
    mu_source_release(&source);
    return reader->err->status;
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

/* MU_USAGE when there is no such file, folder or chip. */
static int read_set(struct reader *reader, const char *root, const char *set)
{
    struct stat status;
    char *chip = mu_format(reader->err, "%s/%s", root, set);
    if (chip == NULL) return reader->err->status;
    if (stat(set, &status) == 0)
        S_ISDIR(status.st_mode) ? read_folder(reader, set) : read_file(reader, set);
    else if (set[0] != '\0' && stat(chip, &status) == 0 && S_ISDIR(status.st_mode))
        read_folder(reader, chip);
    else
        mu_fail(reader->err, MU_USAGE, "%s: no such file or folder, and no chip under %s", set, root);
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

int mu_records_load_all(const char *root, const char *const *sets, size_t count, json_t *records, FILE *notes,
                        struct mu_error *err)
{
    struct reader reader = {
        .records = records, .notes = notes, .places = json_object(), .keys = mu_json_object(), .err = err};
    struct stat status;
    if (reader.places == NULL || reader.keys.lost) mu_fail(err, MU_NO_MEMORY, "out of memory for records");
    for (size_t i = 0; i < count && err->status == MU_OK; i++) read_labelled(&reader, root, sets[i]);
    if (count == 0 && err->status == MU_OK && stat(root, &status) == 0) read_folder(&reader, root);
    json_decref(reader.places);
    mu_json_release(&reader.keys);
    return err->status;
}
