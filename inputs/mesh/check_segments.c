#include "inputs/mesh/check.h"

#include "base/memory.h"
#include "inputs/mesh/predicates.h"
#include "inputs/radix.h"

#include <inttypes.h>

/* How far a chain's point may be off its segment, in greatest coordinates of the segment's ends: 2^-47. A midpoint adds
 * at most half a unit in the last place, 2^-54 in each direction, to the deviation of its points. No segment can be
 * halved 64 times before its ends are neighbouring doubles. */
static const double deviation = 0x1p-47;

/* The segments of a mesh as a graph of points. A segment of the original has become a chain: it leads over new points,
 * each of which has two neighbours, from one old point to another. */
struct chains {
    const struct mu_mesh *mesh;
    uint32_t first_new; /* points from here on are new */
    uint32_t *link;     /* [2 * new points]: neighbours, or MU_NO_POINT */
    uint32_t *start;    /* [2 * starts]: segments at points that are not new, as that point and the other */
    uint64_t starts, segments;
    uint64_t *key, *spare; /* [most of starts and the original's segments]: ends of chains; sorted in the end */
    uint64_t count;        /* of chains */
    uint64_t used;         /* segments in them */
    double slack;
};

#define MU_NO_POINT UINT32_MAX

static uint64_t key_of(uint32_t one, uint32_t other)
{
    return one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
}

/* Calls `call` once for each segment, from the triangle with the lower id, until a call fails. */
static int for_each_segment(const struct mu_mesh *mesh,
                            int (*call)(void *context, uint32_t from, uint32_t to, struct mu_error *err), void *context,
                            struct mu_error *err)
{
    int status = MU_OK;
    for (uint32_t triangle = 0; status == MU_OK && triangle < mesh->triangles; triangle++) {
        const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
        for (unsigned k = 0; status == MU_OK && k < 3 && mesh->fixed[triangle] != 0; k++)
            if (mesh->fixed[triangle] >> k & 1 && mesh->neighbour[3 * (size_t)triangle + k] >= triangle)
                status = call(context, corner[(k + 1) % 3], corner[(k + 2) % 3], err);
    }
    return status;
}

static int count_segment(void *context, uint32_t from, uint32_t to, struct mu_error *err)
{
    struct chains *chains = context;
    (void)err;
    chains->segments++;
    chains->starts += (uint64_t)(from < chains->first_new) + (to < chains->first_new);
    return MU_OK;
}

static int add_end(struct chains *chains, uint32_t from, uint32_t to, struct mu_error *err)
{
    if (from < chains->first_new) {
        chains->start[2 * chains->starts] = from;
        chains->start[2 * chains->starts + 1] = to;
        chains->starts++;
        return MU_OK;
    }
    uint32_t *link = chains->link + 2 * (size_t)(from - chains->first_new);
    if (link[0] == MU_NO_POINT)
        link[0] = to;
    else if (link[1] == MU_NO_POINT)
        link[1] = to;
    else
        return mu_fail(err, MU_WRONG, "three segments meet at the new point %" PRIu32, from);
    return MU_OK;
}

static int add_segment(void *context, uint32_t from, uint32_t to, struct mu_error *err)
{
    int status = add_end(context, from, to, err);
    return status == MU_OK ? add_end(context, to, from, err) : status;
}

static int add_key(void *context, uint32_t from, uint32_t to, struct mu_error *err)
{
    struct chains *chains = context;
    (void)err;
    chains->spare[chains->count++] = key_of(from, to);
    return MU_OK;
}

/* Returns the point after a new point of a chain, coming from `before`; MU_NO_POINT if the chain stops short of an old
 * point. */
static uint32_t next_of(const struct chains *chains, uint32_t before, uint32_t point)
{
    const uint32_t *link = chains->link + 2 * (size_t)(point - chains->first_new);
    return link[0] == before ? link[1] : link[0];
}

/* Follows a chain from its first two points to its end, which is an old point; *length counts its segments. */
static int find_end(const struct chains *chains, const uint32_t *start, uint32_t *end, uint64_t *length,
                    struct mu_error *err)
{
    uint32_t before = start[0], point = start[1];
    for (*length = 1; point >= chains->first_new; ++*length) {
        const uint32_t next = next_of(chains, before, point);
        if (next == MU_NO_POINT || *length > chains->segments)
            return mu_fail(err, MU_WRONG, "the segments from point %" PRIu32 " on lead to no point of the original",
                           start[0]);
        before = point;
        point = next;
    }
    *end = point;
    return MU_OK;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Returns true if the point is on the segment from a to b, but for the allowed rounding. *is_off becomes true if it is
 * off the segment at all. */
static bool is_on(mu_point a, mu_point b, mu_point point, double allowed, bool *is_off)
{
    if (mu_orient(a, b, point) == 0) return true;
    *is_off = true;
    if (a.x == b.x || a.y == b.y) return false;
    const double cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
    return fabs(cross) <= allowed * (fabs(b.x - a.x) + fabs(b.y - a.y));
}

/* Checks that every step of a chain leads forwards, and that its points are on the line between its ends. */
static int check_chain(struct chains *chains, const uint32_t *start, uint32_t end, struct mu_error *err)
{
    const mu_point a = mu_mesh_point(chains->mesh, start[0]), b = mu_mesh_point(chains->mesh, end);
    const double allowed = deviation * greater(greater(fabs(a.x), fabs(a.y)), greater(fabs(b.x), fabs(b.y)));
    bool is_off = false;
    for (uint32_t before = start[0], point = start[1];;) {
        const mu_point from = mu_mesh_point(chains->mesh, before), to = mu_mesh_point(chains->mesh, point);
        if (!((to.x - from.x) * (b.x - a.x) + (to.y - from.y) * (b.y - a.y) > 0))
            return mu_fail(err, MU_WRONG,
                           "the segment from point %" PRIu32 " to %" PRIu32 " runs back at point %" PRIu32, start[0],
                           end, point);
        if (point == end) break;
        if (!is_on(a, b, to, allowed, &is_off))
            return mu_fail(err, MU_WRONG, "point %" PRIu32 " has left the segment from point %" PRIu32 " to %" PRIu32,
                           point, start[0], end);
        const uint32_t next = next_of(chains, before, point);
        before = point;
        point = next;
    }
    if (is_off) chains->slack += 2 * allowed * (fabs(b.x - a.x) + fabs(b.y - a.y));
    return MU_OK;
}

/* Follows every chain. Each is found from both its ends, and counted from the one with the lower id. */
static int follow_chains(struct chains *chains, struct mu_error *err)
{
    int status = MU_OK;
    chains->count = 0;
    for (uint64_t i = 0; status == MU_OK && i < chains->starts; i++) {
        const uint32_t *start = chains->start + 2 * i;
        uint32_t end = MU_NO_POINT;
        uint64_t length;
        status = find_end(chains, start, &end, &length, err);
        if (status != MU_OK || end < start[0]) continue;
        if (end == start[0]) return mu_fail(err, MU_WRONG, "segments lead from point %" PRIu32 " back to it", end);
        status = check_chain(chains, start, end, err);
        chains->key[chains->count++] = key_of(start[0], end);
        chains->used += length;
    }
    return status;
}

/* Compares the chains with the original's segments, after sorting both: the chains' ends are in `key`, the segments in
 * `spare`. */
static int compare_chains(struct chains *chains, const struct mu_mesh *original, uint64_t *room, struct mu_error *err)
{
    const uint64_t found = chains->count;
    mu_sort(&(struct mu_sort_span){.key = chains->key, .spare_key = room, .count = found});
    chains->count = 0;
    for_each_segment(original, add_key, chains, err);
    mu_sort(&(struct mu_sort_span){.key = chains->spare, .spare_key = room, .count = chains->count});
    for (uint64_t i = 0; i < found || i < chains->count; i++) {
        const bool has = i < found && (i >= chains->count || chains->key[i] <= chains->spare[i]);
        const bool had = i < chains->count && (i >= found || chains->spare[i] <= chains->key[i]);
        const uint64_t key = has ? chains->key[i] : chains->spare[i];
        if (has && had) continue;
        return mu_fail(err, MU_WRONG, "the segment from point %" PRIu32 " to %" PRIu32 " %s", (uint32_t)(key >> 32),
                       (uint32_t)key, had ? "is missing" : "is not the original's");
    }
    if (chains->used == chains->segments) return MU_OK;
    return mu_fail(err, MU_WRONG, "%" PRIu64 " segments belong to no segment of the original",
                   chains->segments - chains->used);
}

static int collect(struct chains *chains, const struct mu_mesh *original, struct mu_error *err)
{
    const struct mu_mesh *mesh = chains->mesh;
    const size_t links = 2 * (size_t)(mesh->points - chains->first_new);
    for_each_segment(mesh, count_segment, chains, err);
    if (chains->segments != mesh->segments)
        return mu_fail(err, MU_WRONG, "there are %" PRIu64 " segments, but %" PRIu32 " are counted", chains->segments,
                       mesh->segments);
    chains->link = mu_malloc(links, sizeof *chains->link, "the segments' points", err);
    chains->start = mu_malloc(2 * chains->starts, sizeof *chains->start, "the segments' ends", err);
    chains->key = mu_malloc(chains->starts, sizeof *chains->key, "the segments' ends", err);
    chains->spare = mu_malloc(original->segments, sizeof *chains->spare, "the original's segments", err);
    if (chains->link == NULL || chains->start == NULL || chains->key == NULL || chains->spare == NULL)
        return MU_NO_MEMORY;
    for (size_t i = 0; i < links; i++) chains->link[i] = MU_NO_POINT;
    chains->starts = 0;
    return for_each_segment(mesh, add_segment, chains, err);
}

int mu_mesh_check_segments(const struct mu_mesh *mesh, const struct mu_mesh *original, double *slack,
                           struct mu_error *err)
{
    struct chains chains = {.mesh = mesh, .first_new = original->points};
    uint64_t *room = NULL;
    int status = collect(&chains, original, err);
    if (status == MU_OK) status = follow_chains(&chains, err);
    if (status == MU_OK) {
        const uint64_t most = chains.count > original->segments ? chains.count : original->segments;
        room = mu_malloc(most, sizeof *room, "the segments' order", err);
        status = room == NULL ? MU_NO_MEMORY : compare_chains(&chains, original, room, err);
    }
    *slack = chains.slack;
    mu_free(chains.link);
    mu_free(chains.start);
    mu_free(chains.key);
    mu_free(chains.spare);
    mu_free(room);
    return status;
}
