/* mst-multi: buffers (name, element type, length, role), scalars, local memory, and constants.
 *
 * `first`, `list` and `roots` are two arrays each, which take turns. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(weight, uint, edges, INPUT)                                                                                      \
    X(tail, uint, edges, INPUT)                                                                                        \
    X(twin, uint, edges, INPUT)                                                                                        \
    X(parent, uint, vertices, STATE)                                                                                   \
    X(least, uint, vertices, STATE)                                                                                    \
    X(first, uint, 2 * vertices, STATE)                                                                                \
    X(list, uint, 2 * vertices, STATE)                                                                                 \
    X(roots, uint, 2 * vertices, STATE)                                                                                \
    X(component, uint, vertices, RESULT)                                                                               \
    X(joined_by, uint, vertices, RESULT)                                                                               \
    X(found, uint, 1, COUNTER)                                                                                         \
    X(stayed, uint, 1, COUNTER)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS MU_OPERATOR_WORDS

/* No edge, and a weight that no other is above. */
#define MST_NONE 0xffffffffu
