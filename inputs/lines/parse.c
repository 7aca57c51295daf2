#include "inputs/lines/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Blocks ---- */

uint64_t mu_blocks_count(const struct mu_source *source, uint64_t begin)
{
    const uint64_t total = mu_source_total(source);
    return begin < total ? (total - begin + MU_BLOCK_BYTES - 1) / MU_BLOCK_BYTES : 0;
}

/* Returns the place behind the next newline, or the end. */
static const unsigned char *past_newline(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline != NULL ? newline + 1 : end;
}

bool mu_block_get(const struct mu_source *source, uint64_t begin, uint64_t index, unsigned char *buffer,
                  struct mu_block *block)
{
    const uint64_t total = mu_source_total(source), first = begin + index * MU_BLOCK_BYTES;
    const uint64_t from = index > 0 ? first - 1 : first; /* the byte before tells whether a line begins at the first */
    const uint64_t behind = total - first > MU_BLOCK_BYTES ? first + MU_BLOCK_BYTES : total;
    const uint64_t until = total - behind > MU_LINE_BYTES ? behind + MU_LINE_BYTES : total;
    const unsigned char *text = buffer;
    if (source->rest == 0)
        text = source->bytes + from;
    else if (!mu_source_read_at(source, buffer, until - from, from))
        return false;
    else
        buffer[until - from] = 0;
    const unsigned char *end = text + (until - from);
    block->at = index > 0 ? past_newline(text, end) : text;
    block->offset = from + (uint64_t)(block->at - text);
    block->end = behind == total ? end : past_newline(text + (behind - 1 - from), end);
    block->cut = block->end == end && until < total && end[-1] != '\n';
    if (block->end < block->at) block->end = block->at; /* one line is longer than the block */
    return true;
}

/* ---- Numbers ---- */

/* Returns the number as strtod takes it, which knows no D for the exponent; NAN for one of absurd length. */
static double convert(const unsigned char *begin, const unsigned char *end)
{
    char text[512];
    const size_t length = (size_t)(end - begin);
    if (length >= sizeof text) return NAN;
    for (size_t i = 0; i < length; i++)
        text[i] = (char)(begin[i] == 'd' || begin[i] == 'D' ? (unsigned char)'e' : begin[i]);
    text[length] = '\0';
    return strtod(text, NULL);
}

static const unsigned char *past_digits(const unsigned char *at)
{
    while (isdigit(*at)) at++;
    return at;
}

const unsigned char *mu_take_real(const unsigned char *at, bool separators, double *value)
{
    const unsigned char *begin = at;
    if (*at == '+' || *at == '-') at++;
    const unsigned char *whole = past_digits(at);
    const unsigned char *end = *whole == '.' ? past_digits(whole + 1) : whole;
    if (!isdigit(*at) && end <= whole + 1) return NULL;
    if (*end == 'e' || *end == 'E' || *end == 'd' || *end == 'D') {
        end++;
        if (*end == '+' || *end == '-') end++;
        if (!isdigit(*end)) return NULL;
        end = past_digits(end);
    }
    *value = convert(begin, end);
    return mu_past_gap(end, separators);
}

/* ---- A line ---- */

static bool is_comment(const struct mu_arc_lines *lines, const unsigned char *at)
{
    return (*at != '\0' && strchr(lines->comments, *at) != NULL) || (lines->slashes && at[0] == '/' && at[1] == '/');
}

/* Returns where the next line begins, if the line ends at `at`; else NULL. */
static const unsigned char *past_end(const unsigned char *at, const unsigned char *end)
{
    if (at < end && *at == '\r') at++;
    if (at < end && *at == '\n') return at + 1;
    return at == end ? at : NULL;
}

enum mu_line_kind mu_parse_line(const struct mu_arc_lines *lines, const unsigned char **line, const unsigned char *end,
                                struct mu_arc_line *arc)
{
    const unsigned char *at = *line, *behind;
    double ignored;
    if (*at == ' ' || *at == '\t') at = mu_past_blanks(at);
    if (*at < '0' || *at > '9') {
        behind = is_comment(lines, at) ? past_newline(at, end) : past_end(at, end);
        if (behind != NULL) {
            *line = behind;
            return MU_LINE_SKIPPED;
        }
        if (lines->prefix == 0 || *at != (unsigned char)lines->prefix || (at[1] != ' ' && at[1] != '\t'))
            return MU_LINE_BAD;
        at = mu_past_blanks(at + 1);
    } else if (lines->prefix != 0) {
        return MU_LINE_BAD;
    }
    if ((at = mu_take_id(at, lines->separators, &arc->tail)) == NULL ||
        (at = mu_take_id(at, lines->separators, &arc->head)) == NULL)
        return MU_LINE_BAD;
    if (lines->columns > 2 && (at = mu_take_value(at, lines->separators, &arc->value)) == NULL) return MU_LINE_BAD;
    if (lines->columns > 3 && (at = mu_take_real(at, lines->separators, &ignored)) == NULL) return MU_LINE_BAD;
    if ((behind = past_end(at, end)) == NULL) return MU_LINE_BAD;
    if (lines->counted && (arc->tail - 1 >= lines->vertices ||
                           arc->head - 1 >= (lines->bipartite ? lines->second_part : lines->vertices) ||
                           (lines->lower && arc->head > arc->tail)))
        return MU_LINE_BAD;
    *line = behind;
    return MU_LINE_ARC;
}

/* Goes past a word that stands for no finite number; NULL if there is none. So its line counts as one of an edge list,
 * which is then refused for it. */
static const unsigned char *past_non_finite(const unsigned char *at, bool separators)
{
    static const char *const words[] = {"infinity", "inf", "nan"};
    if (*at == '+' || *at == '-') at++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncasecmp((const char *)at, words[i], strlen(words[i])) == 0)
            return mu_past_gap(at + strlen(words[i]), separators);
    return NULL;
}

unsigned mu_arc_lines_columns(struct mu_scan *scan, bool separators, uint64_t first[MU_COLUMNS_MAX])
{
    const unsigned char *at = mu_past_blanks(scan->at), *end = scan->source->bytes + scan->source->size;
    unsigned columns = 0;
    while (past_end(at, end) == NULL) {
        double value;
        const unsigned char *number = at;
        if (columns == MU_COLUMNS_MAX) return 0;
        if ((at = mu_take_id(number, separators, &first[columns])) == NULL) {
            first[columns] = UINT64_MAX;
            if (columns < 2) return 0;
            if ((at = mu_take_real(number, separators, &value)) == NULL) at = past_non_finite(number, separators);
            if (at == NULL) return 0;
        }
        columns++;
    }
    return columns >= MU_COLUMNS_MIN ? columns : 0;
}
