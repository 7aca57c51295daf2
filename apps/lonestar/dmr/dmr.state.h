/* dmr: buffers (name, element type, length, role), scalars, local memory, and constants. dmr.cl tells what the steps do
 * with them. */
#define DMR_NONE 0xffffffffu

/* A triangle is a record of DMR_RECORD words: its three corners, counter-clockwise; a word whose bit k is set if the
 * edge opposite corner k is a segment; the triangle across the edge opposite each corner, or DMR_NONE; and a word of
 * padding, which makes the record two times four words. */
#define DMR_RECORD        8
#define DMR_FIXED         3
#define DMR_NEIGHBOUR     4
#define DMR_MAX_TRIANGLES (1u << 28) /* priorities have so many bits for their ids */

/* The bitmap `bad` is divided into parts of so many triangles, and `bad_in_part` counts the bad ones of each. Space for
 * triangles is made in whole parts. */
#define DMR_PART       1024
#define DMR_PART_WORDS (DMR_PART / 32)

/* Words of an entry, which says of a bad triangle on the list where its cavity is and what is to become of it. */
#define DMR_ENTRY 8

/* Words of a cavity that has room for APP_CAVITY triangles: one for each triangle, and two for each edge of its
 * polygon, which has two edges more. */
#define DMR_CAVITY_WORDS (3u * APP_CAVITY + 4u)

/* A refinement with more rounds is taken to have no end. Slivers of height 10^-12 need some hundreds. */
#define DMR_MAX_ROUNDS 8192

/* The figures of so many rounds are kept. */
#define DMR_HISTORY 1024

/* Words of `wanted`. */
#define DMR_WANT_ROOM      0 /* not 0 if the plan ended for want of any room */
#define DMR_WANT_TRIANGLES 1 /* how many there must be room for; 0 if they had enough */
#define DMR_WANT_POOL      2 /* how many words large cavities asked for; 0 if they had enough */

/* Elements of `limit`. */
#define DMR_COSINE     0 /* the square of the cosine of the smallest angle allowed */
#define DMR_OFF_CENTRE 1 /* how far off-centres are from an edge of length 1 */

/* Words of `size`, for each parity of the round. */
#define DMR_POINTS    0
#define DMR_TRIANGLES 1

#define APP_BUFFERS(X)                                                                                                 \
    X(input_point, double, 2 * input_points, INPUT)                                                                    \
    X(input_triangle, uint, DMR_RECORD *input_triangles, INPUT)                                                        \
    X(limit, double, 2, INPUT)                                                                                         \
    X(point, double, 2 * point_room, RESULT)                                                                           \
    X(triangle, uint, DMR_RECORD *triangle_room, RESULT)                                                               \
    X(size, uint, 4, RESULT)                                                                                           \
    X(progress, uint, 1, RESULT)                                                                                       \
    X(dropped, uint, 1, RESULT)                                                                                        \
    X(listed, uint, DMR_HISTORY, RESULT)                                                                               \
    X(conflicts, uint, DMR_HISTORY, RESULT)                                                                            \
    X(bad, uint, triangle_room / 32, STATE)                                                                            \
    X(bad_in_part, uint, triangle_room / DMR_PART, STATE)                                                              \
    X(claimed, uint, 2 * triangle_room, STATE)                                                                         \
    X(list, uint, list_room, STATE)                                                                                    \
    X(todo, uint, 2, STATE)                                                                                            \
    X(entry, uint, DMR_ENTRY *list_room, STATE)                                                                        \
    X(aim, double, 2 * list_room, STATE)                                                                               \
    X(cavity, uint, DMR_CAVITY_WORDS *list_room + pool_room, STATE)                                                    \
    X(pool_top, uint, 1, STATE)                                                                                        \
    X(rank, ulong, list_room, STATE)                                                                                   \
    X(won, ulong, list_room, STATE)                                                                                    \
    X(wanted, uint, 4, STATE)

#define APP_SCALARS(X)                                                                                                 \
    X(input_points, uint)                                                                                              \
    X(input_triangles, uint)                                                                                           \
    X(point_room, uint)                                                                                                \
    X(triangle_room, uint)                                                                                             \
    X(list_room, uint)                                                                                                 \
    X(pool_room, uint)                                                                                                 \
    X(old_room, uint)

/* For each work-item two sums. */
#define APP_SCRATCH_WORDS (4 * MU_WORKGROUP)
