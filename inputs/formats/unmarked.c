#include "inputs/formats/unmarked.h"

#include "inputs/formats/foreign.h"
#include "inputs/formats/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FMT_MAX = 111 }; /* the greatest third number of a METIS header */

/* ---- The first lines ---- */

static bool next_list_line(struct mu_scan *scan)
{
    while (mu_scan_next_line(scan, '#')) {
        const bool comment = *scan->at == '%' || *scan->at == ';' || (scan->at[0] == '/' && scan->at[1] == '/');
        if (!comment) return true;
        mu_scan_skip_line(scan);
    }
    return false;
}

void mu_look_at_first_lines(const struct mu_source *source, struct mu_first_lines *first)
{
    struct mu_scan scan = mu_scan_start(source);
    uint64_t second[MU_COLUMNS_MAX];
    *first = (struct mu_first_lines){0};
    if (!next_list_line(&scan)) return;
    first->begins_number = *scan.at != '\0' && strchr("0123456789+-.", *scan.at) != NULL;
    first->numbers[0] = mu_arc_lines_columns(&scan, true, first->first);
    mu_scan_skip_line(&scan);
    first->behind_first = (uint64_t)(scan.at - source->bytes);
    first->first_line = scan.line;
    const bool has_second = next_list_line(&scan);
    if (has_second) first->numbers[1] = mu_arc_lines_columns(&scan, true, second);
    if (!has_second || first->numbers[0] == first->numbers[1]) first->columns = first->numbers[0];
}

struct mu_arc_lines mu_list_lines(unsigned columns)
{
    return (struct mu_arc_lines){
        .first_line = 1,
        .comments = "#%;",
        .slashes = true,
        .separators = true,
        .columns = columns,
        .tail = "a vertex id",
        .head = "a vertex id",
        .value = "a value",
        .may_be_times = true,
        .noun = "edges",
    };
}

/* ---- Whether it is METIS ---- */

/* Returns which numbers of a line are ids, by a METIS header: each, each second one, or 0 where that is not looked at.
 */
static unsigned stride_of_ids(unsigned header_numbers, uint64_t fmt)
{
    if (header_numbers == 2 || fmt == 0) return 1;
    return header_numbers == 3 && fmt == 1 ? 2 : 0;
}

/* Finds out whether METIS is possible by the beginning: a header, and no id beyond it in simple ones. */
static bool may_be_metis(const struct mu_source *source)
{
    static const struct mu_range any = {"a number", 0, INT64_MAX};
    struct mu_scan scan = mu_scan_start(source);
    uint64_t header[4], number;
    unsigned count = 0;
    if (!mu_scan_next_line(&scan, '%')) return false;
    while (count < 4 && mu_scan_number(&scan, &any, &header[count], NULL) == MU_OK) count++;
    if (count < 2 || mu_scan_end_line(&scan, NULL) != MU_OK) return false;
    if (header[0] > mu_source_total(source)) return false; /* each vertex has a line */
    const uint64_t fmt = count > 2 ? header[2] : 0;
    if (fmt > FMT_MAX || fmt % 10 > 1 || fmt / 10 % 10 > 1) return false;
    const unsigned stride = stride_of_ids(count, fmt);
    while (stride != 0 && mu_scan_next_line(&scan, '%')) {
        for (unsigned i = 0; !mu_scan_line_is_over(&scan); i++)
            if (mu_scan_number(&scan, &any, &number, NULL) != MU_OK || (i % stride == 0 && number > header[0]))
                return false;
        mu_scan_end_line(&scan, NULL);
    }
    return true;
}

/* What the lines of a text are like. */
struct line_counts {
    uint64_t wanted;                   /* the first number of the first line that is no comment */
    uint64_t lines, up_to_last_filled; /* behind that line, without comments */
    bool has_blank;                    /* a line after the text's first is empty */
};

static bool is_empty_line(const struct mu_scan *scan)
{
    return scan->at[0] == '\n' || (scan->at[0] == '\r' && scan->at[1] == '\n');
}

/* Counts the lines behind the first that is no comment. False where there is none, or it begins with no number. */
static bool count_lines(struct mu_scan *scan, struct line_counts *counts)
{
    static const struct mu_range any = {"a number", 0, INT64_MAX};
    const uint64_t first_line = scan->line;
    for (bool header = true; !mu_scan_at_end(scan); mu_scan_skip_line(scan)) {
        const bool comment = *scan->at == '%', empty = is_empty_line(scan);
        counts->has_blank = counts->has_blank || (empty && scan->line > first_line);
        if (comment || (header && mu_scan_line_is_over(scan))) continue;
        if (header) {
            if (mu_scan_number(scan, &any, &counts->wanted, NULL) != MU_OK) return false;
            header = false;
            continue;
        }
        counts->lines++;
        if (!mu_scan_line_is_over(scan)) counts->up_to_last_filled = counts->lines;
    }
    return true;
}

/* Finds out whether as many lines follow the first as it says, blank lines at the end may be vertices or not; and
 * whether any is blank. A file that has changed has neither. */
static void look_at_lines(const struct mu_source *source, bool *agree, bool *has_blank)
{
    struct mu_scan scan;
    struct mu_text text;
    struct mu_error own = {0};
    struct line_counts counts = {0};
    const bool opened = mu_text_open(&text, source, NULL, &scan, &own) == MU_OK;
    const bool counted = opened && count_lines(&scan, &counts);
    const bool whole = mu_text_close(&text, &own, NULL) == MU_OK;
    *agree = counted && whole && counts.up_to_last_filled <= counts.wanted && counts.wanted <= counts.lines;
    *has_blank = whole && counts.has_blank;
}

static bool has_blank_line(const struct mu_source *source)
{
    bool agree, has_blank;
    look_at_lines(source, &agree, &has_blank);
    return has_blank;
}

static bool lines_agree(const struct mu_source *source)
{
    bool agree, has_blank;
    look_at_lines(source, &agree, &has_blank);
    return agree;
}

/* Reads the file as an edge list only to know whether it is one. */
static bool fits_list(const struct mu_source *source, unsigned columns)
{
    struct mu_reading reading = {0};
    struct mu_arc_lines_survey survey;
    const struct mu_arc_lines lines = mu_list_lines(columns);
    return columns != 0 && mu_arc_lines_survey(source, &lines, &reading, &survey, NULL) == MU_OK;
}

static int refuse_both(const struct mu_source *source, const char *one, const char *other, struct mu_error *err)
{
    return mu_fail(err, MU_INPUT,
                   "%s: the file fits the formats %s and %s, which would give different graphs: say "
                   "--input-format=%s or --input-format=%s",
                   source->path, one, other, one, other);
}

/* Reads the file as METIS, if that is possible. */
static int try_metis(struct mu_source *source, struct mu_reading *reading, const struct mu_first_lines *first,
                     struct mu_graph **graph, struct mu_error *err)
{
    struct mu_error own = {0};
    if (source->bytes[0] == '#' || !may_be_metis(source)) return MU_OK;
    mu_format_metis.read(source, reading, graph, &own);
    if (own.status != MU_OK) {
        mu_graph_free(*graph);
        *graph = NULL;
        const bool must_be = lines_agree(source) && (has_blank_line(source) || !fits_list(source, first->columns));
        return own.status == MU_INPUT && !must_be ? MU_OK : mu_fail(err, own.status, "%s", own.message);
    }
    if (source->bytes[0] == '%' || has_blank_line(source) || !fits_list(source, first->columns)) return MU_OK;
    mu_graph_free(*graph);
    *graph = NULL;
    return refuse_both(source, "metis", first->columns == 2 ? "snap" : "wel", err);
}

/* ---- Whether the first line of a list is a header ---- */

/* Finds out whether so many lines may follow, without looking at all of a large file. */
static bool may_follow(const struct mu_source *source, uint64_t lines)
{
    uint64_t there = 1;
    const unsigned char *at = source->bytes, *end = at + source->size;
    if (lines > mu_source_total(source)) return false;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        there++;
        at++;
    }
    const double expected = (double)there * (double)mu_source_total(source) / (double)source->size;
    return (double)lines > expected / 2 - 8 && (double)lines < 2 * expected + 8;
}

/* Finds out whether the lines behind the first are as many as it says, and their ids within the vertices it says. */
static bool counts_agree(const struct mu_source *source, const struct mu_first_lines *first, unsigned columns,
                         uint64_t count)
{
    struct mu_reading reading = {0};
    struct mu_arc_lines_survey survey;
    struct mu_arc_lines lines = mu_list_lines(columns);
    lines.begin = first->behind_first;
    if (columns == 0 || !may_follow(source, count)) return false;
    if (mu_arc_lines_survey(source, &lines, &reading, &survey, NULL) != MU_OK) return false;
    return survey.arcs == count && count > 1 && survey.greatest <= first->first[0];
}

static int refuse_header(const struct mu_source *source, const struct mu_first_lines *first, struct mu_error *err)
{
    const uint64_t line = first->first_line - 1;
    if (first->numbers[0] == 3 && first->numbers[1] == 3 && first->first[2] != UINT64_MAX &&
        counts_agree(source, first, 3, first->first[2]))
        return refuse_both(source, "wel", "mtx", err);
    if (first->numbers[0] == 3 && first->numbers[1] == 2 && counts_agree(source, first, 2, first->first[2]))
        return mu_fail(err, MU_INPUT,
                       "%s:%" PRIu64
                       ": Matrix Market without its banner: put '%%%%MatrixMarket matrix coordinate pattern "
                       "general' (or symmetric) first, or say --input-format=mtx",
                       source->path, line);
    if (first->columns == 2 && counts_agree(source, first, 2, first->first[1]))
        return mu_fail(err, MU_INPUT,
                       "%s:%" PRIu64
                       ": this line is an edge, or says how many vertices and edges follow: put a # before "
                       "it, or say --input-format=snap",
                       source->path, line);
    return MU_OK;
}

/* Says what is wrong with a text of numbers that fits nothing: as METIS, where its first line can be that header, or as
 * an edge list, the more likely one. */
static int refuse_numbers(const struct mu_source *source, const struct mu_first_lines *first, struct mu_error *err)
{
    struct mu_error metis = {0}, list = {0};
    struct mu_reading reading = {0};
    struct mu_graph *graph = NULL;
    struct mu_arc_lines_survey survey;
    const unsigned columns = first->numbers[0] > MU_COLUMNS_MIN ? first->numbers[0] : MU_COLUMNS_MIN;
    const struct mu_arc_lines lines = mu_list_lines(columns);
    const size_t skipped = strlen(source->path) + 1;
    if (mu_foreign_refuse(source, err) != MU_OK) return MU_INPUT;
    if (mu_arc_lines_survey(source, &lines, &reading, &survey, &list) == MU_OK) return MU_OK;
    if (list.status != MU_INPUT || !mu_format_metis.sniff(source) || !lines_agree(source))
        return mu_fail(err, list.status, "%s", list.message);
    if (mu_format_metis.read(source, &reading, &graph, &metis) == MU_OK) mu_graph_free(graph);
    if (metis.status != MU_INPUT) return mu_fail(err, metis.status, "%s", metis.message);
    return mu_fail(err, MU_INPUT, "%s; if it is an edge list and no METIS, line %s", metis.message,
                   list.message + skipped);
}

int mu_choose_unmarked(struct mu_source *source, struct mu_reading *reading, const struct mu_format **format,
                       struct mu_graph **graph, struct mu_error *err)
{
    static const char metis_why[] = "a header, and lines of neighbours that agree with it";
    struct mu_first_lines first;
    *format = NULL;
    mu_look_at_first_lines(source, &first);
    int status = try_metis(source, reading, &first, graph, err);
    if (status == MU_OK && *graph != NULL) {
        *format = &mu_format_metis;
        snprintf(reading->why, sizeof reading->why, "%s", metis_why);
        return MU_OK;
    }
    if (status == MU_OK && source->bytes[0] != '#') status = refuse_header(source, &first, err);
    if (status == MU_OK && source->bytes[0] == '#' && first.numbers[0] == 0) status = mu_foreign_refuse(source, err);
    if (status != MU_OK) return status;
    const bool uneven = first.columns == 0 && first.numbers[0] != 0 && first.numbers[1] != 0;
    if (source->bytes[0] == '#' || first.columns != 0 || (uneven && !may_be_metis(source) && !lines_agree(source)))
        *format = first.numbers[0] > 2 ? &mu_format_wel : &mu_format_snap;
    else if (source->bytes[0] == '%' || (mu_format_metis.sniff(source) && may_be_metis(source)))
        *format = &mu_format_metis; /* which says what is wrong */
    else if (first.begins_number)
        return refuse_numbers(source, &first, err);
    if (*format != NULL) snprintf(reading->why, sizeof reading->why, "%s", (*format)->mark);
    return MU_OK;
}
