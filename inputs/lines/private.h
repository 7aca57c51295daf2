/* What the files of lines.h share: the text in blocks, the parser of one line, and a pass over all lines. */
#ifndef MU_INPUTS_LINES_PRIVATE_H
#define MU_INPUTS_LINES_PRIVATE_H

#include "inputs/lines/lines.h"

#include "inputs/parallel.h"

#include <math.h>
#include <stdatomic.h>

/* ---- Blocks ---- */

/* A block holds the lines that begin in one MU_BLOCK_BYTES of the text. The last of them may go on for MU_LINE_BYTES.
 */
enum { MU_BLOCK_BYTES = 1 << 20, MU_LINE_BYTES = 1 << 16, MU_BLOCK_BUFFER = MU_BLOCK_BYTES + MU_LINE_BYTES + 2 };

struct mu_block {
    const unsigned char *at, *end; /* whole lines; the text's last may lack its newline, and a zero byte follows */
    uint64_t offset;               /* of `at` in the text */
    bool cut;                      /* the last line is longer than MU_LINE_BYTES, and its end is missing */
};

uint64_t mu_blocks_count(const struct mu_source *source, uint64_t begin);

/* Fetches the index-th block behind `begin`; the buffer has MU_BLOCK_BUFFER bytes. False where the file cannot be read
 * to its end any more. */
bool mu_block_get(const struct mu_source *source, uint64_t begin, uint64_t index, unsigned char *buffer,
                  struct mu_block *block);

/* ---- A line ---- */

struct mu_arc_line {
    uint64_t tail, head;
    double value;
};

enum mu_line_kind { MU_LINE_ARC, MU_LINE_SKIPPED, MU_LINE_BAD };

static inline const unsigned char *mu_past_blanks(const unsigned char *at)
{
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* Goes past the blanks behind a number, and one separator; NULL where the number goes on with something else. */
static inline const unsigned char *mu_past_gap(const unsigned char *at, bool separators)
{
    const unsigned char *next = mu_past_blanks(at);
    if (separators && (*next == ',' || *next == ';')) return mu_past_blanks(next + 1);
    return next > at || *next == '\n' || *next == '\r' || *next == '\0' ? next : NULL;
}

/* Reads a whole number of 64 bits; NULL where there is none. */
static inline const unsigned char *mu_take_id(const unsigned char *at, bool separators, uint64_t *id)
{
    const unsigned char *begin = at;
    uint64_t number = 0;
    for (unsigned digit; (digit = (unsigned)*at - '0') <= 9; at++) {
        if (number >= UINT64_MAX / 10 && (number > UINT64_MAX / 10 || digit > UINT64_MAX % 10)) return NULL;
        number = number * 10 + digit;
    }
    *id = number;
    return at > begin ? mu_past_gap(at, separators) : NULL;
}

/* As mu_take_real; short whole numbers, the usual case, in line. */
static inline const unsigned char *mu_take_value(const unsigned char *at, bool separators, double *value)
{
    const unsigned char *begin = at;
    uint64_t number = 0;
    for (unsigned digit; (digit = (unsigned)*at - '0') <= 9 && at - begin < 15; at++) number = number * 10 + digit;
    if (at == begin || (*at != ' ' && *at != '\n' && *at != '\t')) return mu_take_real(begin, separators, value);
    *value = (double)number;
    return mu_past_gap(at, separators);
}

/* Parses the line at *line, of a text that ends at `end`, and goes to the next one; of a bad line, stays there. */
enum mu_line_kind mu_parse_line(const struct mu_arc_lines *lines, const unsigned char **line, const unsigned char *end,
                                struct mu_arc_line *arc);

/* ---- Sparse ids ---- */

/* A hash table of ids, which are keys plus one so that 0 is an empty slot; UINT64_MAX, which has no such key, is apart.
 * Linear probing; at most five eighths are used. */
struct mu_id_slot {
    uint64_t key;
    uint32_t vertex;
};

struct mu_id_table {
    struct mu_id_slot *slot;
    uint64_t mask; /* the number of slots is a power of two: that, less one */
    atomic_uint_fast64_t used;
    atomic_bool has_last, full;
    uint32_t last; /* the vertex of UINT64_MAX */
};

/* ---- A pass ---- */

/* Arcs of one thread that wait to be counted or placed: their rows are fetched from memory meanwhile, all at once,
 * where one atomic access after another would wait for each. */
enum { MU_PENDING_ARCS = 64 };

struct mu_pending_arc {
    uint64_t row, to; /* the index of its row's count; then its place */
    uint32_t head, weight;
};

/* What one thread has seen. */
struct mu_arc_lines_tally {
    struct mu_arc_lines_survey seen;
    unsigned char *buffer;
    struct mu_pending_arc pending[MU_PENDING_ARCS];
    unsigned pending_count;
    struct mu_arc_line waiting[MU_PENDING_ARCS]; /* arcs whose ends are fetched from the table of sparse ids */
    unsigned waiting_count;
};

struct mu_arc_lines_pass;
typedef void mu_arc_visit(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally,
                          const struct mu_arc_line *arc, uint64_t at);
typedef void mu_arc_finish(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally);

struct mu_arc_lines_pass {
    const struct mu_source *source;
    const struct mu_arc_lines *lines;
    struct mu_reading *reading;
    mu_arc_visit *visit;   /* called for each arc, */
    mu_arc_finish *finish; /* and in the end for what is pending; NULL: nothing is */
    mu_arc_visit *take;    /* the same of arcs of sparse ids, which wait before */
    mu_arc_finish *finish_taken;
    struct mu_arc_lines_tally tally[MU_PARALLEL_MAX];
    unsigned threads;
    uint64_t blocks;
    atomic_uint_fast64_t next_block, bytes_done;
    atomic_bool bad, unreadable;

    /* Numbering of the vertices (ids.c). */
    bool dense;               /* the ids are the vertices at first; those that do not occur are taken out in the end */
    uint64_t *id;             /* [vertices]: the ids of sparse ones, ascending; or NULL */
    struct mu_id_table table; /* finds the vertices of sparse ids; its slots are NULL where there are none */
    uint64_t vertices;        /* those that have a row */
    uint64_t head_shift;      /* added to heads: the ids of the first part of a bipartite graph */

    /* The graph that is made. */
    uint64_t edges;
    uint64_t *row_start;
    uint32_t *column, *weight;
};

/* Calls `visit` for every arc, in no order. MU_INPUT, MU_IO, MU_NO_MEMORY. The tallies are added up in the first. */
int mu_arc_lines_run(struct mu_arc_lines_pass *pass, struct mu_error *err);

/* Writes the message of the first line that is bad, or where the arcs are too many. */
int mu_arc_lines_explain(const struct mu_arc_lines_pass *pass, struct mu_error *err);

/* Fills in why the value at that byte is refused. */
void mu_arc_lines_quote_value(const struct mu_arc_lines_pass *pass, uint64_t at, char *text, size_t bytes);

/* Finds out what the vertices are, before the arcs are counted. */
int mu_arc_lines_prepare_ids(struct mu_arc_lines_pass *pass, const struct mu_arc_lines_survey *survey,
                             struct mu_error *err);

/* Takes the vertices whose ids do not occur out of a graph whose vertices are ids, and gives it the ids of the others.
 * Rows stay sorted, since the order stays. MU_NO_MEMORY. */
int mu_arc_lines_drop_absent_ids(struct mu_graph *graph, struct mu_error *err);

/* Collects the ids that occur, and numbers them in their order. */
int mu_sparse_ids_collect(struct mu_arc_lines_pass *pass, uint64_t ends, struct mu_error *err);

/* Finds the vertex of an id; pass->vertices where it is not in the table. */
uint64_t mu_sparse_ids_find(const struct mu_arc_lines_pass *pass, uint64_t id);

/* Fetches the slot of an id that will be looked for. */
void mu_sparse_ids_prefetch(const struct mu_arc_lines_pass *pass, uint64_t id);

/* Asks for large pages, for what is used in random order. Whether there are any changes nothing but the time. */
void mu_use_large_pages(void *block, uint64_t bytes);

#endif
