/* inputs/mesh/check: right refinements pass, and each kind of damage to them is refused with the reason that fits. */
#include "inputs/mesh/check.h"
#include "inputs/mesh/exact_sum.h"
#include "inputs/parallel.h"
#include "inputs/rng.h"
#include "tests/inputs/mesh_damage.h"

#include <time.h>

static void test_damages(bool turned)
{
    const char *shape = turned ? "turned" : "straight";
    struct pair pair = make_pair(turned);
    struct mu_error err = {0};
    CHECK(mu_mesh_check(pair.refined, pair.original, 30, &err) == MU_OK, "%s: a right refinement passes%s", shape,
          err.message);
    CHECK(mu_mesh_check(pair.original, pair.original, 26, &err) == MU_OK, "%s: a mesh refines itself%s", shape,
          err.message);
    CHECK(mu_mesh_check(pair.original, pair.original, 30, &err) == MU_WRONG && strstr(err.message, "below 30") != NULL,
          "%s: bad triangles: %s", shape, err.message);
    free_pair(&pair);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        err = (struct mu_error){0};
        pair = make_pair(turned);
        damages[i].apply(&pair);
        const int status = mu_mesh_check(pair.refined, pair.original, 30, &err);
        CHECK(status == MU_WRONG && strstr(err.message, damages[i].reason) != NULL, "%s: %s: %s", shape,
              damages[i].title, err.message);
        free_pair(&pair);
    }
}

/* Where two triangles are wrong, all numbers of threads name the same one. */
static void test_threads(void)
{
    struct pair pair = make_pair(false);
    char first[sizeof((struct mu_error *)NULL)->message] = "";
    pair.refined->fixed[pair.refined->triangles - 1] = 8;
    pair.refined->fixed[pair.refined->triangles / 2] = 9;
    for (unsigned threads = 1; threads <= MU_PARALLEL_MAX; threads++) {
        struct mu_error err = {0};
        mu_parallel_set_threads(threads);
        CHECK(mu_mesh_check(pair.refined, pair.original, 30, &err) == MU_WRONG, "%u threads find damage", threads);
        if (threads == 1) memcpy(first, err.message, sizeof first);
        CHECK(first[0] != '\0' && strcmp(first, err.message) == 0, "%u threads: %s", threads, err.message);
    }
    mu_parallel_set_threads(0);
    free_pair(&pair);
}

/* Every change of one word of the mesh's triangles is found. */
static void test_words(void)
{
    mu_parallel_set_threads(1); /* so that thousands of checks do not make threads each */
    struct pair pair = make_pair(false);
    struct mu_mesh *mesh = pair.refined;
    unsigned accepted = 0, tried = 0;
    uint32_t *const arrays[] = {mesh->corner, mesh->neighbour, mesh->fixed};
    const size_t lengths[] = {3 * (size_t)mesh->triangles, 3 * (size_t)mesh->triangles, mesh->triangles};
    const uint32_t limits[] = {mesh->points + 1, mesh->triangles + 1, 16};
    for (unsigned array = 0; array < 3; array++)
        for (size_t i = 0; i < lengths[array]; i++)
            for (uint32_t value = 0; value <= limits[array]; value++) {
                const uint32_t was = arrays[array][i], now = value == limits[array] ? UINT32_MAX : value;
                if (was == now) continue;
                struct mu_error err = {0};
                arrays[array][i] = now;
                accepted += mu_mesh_check(mesh, pair.original, 30, &err) != MU_WRONG;
                tried++;
                arrays[array][i] = was;
            }
    CHECK(accepted == 0, "of %u changes of one word, %u are accepted", tried, accepted);
    mu_parallel_set_threads(0);
    free_pair(&pair);
}

static void test_flip(void)
{
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0};
    must(mu_mesh_load("mesh:200", 1, &mesh, &err), &err);
    struct mu_mesh *original = NULL;
    must(mu_mesh_load("mesh:200", 1, &original, &err), &err);
    flip_edge(mesh);
    CHECK(mu_mesh_check(mesh, original, 0, &err) == MU_WRONG && strstr(err.message, "not Delaunay") != NULL,
          "an edge that is not Delaunay: %s", err.message);
    mu_mesh_free(mesh);
    mu_mesh_free(original);
}

static void test_chains(void)
{
    struct pair pair = make_pair(false);
    struct mu_error err = {0};
    double slack = -1;
    CHECK(mu_mesh_check_segments(pair.refined, pair.original, &slack, &err) == MU_OK && slack == 0,
          "points on their segments exactly leave no slack to the area");
    move_point(&pair, fine_id(3, 0), -3, 0);
    CHECK(mu_mesh_check_segments(pair.refined, pair.original, &slack, &err) == MU_WRONG &&
              strstr(err.message, "runs back") != NULL,
          "a chain that runs back: %s", err.message);
    free_pair(&pair);
    pair = make_pair(true);
    err = (struct mu_error){0};
    must(mu_mesh_check_segments(pair.refined, pair.original, &slack, &err), &err);
    CHECK(slack > 0 && slack < 1e-11, "rounded midpoints leave little: %g", slack);
    free_pair(&pair);
}

static void test_exact_sum(void)
{
    struct mu_exact_sum sum = {0};
    const uint64_t stream = mu_random_stream(1, 2);
    enum { TERMS = 100000 };
    for (unsigned i = 0; i < TERMS; i++)
        mu_exact_sum_add(&sum, ldexp(1 + (double)(mu_random(stream, i) >> 12) * 0x1p-52, (int)(i % 600) - 340));
    CHECK(mu_exact_sum_value(&sum) > 0, "a sum of positive numbers is positive");
    mu_exact_sum_add(&sum, -0x1p-396);
    for (unsigned i = TERMS; i-- > 0;)
        mu_exact_sum_add(&sum, -ldexp(1 + (double)(mu_random(stream, i) >> 12) * 0x1p-52, (int)(i % 600) - 340));
    CHECK(mu_exact_sum_value(&sum) == -0x1p-396, "what is left of it is exact");
    mu_exact_sum_add(&sum, 0x1p-396);
    CHECK(mu_exact_sum_value(&sum) == 0, "and so is nothing");
    for (unsigned i = 0; i < 3; i++) mu_exact_sum_add(&sum, 0x1p299);
    mu_exact_sum_add(&sum, -1);
    mu_exact_sum_add(&sum, -0x1.8p300);
    CHECK(mu_exact_sum_value(&sum) == -1, "carries go both ways");
    struct mu_exact_sum joined = {0}, parts[3] = {{{0}, 0}, {{0}, 0}, {{0}, 0}};
    sum = (struct mu_exact_sum){0};
    for (unsigned i = 0; i < TERMS; i++) {
        const double term = ldexp((double)(mu_random(stream, i) >> 12) - 0x1p51, (int)(i % 600) - 392);
        mu_exact_sum_add(&sum, term);
        mu_exact_sum_add(&parts[i % 3], term);
    }
    mu_exact_sum_add(&parts[2], -0x1p-396);
    for (unsigned part = 0; part < 3; part++) mu_exact_sum_join(&joined, &parts[part]);
    for (unsigned i = 0; i < TERMS; i++)
        mu_exact_sum_add(&joined, -ldexp((double)(mu_random(stream, i) >> 12) - 0x1p51, (int)(i % 600) - 392));
    CHECK(mu_exact_sum_value(&joined) == -0x1p-396, "sums of parts, joined, are the sum");
}

static void test_speed(void)
{
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0};
    struct timespec start, end;
    must(mu_mesh_load("meshgrid:355x355", 1, &mesh, &err), &err);
    clock_gettime(CLOCK_MONOTONIC, &start);
    CHECK(mu_mesh_check(mesh, mesh, 20, &err) == MU_OK, "a mesh of %u triangles is right", mesh->triangles);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("# checked in %.3f s\n", (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    mu_mesh_free(mesh);
}

int main(void)
{
    CHECK(mu_cosine_square(30) == 0.75, "the square of the cosine of 30 degrees is exact");
    test_damages(false);
    test_damages(true);
    test_threads();
    test_words();
    test_flip();
    test_chains();
    test_exact_sum();
    test_speed();
    return tap_done();
}
