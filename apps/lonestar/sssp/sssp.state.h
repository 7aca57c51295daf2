/* sssp: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(arc, ulong, edges, INPUT)                                                                                        \
    X(chunk_tail, uint, chunks, INPUT)                                                                                 \
    X(chunk_begin, offset, chunks, INPUT)                                                                              \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(overflow, uint, 1, RESULT)                                                                                       \
    X(expanded, uint, vertices, STATE)                                                                                 \
    X(chunk_expanded, uint, chunks, STATE)                                                                             \
    X(near_stamp, uint, vertices, STATE)                                                                               \
    X(far_stamp, uint, SSSP_FAR_STAMPS, STATE)                                                                         \
    X(near_list, uint, 2 * vertices, STATE)                                                                            \
    X(far_list, uint, 2 * vertices, STATE)                                                                             \
    X(sizes, uint, SSSP_SIZES, STATE)                                                                                  \
    X(threshold, uint, 2, STATE)                                                                                       \
    X(lowest, uint, 3, STATE)                                                                                          \
    X(nearest, uint, 3, STATE)                                                                                         \
    X(fallen, uint, 3, STATE)                                                                                          \
    X(width, uint, 2, STATE)

#define APP_SCALARS(X) X(vertices, uint) X(source, uint) X(delta, uint) X(narrow, uint) X(busy, uint) X(chunks, uint)

/* Where no edges are shared, the first work-item of a group serves alone. */
#define APP_FIRST_SERVES

/* The two queues take turns in being large. Local memory: the worklist with the near queue, the far queue, the tails'
 * distances, the lowest distance that the group has left in the far list and in the near list, and how many fell. Or,
 * where the first work-item serves alone, two queues of SSSP_RING entries and a few words (queues.clh). */
#define MU_QUEUE_CAPACITY (APP_QUEUE * MU_WORKGROUP)
#ifdef MU_SERIAL
#define SSSP_RING      1024 /* a power of two */
#define SSSP_OWN_WORDS (2 * SSSP_RING + 6)
#else
#define SSSP_OWN_WORDS 0
#endif
#define APP_SCRATCH_WORDS (MU_WORKLIST_WORDS + MU_QUEUE_HEAD + MU_QUEUE_CAPACITY + MU_WORKGROUP + 3 + SSSP_OWN_WORDS)

/* Where `sizes` has the length of a round's near list, and of a phase's far list: three words each, which take turns.
 * The two lie on cache lines of their own, since workgroups add to both. So does how many entries of a round's list
 * groups have taken whose first work-item serves alone: a round clears the word of the next one. */
#define SSSP_NEAR_SIZE(round) ((round) % 3)
#define SSSP_FAR_SIZE(phase)  (32 + (phase) % 3)
#define SSSP_TAKEN(round)     (64 + (round) % 2)
#define SSSP_SIZES            66

/* `fallen` has how many distances fell in a round. Where the first work-item serves alone, it has how many vertices and
 * chunks were expanded in a phase; and `width` is that of phases, not of rounds. */

/* The distance of a vertex that cannot be reached. */
#define SSSP_UNREACHED 0xffffffffu
