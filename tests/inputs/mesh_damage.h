/* For tests/inputs/test_mesh_check.c: a mesh with its refinement, and what can be done to them. */
#ifndef MU_TESTS_MESH_DAMAGE_H
#define MU_TESTS_MESH_DAMAGE_H

#include "base/memory.h"
#include "inputs/mesh/build.h"
#include "inputs/mesh/predicates.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

/* A grid of cells 2 wide and 1 high, and its refinement into squares, both perhaps turned and with a segment across. */
enum { WIDTH = 6, HEIGHT = 5, FINE_WIDTH = 2 * WIDTH - 1 };

struct pair {
    struct mu_mesh *original, *refined;
};

static void must(int status, const struct mu_error *err)
{
    if (status == MU_OK) return;
    printf("Bail out! %s\n", err->message);
    exit(99);
}

/* The point of the fine grid; those of the coarse one come first, and have the same ids there. */
static uint32_t fine_id(uint32_t x, uint32_t y)
{
    return x % 2 == 0 ? y * WIDTH + x / 2 : WIDTH * HEIGHT + y * (WIDTH - 1) + x / 2;
}

static struct mu_mesh *make_grid(uint32_t width, uint32_t step, const struct mu_mesh_origin *origin)
{
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0};
    must(mu_mesh_new((uint64_t)width * HEIGHT, (uint64_t)2 * (width - 1) * (HEIGHT - 1), &mesh, &err), &err);
    uint32_t *corner = mesh->corner;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = step * x, id = fine_id(at, y);
            mesh->coordinate[2 * (size_t)id] = at;
            mesh->coordinate[2 * (size_t)id + 1] = y;
            if (x + 1 == width || y + 1 == HEIGHT) continue;
            const uint32_t right = fine_id(at + step, y), above = fine_id(at, y + 1),
                           across = fine_id(at + step, y + 1);
            const uint32_t both[6] = {id, right, across, id, across, above};
            memcpy(corner, both, sizeof both);
            corner += 6;
        }
    must(mu_mesh_connect(mesh, origin, &err), &err);
    return mesh;
}

/* Turned by an angle with the tangent 3/7, old points are rounded, and new ones are midpoints, rounded again. */
static void turn(struct mu_mesh *mesh, uint32_t old_points)
{
    const double cosine = 7 / sqrt(58), sine = 3 / sqrt(58);
    for (uint32_t point = 0; point < old_points; point++) {
        double *at = mesh->coordinate + 2 * (size_t)point;
        const double x = at[0], y = at[1];
        at[0] = 10 + x * cosine - y * sine;
        at[1] = x * sine + y * cosine;
    }
    for (uint32_t point = old_points; point < mesh->points; point++) {
        const uint32_t left = (point - old_points) / (WIDTH - 1) * WIDTH + (point - old_points) % (WIDTH - 1);
        const double *one = mesh->coordinate + 2 * (size_t)left;
        mesh->coordinate[2 * (size_t)point] = (one[0] + one[2]) / 2;
        mesh->coordinate[2 * (size_t)point + 1] = (one[1] + one[3]) / 2;
    }
}

/* With a segment along the row in the middle, which is whole in one and halves in the other. */
static struct pair make_pair(bool turned)
{
    static const uint64_t line[FINE_WIDTH] = {0};
    uint32_t coarse[2 * WIDTH], fine[2 * FINE_WIDTH];
    for (uint32_t i = 0; i + 1 < WIDTH; i++) {
        coarse[2 * (size_t)i] = fine_id(2 * i, 2);
        coarse[2 * i + 1] = fine_id(2 * i + 2, 2);
    }
    for (uint32_t i = 0; i + 1 < FINE_WIDTH; i++) {
        fine[2 * (size_t)i] = fine_id(i + 1, 2);
        fine[2 * i + 1] = fine_id(i, 2);
    }
    const struct mu_mesh_origin coarse_origin = {.segment = coarse, .segments = WIDTH - 1, .segment_line = line};
    const struct mu_mesh_origin fine_origin = {.segment = fine, .segments = FINE_WIDTH - 1, .segment_line = line};
    struct pair pair = {make_grid(WIDTH, 2, &coarse_origin), make_grid(FINE_WIDTH, 1, &fine_origin)};
    struct mu_error err = {0};
    if (turned) {
        turn(pair.original, pair.original->points);
        turn(pair.refined, pair.original->points);
        must(mu_mesh_make_delaunay(pair.original, false, &err), &err);
        must(mu_mesh_make_delaunay(pair.refined, false, &err), &err);
    }
    return pair;
}

static void free_pair(struct pair *pair)
{
    mu_mesh_free(pair->original);
    mu_mesh_free(pair->refined);
}

/* ---- Damage ---- */

static void move_old_point(struct pair *pair)
{
    pair->refined->coordinate[14] += 0x1p-40;
}

static void lose_points(struct pair *pair)
{
    pair->refined->points = pair->original->points - 1;
}

static void make_nan(struct pair *pair)
{
    pair->refined->coordinate[2 * (size_t)pair->refined->points - 1] = NAN;
}

static void make_tiny(struct pair *pair)
{
    pair->refined->coordinate[2 * (size_t)pair->refined->points - 1] = 0x1p-141;
}

static void name_no_point(struct pair *pair)
{
    pair->refined->corner[40] = pair->refined->points;
}

static void repeat_corner(struct pair *pair)
{
    pair->refined->corner[30] = pair->refined->corner[31];
}

static void turn_triangle(struct pair *pair)
{
    uint32_t *corner = pair->refined->corner + 33, first = corner[0];
    corner[0] = corner[1];
    corner[1] = first;
}

static void name_no_triangle(struct pair *pair)
{
    pair->refined->neighbour[5] = pair->refined->triangles;
}

/* The first edge of the refined mesh that is within, or on the boundary, and is a segment, or not. */
static size_t find_edge(const struct mu_mesh *mesh, bool within, bool fixed)
{
    for (size_t edge = 0; edge < 3 * (size_t)mesh->triangles; edge++)
        if ((mesh->neighbour[edge] != MU_NO_TRIANGLE) == within &&
            (mesh->fixed[edge / 3] >> edge % 3 & 1) == (uint32_t)fixed)
            return edge;
    abort();
}

static size_t opposite(const struct mu_mesh *mesh, size_t edge)
{
    const size_t triangle = edge / 3, base = 3 * (size_t)mesh->neighbour[edge];
    for (size_t k = base; k < base + 3; k++)
        if (mesh->neighbour[k] == triangle) return k;
    abort();
}

static void set_fixed(struct mu_mesh *mesh, size_t edge, uint32_t fixed)
{
    mesh->fixed[edge / 3] = (mesh->fixed[edge / 3] & ~(1u << edge % 3)) | fixed << edge % 3;
}

static void name_wrong_neighbour(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined;
    const size_t edge = find_edge(mesh, true, false);
    mesh->neighbour[edge] = (mesh->neighbour[edge] + 7) % mesh->triangles;
}

static void forget_neighbour(struct pair *pair)
{
    pair->refined->neighbour[find_edge(pair->refined, true, false)] = MU_NO_TRIANGLE;
}

/* The two triangles no longer know of each other, and call what is between them a boundary. */
static void tear(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined;
    const size_t edge = find_edge(mesh, true, false), other = opposite(mesh, edge);
    set_fixed(mesh, edge, 1);
    set_fixed(mesh, other, 1);
    mesh->neighbour[edge] = mesh->neighbour[other] = MU_NO_TRIANGLE;
    mesh->segments += 2;
}

/* As tear, along an edge that is a segment: the same chain twice. */
static void tear_segment(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined;
    const size_t edge = find_edge(mesh, true, true), other = opposite(mesh, edge);
    mesh->neighbour[edge] = mesh->neighbour[other] = MU_NO_TRIANGLE;
    mesh->segments++;
}

static void fix_one_side(struct pair *pair)
{
    set_fixed(pair->refined, find_edge(pair->refined, true, false), 1);
}

static void open_boundary(struct pair *pair)
{
    set_fixed(pair->refined, find_edge(pair->refined, false, true), 0);
}

static void fix_fourth_edge(struct pair *pair)
{
    pair->refined->fixed[3] |= 8;
}

static void set_both_sides(struct pair *pair, bool fixed)
{
    struct mu_mesh *mesh = pair->refined;
    const size_t edge = find_edge(mesh, true, !fixed), other = opposite(mesh, edge);
    set_fixed(mesh, edge, fixed);
    set_fixed(mesh, other, fixed);
    if (fixed)
        mesh->segments++;
    else
        mesh->segments--;
}

static void add_segment(struct pair *pair)
{
    set_both_sides(pair, true);
}

static void lose_part_of_segment(struct pair *pair)
{
    set_both_sides(pair, false);
}

static void lose_segment(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined;
    for (size_t edge = 0; edge < 3 * (size_t)mesh->triangles; edge++)
        if (mesh->neighbour[edge] != MU_NO_TRIANGLE) set_fixed(mesh, edge, 0);
    mesh->segments -= FINE_WIDTH - 1;
}

static void miscount_segments(struct pair *pair)
{
    pair->refined->segments++;
}

static void add_unused_point(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined;
    void *block = mesh->coordinate;
    struct mu_error err = {0};
    must(mu_resize(&block, 2 * (size_t)mesh->points + 2, sizeof *mesh->coordinate, "points", &err), &err);
    mesh->coordinate = block;
    mesh->coordinate[2 * (size_t)mesh->points] = mesh->coordinate[2 * (size_t)mesh->points + 1] = 1.25;
    mesh->points++;
}

/* The last triangle goes, and leaves a boundary behind. */
static void lose_triangle(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined;
    const uint32_t last = --mesh->triangles;
    for (size_t k = 0; k < 3; k++) mesh->segments -= mesh->neighbour[3 * (size_t)last + k] == MU_NO_TRIANGLE;
    for (size_t edge = 0; edge < 3 * (size_t)last; edge++)
        if (mesh->neighbour[edge] == last) {
            mesh->neighbour[edge] = MU_NO_TRIANGLE;
            set_fixed(mesh, edge, 1);
            mesh->segments++;
        }
}

/* All triangles twice, one layer on the other. */
static void double_all(struct pair *pair)
{
    struct mu_mesh *mesh = pair->refined, *twice = NULL;
    struct mu_error err = {0};
    const uint32_t triangles = mesh->triangles;
    must(mu_mesh_new(mesh->points, 2 * (uint64_t)triangles, &twice, &err), &err);
    memcpy(twice->coordinate, mesh->coordinate, 2 * sizeof *mesh->coordinate * mesh->points);
    for (uint32_t i = 0; i < 2 * triangles; i++) {
        twice->fixed[i] = mesh->fixed[i % triangles];
        for (size_t k = 0; k < 3; k++) {
            const uint32_t neighbour = mesh->neighbour[3 * (size_t)(i % triangles) + k];
            twice->corner[3 * (size_t)i + k] = mesh->corner[3 * (size_t)(i % triangles) + k];
            twice->neighbour[3 * (size_t)i + k] =
                neighbour == MU_NO_TRIANGLE ? neighbour : neighbour + i / triangles * triangles;
        }
    }
    twice->segments = 2 * mesh->segments;
    mu_mesh_free(mesh);
    pair->refined = twice;
}

static void move_point(struct pair *pair, uint32_t point, double x, double y)
{
    pair->refined->coordinate[2 * (size_t)point] += x;
    pair->refined->coordinate[2 * (size_t)point + 1] += y;
}

static void dent_boundary(struct pair *pair)
{
    move_point(pair, fine_id(3, 0), -0x1p-40, 0x1p-40);
}

static void bulge_boundary(struct pair *pair)
{
    move_point(pair, fine_id(3, 0), 0x1p-40, -0x1p-40);
}

static void bend_segment(struct pair *pair)
{
    move_point(pair, fine_id(5, 2), 0x1p-40, -0x1p-40);
}

/* A triangle of the original loses its area, which nothing but the sum of areas looks at. */
static void change_original_area(struct pair *pair)
{
    uint32_t triangle = 0;
    while (pair->original->fixed[triangle] != 0) triangle++;
    pair->original->corner[3 * (size_t)triangle + 1] = pair->original->corner[3 * (size_t)triangle];
}

/* Flips the first edge within whose two triangles make a convex quadrilateral. */
static void flip_edge(struct mu_mesh *mesh)
{
    for (size_t edge = 0; edge < 3 * (size_t)mesh->triangles; edge++) {
        if (mesh->fixed[edge / 3] >> edge % 3 & 1) continue;
        const size_t other = opposite(mesh, edge);
        uint32_t *t = mesh->corner + edge - edge % 3, *u = mesh->corner + other - other % 3;
        const uint32_t a = t[edge % 3], b = t[(edge + 1) % 3], c = t[(edge + 2) % 3], d = u[other % 3];
        const mu_point a_at = mu_mesh_point(mesh, a), d_at = mu_mesh_point(mesh, d);
        if (mu_orient(a_at, d_at, mu_mesh_point(mesh, c)) <= 0 || mu_orient(d_at, a_at, mu_mesh_point(mesh, b)) <= 0)
            continue;
        if (mu_in_circle(a_at, mu_mesh_point(mesh, b), mu_mesh_point(mesh, c), d_at) == 0) continue;
        const uint32_t first[3] = {a, b, d}, second[3] = {a, d, c};
        struct mu_error err = {0};
        memcpy(t, first, sizeof first);
        memcpy(u, second, sizeof second);
        must(mu_mesh_connect(mesh, &(struct mu_mesh_origin){0}, &err), &err);
        return;
    }
    abort();
}

static const struct damage {
    const char *title, *reason;
    void (*apply)(struct pair *pair);
} damages[] = {
    {"an old point moved", "point 7 is at", move_old_point},
    {"points lost", "points are left", lose_points},
    {"a coordinate that is no number", "out of range", make_nan},
    {"a coordinate too small", "out of range", make_tiny},
    {"a corner that is no point", "no such point", name_no_point},
    {"a corner twice", "not counter-clockwise", repeat_corner},
    {"a clockwise triangle", "not counter-clockwise", turn_triangle},
    {"a neighbour that is no triangle", "neighbour does not exist", name_no_triangle},
    {"a wrong neighbour", "does not share the edge", name_wrong_neighbour},
    {"a neighbour forgotten", "has no neighbour", forget_neighbour},
    {"a tear", "points - edges + triangles", tear},
    {"a tear along a segment", "points - edges + triangles", tear_segment},
    {"a segment on one side", "segment on one side only", fix_one_side},
    {"an open boundary", "is no segment", open_boundary},
    {"a fourth edge", "more than three edges", fix_fourth_edge},
    {"a segment too many", "segment", add_segment},
    {"part of a segment lost", "lead to no point", lose_part_of_segment},
    {"a segment lost", "is missing", lose_segment},
    {"segments miscounted", "are counted", miscount_segments},
    {"an unused point", "no triangle's corner", add_unused_point},
    {"a triangle lost", "segment", lose_triangle},
    {"all triangles twice", "points - edges + triangles", double_all},
    {"a dent in the boundary", "has left the segment", dent_boundary},
    {"a bulge of the boundary", "has left the segment", bulge_boundary},
    {"a bent segment", "has left the segment", bend_segment},
    {"another area", "the area differs", change_original_area},
};

#endif
