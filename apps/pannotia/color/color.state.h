/* color: buffers (name, element type, length, role), scalars, local memory, and constants. Colours are numbered from
 * 1. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(colour, uint, vertices, RESULT)                                                                                  \
    X(cursor, offset, vertices, STATE)                                                                                 \
    X(uncoloured, uint, 1, STATE)

#define APP_SCALARS(X) X(vertices)

/* The `colour` of a vertex that has none yet. */
#define COLOR_NONE 0u

/* Arcs that a work-item looks at together. */
#define COLOR_ARCS 4

/* Arcs that a work-item passes in a round on its own; a row with more to pass is the whole group's. */
#define COLOR_OWN_ARCS 16

/* Rows in the group's queue: one for each work-item to settle. Local memory: their number, vertices and obstacles. */
#define COLOR_QUEUE_CAPACITY MU_WORKGROUP
#define APP_SCRATCH_WORDS    (1 + 2 * COLOR_QUEUE_CAPACITY)
