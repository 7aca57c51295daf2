/* What the binary formats share: little-endian numbers, and rows, heads and weights somewhere in the file. */
#ifndef MU_INPUTS_FORMATS_BINARY_H
#define MU_INPUTS_FORMATS_BINARY_H

#include "base/files/stream.h"
#include "inputs/formats/reading.h"
#include "inputs/graph/graph.h"

/* Where a file keeps a graph. The caller has made sure that all of it lies within the file. */
struct mu_layout {
    uint64_t vertices, edges;
    uint64_t ends_at; /* byte of [vertices] numbers, up to which arc each row goes */
    unsigned end_bytes;
    bool zero_first; /* another such number comes before them, and is 0 */
    uint64_t heads_at;
    unsigned head_bytes, head_stride;
    uint64_t weights_at;    /* 4 bytes each */
    unsigned weight_stride; /* 0 if there are none */
    uint32_t max_weight;    /* what is above is a negative number of 32 bits */
};

static inline uint32_t mu_u32_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Reads a number of the header, which the source always holds. */
static inline uint32_t mu_load_u32(const struct mu_source *source, uint64_t at)
{
    return mu_u32_at(source->bytes + at);
}

static inline uint64_t mu_load_u64(const struct mu_source *source, uint64_t at)
{
    return mu_load_u32(source, at) | (uint64_t)mu_load_u32(source, at + 4) << 32;
}

/* Fails with MU_INPUT and the message "path: byte N: …". */
int mu_binary_fail(const struct mu_source *source, uint64_t at, struct mu_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails: a file that the user says is in a format has no header of it. */
int mu_binary_fail_header(const struct mu_source *source, struct mu_error *err);

/* The first value of a file that is no weight, since it is negative. The graph has 0 for each of these. */
struct mu_negative {
    uint64_t at; /* its byte; 0: there is none */
    int32_t value;
};

/* Reads the graph, checking every number. */
int mu_layout_read(const struct mu_source *source, const struct mu_layout *layout, struct mu_graph **graph,
                   struct mu_negative *negative, struct mu_error *err);

/* Leaves a graph without weights where its file has negative ones, unless they are to be generated. */
void mu_negative_refuse(const struct mu_negative *negative, const struct mu_reading *reading, struct mu_graph *graph);

/* Checks every number without keeping any. *hash is that of the arcs, each turned round, in whatever order. */
int mu_layout_hash_turned(const struct mu_source *source, const struct mu_layout *layout, uint64_t *hash,
                          struct mu_error *err);

/* Returns the hash of a graph's arcs, in whatever order. */
uint64_t mu_arcs_hash(const struct mu_graph *graph);

#endif
