#include "inputs/lines/private.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- All blocks, by several threads ---- */

static void tell_progress(struct mu_arc_lines_pass *pass, unsigned thread, uint64_t bytes)
{
    const uint64_t done = atomic_fetch_add(&pass->bytes_done, bytes) + bytes;
    if (thread == 0 && pass->reading->progress != NULL)
        pass->reading->progress(done, mu_source_total(pass->source) - pass->lines->begin);
}

static bool run_block(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_block *block)
{
    const unsigned char *at = block->at;
    while (at < block->end) {
        struct mu_arc_line arc;
        const unsigned char *line = at;
        const enum mu_line_kind kind = mu_parse_line(pass->lines, &at, block->end, &arc);
        if (kind == MU_LINE_BAD || (block->cut && at == block->end && kind == MU_LINE_ARC)) return false;
        if (kind == MU_LINE_SKIPPED)
            tally->seen.skipped++;
        else
            pass->visit(pass, tally, &arc, block->offset + (uint64_t)(line - block->at));
    }
    return true;
}

static void run_blocks(void *context, unsigned thread, unsigned threads)
{
    (void)threads;
    struct mu_arc_lines_pass *pass = context;
    struct mu_arc_lines_tally *tally = &pass->tally[thread];
    uint64_t index;
    while ((index = atomic_fetch_add(&pass->next_block, 1)) < pass->blocks && !pass->bad && !pass->unreadable &&
           !pass->table.full) {
        struct mu_block block;
        if (!mu_block_get(pass->source, pass->lines->begin, index, tally->buffer, &block))
            pass->unreadable = true;
        else if (!run_block(pass, tally, &block))
            pass->bad = true;
        tell_progress(pass, thread, (uint64_t)(block.end - block.at));
    }
    if (pass->finish != NULL) pass->finish(pass, tally);
}

static void add_up(struct mu_arc_lines_survey *sum, const struct mu_arc_lines_survey *more)
{
    sum->arcs += more->arcs;
    sum->loops += more->loops;
    sum->skipped += more->skipped;
    if (more->greatest > sum->greatest) sum->greatest = more->greatest;
    if (more->greatest_head > sum->greatest_head) sum->greatest_head = more->greatest_head;
    if (more->refused_at < sum->refused_at) sum->refused_at = more->refused_at;
    if (more->least_value < sum->least_value) sum->least_value = more->least_value;
}

int mu_arc_lines_run(struct mu_arc_lines_pass *pass, struct mu_error *err)
{
    int status = MU_OK;
    pass->blocks = mu_blocks_count(pass->source, pass->lines->begin);
    pass->threads = pass->blocks < 2 ? 1 : mu_parallel_threads();
    atomic_store(&pass->next_block, 0);
    atomic_store(&pass->bytes_done, 0);
    for (unsigned i = 0; i < pass->threads; i++) {
        pass->tally[i] = (struct mu_arc_lines_tally){.seen = {.refused_at = UINT64_MAX, .least_value = UINT64_MAX}};
        if (status != MU_OK || pass->source->rest == 0) continue;
        pass->tally[i].buffer = mu_malloc(MU_BLOCK_BUFFER, 1, "a part of the file", err);
        if (pass->tally[i].buffer == NULL) status = err != NULL ? err->status : MU_NO_MEMORY;
    }
    if (status == MU_OK) mu_parallel(pass->threads, run_blocks, pass);
    for (unsigned i = 0; i < pass->threads; i++) mu_free(pass->tally[i].buffer);
    for (unsigned i = 1; i < pass->threads; i++) add_up(&pass->tally[0].seen, &pass->tally[i].seen);
    if (status != MU_OK) return status;
    if (pass->unreadable) return mu_source_fail_changed(pass->source, err);
    const struct mu_arc_lines *lines = pass->lines;
    const uint64_t arcs = pass->tally[0].seen.arcs;
    const bool fits = !lines->counted || arcs == lines->arcs ||
                      (lines->may_be_halved && (2 * arcs == lines->arcs || arcs == 2 * lines->arcs));
    if (pass->bad || !fits) return mu_arc_lines_explain(pass, err);
    return MU_OK;
}

/* ---- The first line that is wrong ---- */

/* Says what is wrong with the line at the scanner: the same steps as mu_parse_line, with words. */
static int explain_line(const struct mu_arc_lines *lines, struct mu_scan *scan, struct mu_error *err)
{
    const uint64_t ids = lines->counted ? lines->vertices : UINT64_MAX, least = lines->counted ? 1 : 0;
    const struct mu_range tail_range = {lines->tail, least, ids},
                          head_range = {lines->head, least, lines->bipartite ? lines->second_part : ids};
    const char prefix[] = {lines->prefix, '\0'};
    char text[MU_SCAN_QUOTED_BYTES];
    uint64_t tail, head;
    double value;
    scan->separators = lines->separators;
    if (lines->prefix != 0 && !mu_scan_word(scan, prefix))
        return mu_scan_fail(scan, err, "%s '%s <tail> <head>%s' is expected, not %s",
                            lines->prefix == 'a' ? "an arc" : "an edge", prefix, lines->columns > 2 ? " <weight>" : "",
                            mu_scan_quote(scan, text));
    int status = mu_scan_number(scan, &tail_range, &tail, err);
    if (status == MU_OK) status = mu_scan_number(scan, &head_range, &head, err);
    if (status == MU_OK && lines->lower && head > tail)
        status = mu_scan_fail(scan, err, "a symmetric matrix has no entry above the diagonal in its file");
    for (unsigned column = 2; status == MU_OK && column < lines->columns; column++) {
        const char *what = column == 2 ? lines->value : "a number";
        mu_scan_gap(scan);
        const unsigned char *behind = mu_take_real(scan->at, lines->separators, &value);
        if (behind != NULL)
            scan->at = behind;
        else if (mu_scan_line_is_over(scan))
            status = mu_scan_fail(scan, err, "%s is missing at the end of the %s", what,
                                  mu_scan_at_end(scan) ? "file" : "line");
        else
            status = mu_scan_fail(scan, err, "%s is expected, not %s", what, mu_scan_quote(scan, text));
    }
    mu_scan_blanks(scan);
    if (status == MU_OK) status = mu_scan_fail_end(scan, err);
    return status;
}

/* A line, copied so that a scanner can end there. */
struct copied_line {
    unsigned char bytes[MU_LINE_BYTES / 64 + 2];
    struct mu_source source;
};

static struct mu_scan scan_copy(const struct mu_arc_lines_pass *pass, struct copied_line *copy, const unsigned char *at,
                                const unsigned char *end)
{
    const unsigned char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((newline != NULL ? newline + 1 : end) - at);
    if (length > sizeof copy->bytes - 2) length = sizeof copy->bytes - 2;
    memcpy(copy->bytes, at, length);
    copy->bytes[length] = '\0';
    copy->source = (struct mu_source){.path = pass->source->path, .bytes = copy->bytes, .size = length};
    return mu_scan_start(&copy->source);
}

/* Goes on through the lines of a block; true where the wrong one was found and told. */
static bool explain_block(const struct mu_arc_lines_pass *pass, const struct mu_block *block, uint64_t *line,
                          uint64_t *arcs, struct mu_error *err)
{
    const struct mu_arc_lines *lines = pass->lines;
    const unsigned char *at = block->at;
    while (at < block->end) {
        struct mu_arc_line arc;
        struct copied_line copy;
        struct mu_scan scan = scan_copy(pass, &copy, at, block->end);
        scan.line = *line;
        const enum mu_line_kind kind = mu_parse_line(lines, &at, block->end, &arc);
        if (kind != MU_LINE_SKIPPED && lines->counted && *arcs == lines->arcs)
            return mu_scan_fail(&scan, err, "all %" PRIu64 " %s have come already", lines->arcs, lines->noun) != MU_OK;
        if (block->cut && at == block->end && kind == MU_LINE_ARC)
            return mu_scan_fail(&scan, err, "the line is longer than %d bytes", MU_LINE_BYTES) != MU_OK;
        if (kind == MU_LINE_BAD) return explain_line(lines, &scan, err) != MU_OK;
        *arcs += kind == MU_LINE_ARC;
        *line += at < block->end || at[-1] == '\n';
    }
    return false;
}

int mu_arc_lines_explain(const struct mu_arc_lines_pass *pass, struct mu_error *err)
{
    struct mu_error own = {0};
    uint64_t line = pass->lines->first_line, arcs = 0;
    unsigned char *buffer = mu_malloc(MU_BLOCK_BUFFER, 1, "a part of the file", &own);
    const uint64_t blocks = mu_blocks_count(pass->source, pass->lines->begin);
    for (uint64_t i = 0; i < blocks && own.status == MU_OK; i++) {
        struct mu_block block;
        if (!mu_block_get(pass->source, pass->lines->begin, i, buffer, &block))
            mu_source_fail_changed(pass->source, &own);
        else
            explain_block(pass, &block, &line, &arcs, &own);
    }
    mu_free(buffer);
    mu_fail(&own, MU_INPUT, "%s:%" PRIu64 ": the file ends after %" PRIu64 " of %" PRIu64 " %s", pass->source->path,
            line, arcs, pass->lines->arcs, pass->lines->noun);
    return mu_fail(err, own.status, "%s", own.message);
}

/* Returns how many newlines the text has before the byte. */
static uint64_t count_newlines(const struct mu_arc_lines_pass *pass, uint64_t before, unsigned char *buffer)
{
    uint64_t lines = 0;
    for (uint64_t i = 0; i < mu_blocks_count(pass->source, pass->lines->begin); i++) {
        struct mu_block block;
        if (!mu_block_get(pass->source, pass->lines->begin, i, buffer, &block) || block.offset >= before) break;
        const unsigned char *at = block.at, *end = block.end;
        if (before - block.offset < (uint64_t)(end - at)) end = at + (before - block.offset);
        while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
            lines++;
            at++;
        }
    }
    return lines;
}

void mu_arc_lines_quote_value(const struct mu_arc_lines_pass *pass, uint64_t at, char *text, size_t bytes)
{
    unsigned char *buffer = mu_malloc(MU_BLOCK_BUFFER, 1, "a part of the file", NULL);
    struct mu_block block;
    text[0] = '\0';
    /* The block in which the byte is, read as if the text began with that line. */
    if (buffer != NULL && mu_block_get(pass->source, at, 0, buffer, &block)) {
        struct copied_line copy;
        char quoted[MU_SCAN_QUOTED_BYTES];
        uint64_t ignored;
        struct mu_scan scan = scan_copy(pass, &copy, block.at, block.end);
        static const struct mu_range any = {"an id", 0, UINT64_MAX};
        const char prefix[] = {pass->lines->prefix, '\0'};
        scan.separators = pass->lines->separators;
        if (pass->lines->prefix != 0) mu_scan_word(&scan, prefix);
        if (mu_scan_number(&scan, &any, &ignored, NULL) == MU_OK &&
            mu_scan_number(&scan, &any, &ignored, NULL) == MU_OK)
            mu_scan_gap(&scan);
        snprintf(text, bytes, "line %" PRIu64 ": %s", pass->lines->first_line + count_newlines(pass, at, buffer),
                 mu_scan_quote(&scan, quoted));
    }
    mu_free(buffer);
}
