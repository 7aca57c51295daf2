#include "inputs/mesh/stats.h"

#include "inputs/mesh/check.h"
#include "inputs/mesh/exact_sum.h"
#include "inputs/mesh/predicates.h"
#include "inputs/parallel.h"

static uint32_t count_boundary(const struct mu_mesh *mesh)
{
    uint32_t boundary = 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangles; i++) boundary += mesh->neighbour[i] == MU_NO_TRIANGLE;
    return boundary;
}

int64_t mu_mesh_euler(const struct mu_mesh *mesh)
{
    const int64_t edges = (3 * (int64_t)mesh->triangles + count_boundary(mesh)) / 2;
    return (int64_t)mesh->points - edges + (int64_t)mesh->triangles;
}

static void measure_points(const struct mu_mesh *mesh, struct mu_mesh_stats *stats)
{
    for (uint32_t point = 0; point < mesh->points; point++) {
        const mu_point at = mu_mesh_point(mesh, point);
        if (point == 0 || at.x < stats->x_min) stats->x_min = at.x;
        if (point == 0 || at.x > stats->x_max) stats->x_max = at.x;
        if (point == 0 || at.y < stats->y_min) stats->y_min = at.y;
        if (point == 0 || at.y > stats->y_max) stats->y_max = at.y;
    }
}

/* Returns the angle at a, in degrees. */
static double angle_at(mu_point a, mu_point b, mu_point c)
{
    const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    return atan2(fabs(bx * cy - by * cx), bx * cx + by * cy) * (180 / acos(-1.0));
}

static void measure_angle(double angle, struct mu_mesh_stats *stats)
{
    unsigned angle_class = (unsigned)(angle / MU_ANGLE_CLASS_DEGREES);
    if (angle_class >= MU_ANGLE_CLASSES) angle_class = MU_ANGLE_CLASSES - 1;
    stats->angle_class[angle_class]++;
    if (angle < stats->angle_min) stats->angle_min = angle;
    if (angle > stats->angle_max) stats->angle_max = angle;
}

/* The area of a mesh, of which each thread adds up a slice. */
struct area {
    const struct mu_mesh *mesh;
    double sign;
    struct mu_exact_sum twice[MU_PARALLEL_MAX];
};

static void add_slice(void *context, unsigned thread, unsigned threads)
{
    struct area *area = context;
    const struct mu_mesh *mesh = area->mesh;
    const uint64_t end = mu_slice(mesh->triangles, thread + 1, threads);
    struct mu_exact_sum twice = {0};
    for (uint64_t triangle = mu_slice(mesh->triangles, thread, threads); triangle < end; triangle++)
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t *corner = mesh->corner + 3 * triangle;
            const mu_point a = mu_mesh_point(mesh, corner[k]), b = mu_mesh_point(mesh, corner[(k + 1) % 3]);
            const struct mu_exact plus = mu_two_product(area->sign * a.x, b.y);
            const struct mu_exact minus = mu_two_product(area->sign * a.y, b.x);
            mu_exact_sum_add(&twice, plus.high);
            mu_exact_sum_add(&twice, plus.low);
            mu_exact_sum_add(&twice, -minus.high);
            mu_exact_sum_add(&twice, -minus.low);
        }
    area->twice[thread] = twice;
}

void mu_mesh_add_area(const struct mu_mesh *mesh, double sign, struct mu_exact_sum *twice)
{
    struct area area = {.mesh = mesh, .sign = sign};
    const unsigned threads = mu_parallel_threads();
    mu_parallel(threads, add_slice, &area);
    for (unsigned thread = 0; thread < threads; thread++) mu_exact_sum_join(twice, &area.twice[thread]);
}

void mu_mesh_stats(const struct mu_mesh *mesh, double min_angle, struct mu_mesh_stats *stats)
{
    const double cosine_square = mu_cosine_square(min_angle);
    struct mu_exact_sum twice = {0};
    *stats = (struct mu_mesh_stats){.angle_min = 180, .boundary = count_boundary(mesh), .euler = mu_mesh_euler(mesh)};
    measure_points(mesh, stats);
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++) {
        const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
        const mu_point a = mu_mesh_point(mesh, corner[0]), b = mu_mesh_point(mesh, corner[1]);
        const mu_point c = mu_mesh_point(mesh, corner[2]);
        measure_angle(angle_at(a, b, c), stats);
        measure_angle(angle_at(b, c, a), stats);
        measure_angle(angle_at(c, a, b), stats);
        stats->bad += (uint32_t)mu_is_bad(a, b, c, mesh->fixed[triangle], cosine_square);
    }
    mu_mesh_add_area(mesh, 1, &twice);
    stats->area = mu_exact_sum_value(&twice) / 2;
}
