/* tour: buffers (name, element type, length, role), scalars, local memory, and constants. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(weight, uint, edges, INPUT)                                                                                      \
    X(degree, uint, vertices, STATE)                                                                                   \
    X(list, uint, vertices, STATE)                                                                                     \
    X(listed, uint, vertices, RESULT)                                                                                  \
    X(mean, real, vertices, RESULT)                                                                                    \
    X(total, uint, TOUR_TOTALS, RESULT)                                                                                \
    X(found, uint, 1, COUNTER)

#define APP_SCALARS(X) X(vertices, uint) X(share, real)

#define APP_SCRATCH_WORDS MU_WORKLIST_WORDS

/* `total`: the number of arcs, counted by each of the loops. */
#define TOUR_BLOCKS 0
#define TOUR_EVEN   1
#define TOUR_OWN    2
#define TOUR_TURNS  3
#define TOUR_TOTALS 4
