/* kcore: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(degree, uint, vertices, STATE)                                                                                   \
    X(core, uint, vertices, RESULT)                                                                                    \
    X(peeled, uint, 1, FLAG)                                                                                           \
    X(left, uint, 1, SUM)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

#define KCORE_NONE 0xffffffffu /* the core of a vertex that is not peeled yet */
