/* bfs: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(worklist, uint, 2 * vertices, STATE)                                                                             \
    X(pushed, uint, 3, STATE)

#define APP_SCALARS(X) X(vertices) X(source)

#define APP_SCRATCH_WORDS MU_WORKLIST_WORDS

/* The distance of a vertex that cannot be reached. */
#define BFS_UNREACHED 0xffffffffu
