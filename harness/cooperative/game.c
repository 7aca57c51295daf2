/* The work-stealing app game: the value that the host finds, what is compared with it, and the experiment. */
#include "base/memory.h"
#include "harness/cooperative/stealing.h"

#include "harness/cooperative/game.clh"

#define DEEPEST 12u /* turns: more positions than this study has room for */

/* ---- The host's tree ---- */

/* Returns a number that no other node is likely to have, so that sums of them tell two sets of nodes apart. It is the
 * finaliser of splitmix64 (S. Vigna, public domain). */
static uint64_t mix(uint32_t own, uint32_t all, uint32_t value)
{
    uint64_t x = (own | (uint64_t)all << 32) + 0x9e3779b97f4a7c15u * ((uint64_t)value + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Returns the value of a position, from which `left` turns are looked ahead. */
static uint32_t solve(uint32_t own, uint32_t all, uint32_t left, struct mu_game *game)
{
    uint32_t best = 0;
    bool is_leaf = true;
    for (uint32_t column = 0; column < GAME_COLUMNS; column++) {
        uint32_t value = game_turn(own, all, column, left);
        if (value == GAME_GOES_ON) {
            is_leaf = false;
            value = GAME_NEGATE(solve(all ^ own, all | game_cell(all, column), left - 1, game));
        }
        if (value > best) best = value;
    }
    game->count++;
    game->leaves += is_leaf;
    game->sum += mix(own, all, best);
    return best;
}

void mu_game_solve(uint32_t depth, struct mu_game *game)
{
    *game = (struct mu_game){.depth = depth};
    game->value = solve(0, 0, depth, game);
}

int mu_game_check(const struct mu_game *game, const uint32_t *nodes, uint32_t used, struct mu_error *err)
{
    uint64_t sum = 0;
    if (used != game->count) return mu_fail(err, MU_WRONG, "the tree has %u nodes, and not %u", used, game->count);
    if (nodes[GAME_BEST] != game->value)
        return mu_fail(err, MU_WRONG, "the value is %d, and not %d", (int)nodes[GAME_BEST] - (int)GAME_EVEN,
                       (int)game->value - (int)GAME_EVEN);
    for (uint32_t i = 0; i < used; i++) {
        const uint32_t *node = nodes + (size_t)i * GAME_NODE_WORDS;
        if (node[GAME_PENDING] != 0)
            return mu_fail(err, MU_WRONG, "node %u waits for the values of %u children", i, node[GAME_PENDING]);
        sum += mix(node[GAME_OWN], node[GAME_ALL], node[GAME_BEST]);
    }
    return sum == game->sum ? MU_OK : mu_fail(err, MU_WRONG, "positions or values of the tree are not the host's");
}

/* ---- The experiment ---- */

struct app {
    struct mu_stealing stealing;
    struct mu_game game;
    cl_mem nodes, used;
    cl_uint room, last;
    uint32_t *words; /* the nodes that are read back */
};

static int prepare(const void *context, struct mu_error *err)
{
    const struct app *app = context;
    const struct mu_workbench *bench = &app->stealing.bench;
    const uint32_t one = 1; /* the root, all of whose words are 0 */
    mu_workbench_zero(bench, app->nodes, (size_t)app->room * GAME_NODE_WORDS, err);
    return err->status == MU_OK ? mu_workbench_write(bench, app->used, &one, 1, err) : err->status;
}

static int check(const void *context, struct mu_error *err)
{
    const struct app *app = context;
    const struct mu_workbench *bench = &app->stealing.bench;
    uint32_t used = 0;
    if (mu_workbench_read(bench, app->used, &used, 1, err) != MU_OK ||
        mu_workbench_read(bench, app->nodes, app->words, (size_t)app->room * GAME_NODE_WORDS, err) != MU_OK)
        return err->status;
    return mu_game_check(&app->game, app->words, used, err);
}

static int open_app(struct app *app, struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t depth = mu_trial_number(trial, "depth");
    *app = (struct app){.nodes = NULL};
    struct mu_stealing *stealing = &app->stealing;
    if (depth == 0 || depth > DEEPEST)
        return mu_fail(err, MU_USAGE, "a game tree of %u turns is not of this study's sizes", depth);
    mu_game_solve(depth, &app->game);
    app->last = depth;
    app->room = app->game.count;
    if (mu_stealing_open(stealing, trial, "harness/cooperative/game.cl", err) != MU_OK) return err->status;
    app->words = mu_malloc((size_t)app->room, GAME_NODE_WORDS * sizeof *app->words, "a game tree", err);
    if (err->status == MU_OK)
        mu_workbench_buffer(&stealing->bench, (size_t)app->room * GAME_NODE_WORDS, &app->nodes, err);
    if (err->status == MU_OK) mu_workbench_buffer(&stealing->bench, 1, &app->used, err);
    const struct mu_workbench_argument own[] = {MU_WORKBENCH_ARGUMENT(app->nodes), MU_WORKBENCH_ARGUMENT(app->used),
                                                MU_WORKBENCH_ARGUMENT(app->room), MU_WORKBENCH_ARGUMENT(app->last)};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) stealing->own[stealing->own_count++] = own[i];
    stealing->leaves = app->game.leaves;
    stealing->prepare = prepare;
    stealing->check = check;
    stealing->app = app;
    return err->status;
}

int mu_stealing_game(struct mu_trial *trial, struct mu_error *err)
{
    struct app app;
    if (open_app(&app, trial, err) == MU_OK) mu_stealing_measure(&app.stealing, trial, err);
    mu_workbench_release_buffer(app.nodes);
    mu_workbench_release_buffer(app.used);
    mu_stealing_close(&app.stealing);
    mu_free(app.words);
    return err->status;
}
