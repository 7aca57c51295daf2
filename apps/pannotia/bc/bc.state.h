/* bc: buffers (name, element type, length, role), scalars, and local memory. An element is a pair of a source of the
 * batch and a vertex: element b * vertices + v is vertex v as seen from source b of the batch. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(in_start, offset, directed *(vertices + 1), INPUT)                                                               \
    X(in_column, uint, directed *edges, INPUT)                                                                         \
    X(source, uint, sources, INPUT)                                                                                    \
    X(centrality, real, vertices, RESULT)                                                                              \
    X(overflow, uint, 1, RESULT)                                                                                       \
    X(distance, uint, batch *vertices, STATE)                                                                          \
    X(paths, real, batch *vertices, STATE)                                                                             \
    X(dependency, real, batch *vertices, STATE)                                                                        \
    X(order, uint, batch *vertices, STATE)                                                                             \
    X(level_start, uint, vertices + 1, STATE)                                                                          \
    X(pushed, uint, 3, STATE)                                                                                          \
    X(first_source, uint, 1, STATE)                                                                                    \
    X(taken, uint, 2, STATE)

/* vertices; sources: how many in all; batch: how many at a time; batches: ceil(sources / batch);
 * directed: 1 where the incoming edges have rows of their own, in_start and in_column, else 0. */
#define APP_SCALARS(X) X(vertices, uint) X(sources, uint) X(batch, uint) X(batches, uint) X(directed, uint)

/* Where no edges are shared, the first work-item of a group serves alone. */
#define APP_FIRST_SERVES

/* Local memory: the worklist, those rows of the group that are not short (bc_rows), and the next block. */
#define MU_QUEUE_CAPACITY (APP_QUEUE * MU_WORKGROUP)
#define APP_SCRATCH_WORDS (MU_WORKLIST_WORDS + 2 * (2 + MU_WORKGROUP) + 1)

/* A distance that is none; `overflow` while no source has overflowed. */
#define BC_UNREACHED 0xffffffffu
#define BC_NONE      0xffffffffu

/* A level that no neighbour is at. */
#define BC_NO_LEVEL 0xfffffffeu

/* More shortest paths than this are an overflow: far enough from the largest number that reciprocals of path counts
 * keep their precision. */
#define BC_MOST_PATHS_DOUBLE 1e300
#define BC_MOST_PATHS_SINGLE 1e30f
