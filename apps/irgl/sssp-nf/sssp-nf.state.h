/* sssp-nf: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(weight, uint, edges, INPUT)                                                                                      \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(overflow, uint, 1, RESULT)                                                                                       \
    X(pushed_in, uint, vertices, STATE)                                                                                \
    X(far, uint, vertices, STATE)                                                                                      \
    X(list, uint, 2 * vertices, STATE)                                                                                 \
    X(found, uint, 1, COUNTER)                                                                                         \
    X(nearest, uint, 1, MAX)

#define APP_SCALARS(X) X(vertices, uint) X(source, uint) X(delta, uint)

#define APP_ITEM_WORDS    3
#define APP_SCRATCH_WORDS (MU_OPERATOR_WORDS > MU_REDUCTION_WORDS ? MU_OPERATOR_WORDS : MU_REDUCTION_WORDS)
