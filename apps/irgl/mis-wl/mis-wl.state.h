/* mis-wl: buffers (name, element type, length, role), scalars, local memory, and the values of `status`. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(status, uint, vertices, RESULT)                                                                                  \
    X(list, uint, 2 * vertices, STATE)                                                                                 \
    X(found, uint, 1, COUNTER)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS MU_OPERATOR_WORDS

#define MIS_UNDECIDED 0u
#define MIS_IN        1u
#define MIS_OUT       2u
