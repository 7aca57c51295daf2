#include "inputs/formats/scan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The longest quotation is two quotes, this and three dots. */
enum { QUOTED_MAX = MU_SCAN_QUOTED_BYTES - 6, MESSAGE_MAX = 512 };

struct mu_scan mu_scan_start(const struct mu_source *source)
{
    return (struct mu_scan){.source = source, .at = source->bytes, .line = 1};
}

bool mu_scan_at_end(const struct mu_scan *scan)
{
    return scan->at == scan->source->bytes + scan->source->size;
}

int mu_scan_fail(const struct mu_scan *scan, struct mu_error *err, const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return mu_fail(err, MU_INPUT, "%s:%" PRIu64 ": %s", scan->source->path, scan->line, message);
}

static bool ends_token(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

const char *mu_scan_quote(const struct mu_scan *scan, char text[MU_SCAN_QUOTED_BYTES])
{
    size_t length = 0;
    const size_t left = (size_t)(scan->source->bytes + scan->source->size - scan->at);
    text[0] = '\'';
    while (length < left && length < QUOTED_MAX && !ends_token(scan->at[length])) {
        unsigned char c = scan->at[length++];
        text[length] = (char)(c >= 0x20 && c < 0x7f ? c : '?');
    }
    bool cut = length < left && !ends_token(scan->at[length]);
    memcpy(text + 1 + length, cut ? "...'" : "'", cut ? 5 : 2);
    return text;
}

static bool is_whole_number(const struct mu_scan *scan)
{
    const unsigned char *at = scan->at;
    while (isdigit(*at)) at++;
    return at > scan->at && (ends_token(*at) || at == scan->source->bytes + scan->source->size);
}

int mu_scan_fail_number(struct mu_scan *scan, const struct mu_range *range, struct mu_error *err)
{
    char text[MU_SCAN_QUOTED_BYTES];
    if (mu_scan_line_is_over(scan))
        return mu_scan_fail(scan, err, "%s is missing at the end of the %s", range->what,
                            mu_scan_at_end(scan) ? "file" : "line");
    mu_scan_quote(scan, text);
    if (!is_whole_number(scan) && !(scan->at[0] == '-' && isdigit(scan->at[1])))
        return mu_scan_fail(scan, err, "%s is expected, not %s", range->what, text);
    return mu_scan_fail(scan, err, "%s must be from %" PRIu64 " to %" PRIu64 ", not %s", range->what, range->min,
                        range->max, text);
}

int mu_scan_fail_end(const struct mu_scan *scan, struct mu_error *err)
{
    char text[MU_SCAN_QUOTED_BYTES];
    return mu_scan_fail(scan, err, "the line should end before %s", mu_scan_quote(scan, text));
}

void mu_scan_skip_line(struct mu_scan *scan)
{
    const unsigned char *newline;
    do {
        const unsigned char *end = scan->source->bytes + scan->source->size;
        newline = memchr(scan->at, '\n', (size_t)(end - scan->at));
        scan->at = newline != NULL ? newline + 1 : end;
    } while (mu_scan_settle(scan) && newline == NULL);
    if (newline != NULL) scan->line++;
}

bool mu_scan_next_line(struct mu_scan *scan, char comment)
{
    for (;;) {
        mu_scan_settle(scan);
        if (*scan->at == (unsigned char)comment) {
            mu_scan_skip_line(scan);
            continue;
        }
        /* The usual case: a digit or a letter. */
        if (*scan->at > ' ') return true;
        if (!mu_scan_line_is_over(scan)) return true;
        if (mu_scan_at_end(scan)) return false;
        mu_scan_skip_line(scan);
    }
}

static bool skip_word(struct mu_scan *scan, size_t length)
{
    const unsigned char after = scan->at[length];
    if (!ends_token(after) && after != '\0') return false;
    scan->at += length;
    return true;
}

/* Compares no further than the zero byte behind the text, in either comparison. */
bool mu_scan_word(struct mu_scan *scan, const char *word)
{
    const size_t length = strlen(word);
    mu_scan_blanks(scan);
    return strncmp((const char *)scan->at, word, length) == 0 && skip_word(scan, length);
}

bool mu_scan_word_any_case(struct mu_scan *scan, const char *word)
{
    const size_t length = strlen(word);
    mu_scan_blanks(scan);
    return strncasecmp((const char *)scan->at, word, length) == 0 && skip_word(scan, length);
}
