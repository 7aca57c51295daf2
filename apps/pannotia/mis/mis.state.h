/* mis: buffers (name, element type, length, role), scalars, and the values of `status`. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(status, uint, vertices, RESULT)                                                                                  \
    X(open, uint, 2 * vertices, STATE)                                                                                 \
    X(open_count, uint, 2 * vertices, STATE)                                                                           \
    X(undecided, uint, 1, STATE)

#define APP_SCALARS(X) X(vertices, uint)

#define MIS_UNDECIDED 0u
#define MIS_IN        1u
#define MIS_OUT       2u
