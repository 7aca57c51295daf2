#include "records/lines.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(const struct mu_line *line)
{
    for (size_t i = 0; i < line->bytes; i++)
        if (line->text[i] != ' ' && line->text[i] != '\t' && line->text[i] != '\r') return false;
    return true;
}

/* A line that holds no object: an error, or a note. */
static int pass_over(struct mu_line_reader *reader, const struct mu_line *line, bool cut, const char *why,
                     struct mu_error *err)
{
    if (!cut && !reader->tolerant)
        return mu_fail(err, MU_INPUT, "%s:%zu: not a record: %s", line->path, line->number, why);
    reader->damaged++;
    if (cut)
        fprintf(reader->notes, "muster: note: %s:%zu: the last line was cut off and is passed over\n", line->path,
                line->number);
    else
        fprintf(reader->notes, "muster: note: %s:%zu: the line is damaged and is passed over: %s\n", line->path,
                line->number, why);
    return MU_OK;
}

static int read_line(struct mu_line_reader *reader, const struct mu_line *line, bool cut, struct mu_error *err)
{
    json_error_t error;
    json_t *object = json_loadb(line->text, line->bytes, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(object))
        reader->take(reader->context, object, line, err);
    else if (object != NULL)
        pass_over(reader, line, false, "no JSON object", err);
    else if (error.text[0] == '\0') /* the parser names what is wrong with a text; here nothing is */
        mu_fail(err, MU_NO_MEMORY, "%s:%zu: out of memory", line->path, line->number);
    else
        pass_over(reader, line, cut, error.text, err);
    json_decref(object);
    return err->status;
}

int mu_lines_read(struct mu_line_reader *reader, const char *text, size_t bytes, struct mu_error *err)
{
    struct mu_line line = {.path = reader->path, .text = text};
    for (size_t start = 0; start < bytes && err->status == MU_OK; start += line.bytes + 1) {
        line.text = text + start;
        const char *newline = memchr(line.text, '\n', bytes - start);
        line.bytes = newline != NULL ? (size_t)(newline - line.text) : bytes - start;
        line.number++;
        if (!is_blank(&line)) read_line(reader, &line, newline == NULL, err);
    }
    return err->status;
}

size_t mu_lines_whole(const char *text, size_t bytes)
{
    while (bytes > 0 && text[bytes - 1] != '\n') bytes--;
    return bytes;
}

char *mu_line_of(const json_t *record, unsigned digits, size_t *bytes)
{
    char *line = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(digits));
    if (line == NULL) return NULL;
    *bytes = strlen(line);
    char *longer = realloc(line, *bytes + 2);
    if (longer == NULL) {
        free(line);
        return NULL;
    }
    memcpy(longer + *bytes, "\n", 2);
    *bytes += 1;
    return longer;
}
