/* The work-stealing app game (thesis, table 5.2, after Cederman and Tsigas, Graphics Hardware 2008): the value of a
 * position, looked ahead so many turns. The host is harness/cooperative/game.c.
 *
 * An item is a node: a position whose turn is not the last. The group that takes it tries all turns. One that ends the
 * game, or is the last, gives a value; of the others there is a node each, which is a new item. A node's value is the
 * best for who is to move of what its turns are worth, and minus that is what it is worth to its parent.
 *
 * Who owns what. A node's words are its parent's until the parent pushes it, and its group's until that pushes its
 * children, or has given it a value. Then those of its children that get a value raise GAME_BEST, and lower
 * GAME_PENDING with acquire and release: whoever lowers it to 0 sees all values, and hands the best on. */
struct game {
    __global uint *nodes, *used;
    uint room, last; /* nodes, as many as there are to be; stones on the board when all turns were taken */
};

/* Words of local memory: the item, its position, its value, its first child, and what becomes of each turn. */
#define GAME_TAKEN    0u
#define GAME_AT_OWN   1u
#define GAME_AT_ALL   2u
#define GAME_VALUE    3u
#define GAME_KIDS     4u
#define GAME_WANTED   5u
#define GAME_TURNS    6u
#define GAME_AT_WORDS (GAME_TURNS + GAME_COLUMNS)

/* One work-item. With no item the board is full, and so there is no turn. */
static void game_open(struct game G, __local uint *words, uint item)
{
    __global const uint *node = G.nodes + (size_t)(item != MU_NO_ITEM ? item : 0u) * GAME_NODE_WORDS;
    words[GAME_TAKEN] = item;
    words[GAME_AT_OWN] = node[GAME_OWN];
    words[GAME_AT_ALL] = item != MU_NO_ITEM ? node[GAME_ALL] : GAME_BOARD;
    words[GAME_VALUE] = 0;
}

static void game_try(struct game G, __local uint *words, uint lid)
{
    const uint own = words[GAME_AT_OWN], all = words[GAME_AT_ALL], left = G.last - game_count(all);
    for (uint column = lid; column < GAME_COLUMNS; column += STEAL_ITEMS) {
        const uint turn = game_turn(own, all, column, left);
        words[GAME_TURNS + column] = turn;
        if (turn > GAME_GOES_ON) atomic_max((volatile __local uint *)(words + GAME_VALUE), turn);
    }
}

/* A node has its value, and perhaps its parent, too. */
static void game_hand_on(struct game G, uint node, uint value)
{
    while (node != 0) {
        const uint parent = G.nodes[node * GAME_NODE_WORDS + GAME_PARENT];
        __global uint *words = G.nodes + parent * GAME_NODE_WORDS;
        atomic_max((volatile __global uint *)(words + GAME_BEST), GAME_NEGATE(value));
        if (mu_add_acq_rel(words + GAME_PENDING, 0u - 1u) != 1u) return;
        value = mu_load_relaxed(words + GAME_BEST);
        node = parent;
    }
}

/* One work-item: a node for each turn after which the game goes on. Where there is no room for them, which means that
 * an item was taken twice, there are none, and the host finds that too many were wanted. */
static void game_place(struct game G, __local uint *words)
{
    __global uint *node = G.nodes + words[GAME_TAKEN] * GAME_NODE_WORDS;
    const uint own = words[GAME_AT_OWN], all = words[GAME_AT_ALL];
    uint kids = 0, kid = 0;
    for (uint column = 0; column < GAME_COLUMNS; column++) kids += words[GAME_TURNS + column] == GAME_GOES_ON ? 1u : 0u;
    const uint first = kids != 0 ? mu_add_relaxed(G.used, kids) : 0u;
    if (first > G.room || kids > G.room - first) kids = 0;
    for (uint column = 0; column < GAME_COLUMNS && kids != 0; column++) {
        if (words[GAME_TURNS + column] != GAME_GOES_ON) continue;
        __global uint *child = G.nodes + (first + kid++) * GAME_NODE_WORDS;
        child[GAME_OWN] = all ^ own;
        child[GAME_ALL] = all | game_cell(all, column);
        child[GAME_PARENT] = words[GAME_TAKEN];
    }
    node[GAME_PENDING] = kids;
    node[GAME_BEST] = words[GAME_VALUE];
    words[GAME_KIDS] = first;
    words[GAME_WANTED] = (1u << kids) - 1u;
    if (kids == 0) game_hand_on(G, words[GAME_TAKEN], words[GAME_VALUE]);
}

static void game_play(struct steal W, struct game G, __local uint *words, bool form)
{
    const uint lid = (uint)get_local_id(0);
    uint item;
    do {
        if (lid == 0) game_open(G, words, steal_take(W, form));
        STEAL_BARRIER();
        item = words[GAME_TAKEN];
        game_try(G, words, lid);
        STEAL_BARRIER();
        if (lid == 0 && item != MU_NO_ITEM) {
            game_place(G, words);
            steal_done(W, words[GAME_KIDS], words[GAME_WANTED]);
        }
    } while (item != MU_NO_ITEM || steal_shares(W));
}

#define GAME_PARAMETERS                                                                                                \
    STEAL_PARAMETERS, __global uint *nodes, __global uint *used, const uint room, const uint last,                     \
        MU_TEAM_PARAMETERS MU_LOAD_PARAMETER

#define GAME_KERNEL(form)                                                                                              \
    __local uint words[GAME_AT_WORDS];                                                                                 \
    MU_TEAM_BEGIN;                                                                                                     \
    STEAL_BEGIN;                                                                                                       \
    struct game G;                                                                                                     \
    G.nodes = nodes;                                                                                                   \
    G.used = used;                                                                                                     \
    G.room = room;                                                                                                     \
    G.last = last;                                                                                                     \
    STEAL_LOAD_ONLY(mu_mode)                                                                                           \
    if (STEAL_SERVES()) game_play(W, G, words, (form));                                                                \
    MU_TEAM_END

MU_KERNEL void steal_original(GAME_PARAMETERS)
{
    GAME_KERNEL(STEAL_ORIGINAL);
}

MU_KERNEL void steal_cooperative(GAME_PARAMETERS)
{
    GAME_KERNEL(STEAL_COOPERATIVE);
}
