/* bfs: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(worklist, ulong, 2 * capacity, STATE)                                                                            \
    X(pushed, uint, 3, STATE)

#define APP_SCALARS(X) X(vertices, uint) X(source, uint) X(capacity, uint)

#define APP_ENTRY         ulong
#define MU_QUEUE_CAPACITY (APP_QUEUE * MU_WORKGROUP)
#define APP_SCRATCH_WORDS MU_WORKLIST_WORDS

/* The distance of a vertex that cannot be reached. */
#define BFS_UNREACHED 0xffffffffu

/* An entry of the worklist is a range of edges: where it begins, times 2^11, plus how many. A vertex of higher degree
 * than BFS_RANGE has several entries. */
#define BFS_RANGE       1024
#define BFS_RANGE_SHIFT 11
#define BFS_RANGE_MASK  2047
