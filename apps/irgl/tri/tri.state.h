/* tri: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(triangles, uint, vertices, RESULT)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_ITEM_WORDS    1
#define APP_SCRATCH_WORDS MU_OPERATOR_WORDS
