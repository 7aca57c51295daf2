/* sssp: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(in_start, offset, vertices + 1, INPUT)                                                                           \
    X(in_arc, ulong, edges, INPUT)                                                                                     \
    X(link_start, uint, blocks + 1, INPUT)                                                                             \
    X(link, uint, links, INPUT)                                                                                        \
    X(hub, uint, hubs, INPUT)                                                                                          \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(overflow, uint, 1, RESULT)                                                                                       \
    X(other, uint, vertices, STATE)                                                                                    \
    X(due, uint, blocks, STATE)                                                                                        \
    X(changed, uint, 1, STATE)

#define APP_SCALARS(X) X(vertices) X(source) X(blocks) X(links) X(hubs)

/* The least sum of a hub's row, and whether one was too large. */
#define APP_SCRATCH_WORDS 2

/* The distance of a vertex that cannot be reached. */
#define SSSP_UNREACHED 0xffffffffu

/* Rows in a block: what is computed or left alone together. */
#define SSSP_BLOCK 32

/* A row that is longer belongs to a hub: a whole workgroup computes it. */
#define SSSP_LONG 512
