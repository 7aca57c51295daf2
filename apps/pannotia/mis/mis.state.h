/* mis: buffers (name, element type, length, role), scalars, local memory, and the values of `status`. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(status, uint, vertices, RESULT)                                                                                  \
    X(taken, uint, 3, STATE)                                                                                           \
    X(undecided, uint, 1, FLAG)

#define APP_SCALARS(X) X(vertices, uint) X(scattered, uint)

/* Where vertices are dealt in blocks (MIS_DEALS, on the largest graphs of short rows): how many of a block are a
 * work-item's, and the word of `taken` that counts the vertices which have been dealt in a round. */
#ifdef MU_CHUNKS
#define MIS_DEALT 16
#else
#define MIS_DEALT 4
#endif
#define MIS_TAKEN(round) ((round) % 3)

/* A vertex that is undecided has the status MIS_OUT plus its class, which is the number of binary digits of its degree:
 * whoever reads the status of a neighbour needs no other word to compare the two. */
#define MIS_IN  1u
#define MIS_OUT 2u

/* Rows in the group's queue: one for each work-item to settle. Local memory: how many rows are queued,
 * and of each its vertex and what has been found there; then where the group's next block begins. */
#define MIS_QUEUE_CAPACITY MU_WORKGROUP
#define APP_SCRATCH_WORDS  (2 + 2 * MIS_QUEUE_CAPACITY)
