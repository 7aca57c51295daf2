/* The work-stealing app octree: the host's octree, what is compared with it, and the experiment. */
#include "base/memory.h"
#include "harness/cooperative/stealing.h"

#include "apps/priority.clh"
#include "harness/cooperative/octree.clh"

#include <stdlib.h>

#define LAST (OCTREE_BITS - 1u)

/* ---- The host's octree ---- */

/* Returns the path of a point: in which eighth it lies, from the root on. */
static uint32_t code_of(uint32_t point)
{
    uint32_t code = 0;
    for (uint32_t depth = 0; depth < OCTREE_BITS; depth++) code = code << 3 | octree_part(point, depth);
    return code;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Returns where the points of a child end. Points are sorted, so that those of a node, whose paths begin alike, lie
 * together. */
static uint32_t end_of_part(const struct mu_octree *octree, uint32_t begin, uint32_t end, uint32_t depth)
{
    const uint32_t shift = 3 * (LAST - depth);
    uint32_t at = begin + 1;
    while (at < end && octree->codes[at] >> shift == octree->codes[begin] >> shift) at++;
    return at;
}

static int add_node(struct mu_octree *octree, uint32_t begin, uint32_t end, uint32_t depth, struct mu_error *err)
{
    void *grown = octree->nodes;
    if ((octree->count & (octree->count - 1)) == 0 && /* twice the room at every power of two */
        mu_resize(&grown, 2 * ((size_t)octree->count + 1), OCTREE_NODE_WORDS * sizeof *octree->nodes, "an octree",
                  err) != MU_OK)
        return err->status;
    octree->nodes = grown;
    uint32_t *node = octree->nodes + (size_t)octree->count * OCTREE_NODE_WORDS;
    node[OCTREE_BEGIN] = begin;
    node[OCTREE_END] = end;
    node[OCTREE_FIRST] = 0;
    node[OCTREE_DEPTH] = depth;
    octree->count++;
    return MU_OK;
}

static int add_children(struct mu_octree *octree, uint32_t parent, struct mu_error *err)
{
    const uint32_t *node = octree->nodes + (size_t)parent * OCTREE_NODE_WORDS;
    const uint32_t begin = node[OCTREE_BEGIN], end = node[OCTREE_END], depth = node[OCTREE_DEPTH];
    if (octree_is_inner(end - begin, depth) == 0) return MU_OK;
    octree->nodes[(size_t)parent * OCTREE_NODE_WORDS + OCTREE_FIRST] = octree->count;
    octree->inner++;
    bool is_last = true;
    for (uint32_t at = begin; at < end && err->status == MU_OK;) {
        const uint32_t next = end_of_part(octree, at, end, depth);
        add_node(octree, at, next, depth + 1, err);
        if (octree_is_inner(next - at, depth + 1) != 0) is_last = false;
        at = next;
    }
    octree->last += is_last;
    return err->status;
}

int mu_octree_make(const uint32_t *point, uint32_t points, struct mu_octree *octree, struct mu_error *err)
{
    *octree = (struct mu_octree){.points = points, .point = point};
    octree->codes = mu_malloc(points, sizeof *octree->codes, "the paths of points", err);
    if (octree->codes == NULL) return err->status;
    for (uint32_t i = 0; i < points; i++) octree->codes[i] = code_of(point[i]);
    qsort(octree->codes, points, sizeof *octree->codes, compare);
    add_node(octree, 0, points, 0, err);
    for (uint32_t i = 0; err->status == MU_OK && i < octree->count; i++) add_children(octree, i, err);
    return err->status;
}

void mu_octree_free(struct mu_octree *octree)
{
    mu_free(octree->codes);
    mu_free(octree->nodes);
    *octree = (struct mu_octree){.nodes = NULL};
}

/* ---- The comparison ---- */

/* A comparison of the device's nodes with the host's, and where each of the host's lies on the device. */
struct comparison {
    const struct mu_octree *octree;
    const uint32_t *nodes, *const *ids;
    uint32_t used, *place;
    bool *seen; /* points */
};

static int compare_leaf(const struct comparison *with, const uint32_t *node, struct mu_error *err)
{
    const uint32_t depth = node[OCTREE_DEPTH], *ids = with->ids[depth % 2];
    for (uint32_t i = node[OCTREE_BEGIN]; i < node[OCTREE_END]; i++) {
        const uint32_t id = ids[i], shift = 3 * (OCTREE_BITS - depth);
        if (id >= with->octree->points || with->seen[id])
            return mu_fail(err, MU_WRONG, "place %u has point %u, which is %s", i, id,
                           id >= with->octree->points ? "none" : "in two places");
        with->seen[id] = true;
        if ((uint64_t)code_of(with->octree->point[id]) >> shift != (uint64_t)with->octree->codes[i] >> shift)
            return mu_fail(err, MU_WRONG, "point %u is in a leaf of depth %u in which it does not lie", id, depth);
    }
    return MU_OK;
}

static int compare_node(const struct comparison *with, uint32_t i, struct mu_error *err)
{
    const uint32_t *own = with->octree->nodes + (size_t)i * OCTREE_NODE_WORDS;
    const uint32_t *node = with->nodes + (size_t)with->place[i] * OCTREE_NODE_WORDS, first = node[OCTREE_FIRST];
    for (uint32_t word = 0; word < OCTREE_NODE_WORDS; word++)
        if (word == OCTREE_FIRST ? (node[word] == 0) != (own[word] == 0) : node[word] != own[word])
            return mu_fail(err, MU_WRONG, "node %u, of depth %u, with points %u to %u: word %u is %u, and not %u",
                           with->place[i], own[OCTREE_DEPTH], own[OCTREE_BEGIN], own[OCTREE_END], word, node[word],
                           own[word]);
    if (first == 0) return compare_leaf(with, own, err);
    for (uint32_t kid = own[OCTREE_FIRST], next = first; kid < with->octree->count; kid++, next++) {
        const uint32_t *child = with->octree->nodes + (size_t)kid * OCTREE_NODE_WORDS;
        if (child[OCTREE_DEPTH] != own[OCTREE_DEPTH] + 1 || child[OCTREE_BEGIN] >= own[OCTREE_END]) break;
        if (next >= with->used) return mu_fail(err, MU_WRONG, "node %u has children beyond the last node", i);
        with->place[kid] = next;
    }
    return MU_OK;
}

int mu_octree_check(const struct mu_octree *octree, const uint32_t *nodes, uint32_t used, const uint32_t *const ids[2],
                    struct mu_error *err)
{
    struct comparison with = {.octree = octree, .nodes = nodes, .ids = ids, .used = used};
    if (used != octree->count)
        return mu_fail(err, MU_WRONG, "the octree has %u nodes, and not %u", used, octree->count);
    with.place = mu_calloc(octree->count, sizeof *with.place, "a comparison", err);
    with.seen = mu_calloc(octree->points, sizeof *with.seen, "a comparison", err);
    for (uint32_t i = 0; err->status == MU_OK && i < octree->count; i++) compare_node(&with, i, err);
    mu_free(with.place);
    mu_free(with.seen);
    return err->status;
}

/* ---- The experiment ---- */

struct app {
    struct mu_stealing stealing;
    struct mu_octree octree;
    uint32_t *point, *order; /* of the points in the root: by number */
    uint32_t *words;         /* what is read back: nodes, and numbers of both kinds of depth */
    cl_mem points, ids[2], nodes, used;
    cl_uint room;
};

/* Returns point i. Half of the points are spread evenly, and half crowd towards one corner, so that some branches are
 * far deeper than others. */
static uint32_t point_of(uint32_t i)
{
    uint32_t point = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t side = (1u << OCTREE_BITS) - 1, x = mu_priority(3 * i + axis + 1) & side;
        point |= (i % 2 == 0 ? x : x * x / side * x / side) << axis * OCTREE_BITS;
    }
    return point;
}

static int prepare(const void *context, struct mu_error *err)
{
    const struct app *app = context;
    const struct mu_workbench *bench = &app->stealing.bench;
    const uint32_t root[OCTREE_NODE_WORDS] = {[OCTREE_END] = app->octree.points}, one = 1;
    mu_workbench_zero(bench, app->ids[1], app->octree.points, err);
    if (err->status == MU_OK) mu_workbench_zero(bench, app->nodes, (size_t)app->room * OCTREE_NODE_WORDS, err);
    if (err->status == MU_OK) mu_workbench_write(bench, app->ids[0], app->order, app->octree.points, err);
    if (err->status == MU_OK) mu_workbench_write(bench, app->nodes, root, OCTREE_NODE_WORDS, err);
    return err->status == MU_OK ? mu_workbench_write(bench, app->used, &one, 1, err) : err->status;
}

static int check(const void *context, struct mu_error *err)
{
    const struct app *app = context;
    const struct mu_workbench *bench = &app->stealing.bench;
    uint32_t *nodes = app->words, *even = nodes + (size_t)app->room * OCTREE_NODE_WORDS, used = 0;
    const uint32_t *const ids[2] = {even, even + app->octree.points};
    if (mu_workbench_read(bench, app->used, &used, 1, err) != MU_OK ||
        mu_workbench_read(bench, app->nodes, nodes, (size_t)app->room * OCTREE_NODE_WORDS, err) != MU_OK ||
        mu_workbench_read(bench, app->ids[0], even, app->octree.points, err) != MU_OK ||
        mu_workbench_read(bench, app->ids[1], even + app->octree.points, app->octree.points, err) != MU_OK)
        return err->status;
    return mu_octree_check(&app->octree, nodes, used, ids, err);
}

static int make_points(struct app *app, uint32_t points, struct mu_error *err)
{
    app->point = mu_malloc(points, sizeof *app->point, "points", err);
    app->order = mu_malloc(points, sizeof *app->order, "points", err);
    if (err->status != MU_OK) return err->status;
    for (uint32_t i = 0; i < points; i++) {
        app->point[i] = point_of(i);
        app->order[i] = i;
    }
    if (mu_octree_make(app->point, points, &app->octree, err) != MU_OK) return err->status;
    app->room = app->octree.count;
    app->words =
        mu_malloc((size_t)app->room * OCTREE_NODE_WORDS + 2 * (size_t)points, sizeof *app->words, "an octree", err);
    return err->status;
}

static int make_buffers(struct app *app, struct mu_error *err)
{
    const struct mu_workbench *bench = &app->stealing.bench;
    const uint32_t points = app->octree.points;
    mu_workbench_buffer(bench, points, &app->points, err);
    for (int i = 0; i < 2 && err->status == MU_OK; i++) mu_workbench_buffer(bench, points, &app->ids[i], err);
    if (err->status == MU_OK) mu_workbench_buffer(bench, (size_t)app->room * OCTREE_NODE_WORDS, &app->nodes, err);
    if (err->status == MU_OK) mu_workbench_buffer(bench, 1, &app->used, err);
    return err->status == MU_OK ? mu_workbench_write(bench, app->points, app->point, points, err) : err->status;
}

static int open_app(struct app *app, struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t points = mu_trial_number(trial, "points");
    *app = (struct app){.points = NULL};
    if (octree_is_inner(points, 0) == 0 || points > 1u << 24)
        return mu_fail(err, MU_USAGE, "an octree of %u points is not of this study's sizes", points);
    if (mu_stealing_open(&app->stealing, trial, "harness/cooperative/octree.cl", err) != MU_OK ||
        make_points(app, points, err) != MU_OK || make_buffers(app, err) != MU_OK)
        return err->status;
    struct mu_stealing *stealing = &app->stealing;
    const struct mu_workbench_argument own[] = {MU_WORKBENCH_ARGUMENT(app->points), MU_WORKBENCH_ARGUMENT(app->ids[0]),
                                                MU_WORKBENCH_ARGUMENT(app->ids[1]), MU_WORKBENCH_ARGUMENT(app->nodes),
                                                MU_WORKBENCH_ARGUMENT(app->used),   MU_WORKBENCH_ARGUMENT(app->room)};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) stealing->own[stealing->own_count++] = own[i];
    stealing->leaves = app->octree.last;
    stealing->prepare = prepare;
    stealing->check = check;
    stealing->app = app;
    return MU_OK;
}

static void close_app(struct app *app)
{
    mu_workbench_release_buffer(app->points);
    mu_workbench_release_buffer(app->ids[0]);
    mu_workbench_release_buffer(app->ids[1]);
    mu_workbench_release_buffer(app->nodes);
    mu_workbench_release_buffer(app->used);
    mu_stealing_close(&app->stealing);
    mu_octree_free(&app->octree);
    mu_free(app->point);
    mu_free(app->order);
    mu_free(app->words);
}

int mu_stealing_octree(struct mu_trial *trial, struct mu_error *err)
{
    struct app app;
    if (open_app(&app, trial, err) == MU_OK) mu_stealing_measure(&app.stealing, trial, err);
    close_app(&app);
    return err->status;
}
