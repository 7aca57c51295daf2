#include "inputs/formats/formats.h"

#include <stdio.h>
#include <string.h>

const struct mu_format *const mu_formats[] = {
    &mu_format_galois, &mu_format_galois2, &mu_format_ecl,   &mu_format_sg,   &mu_format_wsg, &mu_format_mtx,
    &mu_format_pace,   &mu_format_dimacs,  &mu_format_metis, &mu_format_snap, NULL,
};

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
            if (ends_with(path, *suffix)) return *format;
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
    if (memchr(source->bytes, 0, source->size) != NULL)
        return mu_fail(err, MU_INPUT,
                       "%s: not text, and no binary format's header agrees with its size of %zu bytes (known: %s)",
                       source->path, source->size, names);
    return mu_fail(err, MU_INPUT, "%s:1: in none of the known formats (%s)", source->path, names);
}

int mu_format_read(const struct mu_source *source, struct mu_graph **graph, struct mu_error *err)
{
    const struct mu_format *const *format = mu_formats;
    while (*format != NULL && !(*format)->sniff(source)) format++;
    if (*format == NULL) return unknown_format(source, err);
    struct mu_graph *read = NULL;
    int status = (*format)->read(source, &read, err);
    if (status == MU_OK && read->vertices == 0)
        status = mu_fail(err, MU_INPUT, "%s: the graph has no vertices", source->path);
    if (status != MU_OK) {
        mu_graph_free(read);
        return status;
    }
    read->format = (*format)->name;
    *graph = read;
    return MU_OK;
}
