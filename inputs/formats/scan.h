/* Scanning numbers and lines of a text held in memory, or of a large one part by part (parts.h). The end of what is
 * held is the zero byte behind it, which is no digit, no blank and no end of line, so that the loops need no other
 * test. A scanner stands at that end only at the end of the text. Messages begin "path:line: ". */
#ifndef MU_INPUTS_FORMATS_SCAN_H
#define MU_INPUTS_FORMATS_SCAN_H

#include "base/files/stream.h"

#include <stdbool.h>

struct mu_text;

struct mu_scan {
    const struct mu_source *source;
    const unsigned char *at;
    uint64_t line;        /* from 1 */
    bool separators;      /* numbers may be parted by a comma or semicolon, too */
    struct mu_text *text; /* where the next part comes from; NULL: the whole text is held */
};

/* What a number stands for, for messages, and the values it may have. */
struct mu_range {
    const char *what; /* such as "a vertex id" */
    uint64_t min, max;
};

struct mu_scan mu_scan_start(const struct mu_source *source);

bool mu_scan_at_end(const struct mu_scan *scan);

/* Fails with MU_INPUT and the message "path:line: …". */
int mu_scan_fail(const struct mu_scan *scan, struct mu_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails as mu_scan_number does at this place: says what stands there instead. */
int mu_scan_fail_number(struct mu_scan *scan, const struct mu_range *range, struct mu_error *err);

/* Goes past blank lines, and lines whose first character is `comment`, to the first character of the next line that
 * has other content; false at the end of the text. */
bool mu_scan_next_line(struct mu_scan *scan, char comment);

/* Goes to the beginning of the next line, or to the end of the text. */
void mu_scan_skip_line(struct mu_scan *scan);

/* Goes past the next word on the line if it is this one (in mu_scan_word_any_case, whatever the case). */
bool mu_scan_word(struct mu_scan *scan, const char *word);
bool mu_scan_word_any_case(struct mu_scan *scan, const char *word);

/* The word at the scanner, for messages: quoted, cut when long, odd bytes as question marks. */
#define MU_SCAN_QUOTED_BYTES 30
const char *mu_scan_quote(const struct mu_scan *scan, char text[MU_SCAN_QUOTED_BYTES]);

/* Fails as mu_scan_end_line does. */
int mu_scan_fail_end(const struct mu_scan *scan, struct mu_error *err);

/* Fetches the next part where the scanner has come to the end of one (parts.c). False where it has not, or there is
 * none.
 */
bool mu_scan_refill(struct mu_scan *scan);

static inline bool mu_scan_settle(struct mu_scan *scan)
{
    return *scan->at == '\0' && scan->text != NULL && mu_scan_refill(scan);
}

static inline void mu_scan_blanks(struct mu_scan *scan)
{
    do
        while (*scan->at == ' ' || *scan->at == '\t') scan->at++;
    while (mu_scan_settle(scan));
}

/* Goes past blanks, and one separator where there may be one. */
static inline void mu_scan_gap(struct mu_scan *scan)
{
    mu_scan_blanks(scan);
    if (!scan->separators || (*scan->at != ',' && *scan->at != ';')) return;
    scan->at++;
    mu_scan_blanks(scan);
}

/* Returns true if nothing more than blanks stands on the line. */
static inline bool mu_scan_line_is_over(struct mu_scan *scan)
{
    mu_scan_blanks(scan);
    return *scan->at == '\n' || (*scan->at == '\r' && scan->at[1] == '\n') || mu_scan_at_end(scan);
}

/* Reads a decimal number, which a blank or the end of the line must follow, and goes past it. *value is set even on
 * failure. */
static inline int mu_scan_number(struct mu_scan *scan, const struct mu_range *range, uint64_t *value,
                                 struct mu_error *err)
{
    mu_scan_gap(scan);
    const unsigned char *at = scan->at;
    uint64_t number = 0;
    bool fits = true;
    for (unsigned digit; (digit = (unsigned)*at - '0') <= 9; at++) {
        if (number >= UINT64_MAX / 10 && (number > UINT64_MAX / 10 || digit > UINT64_MAX % 10)) fits = false;
        number = number * 10 + digit;
    }
    *value = number;
    bool ends = *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r' || *at == '\0' ||
                (scan->separators && (*at == ',' || *at == ';'));
    if (at == scan->at || !ends || !fits || number < range->min || number > range->max)
        return mu_scan_fail_number(scan, range, err);
    scan->at = at;
    return MU_OK;
}

/* Goes to the next line. Fails if more stands on this one. */
static inline int mu_scan_end_line(struct mu_scan *scan, struct mu_error *err)
{
    if (!mu_scan_line_is_over(scan)) return mu_scan_fail_end(scan, err);
    if (*scan->at == '\r') scan->at++;
    if (*scan->at == '\n') {
        scan->at++;
        scan->line++;
        mu_scan_settle(scan);
    }
    return MU_OK;
}

#endif
