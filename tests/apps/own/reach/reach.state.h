/* reach: buffers (name, element type, length, role), scalars, local memory, and constants. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(level, uint, vertices, RESULT)                                                                                   \
    X(list, uint, 2 * vertices, STATE)                                                                                 \
    X(found, uint, 1, COUNTER)                                                                                         \
    X(fresh, uint, 1, FLAG)                                                                                            \
    X(arcs, uint, 1, SUM)                                                                                              \
    X(widest, uint, 1, MAX)                                                                                            \
    X(middle, real, 1, MAX)                                                                                            \
    X(told, uint, REACH_TOLD, RESULT)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

/* `told`: what the plan knows at its end. */
#define REACH_ROUNDS  0 /* rounds that found vertices */
#define REACH_STAMPED 1 /* rounds in which the flag was stamped */
#define REACH_ARCS    2 /* arcs followed */
#define REACH_WIDEST  3 /* the highest degree of a vertex reached */
#define REACH_HALVES  4 /* twice the half of it */
#define REACH_TOLD    5
