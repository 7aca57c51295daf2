/* The checkers of the work-stealing apps: right answers in another order than the host's are accepted, and whatever is
 * changed in them is refused. */
#include "harness/cooperative/stealing.h"
#include "tests/tap.h"

#include "apps/priority.clh"
#include "harness/cooperative/game.clh"
#include "harness/cooperative/octree.clh"

#include <stdlib.h>
#include <string.h>

#define POINTS 600u
#define DEPTH  4u

/* ---- octree ---- */

/* An octree as a device may have left it: depth first. */
struct answer {
    struct mu_octree octree;
    uint32_t point[POINTS], order[POINTS], *nodes, used;
};

static const uint32_t *codes_of; /* for qsort */

static uint32_t path_of(uint32_t point)
{
    uint32_t path = 0;
    for (uint32_t depth = 0; depth < OCTREE_BITS; depth++) path = path << 3 | octree_part(point, depth);
    return path;
}

static int by_path(const void *a, const void *b)
{
    const uint32_t x = path_of(codes_of[*(const uint32_t *)a]), y = path_of(codes_of[*(const uint32_t *)b]);
    return (x > y) - (x < y);
}

/* Copies a node of the host's to a place of the answer, and behind it, depth first, all below it. */
static void copy_node(struct answer *answer, uint32_t from, uint32_t to)
{
    const uint32_t *own = answer->octree.nodes + from * OCTREE_NODE_WORDS;
    uint32_t *node = answer->nodes + to * OCTREE_NODE_WORDS, kids = 0, at = own[OCTREE_BEGIN];
    memcpy(node, own, OCTREE_NODE_WORDS * sizeof *node);
    if (own[OCTREE_FIRST] == 0) return;
    for (; at < own[OCTREE_END]; kids++)
        at = answer->octree.nodes[(own[OCTREE_FIRST] + kids) * OCTREE_NODE_WORDS + OCTREE_END];
    node[OCTREE_FIRST] = answer->used;
    answer->used += kids;
    for (uint32_t kid = 0; kid < kids; kid++) copy_node(answer, own[OCTREE_FIRST] + kid, node[OCTREE_FIRST] + kid);
}

static bool make_answer(struct answer *answer)
{
    struct mu_error err = {0};
    for (uint32_t i = 0; i < POINTS; i++) {
        answer->point[i] = mu_priority(i) & (i % 2 == 0 ? 0x3fffffffu : 0x00f03c0fu); /* half of them in one corner */
        answer->order[i] = i;
    }
    answer->point[POINTS - 1] = answer->point[POINTS - 2];
    codes_of = answer->point;
    qsort(answer->order, POINTS, sizeof *answer->order, by_path);
    if (mu_octree_make(answer->point, POINTS, &answer->octree, &err) != MU_OK) return false;
    answer->nodes = calloc(answer->octree.count, OCTREE_NODE_WORDS * sizeof *answer->nodes);
    if (answer->nodes == NULL) return false;
    answer->used = 1;
    copy_node(answer, 0, 0);
    return true;
}

static bool accepts(const struct answer *answer)
{
    const uint32_t *const ids[2] = {answer->order, answer->order};
    struct mu_error err = {0};
    return mu_octree_check(&answer->octree, answer->nodes, answer->used, ids, &err) == MU_OK;
}

/* A word of the answer becomes another, and must be missed. */
static bool misses(const struct answer *answer, uint32_t *word, uint32_t value)
{
    const uint32_t was = *word;
    *word = value;
    const bool refused = !accepts(answer);
    *word = was;
    return refused;
}

/* Nodes that are split, but none of their children are: so many items can wait at once (stealing.c, shape_of). */
static void test_last(const struct answer *answer)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < answer->used; i++) {
        const uint32_t *node = answer->nodes + i * OCTREE_NODE_WORDS;
        uint32_t splits = 0, at = node[OCTREE_BEGIN];
        for (uint32_t kid = node[OCTREE_FIRST]; kid != 0 && at < node[OCTREE_END]; kid++) {
            at = answer->nodes[kid * OCTREE_NODE_WORDS + OCTREE_END];
            splits += answer->nodes[kid * OCTREE_NODE_WORDS + OCTREE_FIRST] != 0;
        }
        last += node[OCTREE_FIRST] != 0 && splits == 0;
    }
    CHECK(last == answer->octree.last && last > 10, "and of the children of %u of them none has any", last);
}

static void test_octree(void)
{
    struct answer answer = {.used = 0};
    if (!CHECK(make_answer(&answer), "there is an octree of %u points", POINTS)) return;
    uint32_t inner = 0, missed[OCTREE_NODE_WORDS] = {0};
    CHECK(accepts(&answer) && answer.used == answer.octree.count, "an octree of %u nodes in another order is right",
          answer.used);
    for (uint32_t i = 0; i < answer.used; i++) {
        uint32_t *node = answer.nodes + i * OCTREE_NODE_WORDS;
        inner += node[OCTREE_FIRST] != 0 && octree_is_inner(node[OCTREE_END] - node[OCTREE_BEGIN], node[OCTREE_DEPTH]);
        missed[OCTREE_BEGIN] += misses(&answer, node + OCTREE_BEGIN, node[OCTREE_BEGIN] + 1);
        missed[OCTREE_END] += misses(&answer, node + OCTREE_END, node[OCTREE_END] - 1);
        missed[OCTREE_FIRST] += misses(&answer, node + OCTREE_FIRST, node[OCTREE_FIRST] == 0 ? 1 : 0);
        missed[OCTREE_DEPTH] += misses(&answer, node + OCTREE_DEPTH, node[OCTREE_DEPTH] + 1);
    }
    CHECK(inner == answer.octree.inner && inner > 20, "%u of them have children", inner);
    test_last(&answer);
    for (uint32_t word = 0; word < OCTREE_NODE_WORDS; word++)
        CHECK(missed[word] == answer.used, "word %u of a node: %u of %u changes are seen", word, missed[word],
              answer.used);
    uint32_t swapped = 0, twice = 0, none = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t other = answer.order[(i + POINTS / 2) % POINTS];
        twice += misses(&answer, answer.order + i, other);
        none += misses(&answer, answer.order + i, POINTS + i);
    }
    CHECK(twice == POINTS && none == POINTS, "a point in two places, and one that there is not: %u and %u of %u", twice,
          none, POINTS);
    for (uint32_t i = 0; i < POINTS / 2; i++) { /* half the points away: another leaf */
        uint32_t *a = answer.order + i, *b = a + POINTS / 2;
        const uint32_t was = *a;
        *a = *b;
        swapped += misses(&answer, b, was);
        *a = was;
    }
    CHECK(swapped == POINTS / 2, "points that change places: %u of %u", swapped, POINTS / 2);
    CHECK(misses(&answer, &answer.used, answer.used - 1) && misses(&answer, &answer.used, answer.used + 1),
          "a node less, and one more");
    mu_octree_free(&answer.octree);
    free(answer.nodes);
}

/* ---- game ---- */

/* Four in a row as one would look for it on a board. */
static bool has_four(uint32_t stones)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int cell = 0; cell < 25; cell++)
        for (int way = 0; way < 4; way++) {
            int length = 0;
            for (int i = 0; i < 4; i++) {
                const int column = cell / 5 + i * steps[way][0], row = cell % 5 + i * steps[way][1];
                length += column >= 0 && column < 5 && row >= 0 && row < 5 && (stones >> (6 * column + row) & 1u) != 0;
            }
            if (length == 4) return true;
        }
    return false;
}

static void test_lines(void)
{
    uint32_t won = 0, wrong = 0, counts = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        const uint32_t stones = mu_priority(i) & mu_priority(~i) & GAME_BOARD;
        won += has_four(stones);
        wrong += has_four(stones) != game_is_won(stones);
        counts += game_count(stones) != (uint32_t)__builtin_popcount(stones);
    }
    CHECK(wrong == 0 && counts == 0 && won > 1000 && won < 99000, "four in a row on %u of 100000 boards", won);
}

/* The tree as a device may have left it: each depth behind the one before; values from the last node back. */
static uint32_t play(uint32_t *nodes, uint32_t room)
{
    uint32_t used = 1;
    for (uint32_t i = 0; i < used; i++) {
        uint32_t *node = nodes + i * GAME_NODE_WORDS;
        const uint32_t own = node[GAME_OWN], all = node[GAME_ALL], left = DEPTH - game_count(all);
        for (uint32_t column = GAME_COLUMNS; column-- > 0;) {
            const uint32_t turn = game_turn(own, all, column, left);
            if (turn == GAME_GOES_ON && used < room) {
                uint32_t *child = nodes + used++ * GAME_NODE_WORDS;
                child[GAME_OWN] = all ^ own;
                child[GAME_ALL] = all | game_cell(all, column);
                child[GAME_PARENT] = i;
            } else if (turn > node[GAME_BEST])
                node[GAME_BEST] = turn;
        }
    }
    for (uint32_t i = used; i-- > 1;) {
        const uint32_t *node = nodes + i * GAME_NODE_WORDS;
        uint32_t *best = nodes + node[GAME_PARENT] * GAME_NODE_WORDS + GAME_BEST;
        if (GAME_NEGATE(node[GAME_BEST]) > *best) *best = GAME_NEGATE(node[GAME_BEST]);
    }
    return used;
}

/* The most items that wait at once in any order of taking them, by what waits below each node; children stand behind
 * their parents. */
static uint32_t most_waiting(const uint32_t *nodes, uint32_t used)
{
    uint32_t *most = calloc(used, sizeof *most), all = 0;
    for (uint32_t i = used; most != NULL && i-- > 0;) {
        if (most[i] == 0) most[i] = 1; /* the node itself, in place of all that come of it */
        if (i > 0) most[nodes[i * GAME_NODE_WORDS + GAME_PARENT]] += most[i];
    }
    if (most != NULL) all = most[0];
    free(most);
    return all;
}

static bool is_game(const struct mu_game *game, const uint32_t *nodes, uint32_t used)
{
    struct mu_error err = {0};
    return mu_game_check(game, nodes, used, &err) == MU_OK;
}

static void test_game(void)
{
    static const uint32_t words[] = {GAME_OWN, GAME_ALL, GAME_PENDING, GAME_BEST};
    struct mu_game game;
    mu_game_solve(DEPTH, &game);
    uint32_t *nodes = calloc(game.count, GAME_NODE_WORDS * sizeof *nodes);
    CHECK(nodes != NULL, "there is room for a tree");
    if (nodes == NULL) return;
    const uint32_t used = play(nodes, game.count);
    CHECK(used == 1 + 5 + 25 + 125 && is_game(&game, nodes, used), "a tree of %u nodes in another order is right",
          used);
    CHECK(game.leaves == 125 && most_waiting(nodes, used) == game.leaves, "at most %u of its nodes wait at once",
          game.leaves);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < used; i++) {
            uint32_t *word = nodes + i * GAME_NODE_WORDS + words[k];
            (*word)++;
            seen += !is_game(&game, nodes, used);
            (*word)--;
        }
        CHECK(seen == used, "word %u of a node: %u of %u changes are seen", words[k], seen, used);
    }
    uint32_t kept[GAME_NODE_WORDS], *last = nodes + (used - 1) * GAME_NODE_WORDS;
    memcpy(kept, last, sizeof kept);
    memcpy(last, nodes + GAME_NODE_WORDS, sizeof kept);
    CHECK(!is_game(&game, nodes, used), "a node twice, in place of another");
    memcpy(last, kept, sizeof kept);
    CHECK(!is_game(&game, nodes, used - 1) && is_game(&game, nodes, used), "a node less");
    free(nodes);
}

int main(void)
{
    test_octree();
    test_lines();
    test_game();
    return tap_done();
}
