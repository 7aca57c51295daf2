/* color: buffers (name, element type, length, role), scalars, local memory, and constants. Colours are numbered from 1.
 *
 * A vertex's `colour` while it has none is COLOR_OPEN plus the number of arcs of its row that are passed. `open` has
 * the entries of the vertices left over: half of it is read in a round, the other half written, by turns. `open_count`
 * is how many each group has, at the place of its first vertex. */
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
