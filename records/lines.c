#include "records/lines.h"

#include "base/files/unpack.h"
#include "base/memory.h"
#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(const struct mu_line *line)
{
    for (size_t i = 0; i < line->bytes; i++)
        if (line->text[i] != ' ' && line->text[i] != '\t' && line->text[i] != '\r') return false;
    return true;
}

/* Passes over a line that holds no object, with a note or an error. */
static int pass_over(struct mu_line_reader *reader, const struct mu_line *line, bool cut, const char *why,
                     struct mu_error *err)
{
    if (!cut && !reader->tolerant)
        return mu_fail(err, MU_INPUT, "%s:%zu: not a record: %s", line->path, line->number, why);
    reader->damaged++;
    if (cut)
        mu_note(reader->notes, "%s:%zu: the last line was cut off and is passed over", line->path, line->number);
    else
        mu_note(reader->notes, "%s:%zu: the line is damaged and is passed over: %s", line->path, line->number, why);
    return MU_OK;
}

/* Returns the object of a line by the JSON parser; NULL if it holds none, or after a failure. */
static json_t *parse(struct mu_line_reader *reader, struct mu_line *line, bool cut, struct mu_error *err)
{
    json_error_t error;
    json_t *object = json_loadb(line->text, line->bytes, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(object)) {
        if (reader->scan != NULL) line->content = mu_content_hash(object);
        return object;
    }
    if (object != NULL)
        pass_over(reader, line, false, "no JSON object", err);
    else if (error.text[0] == '\0') /* the parser names what is wrong with a text; here nothing is */
        mu_fail(err, MU_NO_MEMORY, "%s:%zu: out of memory", line->path, line->number);
    else
        pass_over(reader, line, cut, error.text, err);
    json_decref(object);
    return NULL;
}

static int read_line(struct mu_line_reader *reader, struct mu_line *line, bool cut, struct mu_error *err)
{
    json_t *object = NULL;
    if (is_blank(line)) return err->status;
    if (reader->scan != NULL) object = mu_scan_line(reader->scan, line->text, line->bytes, &line->content);
    if (object == NULL) object = parse(reader, line, cut, err);
    if (object != NULL) reader->take(reader->context, object, line, err);
    json_decref(object);
    return err->status;
}

/* Reads the lines of a text that are ended. Returns where what is left begins. */
static size_t read_lines(struct mu_line_reader *reader, struct mu_line *line, const char *text, size_t bytes,
                         struct mu_error *err)
{
    size_t start = 0;
    while (start < bytes && err->status == MU_OK) {
        const char *newline = memchr(text + start, '\n', bytes - start);
        if (newline == NULL) break;
        line->text = text + start;
        line->bytes = (size_t)(newline - line->text);
        line->number = ++reader->lines;
        start += line->bytes + 1;
        read_line(reader, line, false, err);
    }
    return start;
}

/* Reads what is behind the last newline. */
static int read_rest(struct mu_line_reader *reader, struct mu_line *line, const char *text, size_t bytes,
                     struct mu_error *err)
{
    if (bytes == 0 || err->status != MU_OK) return err->status;
    line->text = text;
    line->bytes = bytes;
    line->number = ++reader->lines;
    return read_line(reader, line, true, err);
}

int mu_lines_read(struct mu_line_reader *reader, const char *text, size_t bytes, struct mu_error *err)
{
    struct mu_line line = {.path = reader->path};
    const size_t start = read_lines(reader, &line, text, bytes, err);
    return read_rest(reader, &line, text + start, bytes - start, err);
}

/* Bytes that were read and not taken. */
struct window {
    char *text;
    size_t bytes, capacity;
};

/* Makes room for more, and reads it. */
static int widen(struct window *window, struct mu_unpacker *from, size_t *got, const struct mu_line_reader *reader,
                 struct mu_error *err)
{
    enum { LEAST = 1 << 18 };
    if (window->bytes > MU_MOST_LINE_BYTES)
        return mu_fail(err, MU_LIMIT, "%s:%zu: the line has more than %zu MiB", reader->path, reader->lines + 1,
                       MU_MOST_LINE_BYTES >> 20);
    if (window->capacity - window->bytes < LEAST / 2) {
        const size_t capacity = window->capacity == 0 ? LEAST : 2 * window->capacity;
        if (mu_resize((void **)&window->text, capacity, 1, "a line", err) != MU_OK) return err->status;
        window->capacity = capacity;
    }
    if (mu_unpack_read(from, window->text + window->bytes, window->capacity - window->bytes, got, err) == MU_OK)
        window->bytes += *got;
    return err->status;
}

int mu_lines_read_file(struct mu_line_reader *reader, struct mu_error *err)
{
    struct mu_line line = {.path = reader->path};
    struct window window = {0};
    size_t got = 1;
    struct mu_unpacker *from = mu_unpack_open(reader->path, err);
    while (from != NULL && got > 0 && widen(&window, from, &got, reader, err) == MU_OK) {
        if (got == 0 || memchr(window.text + window.bytes - got, '\n', got) == NULL) continue;
        const size_t taken = read_lines(reader, &line, window.text, window.bytes, err);
        window.bytes -= taken;
        memmove(window.text, window.text + taken, window.bytes);
    }
    read_rest(reader, &line, window.text, window.bytes, err);
    mu_unpack_close(from);
    mu_free(window.text);
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
