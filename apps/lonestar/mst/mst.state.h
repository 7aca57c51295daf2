/* mst: buffers (name, element type, length, role), scalars, local memory, and constants.
 *
 * `listed_edge` is two lists that take turns, each of list_room entries of 4 words: the roots of the two ends, the
 * weight, the edge's id. `listed` is how many entries they would have if there were room. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(weight, uint, edges, INPUT)                                                                                      \
    X(parent, uint, vertices, STATE)                                                                                   \
    X(listed_edge, uint, 8 * list_room, STATE)                                                                         \
    X(listed, uint, 3, STATE)                                                                                          \
    X(joined_by, uint, vertices, RESULT)                                                                               \
    X(component, uint, vertices, RESULT)

#define APP_SCALARS(X)                                                                                                 \
    X(vertices, uint)                                                                                                  \
    X(arcs, uint)                                                                                                      \
    X(runs, uint)      /* of all arcs, in round 0 */                                                                   \
    X(list_runs, uint) /* and when edges are listed */                                                                 \
    X(list_room, uint)                                                                                                 \
    X(light, uint) /* the most that a light edge weighs */                                                             \
    X(heaviest, uint)

/* No edge, and a weight that no other is above. */
#define MST_NONE 0xffffffffu

/* So many consecutive arcs, a run, a work-item looks at in one go: in round 0; and when edges are listed, at most 32.
 * Fewer cost more searches for their tails. On a GPU more would keep fewer work-items busy, and in the lists each arc
 * waits for the roots of the one before; where work-items run one after another, neither matters (`serial`). */
#define MST_RUN(serial)      ((serial) ? 64 : 8)
#define MST_LIST_RUN(serial) ((serial) ? 32 : 4)
#ifdef MU_SERIAL
#define MST_SERIAL 1
#else
#define MST_SERIAL 0
#endif

/* A work-item takes on APP_BATCH elements at once where it waits for memory: their accesses overlap, but their
 * registers cost co-resident workgroups. Which of the two weighs more is the device's: `--batch` says how many. */
#define MST_BATCHES(count) (((count) + APP_BATCH - 1) / APP_BATCH)

/* How many entries a list of so many has: none if it had no room for all. */
#define MST_HELD(size) ((size) <= S.list_room ? (size) : 0)

/* The word of `listed` that counts runs which groups have taken, beyond one for each work-item of the team. Neighbours
 * are then worked on at about the same time, and share what a cache holds. Groups that stride get far apart, which
 * costs a fifth of the step. */
#define MST_TAKEN 2

/* Local memory: how many of the group's work-items claim a place in a list, their first place, and where the group's
 * next runs begin. */
#define MST_CLAIMS        0
#define MST_PLACE         1
#define MST_NEXT          2
#define APP_SCRATCH_WORDS 3
