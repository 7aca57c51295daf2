#include "harness/commands/results/merge.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/plain.h"
#include "base/sink.h"
#include "base/units.h"
#include "harness/commands/results/spool.h"
#include "harness/device/child.h"
#include "records/schema.h"
#include "records/sets/files.h"
#include "records/sets/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members that merging reads; the rest of a line is copied unread. */
static const char *const members[] = {"schema", "kind",      "app",         "input",   "variant",
                                      "chip",   "outcome",   "samples_ns",  "key",     "label",
                                      "date",   "host.name", "device.uuid", "session", "configuration.condition",
                                      NULL};

/* What is kept of a line that was read. With a million records only these entries are in memory. */
struct entry {
    uint64_t name[2];  /* of its run */
    uint64_t content;  /* hash of its content */
    uint64_t text;     /* hash of its bytes: order of members and blanks count */
    const char *where; /* chip, host and device */
    const char *date;
    size_t number;  /* number of the line in its file */
    uint32_t place; /* in the spool */
    uint32_t file;
};

struct merge {
    const struct mu_merge_request *request;
    struct mu_scan *scan;
    struct mu_words words;
    struct mu_spool spool;
    const char **files;
    size_t file_count;
    struct entry *entries;
    size_t count, room;
    size_t damaged, duplicates, conflicts;
    bool has_records;     /* any record was read, whether wanted or not */
    struct mu_error *err; /* an error that ends the merging; errors in one file do not */
};

/* ---- Reading ---- */

static int make_room(struct merge *merge)
{
    if (merge->count < merge->room) return MU_OK;
    if (merge->count == UINT32_MAX) return mu_fail(merge->err, MU_LIMIT, "too many records to be merged");
    const size_t room = merge->room == 0 ? 1024 : merge->room + merge->room / 2;
    if (mu_resize((void **)&merge->entries, room, sizeof *merge->entries, "records", merge->err) == MU_OK)
        merge->room = room;
    return merge->err->status;
}

/* Returns chip, host and device as one text, by which records are ordered. The text is stored once. */
static const char *keep_where(struct merge *merge, const json_t *record)
{
    char *where = mu_format(merge->err, "%s\n%s\n%s", mu_json_text(record, "chip"),
                            mu_json_text(json_object_get(record, "host"), "name"),
                            mu_json_text(json_object_get(record, "device"), "uuid"));
    const char *kept = where != NULL ? mu_words_keep(&merge->words, where, merge->err) : NULL;
    mu_free(where);
    return kept;
}

/* Makes the identity of a record's run: the hash of its key or, without a key, of its content. */
static void name_run(const json_t *record, uint64_t content, uint64_t name[2])
{
    const char *key = mu_json_text_or(record, "key", NULL);
    name[0] = name[1] = content;
    if (key != NULL) mu_run_name(record, key, name);
}

static int keep(struct merge *merge, const json_t *record, const struct mu_line *line)
{
    if (make_room(merge) != MU_OK) return merge->err->status;
    struct entry *entry = &merge->entries[merge->count];
    *entry = (struct entry){.content = line->content,
                            .text = mu_hash_bytes(line->text, line->bytes),
                            .where = keep_where(merge, record),
                            .date = mu_words_keep(&merge->words, mu_json_text(record, "date"), merge->err),
                            .number = line->number,
                            .place = (uint32_t)merge->count,
                            .file = (uint32_t)(merge->file_count - 1)};
    name_run(record, line->content, entry->name);
    merge->count++;
    return merge->err->status == MU_OK ? mu_spool_put(&merge->spool, line, entry->place, merge->err)
                                       : merge->err->status;
}

/* Takes a line of a file. For mu_line_reader. */
static int take_line(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    struct mu_set_files *files = context;
    struct merge *merge = files->context;
    struct mu_error useless = {0};
    if (mu_interrupted()) return mu_fail(err, mu_fail(merge->err, MU_INTERRUPTED, "interrupted"), "interrupted");
    if (mu_record_is_run(record) && mu_record_check(record, line->path, line->number, &useless) != MU_OK) {
        mu_note(files->notes, "%s: the line is passed over", useless.message);
        merge->damaged++;
        return MU_OK;
    }
    if (files->label != NULL && strcmp(mu_json_text(record, "label"), files->label) != 0) return MU_OK;
    files->matched = true;
    merge->has_records = true;
    if (!merge->request->is_wanted(merge->request->context, record)) return MU_OK;
    return keep(merge, record, line) == MU_OK ? MU_OK : mu_fail(err, merge->err->status, "%s", merge->err->message);
}

/* Takes a file of records. For struct mu_set_files. */
static int take_file(struct mu_set_files *files, const char *path, struct mu_error *err)
{
    struct merge *merge = files->context;
    struct mu_error of_file = {0};
    struct mu_line_reader lines = {.path = path,
                                   .take = take_line,
                                   .context = files,
                                   .notes = files->notes,
                                   .tolerant = true,
                                   .scan = merge->scan};
    const char *kept = mu_words_keep(&merge->words, path, err);
    if (kept == NULL || mu_resize((void **)&merge->files, merge->file_count + 1, sizeof *merge->files, "files", err))
        return err->status;
    merge->files[merge->file_count++] = kept;
    mu_lines_read_file(&lines, &of_file);
    merge->damaged += lines.damaged;
    if (merge->err->status != MU_OK) return merge->err->status;
    if (of_file.status == MU_INPUT || of_file.status == MU_LIMIT) {
        mu_note(files->notes, "%s: the file is damaged from here on, and the rest is passed over", of_file.message);
        merge->damaged++;
        return MU_OK;
    }
    return of_file.status != MU_OK ? mu_fail(err, of_file.status, "%s", of_file.message) : MU_OK;
}

/* ---- Which line of a run is written ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_names(const struct entry *a, const struct entry *b)
{
    const int order = compare_numbers(a->name[0], b->name[0]);
    return order != 0 ? order : compare_numbers(a->name[1], b->name[1]);
}

/* Orders lines by run, and within a run puts the line first that is written. Equal contents are neighbours, since they
 * have the same date. */
static int compare_lines(const void *first, const void *second)
{
    const struct entry *a = first, *b = second;
    int order = compare_names(a, b);
    if (order == 0) order = strcmp(a->date, b->date);
    if (order == 0) order = compare_numbers(a->content, b->content);
    return order != 0 ? order : compare_numbers(a->text, b->text);
}

/* Compares two runs by the order in which they are written. */
static int compare_runs(const void *first, const void *second)
{
    const struct entry *a = first, *b = second;
    int order = strcmp(a->where, b->where);
    if (order == 0) order = strcmp(a->date, b->date);
    return order != 0 ? order : compare_names(a, b);
}

static void tell_conflict(const struct merge *merge, const struct entry *kept, const struct entry *other)
{
    mu_note(stderr, "%s:%zu is in conflict with %s:%zu, which was made first and is kept", merge->files[other->file],
            other->number, merge->files[kept->file], kept->number);
}

static void sort(struct merge *merge, int (*compare)(const void *, const void *))
{
    if (merge->count != 0) qsort(merge->entries, merge->count, sizeof *merge->entries, compare);
}

static void choose(struct merge *merge)
{
    size_t kept = 0;
    sort(merge, compare_lines);
    for (size_t i = 0; i < merge->count; i++) {
        const struct entry *entry = &merge->entries[i];
        if (kept == 0 || compare_names(&merge->entries[kept - 1], entry) != 0) {
            merge->entries[kept++] = *entry;
        } else if (merge->entries[i - 1].content == entry->content) {
            merge->duplicates++;
        } else {
            tell_conflict(merge, &merge->entries[kept - 1], entry);
            merge->conflicts++;
        }
    }
    merge->count = kept;
    sort(merge, compare_runs);
}

/* ---- Writing ---- */

static int write_records(struct merge *merge, struct mu_sink *sink, struct mu_error *err)
{
    struct mu_spooled_text text = {0};
    for (size_t i = 0; i < merge->count && err->status == MU_OK; i++) {
        if (mu_interrupted()) mu_fail(err, MU_INTERRUPTED, "interrupted");
        if (mu_spool_get(&merge->spool, merge->entries[i].place, &text, err) != MU_OK) break;
        if (sink != NULL) {
            mu_sink_text(sink, text.bytes);
            mu_sink_u8(sink, '\n');
        } else if (puts(text.bytes) == EOF) {
            break; /* mu_finish_output says why */
        }
    }
    mu_free(text.bytes);
    return err->status;
}

static void tell_counts(const struct merge *merge)
{
    fprintf(stderr, "muster: %zu file%s: %zu record%s, %zu duplicate%s, %zu in conflict, %zu damaged line%s\n",
            merge->file_count, mu_plural(merge->file_count), merge->count, mu_plural(merge->count), merge->duplicates,
            mu_plural(merge->duplicates), merge->conflicts, merge->damaged, mu_plural(merge->damaged));
}

int mu_results_merge(const struct mu_merge_request *request, struct mu_error *err)
{
    struct merge merge = {.request = request, .err = err};
    struct mu_set_files files = {.take = take_file, .context = &merge, .notes = stderr};
    struct mu_sink *sink = NULL;
    merge.scan = mu_scan_new(members, err);
    if (request->output != NULL && err->status == MU_OK) mu_sink_open(request->output, &sink, err);
    if (err->status == MU_OK &&
        mu_set_files_each(request->root, request->sets, request->set_count, &files, err) == MU_OK) {
        choose(&merge);
        if (merge.damaged != 0 && !merge.has_records)
            mu_fail(err, MU_INPUT, "nothing was merged: what is damaged is all there is, or it is no file of records");
        else
            write_records(&merge, sink, err);
    }
    if (mu_sink_close(sink, err->status, err) == MU_OK) tell_counts(&merge);
    mu_free(merge.entries);
    mu_free(merge.files);
    mu_spool_release(&merge.spool);
    mu_words_release(&merge.words);
    mu_scan_free(merge.scan);
    return err->status;
}
