/* color: buffers (name, element type, length, role), scalars, local memory, and constants. Colours are numbered from 1.
 * `polls` is 1 where work-items ask for colours (color.clh); else it is 0, and so is the constant APP_POLL_DEGREE.
 * `lists` is 1 in order of degree where rows are long, else 0. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(colour, uint, vertices, RESULT)                                                                                  \
    X(ahead, uint, lists *edges, STATE)                                                                                \
    X(waits, uint, vertices, STATE)                                                                                    \
    X(worklist, ulong, 2 * capacity, STATE)                                                                            \
    X(pushed, uint, 1, COUNTER)

#define APP_SCALARS(X) X(vertices, uint) X(capacity, uint) X(polls, uint) X(lists, uint) X(scattered, uint)

/* In `waits`, above the number of neighbours that a vertex waits for: all its neighbours are among them. */
#define COLOR_LAST 0x80000000u

/* APP_ORDER: which of two neighbours comes first, and which colour a vertex gets behind those before it. */
#define COLOR_BY_PRIORITY 0 /* of higher priority; one more than the largest of theirs */
#define COLOR_BY_DEGREE   1 /* of higher degree, then of higher priority; the smallest that none of theirs is */

/* In order of degree, in `colour`: the vertex has no colour yet, and the other bits are its bound. */
#define COLOR_OPEN 0x80000000u

#define APP_ENTRY ulong

/* Where rows are short: the longest that may be, a bit for each of its arcs. */
#define COLOR_POLL_MOST 32

/* Where vertices are dealt in blocks (COLOR_DEALS, on the largest graphs of short rows): how many of a block are a
 * work-item's, and the word that counts the vertices which have been dealt in a round. */
#ifdef MU_CHUNKS
#define COLOR_DEALT 16
#else
#define COLOR_DEALT 4
#endif
#define COLOR_TAKEN(S, round) ((__global uint *)((S).worklist + (S).capacity) + (round) % 3)

/* Local memory, where rows are short: where the group's next block begins. Where they are long: the worklist, and a
 * number for each vertex of a block; in order of degree four numbers, and a queue of an entry for each work-item, which
 * pushes no more between two flushes. */
#if defined(APP_POLL_DEGREE) && APP_POLL_DEGREE != 0 && !defined(COLOR_AHEAD)
#define MU_QUEUE_CAPACITY MU_WORKGROUP
#define APP_SCRATCH_WORDS 1
#elif defined(APP_ORDER) && APP_ORDER == COLOR_BY_DEGREE
#define MU_QUEUE_CAPACITY MU_WORKGROUP
#define APP_SCRATCH_WORDS (MU_WORKLIST_WORDS + 4 * MU_WORKGROUP)
#else
#define MU_QUEUE_CAPACITY (APP_QUEUE * MU_WORKGROUP)
#define APP_SCRATCH_WORDS (MU_WORKLIST_WORDS + MU_WORKGROUP)
#endif

/* An entry of the worklist is a range of arcs: where it begins, times 2^11, plus how many. A vertex of higher degree
 * than COLOR_RANGE has several entries, so that many workgroups share a long row. */
#define COLOR_RANGE       256
#define COLOR_RANGE_SHIFT 11
#define COLOR_RANGE_MASK  2047
