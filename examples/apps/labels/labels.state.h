/* labels: buffers (name, element type, length, role) and scalars. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(label, uint, vertices, RESULT)                                                                                   \
    X(changed, uint, 1, FLAG)

#define APP_SCALARS(X) X(vertices, uint)
