#include "inputs/formats/formats.h"

#include "inputs/formats/foreign.h"
#include "inputs/formats/unmarked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Binary formats, then those with a mark, then the others. */
#define FORMATS(X)                                                                                                     \
    X(galois) X(galois2) X(ecl) X(sg) X(wsg) X(mtx) X(pace) X(dimacs) X(col) X(adj) X(konect) X(metis) X(snap) X(wel)
#define FORMAT(name) &mu_format_##name,
#define CHOICE(name) {#name, NULL},
const struct mu_format *const mu_formats[] = {FORMATS(FORMAT) NULL};
const struct mu_choice mu_input_formats[] = {FORMATS(CHOICE){NULL, NULL}};
enum { BINARY = 5, MARKED = 11 };

const struct mu_format *mu_format_find(const char *name)
{
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++)
        if (strcmp(name, (*format)->name) == 0) return *format;
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

const struct mu_format *mu_format_of_path(const char *path)
{
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++)
        for (const char *const *suffix = (*format)->suffixes; *suffix != NULL; suffix++)
            if ((*format)->write != NULL && ends_with(path, *suffix)) return *format;
    return NULL;
}

void mu_format_list(char *text, size_t text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++) {
        int length = snprintf(text + used, text_bytes - used, "%s%s", used ? ", " : "", (*format)->name);
        if (length < 0 || (size_t)length >= text_bytes - used) return;
        used += (size_t)length;
    }
}

static int unknown_format(const struct mu_source *source, struct mu_error *err)
{
    char names[256];
    mu_format_list(names, sizeof names);
    if (source->size == 0) return mu_fail(err, MU_INPUT, "%s: the file is empty", source->path);
    int status = mu_foreign_refuse(source, err);
    if (status != MU_OK) return status;
    if (memchr(source->bytes, 0, source->size) != NULL)
        return mu_fail(err, MU_INPUT,
                       "%s: not text, and no binary format's header agrees with its size of %" PRIu64
                       " bytes (known: %s)",
                       source->path, mu_source_total(source), names);
    return mu_fail(err, MU_INPUT, "%s:1: in none of the known formats (%s)", source->path, names);
}

/* Takes a byte-order mark of UTF-8 away. */
static void drop_mark(struct mu_source *source, struct mu_reading *reading)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;
    if (source->size < length || memcmp(source->bytes, mark, length) != 0) return;
    memmove(source->bytes, source->bytes + length, source->size - length + 1);
    source->size -= length;
    if (source->rest != 0) source->skipped = length;
    snprintf(reading->remark, sizeof reading->remark, "a byte-order mark (UTF-8) was skipped");
}

/* Makes lines that end in a carriage return alone, as of old, end as others do. */
static void mend_line_ends(struct mu_source *source)
{
    unsigned char *at = source->bytes, *end = at + source->size;
    if (source->rest != 0 || memchr(at, '\n', source->size) != NULL) return;
    while ((at = memchr(at, '\r', (size_t)(end - at))) != NULL) *at = '\n';
}

static const struct mu_format *sniff(const struct mu_source *source, int from, int behind)
{
    for (int i = from; i < behind; i++)
        if (mu_formats[i]->sniff(source)) return mu_formats[i];
    return NULL;
}

/* Finds the format; what is found by reading it is *graph. */
static int choose(struct mu_source *source, struct mu_reading *reading, const struct mu_format **format,
                  struct mu_graph **graph, struct mu_error *err)
{
    const char *why = "the user said so";
    /* The beginning of a large file is enough to know a text. */
    const bool text = source->rest != 0 && memchr(source->bytes, 0, source->size) == NULL;
    *format = reading->format != NULL || text ? NULL : sniff(source, 0, BINARY);
    if (*format != NULL) why = "its header agrees with its size";
    if (*format == NULL) drop_mark(source, reading);
    if (*format == NULL && source->size > 0) mend_line_ends(source);
    if (*format == NULL) *format = reading->format;
    if (*format == NULL) {
        *format = sniff(source, BINARY, MARKED);
        if (*format != NULL) why = (*format)->mark;
    }
    if (*format == NULL && source->size > 0) return mu_choose_unmarked(source, reading, format, graph, err);
    snprintf(reading->why, sizeof reading->why, "%s", why);
    return MU_OK;
}

int mu_format_read(struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph, struct mu_error *err)
{
    const struct mu_format *format;
    struct mu_graph *read = NULL;
    int status = choose(source, reading, &format, &read, err);
    if (status != MU_OK) return status;
    if (format == NULL) return unknown_format(source, err);
    reading->bytes = mu_source_total(source);
    if (status == MU_OK && read == NULL) status = format->read(source, reading, &read, err);
    if (status == MU_OK && read->vertices == 0)
        status = mu_fail(err, MU_INPUT, "%s: the graph has no vertices", source->path);
    if (status != MU_OK) {
        mu_graph_free(read);
        return status;
    }
    mu_graph_settle_weights(read, reading);
    read->format = format->name;
    *graph = read;
    return MU_OK;
}
