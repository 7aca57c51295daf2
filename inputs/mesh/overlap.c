/* Finds out whether two triangles of a mesh overlap.
 *
 * All triangles are counter-clockwise, and each inner edge has one triangle on either side. So as many triangles cover
 * a place as the boundary winds around it. Triangles overlap only if the boundary crosses itself, touches itself
 * elsewhere than in its own points, or encloses a place twice. Therefore only the boundary is tested.
 *
 * A vertical line sweeps over the boundary's points from left to right, and over points of equal x from below upwards
 * (M. I. Shamos and D. Hoey, "Geometric intersection problems", FOCS 1976). The boundary's edges that the line crosses
 * are kept in order. Of two that are neighbours in this order, one must open the interior and the other close it, and
 * they must not cross. Every decision uses the exact predicates. */
#include "inputs/mesh/build.h"

#include "base/memory.h"
#include "inputs/mesh/predicates.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* An edge of the boundary. Its left end is the one that the sweep reaches first. */
struct side {
    mu_point left_at, right_at;
    uint32_t left, right, triangle;
    bool opens; /* the interior is above the edge, else below it */
};

struct sweep {
    const struct mu_mesh *mesh;
    const struct mu_mesh_origin *origin;
    struct side *side;   /* [sides], sorted by left end; those of one left end from below upwards */
    struct side *ending; /* [sides]: a copy, sorted by right end; only right and right_at are used */
    size_t sides;
    void *active; /* the edges that the line crosses now, from below upwards: a tree of <search.h> */
};

static int compare_points(mu_point a, mu_point b)
{
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return 0;
}

/* Edges that begin at the same point are ordered by direction, the lowest first. */
static int compare_left_ends(const void *one, const void *other)
{
    const struct side *a = one, *b = other;
    const int order = compare_points(a->left_at, b->left_at);
    return order != 0 ? order : -mu_orient(a->left_at, a->right_at, b->right_at);
}

static int compare_right_ends(const void *one, const void *other)
{
    const struct side *a = one, *b = other;
    return compare_points(a->right_at, b->right_at);
}

static void collect_sides(struct sweep *sweep)
{
    const struct mu_mesh *mesh = sweep->mesh;
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++)
        for (unsigned k = 0; k < 3; k++) {
            if (mesh->neighbour[3 * (size_t)triangle + k] != MU_NO_TRIANGLE) continue;
            const uint32_t from = mesh->corner[3 * (size_t)triangle + (k + 1) % 3];
            const uint32_t to = mesh->corner[3 * (size_t)triangle + (k + 2) % 3];
            const mu_point from_at = mu_mesh_point(mesh, from), to_at = mu_mesh_point(mesh, to);
            struct side *side = &sweep->side[sweep->sides++];
            if (compare_points(from_at, to_at) < 0)
                *side = (struct side){from_at, to_at, from, to, triangle, true};
            else
                *side = (struct side){to_at, from_at, to, from, triangle, false};
        }
    memcpy(sweep->ending, sweep->side, sweep->sides * sizeof *sweep->side);
    qsort(sweep->side, sweep->sides, sizeof *sweep->side, compare_left_ends);
    qsort(sweep->ending, sweep->sides, sizeof *sweep->ending, compare_right_ends);
}

static int fail_overlap(const struct sweep *sweep, const struct side *one, const struct side *other,
                        struct mu_error *err)
{
    char first[MU_MESH_PLACE_BYTES], second[MU_MESH_PLACE_BYTES];
    const uint32_t base = sweep->mesh->first_id;
    return mu_fail(err, MU_INPUT,
                   "%s: overlaps with %s: their edges, points %" PRIu32 " to %" PRIu32 " and %" PRIu32 " to %" PRIu32
                   ", cross or touch, or one is within the other",
                   mu_mesh_triangle_place(sweep->origin, one->triangle, first),
                   mu_mesh_triangle_place(sweep->origin, other->triangle, second), one->left + base, one->right + base,
                   other->left + base, other->right + base);
}

/* Returns true if two edges have more in common than a point that is an end of both. */
static bool cross(const struct side *a, const struct side *b)
{
    const int b_left = mu_orient(a->left_at, a->right_at, b->left_at);
    const int b_right = mu_orient(a->left_at, a->right_at, b->right_at);
    const int a_left = mu_orient(b->left_at, b->right_at, a->left_at);
    const int a_right = mu_orient(b->left_at, b->right_at, a->right_at);
    if (a->left == b->left || a->right == b->right) return b_left == 0 && b_right == 0;
    if (a->right == b->left || a->left == b->right) return false;
    return b_left * b_right <= 0 && a_left * a_right <= 0;
}

/* Checks two edges that have become neighbours on the line: they must not cross, and one must open the interior and the
 * other close it. NULL stands for the end of the line. */
static int check_neighbours(const struct sweep *sweep, const struct side *lower, const struct side *upper,
                            struct mu_error *err)
{
    if (lower == NULL || upper == NULL || (lower->opens != upper->opens && !cross(lower, upper))) return MU_OK;
    return fail_overlap(sweep, upper, lower, err);
}

/* A point on the line. When it is on no active edge, `below` and `above` are the edges next to it. */
struct place {
    mu_point at;
    const struct side *below, *above;
};

/* Compares for tfind and tdelete, which have the key as the first argument. On their way down the tree they pass the
 * edges next to the point, which the key remembers. */
static int locate(const void *key, const void *element)
{
    struct place *place = (struct place *)(uintptr_t)key;
    const struct side *side = element;
    const int turn = mu_orient(side->left_at, side->right_at, place->at);
    if (turn > 0) place->below = side;
    if (turn < 0) place->above = side;
    return turn;
}

/* Compares for tsearch, which finds the place of an edge that begins at the current point, after the edges that end
 * there were removed. */
static int compare_coming(const void *key, const void *element)
{
    const struct side *coming = key, *side = element;
    const int turn = mu_orient(side->left_at, side->right_at, coming->left_at);
    return turn != 0 ? turn : mu_orient(side->left_at, side->right_at, coming->right_at);
}

/* Removes the active edges that touch the point, all of which must end there, and finds the edges next to it. */
static int remove_ending(struct sweep *sweep, uint32_t point, struct place *place, struct mu_error *err)
{
    const struct side *const *found;
    const mu_point at = mu_mesh_point(sweep->mesh, point);
    *place = (struct place){.at = at};
    while ((found = tfind(place, &sweep->active, locate)) != NULL) {
        char text[MU_MESH_PLACE_BYTES], other[MU_MESH_PLACE_BYTES];
        if ((*found)->right != point)
            return mu_fail(err, MU_INPUT, "%s: the point is on an edge of %s, but not one of its corners",
                           mu_mesh_point_place(sweep->origin, point, text),
                           mu_mesh_triangle_place(sweep->origin, (*found)->triangle, other));
        tdelete(place, &sweep->active, locate);
        *place = (struct place){.at = at};
    }
    return MU_OK;
}

/* Moves the line over one point: edges that end there are removed, and those that begin there, side[first] to
 * side[end - 1], are inserted and compared with their neighbours. */
static int sweep_point(struct sweep *sweep, uint32_t point, size_t first, size_t end, struct mu_error *err)
{
    struct place place;
    int status = remove_ending(sweep, point, &place, err);
    const struct side *lower = place.below;
    for (size_t i = first; status == MU_OK && i < end; i++) {
        const struct side *coming = &sweep->side[i];
        status = check_neighbours(sweep, lower, coming, err);
        if (status == MU_OK && tsearch(coming, &sweep->active, compare_coming) == NULL)
            status = mu_fail(err, MU_NO_MEMORY, "out of memory: the boundary's order");
        lower = coming;
    }
    return status == MU_OK ? check_neighbours(sweep, lower, place.above, err) : status;
}

/* Visits all points in order. They come from two sorted lists: the points where edges begin, and where edges end. */
static int sweep_all(struct sweep *sweep, struct mu_error *err)
{
    size_t beginning = 0, ending = 0;
    while (ending < sweep->sides) {
        const struct side *end = &sweep->ending[ending], *start = &sweep->side[beginning];
        const bool starts = beginning < sweep->sides && compare_points(start->left_at, end->right_at) <= 0;
        const uint32_t point = starts ? start->left : end->right;
        const size_t first = beginning;
        while (beginning < sweep->sides && sweep->side[beginning].left == point) beginning++;
        while (ending < sweep->sides && sweep->ending[ending].right == point) ending++;
        int status = sweep_point(sweep, point, first, beginning, err);
        if (status != MU_OK) return status;
    }
    return MU_OK;
}

/* Leaves an edge alone (tdestroy): the tree does not own it. */
static void keep(void *side)
{
    (void)side;
}

int mu_mesh_check_overlap(const struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err)
{
    struct sweep sweep = {.mesh = mesh, .origin = origin};
    size_t boundary = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangles; i++) boundary += mesh->neighbour[i] == MU_NO_TRIANGLE;
    sweep.side = mu_malloc(boundary, sizeof *sweep.side, "the boundary", err);
    sweep.ending = mu_malloc(boundary, sizeof *sweep.ending, "the boundary", err);
    int status = MU_NO_MEMORY;
    if (sweep.side != NULL && sweep.ending != NULL) {
        collect_sides(&sweep);
        status = sweep_all(&sweep, err);
    }
    mu_free(sweep.side);
    mu_free(sweep.ending);
    tdestroy(sweep.active, keep);
    return status;
}
