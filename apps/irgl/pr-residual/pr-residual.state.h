/* pr-residual: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(rank, float, vertices, RESULT)                                                                                   \
    X(residual, float, vertices, STATE)                                                                                \
    X(active, uint, 1, FLAG)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_ITEM_WORDS    1
#define APP_SCRATCH_WORDS MU_OPERATOR_WORDS
