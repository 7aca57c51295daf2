#include "harness/commands/results/spool.h"

#include "base/memory.h"
#include "records/scan.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>

struct mu_spooled {
    long long start;
    size_t bytes; /* 0: the place is empty */
};

static int fail(struct mu_error *err)
{
    return mu_fail(err, MU_IO, "a temporary file for the records: %s", strerror(errno));
}

int mu_spool_put(struct mu_spool *spool, const struct mu_line *line, size_t place, struct mu_error *err)
{
    if (spool->file == NULL && (spool->file = tmpfile()) == NULL) return fail(err);
    if (place >= spool->capacity) {
        const size_t capacity = place < 8 ? 16 : 2 * place;
        if (mu_resize((void **)&spool->lines, capacity, sizeof *spool->lines, "records", err) != MU_OK)
            return err->status;
        spool->capacity = capacity;
    }
    for (; spool->count <= place; spool->count++) spool->lines[spool->count] = (struct mu_spooled){0};
    spool->lines[place] = (struct mu_spooled){0};
    if (line == NULL) return MU_OK;
    spool->at = -1; /* C requires a seek between writing and reading */
    if (fwrite(line->text, 1, line->bytes, spool->file) != line->bytes) return fail(err);
    spool->lines[place] = (struct mu_spooled){spool->end, line->bytes};
    spool->end += (long long)line->bytes;
    return MU_OK;
}

/* Parses the record of a line by the scan, or else by the full parser. NULL with MU_NO_MEMORY, the only possible
 * failure, since the line was parsed before. */
static json_t *read_record(struct mu_scan *scan, const char *text, size_t bytes, struct mu_error *err)
{
    uint64_t content = 0;
    json_t *record = mu_scan_line(scan, text, bytes, &content);
    if (record == NULL) record = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
    if (record == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for a record");
    return record;
}

int mu_spool_get(struct mu_spool *spool, size_t place, struct mu_spooled_text *text, struct mu_error *err)
{
    const struct mu_spooled *line = &spool->lines[place];
    if (line->bytes >= text->room) {
        const size_t room = 2 * line->bytes + 1;
        if (mu_resize((void **)&text->bytes, room, 1, "a record", err) != MU_OK) return err->status;
        text->room = room;
    }
    if ((spool->at != line->start && fseeko(spool->file, (off_t)line->start, SEEK_SET) != 0) ||
        fread(text->bytes, 1, line->bytes, spool->file) != line->bytes) {
        spool->at = -1;
        return fail(err);
    }
    spool->at = line->start + (long long)line->bytes;
    text->bytes[line->bytes] = '\0';
    text->count = line->bytes;
    return MU_OK;
}

int mu_spool_each(struct mu_spool *spool, const char *const *members,
                  int (*take)(void *context, json_t *record, struct mu_error *err), void *context, struct mu_error *err)
{
    struct mu_spooled_text text = {0};
    struct mu_scan *scan = mu_scan_new(members, err);
    for (size_t i = 0; i < spool->count && err->status == MU_OK; i++) {
        if (spool->lines[i].bytes == 0 || mu_spool_get(spool, i, &text, err) != MU_OK) continue;
        json_t *record = read_record(scan, text.bytes, text.count, err);
        if (record != NULL) take(context, record, err);
        json_decref(record);
    }
    mu_scan_free(scan);
    mu_free(text.bytes);
    return err->status;
}

void mu_spool_release(struct mu_spool *spool)
{
    if (spool->file != NULL) fclose(spool->file);
    mu_free(spool->lines);
    *spool = (struct mu_spool){0};
}
