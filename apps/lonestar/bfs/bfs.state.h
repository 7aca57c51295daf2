/* bfs: buffers (name, element type, length, role), scalars, and local memory. */
#define APP_BUFFERS(X)                                                                                                 \
    X(row_start, offset, vertices + 1, INPUT)                                                                          \
    X(column, uint, edges, INPUT)                                                                                      \
    X(in_start, offset, directed *(vertices + 1), INPUT)                                                               \
    X(in_column, uint, directed *edges, INPUT)                                                                         \
    X(distance, uint, vertices, RESULT)                                                                                \
    X(worklist, ulong, 2 * capacity, STATE)                                                                            \
    X(found, uint, BFS_FOUND_WORDS, STATE)                                                                             \
    X(reached, uint, 2 * words, STATE)

/* capacity: entries of each half of the worklist; work: of all vertices; few: a frontier of at most so many ranges is
 * pushed without a thought; subteam: by so many workgroups, or by all where it is 0; alone: by one of them while there
 * are at most so many; batches: that the longest row has; alpha, least: when to pull (BFS_PULLS); hub: a source of more
 * ranges is pulled at once; words: of bits that a level has where it is pulled by bits, else 0; light: 1 where no row
 * has more than BFS_UNIT edges; directed: 1 where the incoming edges have rows of their own, in_start and in_column. */
#define APP_SCALARS(X)                                                                                                 \
    X(vertices, uint)                                                                                                  \
    X(source, uint)                                                                                                    \
    X(capacity, uint)                                                                                                  \
    X(work, uint)                                                                                                      \
    X(few, uint)                                                                                                       \
    X(subteam, uint)                                                                                                   \
    X(alone, uint)                                                                                                     \
    X(batches, uint) X(alpha, uint) X(least, uint) X(hub, uint) X(light, uint) X(directed, uint) X(words, uint)

/* Where no edges are shared, the first work-item of a group serves alone. */
#define APP_FIRST_SERVES

/* Local memory: the worklist; what the group has found, or has pushed in two rounds of a subteam; the vertices whose
 * edges it shares; and what the members of a subteam tell. */
#define APP_ENTRY         ulong
#define MU_QUEUE_CAPACITY (APP_QUEUE * MU_WORKGROUP)
#define APP_SCRATCH_WORDS (MU_WORKLIST_WORDS + 2 + MU_WORKGROUP + BFS_SUBTEAM_MOST + BFS_AT_WORDS)

/* The distance of a vertex that cannot be reached. */
#define BFS_UNREACHED 0xffffffffu

/* An entry of the worklist is a range of edges: where it begins, times 2^11, plus how many. A vertex of higher degree
 * than BFS_RANGE has several entries. */
#define BFS_RANGE          1024
#define BFS_RANGE_SHIFT    11
#define BFS_RANGE_MASK     2047
#define BFS_RANGES(degree) (((degree) + BFS_RANGE - 1) / BFS_RANGE)

/* The words of `found`. The first six are what each of three levels that take turns has: ranges, and from BFS_WORK on
 * work. Then, of two levels that take turns, the ranges that a pull has left over; and how many have been listed. Then,
 * of three levels that take turns, the ranges of it that a subteam has put into the list and not into its queues; and
 * the level that a subteam has come to. */
#define BFS_WORK        3
#define BFS_LEFT        6
#define BFS_LISTED      8
#define BFS_SPILLED     9
#define BFS_LEVEL       12
#define BFS_FOUND_WORDS 15

/* Whether a frontier is a subteam's (bfs.cl): it has few ranges, and none is long. */
#define BFS_FEW(S, ranges) ((S).subteam != 0 && (ranges) <= (S).few)
#define BFS_SUBTEAM_MOST   32

/* The words that a member of a subteam knows. */
#define BFS_AT_SIZE    0  /* workgroups of the subteam, and behind that its meetings (mu_subteam_open) */
#define BFS_AT_LEVEL   2  /* of the frontier that is being served */
#define BFS_AT_ROUND   3  /* how many frontiers were before it */
#define BFS_AT_TOTAL   4  /* its ranges */
#define BFS_AT_KEPT    5  /* those in this group's queue … */
#define BFS_AT_SPILLED 6  /* … and those in the list */
#define BFS_AT_SPILLS  7  /* 1 where those in the queue go into the list now */
#define BFS_AT_DEALS   8  /* 1 where the next meeting is for that, and no frontier is served before it */
#define BFS_AT_GOES_ON 9  /* 0 where this has been the last meeting */
#define BFS_AT_LIMIT   10 /* a frontier of more ranges is none of the subteam's */
#define BFS_AT_WORDS   11

/* A subteam that begins with so few ranges is one workgroup, and goes on until there are more. */
#define BFS_ALONE(S, ranges) ((ranges) <= (S).alone)
#define BFS_LIMIT(S, ranges) (BFS_ALONE(S, ranges) && (S).alone < (S).few ? (S).alone : (S).few)

/* The work that a vertex is to whoever pushes from it: its edges in units of BFS_UNIT, about a line of a cache. */
#define BFS_UNIT            16
#define BFS_WORK_OF(degree) (((degree) + BFS_UNIT - 1) / BFS_UNIT)

/* Whether a frontier is to be pulled (Beamer, Asanović and Patterson, "Direction-optimizing breadth-first search",
 * SC 2012): its edges are more than the edges of what has not been reached, divided by alpha. There alone a search that
 * ends at its first hit is short. And more than the vertices, divided by beta: pulling looks at all of them. That
 * least work is the scalar `least`. */
#define BFS_PULLS(S, frontier, unreached) ((frontier) > (S).least && (frontier) > (unreached) / (S).alpha)

/* A frontier of so many ranges may be pulled: they have at most so much work, or they may be a source's. */
#define BFS_MAY_PULL(S, ranges)                                                                                        \
    ((ranges) > (S).hub || (ulong)(ranges) * ((S).light != 0 ? 1 : BFS_RANGE / BFS_UNIT) > (S).least)

/* How many elements a pull has, and whoever makes a list of what it has found. */
#define BFS_PULLED(S) ((S).words != 0 ? (S).words : (S).vertices)

/* How many elements a push over few ranges has, whose work nobody knows: where a launch has a work-item for each
 * element, ranges that may be long spread over more workgroups. A subteam's are a workgroup's there. */
#define BFS_SPREAD(S, ranges)                                                                                          \
    (BFS_FEW(S, ranges) ? 1 : (S).light != 0 || (ranges) > BFS_SHARERS / BFS_UNIT ? (ranges) : BFS_UNIT * (ranges))

/* At most so many work-items share the ranges which a pull has left over. A plan does not know how many ranges there
 * are, since reading a word back would take longer than a launch. */
#define BFS_SHARERS 65536
