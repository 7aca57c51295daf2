/* color: buffers (name, element type, length, role), scalars, local memory, and constants. Colours are numbered from 1.
 *
 * While a vertex has no colour, `colour` is COLOR_OPEN plus the number of arcs of its row that are passed. `open` holds
 * the entries of uncoloured vertices; its two halves take turns in being read and written. `open_count` is the number
 * of entries of each group, at the place of the group's first vertex. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(colour, uint, vertices, RESULT)                                                                                  \
    X(open, ulong, 2 * vertices, STATE)                                                                                \
    X(open_count, uint, vertices, STATE)                                                                               \
    X(uncoloured, uint, 1, STATE)

#define APP_SCALARS(X) X(vertices, uint)

#define COLOR_OPEN 0x80000000u

/* Rows in the group's queue: one for each work-item to settle. Local memory: their number, how many entries the group
 * keeps, and of each row its vertex, the arcs passed, and the nearest obstacle. */
#define COLOR_QUEUE_CAPACITY MU_WORKGROUP
#define APP_SCRATCH_WORDS    (2 + 3 * COLOR_QUEUE_CAPACITY)
