/* bfs-cx: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(level, uint, vertices, RESULT)                                                                                   \
    X(heads, uint, 2 * room, STATE)                                                                                    \
    X(found, uint, 1, COUNTER)

#define APP_SCALARS(X) X(vertices, uint) X(source, uint) X(room, uint)

#define APP_ITEM_WORDS    1
#define APP_SCRATCH_WORDS MU_OPERATOR_WORDS

#define BFS_UNREACHED 0xffffffffu
