/* dmr: the host's part. Triangles are packed into records for the device, and unpacked for the check. How many
 * triangles the refined mesh will have is not known. Buffers begin with space for what a mesh of random points needs,
 * and grow when that runs out. */
#include "dmr.state.h"

#define ROOM_AUTO 0

/* No suite sets cavity. It stays, since the keys of records hold it and it tells what the pool costs. */
#define APP_OPTIONS(X)                                                                                                 \
    X(min_angle, real, .argument = "DEGREES", .is = MU_OPTION_INPUT | MU_OPTION_FIELD, .most = MAX_MIN_ANGLE,          \
      .unit = "degrees", .otherwise = "30",                                                                            \
      .help = "Refine until no angle is smaller; at most 33.8, above which refinement need not end")                   \
    X(room, uint, .argument = "TRIANGLES", .is = MU_OPTION_FIELD, .min = 1, .max = UINT32_MAX,                         \
      .words = {{"auto", ROOM_AUTO}}, .otherwise = "auto", .usual = "auto: what the input suggests",                   \
      .help = "Room at the start; it grows when it runs out")                                                          \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(cavity, uint, .argument = "TRIANGLES", .is = MU_OPTION_BUILD, .min = 4, .max = 64, .otherwise = "14",            \
      .help = "Room of a cavity before it moves to a pool that all share")

/* The largest angle for which Delaunay refinement by Ruppert's rules ends in practice (Shewchuk 2002, section 1). */
#define MAX_MIN_ANGLE 33.8

#define APP_CAVITY S.option.cavity /* in the lengths of buffers; on the device a constant of the program */
#include "apps/host.h"
#include "dmr.plan.h"

#include "base/memory.h"
#include "inputs/mesh/check.h"
#include "inputs/mesh/stats.h"

#include <math.h>
#include <string.h>

/* The most entries of the list of bad triangles. It is what the sums of dmr.cl can hold, and more than a device serves
 * at once. A large mesh may have more bad triangles; these wait for a later round. */
#define MAX_LIST (UINT32_C(1) << 18)

/* For each triangle of the input: how many there is space for at the start, and how many there may be at most. The
 * latter ends a refinement that runs away, as it can where segments meet at small angles. */
#define ROOM_FACTOR   4
#define GROWTH_FACTOR 32
#define GROWTH_FLOOR  (UINT64_C(1) << 20)

/* With one half, an off-centre's triangle would have exactly the smallest angle allowed, and rounding would make it
 * bad. */
#define OFF_CENTRE 0.49

#define ADVICE "where segments meet at small angles there may be no end: try a smaller --min-angle"

/* Words of the pool, where large cavities are kept, at the start. */
#define POOL_WORDS 65536

static uint64_t in_parts(uint64_t triangles)
{
    return (triangles + DMR_PART - 1) / DMR_PART * DMR_PART;
}

static uint64_t most_triangles(const struct app_state *S)
{
    const uint64_t most = in_parts(GROWTH_FLOOR + (uint64_t)GROWTH_FACTOR * S->input_triangles);
    return most < DMR_MAX_TRIANGLES ? most : DMR_MAX_TRIANGLES;
}

/* Sets the space for so many triangles, and for points: each new point adds at least one triangle. */
static void set_room(struct app_state *S, uint64_t triangles)
{
    S->triangle_room = (uint32_t)in_parts(triangles);
    S->point_room = S->input_points + (S->triangle_room - S->input_triangles);
}

static int pack(const struct mu_mesh *mesh, struct app_state *S, struct mu_error *err)
{
    S->input_point = mu_malloc((size_t)mesh->points, 2 * sizeof *S->input_point, "points", err);
    S->input_triangle = mu_malloc((size_t)mesh->triangles, DMR_RECORD * sizeof *S->input_triangle, "triangles", err);
    S->limit = mu_malloc(2, sizeof *S->limit, "limits", err);
    if (err->status != MU_OK) return err->status;
    memcpy(S->input_point, mesh->coordinate, (size_t)mesh->points * 2 * sizeof *S->input_point);
    for (size_t t = 0; t < mesh->triangles; t++) {
        uint32_t *record = S->input_triangle + DMR_RECORD * t;
        memcpy(record, mesh->corner + 3 * t, 3 * sizeof *record);
        record[DMR_FIXED] = mesh->fixed[t];
        memcpy(record + DMR_NEIGHBOUR, mesh->neighbour + 3 * t, 3 * sizeof *record);
        record[DMR_RECORD - 1] = 0;
    }
    return MU_OK;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_mesh *mesh = instance->mesh;
    if (mesh->triangles > DMR_MAX_TRIANGLES / 2)
        return mu_fail(err, MU_LIMIT, "%s: dmr takes up to %u triangles", mesh->name, DMR_MAX_TRIANGLES / 2);
    S->input_points = mesh->points;
    S->input_triangles = mesh->triangles;
    const bool automatic = S->option.room == ROOM_AUTO;
    uint64_t room = S->option.room;
    if (automatic) room = (uint64_t)ROOM_FACTOR * mesh->triangles + DMR_PART;
    if (room < mesh->triangles) room = mesh->triangles;
    if (room < mesh->points) room = mesh->points;
    set_room(S, room < most_triangles(S) ? room : most_triangles(S));
    S->list_room = mesh->triangles < MAX_LIST ? mesh->triangles : MAX_LIST;
    S->pool_room = automatic ? POOL_WORDS : 1;
    if (pack(mesh, S, err) != MU_OK) return err->status;
    S->limit[DMR_COSINE] = mu_cosine_square(S->option.min_angle);
    S->limit[DMR_OFF_CENTRE] = OFF_CENTRE / tan(S->option.min_angle * acos(-1) / 360);
    return err->status;
}

/* Doubles, at least, the space for triangles, or, if a large cavity did not fit, that of the pool. */
static int grow(struct mu_instance *instance, const uint32_t *wanted, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (wanted == NULL) {
        S->old_room = 0;
        return MU_OK;
    }
    const uint64_t most = most_triangles(S), needed = wanted[DMR_WANT_TRIANGLES], pool = wanted[DMR_WANT_POOL];
    if (needed > most || pool > UINT32_MAX / 4)
        return mu_fail(err, MU_LIMIT,
                       "%s: refinement to %g degrees does not come to an end within %llu triangles; " ADVICE,
                       instance->mesh->name, S->option.min_angle, (unsigned long long)most);
    S->old_room = S->triangle_room;
    if (needed > S->triangle_room) {
        const uint64_t twice = 2 * (uint64_t)S->triangle_room;
        set_room(S, twice > most ? most : twice > needed ? twice : needed);
    }
    if (pool != 0) S->pool_room = (uint32_t)(2 * pool);
    return MU_OK;
}

/* ---- The result -----------------------------------------------------------------------------------------------------
 */

static uint32_t final_size(const struct app_state *S, uint32_t word)
{
    return S->size[2 * (S->progress[0] % 2) + word];
}

/* Makes a mesh of the device's records. Its arrays are the caller's (free_arrays), but for the coordinates, which are
 * borrowed from the state. Counts and ids that are out of range are refused here, so that the check never reads outside
 * an array. */
static int unpack(const struct mu_instance *instance, struct mu_mesh *mesh, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    memset(mesh, 0, sizeof *mesh);
    mesh->name = instance->mesh->name;
    mesh->format = instance->mesh->format;
    mesh->first_id = instance->mesh->first_id;
    mesh->points = final_size(S, DMR_POINTS);
    mesh->triangles = final_size(S, DMR_TRIANGLES);
    mesh->coordinate = S->point;
    if (mesh->points > S->point_room || mesh->triangles > S->triangle_room)
        return mu_fail(err, MU_WRONG, "the mesh has %u points and %u triangles, but room for %u and %u", mesh->points,
                       mesh->triangles, S->point_room, S->triangle_room);
    mesh->corner = mu_malloc(mesh->triangles, 3 * sizeof *mesh->corner, "corners", err);
    mesh->neighbour = mu_malloc(mesh->triangles, 3 * sizeof *mesh->neighbour, "neighbours", err);
    mesh->fixed = mu_malloc(mesh->triangles, sizeof *mesh->fixed, "segments", err);
    if (err->status != MU_OK) return err->status;
    uint64_t sides = 0, inner_sides = 0;
    for (size_t t = 0; t < mesh->triangles; t++) {
        const uint32_t *record = S->triangle + DMR_RECORD * t;
        memcpy(mesh->corner + 3 * t, record, 3 * sizeof *record);
        memcpy(mesh->neighbour + 3 * t, record + DMR_NEIGHBOUR, 3 * sizeof *record);
        mesh->fixed[t] = record[DMR_FIXED];
        for (int k = 0; k < 3; k++) {
            const bool segment = record[DMR_FIXED] >> k & 1;
            sides += segment;
            inner_sides += segment && record[DMR_NEIGHBOUR + k] != MU_NO_TRIANGLE;
        }
    }
    mesh->segments = (uint32_t)(sides - inner_sides / 2);
    return MU_OK;
}

static void free_arrays(struct mu_mesh *mesh)
{
    mu_free(mesh->corner);
    mu_free(mesh->neighbour);
    mu_free(mesh->fixed);
}

/* Checks that no more was refined than had to be: a new point needs a bad triangle of its own. Those of the first round
 * are counted here, by their angles. All new points together must be as many as the triangles on the list that lost no
 * conflict, in all rounds. What the check cannot see is a triangle that a later round lists without need. */
static int check_effort(const struct mu_instance *instance, const struct mu_mesh *mesh, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const struct mu_mesh *original = instance->mesh;
    const uint32_t rounds = S->progress[0] - 1, most = original->triangles < MAX_LIST ? original->triangles : MAX_LIST;
    struct mu_mesh_stats stats;
    uint64_t winners = 0;
    mu_mesh_stats(original, S->option.min_angle, &stats);
    const uint32_t bad = stats.bad < most ? stats.bad : most;
    if (rounds > 0 && S->listed[0] != bad)
        return mu_fail(err, MU_WRONG, "the first round refined %u triangles, where %u are below %g degrees",
                       S->listed[0], bad, S->option.min_angle);
    if (rounds > DMR_HISTORY) return MU_OK; /* Not all rounds have left their figures. */
    for (uint32_t round = 0; round < rounds; round++) winners += (uint64_t)S->listed[round] - S->conflicts[round];
    if (mesh->points - original->points != winners)
        return mu_fail(err, MU_WRONG, "%u points are new, but %llu bad triangles were to be refined",
                       mesh->points - original->points, (unsigned long long)winners);
    return MU_OK;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    struct mu_mesh mesh;
    if (S->progress[0] > DMR_MAX_ROUNDS)
        return mu_fail(
            err, MU_LIMIT,
            "%s: refinement to %g degrees has not come to an end after %u rounds, with %u triangles; " ADVICE,
            instance->mesh->name, S->option.min_angle, DMR_MAX_ROUNDS, final_size(S, DMR_TRIANGLES));
    if (S->dropped[0] != 0)
        return mu_fail(err, MU_LIMIT,
                       "%s: %u triangles below %g degrees admit no further point in double precision; " ADVICE,
                       instance->mesh->name, S->dropped[0], S->option.min_angle);
    if (unpack(instance, &mesh, err) == MU_OK &&
        mu_mesh_check(&mesh, instance->mesh, S->option.min_angle, err) == MU_OK)
        check_effort(instance, &mesh, err);
    free_arrays(&mesh);
    return err->status;
}

static int write_mesh(const struct mu_instance *instance, const char *path, struct mu_error *err)
{
    struct mu_mesh mesh;
    if (unpack(instance, &mesh, err) == MU_OK) mu_mesh_write(&mesh, path, err);
    free_arrays(&mesh);
    return err->status;
}

/* ---- Figures --------------------------------------------------------------------------------------------------------
 */

/* Returns the square of the cosine of the angle at a, with the cosine's sign. */
static double signed_square(const double *a, const double *b, const double *c)
{
    const double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1], dot = bx * cx + by * cy;
    return dot * fabs(dot) / ((bx * bx + by * by) * (cx * cx + cy * cy));
}

static double smallest_angle(const struct app_state *S, uint32_t triangles)
{
    double sharpest = -1;
    for (size_t t = 0; t < triangles; t++)
        for (size_t k = 0; k < 3; k++) {
            const uint32_t *corner = S->triangle + DMR_RECORD * t;
            const double *a = S->point + 2 * (size_t)corner[k], *b = S->point + 2 * (size_t)corner[(k + 1) % 3],
                         *c = S->point + 2 * (size_t)corner[(k + 2) % 3];
            const double square = signed_square(a, b, c);
            if (square > sharpest) sharpest = square;
        }
    return acos(sharpest < 0 ? -sqrt(-sharpest) : sqrt(sharpest)) * 180 / acos(-1);
}

static size_t summary(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct app_state *S = instance->state;
    const uint32_t rounds = S->progress[0] - 1, kept = rounds < DMR_HISTORY ? rounds : DMR_HISTORY;
    const uint32_t points = final_size(S, DMR_POINTS), triangles = final_size(S, DMR_TRIANGLES);
    uint64_t conflicts = 0;
    for (uint32_t round = 0; round < kept; round++) conflicts += S->conflicts[round];
    const struct mu_figure made[] = {
        {.name = "min_angle", .value = smallest_angle(S, triangles)},
        {.name = "points", .value = points},
        {.name = "triangles", .value = triangles},
        {.name = "rounds", .value = rounds},
        {.name = "conflicts", .value = (double)conflicts},
        {.name = "bad_by_round", .series = S->listed, .count = kept},
        {.name = "conflicts_by_round", .series = S->conflicts, .count = kept},
    };
    memcpy(figures, made, sizeof made);
    return sizeof made / sizeof made[0];
}

/* Returns how many steps the plan takes: three, then four for each round and four that only pack. Not known of a plan
 * that was entered again for want of room. */
static uint64_t steps(const struct mu_instance *instance)
{
    const struct app_state *S = instance->state;
    return S->old_room == 0 ? 3 + 4 * (uint64_t)S->progress[0] : 0;
}

const struct mu_app mu_app_lonestar_dmr = {
    .suite = "lonestar",
    .name = "dmr",
    .purpose = "Delaunay mesh refinement: new points until no triangle has an angle below the limit",
    .kind = MU_KIND_MESH,
    .needs = MU_NEEDS_DOUBLE,
    .result = "triangle",
    .shared = "apps/lonestar/dmr/points.clh",
    .wanted = "wanted",
    .prepare = prepare,
    .check = check,
    .steps = steps,
    .grow = grow,
    .summary = summary,
    .write = write_mesh,
    MU_APP_TABLES,
};
