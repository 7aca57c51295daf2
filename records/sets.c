#include "records/sets.h"

#include "base/memory.h"
#include "base/plain.h"
#include "records/lines.h"
#include "records/schema.h"
#include "records/sets/chips.h"
#include "records/sets/files.h"
#include "records/sets/runs.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The members that readers of records need themselves, besides those of the sink. */
static const char *const own_members[] = {"schema",
                                          "kind",
                                          "app",
                                          "input",
                                          "variant",
                                          "chip",
                                          "outcome",
                                          "key",
                                          "samples_ns",
                                          "label",
                                          "date",
                                          "host.name",
                                          "device.uuid",
                                          "device.name",
                                          "device.vendor",
                                          "device.platform",
                                          "device.compute_units",
                                          "session",
                                          "configuration.condition"};
enum { OWN_MEMBERS = sizeof own_members / sizeof own_members[0] };

/* Where records are read from and to. */
struct reader {
    const struct mu_record_sink *sink;
    struct mu_scan *scan;
    struct mu_set_files *files; /* where they come from */
    struct mu_chip_names names;
    struct mu_known_runs runs;
    size_t next;               /* the place of the next record */
    size_t dropped, conflicts; /* records of this file that were read before; that have the key of another one */
    struct mu_error *err;
};

/* ---- One record ---- */

static int hand_over(struct reader *reader, json_t *record, size_t place, const struct mu_line *line)
{
    const int status = reader->sink->take(reader->sink->context, record, place, line, reader->err);
    return status != MU_OK ? mu_fail(reader->err, status, "a record was refused") : MU_OK;
}

/* Takes in a record whose key was read before. A run that is there twice, as in a copy of a file, counts once. The same
 * key with another content is a conflict, which a note reports. */
static int add_again(struct reader *reader, struct mu_known_run *before, json_t *record, const struct mu_line *line)
{
    const char *date = mu_json_text(record, "date");
    if (before->content == line->content) {
        reader->dropped++;
        return MU_OK;
    }
    const int order = strcmp(date, before->date);
    if (reader->conflicts++ == 0)
        mu_note(reader->files->notes,
                "%s:%zu: another record with this key was read before: of such, the one that was made first counts "
                "(that of %.40s, not that of %.40s)",
                line->path, line->number, order > 0 ? before->date : date, order > 0 ? date : before->date);
    if (order > 0 || (order == 0 && line->content > before->content)) return MU_OK;
    before->content = line->content;
    if (mu_known_run_set_date(&reader->runs, before, date, reader->err) != MU_OK) return reader->err->status;
    return hand_over(reader, record, before->place, line);
}

/* Adds a record, or what the one with its key was read before makes of it. Records without a key are all different. */
static int add_by_key(struct reader *reader, json_t *record, const struct mu_line *line)
{
    const char *key = mu_json_text_or(record, "key", NULL);
    struct mu_known_run run = {.content = line->content, .date = mu_json_text(record, "date"), .place = reader->next};
    if (key != NULL) {
        mu_run_name(record, key, run.name);
        struct mu_known_run *before = mu_known_runs_find(&reader->runs, &run, reader->err);
        if (reader->err->status != MU_OK) return reader->err->status;
        if (before != NULL) return add_again(reader, before, record, line);
    }
    return hand_over(reader, record, reader->next++, line);
}

/* Gives the records of a device another chip's name, "name~2", where an unlike device has that name already: so tables
 * never put one's times beside, or together with, the other's. */
static int name_chip(struct reader *reader, json_t *record, const struct mu_line *line)
{
    bool is_new = false;
    const char *chip = mu_json_text(record, "chip");
    char *name = mu_chip_names_of(&reader->names, record, &is_new, reader->err);
    if (name == NULL) return reader->err->status;
    if (strcmp(name, chip) != 0) {
        if (is_new)
            mu_note(reader->files->notes, "%s:%zu: the chip %s is another device than before; it is shown as %s",
                    line->path, line->number, chip, name);
        if (json_object_set_new(record, "chip", json_string(name)) != 0)
            mu_fail(reader->err, MU_NO_MEMORY, "out of memory for chips");
    }
    mu_free(name);
    return reader->err->status;
}

/* Takes in one record (mu_line_reader). */
static int add_record(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct reader *reader = context;
    if (!mu_record_is_run(record)) return MU_OK;
    if (mu_record_check(record, line->path, line->number, err) != MU_OK) return err->status;
    const char *label = reader->files->label;
    if (label != NULL && strcmp(mu_json_text(record, "label"), label) != 0) return MU_OK;
    reader->files->matched = true;
    if (name_chip(reader, record, line) != MU_OK) return err->status;
    return add_by_key(reader, record, line);
}

/* ---- One file ---- */

/* Reads the records of a file (struct mu_set_files). */
static int read_records(struct mu_set_files *files, const char *path, struct mu_error *err)
{
    struct reader *reader = files->context;
    struct mu_line_reader lines = {
        .path = path, .take = add_record, .context = reader, .notes = files->notes, .scan = reader->scan};
    reader->dropped = reader->conflicts = 0;
    mu_lines_read_file(&lines, err);
    if (reader->dropped != 0)
        mu_note(files->notes, "%s: %zu records have keys that were read before; each counts once", path,
                reader->dropped);
    if (reader->conflicts > 1)
        mu_note(files->notes, "%s: %zu records have the keys of others", path, reader->conflicts);
    return err->status;
}

/* Returns the scan of what readers and the sink want, which the caller releases; NULL with MU_NO_MEMORY. */
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
    struct reader reader = {.sink = sink, .names = {json_incref(sink->chips)}, .err = err};
    struct mu_set_files files = {.take = read_records, .context = &reader, .notes = notes};
    reader.files = &files;
    reader.scan = make_scan(sink, err);
    if (err->status == MU_OK) mu_set_files_each(root, sets, count, &files, err);
    mu_chip_names_release(&reader.names);
    mu_known_runs_release(&reader.runs);
    mu_scan_free(reader.scan);
    return err->status;
}
