/* pagerank: buffers (name, element type, length, role), scalars, local memory, and constants. */
#define APP_BUFFERS(X)                                                                                                 \
    X(in_start, offset, vertices + 1, INPUT)                                                                           \
    X(in_neighbour, uint, edges, INPUT)                                                                                \
    X(degree, uint, vertices, INPUT)                                                                                   \
    X(rank, real, vertices, RESULT)                                                                                    \
    X(share, real, 2 * vertices, STATE)                                                                                \
    X(change, real, 1, SUM)

#define APP_SCALARS(X) X(vertices, uint) X(damping, real) X(jump, real) X(enough, real)

#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

/* A run ends after so many rounds even if the ranks still change. */
#define PAGERANK_ROUNDS 1000
