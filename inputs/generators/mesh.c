/* The Delaunay triangulation of N random points in the unit square, with the square's corners and floor(sqrt(N)) equal
 * parts of each side, about as long as the points are apart. Coordinates are multiples of 2^-26: x^2 + y^2 fits a
 * double. Points are numbered along a Morton curve, so that neighbours are near each other in memory.
 *
 * The library qhull makes a triangulation (C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull algorithm for
 * convex hulls", ACM TOMS 22, 1996; its licence is a permissive one of its own). It computes in rounded numbers. So
 * exact predicates check that it is a triangulation and flip what is not Delaunay, and the mesh is brought into the one
 * order that follows from the points. */
#include "inputs/generators/generators.h"

#include "base/limits.h"
#include "base/memory.h"
#include "inputs/mesh/build.h"
#include "inputs/mesh/morton.h"
#include "inputs/mesh/predicates.h"
#include "inputs/radix.h"
#include "inputs/rng.h"

#include <libqhull_r/libqhull_r.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_BITS = 26, POINTS_MAX = 1 << 26, PLACES = 8, QHULL_BYTES = 1100 };

struct cloud {
    uint64_t inner, sides, points; /* random ones, parts of each side, all */
    uint64_t stream;
    uint64_t *key; /* [points]: x and y, bit by bit in turns, ascending */
    double *coordinate;
};

static uint64_t square_root(uint64_t square)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square) root += bit;
    return root;
}

/* Returns a point within the square, not on its sides. */
static uint64_t draw(const struct cloud *cloud, uint64_t counter)
{
    const uint64_t inside = (UINT64_C(1) << GRID_BITS) - 1;
    return mu_morton(1 + mu_random_below(cloud->stream, 2 * counter, inside),
                     1 + mu_random_below(cloud->stream, 2 * counter + 1, inside));
}

static void sort_keys(uint64_t *key, uint64_t count, uint64_t *spare)
{
    mu_sort(&(struct mu_sort_span){.key = key, .spare_key = spare, .count = count});
}

/* Places the inner points. A point that is drawn twice is drawn anew. */
static void place_inner(struct cloud *cloud, uint64_t *spare)
{
    uint64_t drawn = 0, have = 0;
    while (have < cloud->inner) {
        while (have < cloud->inner) cloud->key[have++] = draw(cloud, drawn++);
        sort_keys(cloud->key, have, spare);
        uint64_t kept = 1;
        for (uint64_t i = 1; i < have; i++)
            if (cloud->key[i] != cloud->key[i - 1]) cloud->key[kept++] = cloud->key[i];
        have = kept;
    }
}

/* Places the points around the square, each side with its first corner. */
static void place_sides(const struct cloud *cloud)
{
    const uint64_t whole = UINT64_C(1) << GRID_BITS;
    uint64_t *key = cloud->key + cloud->inner;
    for (uint64_t i = 0; i < cloud->sides; i++) {
        const uint64_t along = (i << GRID_BITS) / cloud->sides;
        *key++ = mu_morton(along, 0);
        *key++ = mu_morton(whole, along);
        *key++ = mu_morton(whole - along, whole);
        *key++ = mu_morton(0, whole - along);
    }
}

static int place_points(struct cloud *cloud, struct mu_error *err)
{
    cloud->points = cloud->inner + 4 * cloud->sides;
    int status = mu_memory_check(cloud->points, QHULL_BYTES, "the triangulation", err);
    if (status != MU_OK) return status;
    cloud->key = mu_malloc(cloud->points, sizeof *cloud->key, "the mesh's points", err);
    cloud->coordinate = mu_malloc(2 * cloud->points, sizeof *cloud->coordinate, "the mesh's points", err);
    uint64_t *spare = mu_malloc(cloud->points, sizeof *spare, "the mesh's points", err);
    const bool ok = cloud->key != NULL && cloud->coordinate != NULL && spare != NULL;
    if (ok) {
        place_inner(cloud, spare);
        place_sides(cloud);
        sort_keys(cloud->key, cloud->points, spare);
        for (uint64_t i = 0; i < cloud->points; i++) {
            cloud->coordinate[2 * i] = (double)mu_morton_gather(cloud->key[i]);
            cloud->coordinate[2 * i + 1] = (double)mu_morton_gather(cloud->key[i] >> 1);
        }
    }
    mu_free(spare);
    return ok ? MU_OK : MU_NO_MEMORY;
}

/* Writes the corners of qhull's lower facets that have an area, in any order, to `corner` if it is not NULL; returns
 * how many there are. */
static uint64_t read_facets(qhT *qh, const struct cloud *cloud, uint32_t *corner)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    uint64_t triangles = 0;
    FORALLfacets
    {
        uint32_t found[3];
        mu_point at[3];
        unsigned corners = 0;
        if (facet->upperdelaunay || !facet->simplicial) continue;
        FOREACHvertex_(facet->vertices)
        {
            if (corners == 3) break;
            found[corners] = (uint32_t)qh_pointid(qh, vertex->point);
            at[corners].x = cloud->coordinate[2 * (size_t)found[corners]];
            at[corners].y = cloud->coordinate[2 * (size_t)found[corners] + 1];
            corners++;
        }
        if (corners < 3 || mu_orient(at[0], at[1], at[2]) == 0) continue;
        if (corner != NULL) memcpy(corner + 3 * triangles, found, sizeof found);
        triangles++;
    }
    return triangles;
}

/* Makes the mesh of qhull's facets. A triangulation of the square has exactly that many triangles. */
static int build(qhT *qh, const struct cloud *cloud, struct mu_mesh **mesh, struct mu_error *err)
{
    const double scale = 1.0 / (1 << GRID_BITS);
    const uint64_t triangles = read_facets(qh, cloud, NULL), expected = 2 * (cloud->points - 1 - 2 * cloud->sides);
    if (triangles != expected) return mu_fail(err, MU_LIMIT, "qhull found no triangulation of these points");
    int status = mu_mesh_new(cloud->points, triangles, mesh, err);
    if (status != MU_OK) return status;
    read_facets(qh, cloud, (*mesh)->corner);
    for (uint64_t i = 0; i < 2 * cloud->points; i++) (*mesh)->coordinate[i] = cloud->coordinate[i] * scale;
    return MU_OK;
}

static int triangulate(const struct cloud *cloud, struct mu_mesh **mesh, struct mu_error *err)
{
    qhT qhull;
    char options[] = "qhull d Qt Qbb Qc", *log = NULL;
    size_t log_bytes;
    int long_blocks, long_bytes;
    FILE *stream = open_memstream(&log, &log_bytes);
    if (stream == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory: qhull's messages");
    qh_zero(&qhull, stream);
    int failure = qh_new_qhull(&qhull, 2, (int)cloud->points, cloud->coordinate, False, options, NULL, stream);
    int status = failure == 0 ? build(&qhull, cloud, mesh, err) : MU_OK;
    qhull.NOerrexit = True;
    qh_freeqhull(&qhull, !qh_ALL);
    qh_memfreeshort(&qhull, &long_blocks, &long_bytes);
    fclose(stream);
    if (failure == qh_ERRmem)
        status = mu_fail(err, MU_NO_MEMORY, "out of memory: triangulating %d points", (int)cloud->points);
    else if (failure != 0)
        status = mu_fail(err, MU_LIMIT, "qhull cannot triangulate these points: %.200s", log != NULL ? log : "");
    free(log);
    return status;
}

/* Connects the mesh and puts it in order. A failure here is qhull's, which left out points or laid triangles on top of
 * each other. */
static int refine_order(struct mu_mesh *mesh, struct mu_error *err)
{
    struct mu_error why = {0};
    int status = mu_mesh_connect(mesh, &(struct mu_mesh_origin){0}, &why);
    if (status == MU_INPUT) return mu_fail(err, MU_LIMIT, "qhull's triangulation is none: %s", why.message);
    if (status != MU_OK) return mu_fail(err, status, "%s", why.message);
    status = mu_mesh_make_delaunay(mesh, true, err);
    mesh->turned = 0;
    mesh->flipped = 0;
    return status == MU_OK ? mu_mesh_sort_triangles(mesh, err) : status;
}

static int parse(const char *parameters, uint64_t *points, struct mu_error *err)
{
    const char *at = parameters;
    if (mu_parameter_number(&at, POINTS_MAX, points) && *points != 0 && *at == '\0') return MU_OK;
    return mu_parameter_fail(&mu_generator_mesh, parameters, "N is from 1 to 2^26", err);
}

static int check(const char *parameters, struct mu_error *err)
{
    uint64_t points;
    return parse(parameters, &points, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_mesh **mesh, struct mu_error *err)
{
    struct cloud cloud = {.stream = mu_random_stream(seed, PLACES)};
    struct mu_mesh *made = NULL;
    int status = parse(parameters, &cloud.inner, err);
    if (status != MU_OK) return status;
    cloud.sides = square_root(cloud.inner);
    status = place_points(&cloud, err);
    if (status == MU_OK) status = triangulate(&cloud, &made, err);
    mu_free(cloud.key);
    mu_free(cloud.coordinate);
    if (status == MU_OK) status = refine_order(made, err);
    if (status != MU_OK) {
        mu_mesh_free(made);
        return status;
    }
    *mesh = made;
    return MU_OK;
}

const struct mu_generator mu_generator_mesh = {
    .name = "mesh",
    .syntax = "mesh:N",
    .purpose = "Delaunay mesh of N random points in a square",
    .check = check,
    .generate_mesh = generate,
};
