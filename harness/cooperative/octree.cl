/* The work-stealing app octree (thesis, table 5.2, after Cederman and Tsigas, "On dynamic load balancing on graphics
 * processors", Graphics Hardware 2008): points are partitioned into an octree. The host is
 * harness/cooperative/octree.c.
 *
 * An item is a node that is to be split. The group that takes it counts the points of each eighth of the node's cube,
 * makes a child of each eighth that has any, and moves the points so that those of a child stand together. Children
 * that are to be split are new items. Numbers of points lie in two arrays that take turns from depth to depth, so a
 * leaf's are in that of its depth.
 *
 * Who owns what. A node's words and its points' places are its parent's until the parent pushes it, and then those of
 * who takes it: the queue orders this. */
struct octree {
    __global const uint *points;
    __global uint *even, *odd; /* numbers of points, of nodes of even and of odd depth */
    __global uint *nodes, *used;
    uint room; /* for nodes: as many as there are to be */
};

/* Words of local memory: the node, and of each eighth how many points it has and where the next one goes. */
#define OCTREE_TAKEN  0u
#define OCTREE_NODE   1u
#define OCTREE_KIDS   5u /* the first child */
#define OCTREE_WANTED 6u /* which of the children are to be split */
#define OCTREE_COUNT  7u
#define OCTREE_CURSOR 15u
#define OCTREE_WORDS  23u

static __global uint *octree_ids(struct octree O, uint depth)
{
    return depth % 2u == 0 ? O.even : O.odd;
}

/* One work-item. Of no item there are no points. */
static void octree_open(struct octree O, __local uint *words, uint item)
{
    words[OCTREE_TAKEN] = item;
    for (uint i = 0; i < OCTREE_NODE_WORDS; i++)
        words[OCTREE_NODE + i] = item != MU_NO_ITEM ? O.nodes[item * OCTREE_NODE_WORDS + i] : 0u;
    for (uint part = 0; part < OCTREE_PARTS; part++) words[OCTREE_COUNT + part] = 0;
}

static void octree_count(struct octree O, __local uint *words, uint lid)
{
    const uint end = words[OCTREE_NODE + OCTREE_END], depth = words[OCTREE_NODE + OCTREE_DEPTH];
    __global const uint *ids = octree_ids(O, depth);
    for (uint i = words[OCTREE_NODE + OCTREE_BEGIN] + lid; i < end; i += STEAL_ITEMS)
        atomic_inc((volatile __local uint *)(words + OCTREE_COUNT + octree_part(O.points[ids[i]], depth)));
}

/* One work-item: a child for each eighth that has points. Where there is no room for them, which means that an item was
 * taken twice, the node stays a leaf, and the host finds that too many nodes were wanted. */
static void octree_place(struct octree O, __local uint *words)
{
    const uint depth = words[OCTREE_NODE + OCTREE_DEPTH];
    uint kids = 0, at = words[OCTREE_NODE + OCTREE_BEGIN], kid = 0, wanted = 0;
    for (uint part = 0; part < OCTREE_PARTS; part++) kids += words[OCTREE_COUNT + part] != 0 ? 1u : 0u;
    const uint first = kids != 0 ? mu_add_relaxed(O.used, kids) : 0u;
    const bool fits = first <= O.room && kids <= O.room - first;
    for (uint part = 0; part < OCTREE_PARTS; part++) {
        const uint count = words[OCTREE_COUNT + part];
        words[OCTREE_CURSOR + part] = at;
        if (count == 0) continue;
        if (fits) {
            __global uint *child = O.nodes + (first + kid) * OCTREE_NODE_WORDS;
            child[OCTREE_BEGIN] = at;
            child[OCTREE_END] = at + count;
            child[OCTREE_FIRST] = 0;
            child[OCTREE_DEPTH] = depth + 1;
            wanted |= octree_is_inner(count, depth + 1) << kid;
        }
        at += count;
        kid++;
    }
    if (kids != 0 && fits) O.nodes[words[OCTREE_TAKEN] * OCTREE_NODE_WORDS + OCTREE_FIRST] = first;
    words[OCTREE_KIDS] = first;
    words[OCTREE_WANTED] = wanted;
}

static void octree_move(struct octree O, __local uint *words, uint lid)
{
    const uint end = words[OCTREE_NODE + OCTREE_END], depth = words[OCTREE_NODE + OCTREE_DEPTH];
    __global const uint *from = octree_ids(O, depth);
    __global uint *to = octree_ids(O, depth + 1);
    for (uint i = words[OCTREE_NODE + OCTREE_BEGIN] + lid; i < end; i += STEAL_ITEMS) {
        const uint id = from[i], part = octree_part(O.points[id], depth);
        to[atomic_inc((volatile __local uint *)(words + OCTREE_CURSOR + part))] = id;
    }
}

static void octree_split_all(struct steal W, struct octree O, __local uint *words, bool form)
{
    const uint lid = (uint)get_local_id(0);
    uint item;
    do {
        if (lid == 0) octree_open(O, words, steal_take(W, form));
        STEAL_BARRIER();
        item = words[OCTREE_TAKEN];
        octree_count(O, words, lid);
        STEAL_BARRIER();
        if (lid == 0) octree_place(O, words);
        STEAL_BARRIER();
        octree_move(O, words, lid);
        STEAL_BARRIER(); /* all points are where they belong before the children are pushed */
        if (lid == 0 && item != MU_NO_ITEM) steal_done(W, words[OCTREE_KIDS], words[OCTREE_WANTED]);
    } while (item != MU_NO_ITEM || steal_shares(W));
}

#define OCTREE_PARAMETERS                                                                                              \
    STEAL_PARAMETERS, __global const uint *points, __global uint *even, __global uint *odd, __global uint *nodes,      \
        __global uint *used, const uint room, MU_TEAM_PARAMETERS MU_LOAD_PARAMETER

#define OCTREE_KERNEL(form)                                                                                            \
    __local uint words[OCTREE_WORDS];                                                                                  \
    MU_TEAM_BEGIN;                                                                                                     \
    STEAL_BEGIN;                                                                                                       \
    struct octree O;                                                                                                   \
    O.points = points;                                                                                                 \
    O.even = even;                                                                                                     \
    O.odd = odd;                                                                                                       \
    O.nodes = nodes;                                                                                                   \
    O.used = used;                                                                                                     \
    O.room = room;                                                                                                     \
    STEAL_LOAD_ONLY(mu_mode)                                                                                           \
    if (STEAL_SERVES()) octree_split_all(W, O, words, (form));                                                         \
    MU_TEAM_END

MU_KERNEL void steal_original(OCTREE_PARAMETERS)
{
    OCTREE_KERNEL(STEAL_ORIGINAL);
}

MU_KERNEL void steal_cooperative(OCTREE_PARAMETERS)
{
    OCTREE_KERNEL(STEAL_COOPERATIVE);
}
