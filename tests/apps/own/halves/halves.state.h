/* halves: buffers (name, element type, length, role), scalars, and constants. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(word, uint, 2 * vertices, STATE)                                                                                 \
    X(own, uint, vertices, STATE)                                                                                      \
    X(told, uint, HALVES_ROUNDS, STATE)                                                                                \
    X(sum, uint, 1, SUM)                                                                                               \
    X(result, uint, vertices, RESULT)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

#define HALVES_ROUNDS 12
