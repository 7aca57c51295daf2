/* sssp-topo: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(weight, uint, edges, INPUT)                                                                                      \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(overflow, uint, 1, RESULT)                                                                                       \
    X(changed, uint, 1, FLAG)

#define APP_SCALARS(X) X(vertices, uint) X(source, uint)

#define APP_ITEM_WORDS    1
#define APP_SCRATCH_WORDS MU_OPERATOR_WORDS
