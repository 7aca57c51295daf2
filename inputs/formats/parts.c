#include "inputs/formats/parts.h"

#include "base/memory.h"

/* ---- Texts ---- */

/* Reads the next part, and cuts it behind its last blank unless it is the last. False where there is none. */
static bool read_part(struct mu_text *text)
{
    const uint64_t left = mu_source_total(text->whole) - text->next;
    const size_t room = mu_source_part_bytes();
    size_t size = left < room ? (size_t)left : room;
    unsigned char *bytes = text->part.bytes;
    if (size == 0 || text->failed || text->endless) return false;
    text->failed = !mu_source_read_at(text->whole, bytes, size, text->next);
    if (text->failed) return false;
    if (size < left) {
        size_t cut = size;
        while (cut > 0 && bytes[cut - 1] != ' ' && bytes[cut - 1] != '\t' && bytes[cut - 1] != '\n') cut--;
        text->endless = cut == 0;
        if (text->endless) return false;
        size = cut;
    }
    text->part.size = size;
    text->next += size;
    bytes[size] = 0;
    return true;
}

bool mu_scan_refill(struct mu_scan *scan)
{
    struct mu_text *text = scan->text;
    if (scan->at != text->part.bytes + text->part.size) return false;
    const bool more = read_part(text);
    if (!more) text->part.bytes[text->part.size = 0] = 0; /* what was read in vain is no part */
    scan->at = text->part.bytes;
    if (!more) return false;
    if (text->reading != NULL && text->reading->progress != NULL)
        text->reading->progress(text->next, mu_source_total(text->whole));
    return true;
}

int mu_text_open(struct mu_text *text, const struct mu_source *source, const struct mu_reading *reading,
                 struct mu_scan *scan, struct mu_error *err)
{
    *text = (struct mu_text){.part = *source, .whole = source, .reading = reading};
    *scan = mu_scan_start(&text->part);
    if (source->rest == 0) return MU_OK;
    text->part.size = 0;
    text->part.bytes = mu_malloc(mu_source_part_bytes() + 1, 1, "a part of the file", err);
    if (text->part.bytes == NULL) return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
    text->part.bytes[0] = 0;
    *scan = mu_scan_start(&text->part);
    scan->text = text;
    mu_scan_refill(scan);
    return MU_OK;
}

int mu_text_close(struct mu_text *text, const struct mu_error *own, struct mu_error *err)
{
    if (text->whole->rest != 0) mu_free(text->part.bytes);
    if (text->failed || mu_source_changed(text->whole)) return mu_source_fail_changed(text->whole, err);
    if (text->endless)
        return mu_fail(err, MU_INPUT, "%s: a word is longer than %zu bytes", text->whole->path, mu_source_part_bytes());
    return own->status == MU_OK ? MU_OK : mu_fail(err, own->status, "%s", own->message);
}

/* ---- Binary files ---- */

int mu_window_open(struct mu_window *window, const struct mu_source *source, struct mu_error *err)
{
    *window = (struct mu_window){.source = source, .bytes = source->bytes, .end = source->size};
    if (source->rest == 0) return MU_OK;
    window->end = 0;
    window->bytes = window->buffer = mu_malloc(mu_source_part_bytes(), 1, "a part of the file", err);
    if (window->buffer != NULL) return MU_OK;
    return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
}

void mu_window_close(struct mu_window *window)
{
    mu_free(window->buffer);
}

const unsigned char *mu_window_move(struct mu_window *window, uint64_t at, unsigned count)
{
    const uint64_t total = mu_source_total(window->source);
    if (window->buffer == NULL || at > total || total - at < count) return NULL;
    const size_t room = mu_source_part_bytes();
    const uint64_t size = total - at < room ? total - at : room;
    window->begin = at;
    window->end = mu_source_read_at(window->source, window->buffer, size, at) ? at + size : at;
    return window->end > at ? window->bytes : NULL;
}
