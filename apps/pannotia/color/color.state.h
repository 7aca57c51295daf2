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

/* Arcs that a work-item passes in a round on its own; a row with more to pass is the whole group's. */
#define COLOR_OWN_ARCS 64

/* Local memory: where the group met an obstacle, how many rows are queued (may pass the capacity), and which. */
#define COLOR_OBSTACLE       0
#define COLOR_QUEUED         1
#define COLOR_QUEUE          2
#define COLOR_QUEUE_CAPACITY MU_WORKGROUP
#define APP_SCRATCH_WORDS    (COLOR_QUEUE + COLOR_QUEUE_CAPACITY)
