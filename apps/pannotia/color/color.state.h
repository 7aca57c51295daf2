/* color: buffers (name, element type, length, role), scalars, local memory, and constants. Colours are numbered from 1.
 * `polls` is 1 where rows are short and work-items ask for colours (color.cl); else it is 0, and so is the constant
 * APP_POLL_DEGREE. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(colour, uint, vertices, RESULT)                                                                                  \
    X(waits, uint, vertices, STATE)                                                                                    \
    X(worklist, ulong, 2 * capacity, STATE)                                                                            \
    X(pushed, uint, 1, COUNTER)

#define APP_SCALARS(X) X(vertices, uint) X(capacity, uint) X(polls, uint)

/* In `waits`, above the number of neighbours that a vertex waits for: all its neighbours are among them. */
#define COLOR_LAST 0x80000000u

#define APP_ENTRY         ulong
#define MU_QUEUE_CAPACITY (APP_QUEUE * MU_WORKGROUP)

/* Where rows are short: the longest that may be, a bit for each of its arcs. */
#define COLOR_POLL_MOST 32

/* Local memory, where rows are long: the worklist, and a number for each vertex of a block. */
#if defined(APP_POLL_DEGREE) && APP_POLL_DEGREE != 0
#define APP_SCRATCH_WORDS 1
#else
#define APP_SCRATCH_WORDS (MU_WORKLIST_WORDS + MU_WORKGROUP)
#endif

/* An entry of the worklist is a range of arcs: where it begins, times 2^11, plus how many. A vertex of higher degree
 * than COLOR_RANGE has several entries, so that many workgroups share a long row. */
#define COLOR_RANGE       256
#define COLOR_RANGE_SHIFT 11
#define COLOR_RANGE_MASK  2047
