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
    X(changed, uint, 1, FLAG)

#define APP_SCALARS(X) X(vertices, uint) X(source, uint) X(blocks, uint) X(links, uint) X(hubs, uint)

/* The least sum of a hub's row, and whether one was too large. */
#define APP_SCRATCH_WORDS 2

/* The distance of a vertex that cannot be reached. */
#define SSSP_UNREACHED 0xffffffffu
