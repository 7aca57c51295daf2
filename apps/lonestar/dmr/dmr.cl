/* dmr: Delaunay mesh refinement, until no triangle has an angle below the limit but those between two segments, which
 * the input makes.
 *
 * Ruppert's algorithm ("A Delaunay refinement algorithm for quality 2-dimensional mesh generation", Journal of
 * Algorithms 18, 1995), in the form that starts from a constrained Delaunay triangulation and splits a segment only
 * when it is in a circumcentre's way (Chew, "Guaranteed-quality mesh generation for curved surfaces", SoCG 1993;
 * Shewchuk, "Delaunay refinement algorithms for triangular mesh generation", Computational Geometry 22, 2002, section
 * 3). Rounds and conflicts: Lonestar's dmr (Kulkarni et al., PLDI 2007; Nasre, Burtscher and Pingali, PPoPP 2013).
 *
 * A bad triangle is to be removed by a new point at its circumcentre, or, where that is far from its shortest edge, at
 * its off-centre: a point on the way there that makes a triangle with the edge which is just good enough (Ungor,
 * "Off-centers", LATIN 2004). Fewer points do then, with the same guarantee. The cavity of the point is all triangles
 * whose circumcircles contain it and that are connected to it without a segment between them. The bad triangle is one
 * of them, since both points are inside its own circle. So the search for the cavity can begin at the bad triangle, and
 * no walk is needed to find where the point lies. If the search meets a segment that has the point behind it or in its
 * diametral circle, that segment is split at its midpoint instead, and the cavity is that of the midpoint.
 *
 * Without its inner edges the cavity is a polygon, and the point must see all corners of the polygon. That is checked
 * by exact orientation for every edge, also where a segment is split at a rounded midpoint. Where it does not hold (the
 * circumcentre of a sliver may be off by more than the circle's radius), the midpoint of the triangle's longest edge is
 * tried instead. A triangle that admits neither is dropped from the list and counted: there refinement has come to the
 * end of double precision. The polygon has two edges more than the cavity has triangles. Each edge makes a triangle
 * with the point; these take the places of the cavity's triangles, and two new places (one, when a segment of the
 * boundary was split).
 *
 * The rim of a cavity is the triangles across the polygon's edges. Two points can be inserted at once if neither's
 * cavity shares a triangle with the other's cavity or rim: a new triangle's circle lies within those of the two
 * triangles that met at its edge, and of a triangle on both rims each insertion replaces another neighbour. So every
 * entry claims the triangles of its cavity in one word each and those of its rim in another, by writing its priority if
 * that is lower than what is there. An entry wins if all its claims have held. The lowest priority of all always wins,
 * so each round ends with fewer bad triangles to do or with more points. Sharp triangles have the lowest priorities,
 * which takes fewer points in all; among equally sharp ones a hash decides.
 *
 * The result does not depend on the order in which work-items run, so that the mesh is the same bit for bit in every
 * variant and for every team. In a round no two priorities are the same. Bad triangles are bits of a bitmap, listed in
 * the order of their ids, and winners take new ids in the order of the list, by prefix sums. A round in which space
 * would run out is not applied at all, and is repeated once the host has made space.
 *
 * Steps of a round, and what the barrier behind each orders:
 *   claim: cavities, and the claims. Behind it, all claims are made.
 *   check: who has won, and how many winners come before it within its block of the list. Behind it, all blocks' sums.
 *   apply: winners replace their cavities; everyone takes its claims back. Behind it, the mesh is whole again, the bits
 *          are those of its bad triangles, and no claim is left.
 *   pack:  the next list.
 *
 * points.clh has the points, dmr.clh the cavities, inputs/mesh/predicates.clh the exact predicates. */

/* ---- The beginning ----------------------------------------------------------------------------------------------- */

static void dmr_want_nothing(struct mu_state S)
{
    for (uint i = 0; i < 4; i++) S.wanted[i] = 0;
    S.pool_top[0] = 0;
}

/* After this step: the mesh is the input's, no triangle is marked as bad or claimed. */
STEP_DEF(begin, unused)
{
    FOR_EACH (i) {
        if (i < S.input_points) ((__global dmr_point *)S.point)[i] = ((__global const dmr_point *)S.input_point)[i];
        if (i < S.input_triangles)
            for (uint j = 2 * i; j < 2 * i + 2; j++)
                ((__global uint4 *)S.triangle)[j] = ((__global const uint4 *)S.input_triangle)[j];
        S.claimed[2 * i] = DMR_NONE;
        S.claimed[2 * i + 1] = DMR_NONE;
        if (i % 32 == 0) S.bad[i / 32] = 0;
        if (i % DMR_PART == 0) S.bad_in_part[i / DMR_PART] = 0;
        if (i < DMR_HISTORY) S.conflicts[i] = S.listed[i] = 0;
    }
    if (T.first != 0 || extent == 0) return;
    dmr_want_nothing(S);
    S.progress[0] = 1;
    S.dropped[0] = 0;
    S.size[2 + DMR_POINTS] = S.input_points;
    S.size[2 + DMR_TRIANGLES] = S.input_triangles;
    S.size[DMR_POINTS] = S.size[DMR_TRIANGLES] = 0;
}

/* After this step: the words that were added to the buffers have the values that `begin` would have given them. */
STEP_DEF(resume, unused)
{
    FOR_EACH (i) {
        if (i < S.old_room) continue;
        if (i % 32 == 0) S.bad[i / 32] = 0;
        if (i % DMR_PART == 0) S.bad_in_part[i / DMR_PART] = 0;
    }
    if (T.first == 0 && extent != 0) dmr_want_nothing(S);
}

/* ---- Bad triangles ----------------------------------------------------------------------------------------------- */

/* Flips the bit of a triangle. Other work-items may flip other bits of the word at the same time. */
static void dmr_turn_bit(struct mu_state S, uint triangle, bool bad)
{
    atomic_xor((volatile __global uint *)S.bad + triangle / 32, 1u << triangle % 32);
    atomic_add((volatile __global uint *)S.bad_in_part + triangle / DMR_PART, bad ? 1u : 0xffffffffu);
}

/* After this step: bad triangles have their bits. */
STEP_DEF(mark, unused)
{
    FOR_EACH (i) {
        const uint4 corners = dmr_corners(S, i);
        if (mu_is_bad(dmr_load_point(S, corners.x), dmr_load_point(S, corners.y), dmr_load_point(S, corners.z),
                      corners.w, S.limit[DMR_COSINE]))
            dmr_turn_bit(S, i, true);
    }
}

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

/* How many bad triangles there are in the words of the bitmap before `base`. Holds barrier(). */
static uint dmr_bad_before(struct mu_state S, struct mu_team T, uint base)
{
    const uint lid = (uint)get_local_id(0), parts = base / DMR_PART_WORDS;
    ulong sum = 0;
    for (uint part = lid; part < parts; part += MU_WORKGROUP) sum += S.bad_in_part[part];
    for (uint word = parts * DMR_PART_WORDS + lid; word < base; word += MU_WORKGROUP) sum += popcount(S.bad[word]);
    return (uint)mu_sums(T, (ulong2)(sum, 0)).x;
}

/* After this step: the list holds the bad triangles in the order of their ids, as many as fit; `todo` is their number,
 * or 0 if the plan is to end. The extent counts words of the bitmap. */
STEP_DEF(pack, round)
{
    FOR_EACH_BLOCK (base) {
        const uint word = base + (uint)get_local_id(0);
        const uint before = dmr_bad_before(S, T, base);
        uint bits = word < extent ? S.bad[word] : 0;
        const uint end = before + (uint)mu_sum_up_to(T, popcount(bits));
        for (uint place = end - popcount(bits); bits != 0 && place < S.list_room; place++) {
            const uint low = bits & (0u - bits);
            S.list[place] = 32 * word + (31 - clz(low));
            bits ^= low;
        }
        if (word == extent - 1) {
            const uint todo = S.wanted[DMR_WANT_ROOM] != 0 ? 0 : min(end, S.list_room);
            S.todo[round % 2] = todo;
            if (round <= DMR_HISTORY) S.listed[round - 1] = todo;
        }
    }
    if (T.first == 0) S.pool_top[0] = 0;
}

/* ---- Claims ------------------------------------------------------------------------------------------------------ */

/* The words in which a triangle of a cavity and one of a rim are claimed. */
static volatile __global uint *dmr_inner_claim(struct mu_state S, uint triangle)
{
    return (volatile __global uint *)S.claimed + 2 * triangle;
}

static volatile __global uint *dmr_outer_claim(struct mu_state S, uint triangle)
{
    return (volatile __global uint *)S.claimed + 2 * triangle + 1;
}

/* After this step: entries have their cavities, and each triangle the strongest claims on it. */
STEP_DEF(claim, round)
{
    FOR_EACH (i) {
        struct dmr_entry entry;
        uint batch[APP_BATCH];
        dmr_prepare_entry(S, i, round, &entry);
        dmr_save_entry(S, i, &entry);
        for (uint j = 0; j < entry.cavity.triangles; j += APP_BATCH) {
            dmr_load_inside(S, &entry.cavity, j, batch);
#pragma unroll
            for (uint k = 0; k < APP_BATCH; k++)
                if (batch[k] != DMR_NONE) atomic_min(dmr_inner_claim(S, batch[k]), entry.priority);
        }
        for (uint j = 0; j < entry.cavity.edges; j += APP_BATCH) {
            dmr_load_rim(S, &entry.cavity, j, batch);
#pragma unroll
            for (uint k = 0; k < APP_BATCH; k++)
                if (batch[k] != DMR_NONE) atomic_min(dmr_outer_claim(S, batch[k]), entry.priority);
        }
    }
}

/* Whether all claims of the entry have held: no entry of lower priority has a triangle of this cavity in its own cavity
 * or rim. Then none has a triangle of this rim in its cavity either: that triangle's neighbour across the edge is in
 * this cavity, so that it would be in the other's cavity, too, or in its rim. */
DMR_CALLED bool dmr_has_won(struct mu_state S, const struct dmr_entry *entry)
{
    const uint priority = entry->priority;
    uint batch[APP_BATCH];
    bool won = entry->cavity.triangles != 0;
    for (uint j = 0; won && j < entry->cavity.triangles; j += APP_BATCH) {
        dmr_load_inside(S, &entry->cavity, j, batch);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) {
            const bool real = batch[k] != DMR_NONE;
            const uint inner = real ? S.claimed[2 * batch[k]] : priority;
            const uint outer = real ? S.claimed[2 * batch[k] + 1] : priority;
            won = won & (inner == priority) & (outer >= priority);
        }
    }
    return won;
}

/* What winners add to the mesh, in one word: points, triangles, and the number of winners. The sums over a list of the
 * largest size do not overflow into each other. */
#define DMR_GAIN(points, triangles) ((ulong)(points) | (ulong)(triangles) << 21 | 1ul << 43)
#define DMR_GAIN_POINTS(gain)       ((uint)(gain)&0x1fffffu)
#define DMR_GAIN_TRIANGLES(gain)    ((uint)((gain) >> 21) & 0x3fffffu)
#define DMR_GAIN_WINNERS(gain)      ((uint)((gain) >> 43))
#define DMR_LOST                    0xfffffffffffffffful

/* After this step: rank has what the winners before the entry in its block of the list add, or DMR_LOST; won, what all
 * in the block add. */
STEP_DEF(check, round)
{
    FOR_EACH_BLOCK (base) {
        const uint i = base + (uint)get_local_id(0);
        ulong gain = 0;
        if (i < extent) {
            const struct dmr_entry entry = dmr_load_entry(S, i);
            const uint added = entry.cavity.edges != 0 ? entry.cavity.edges - entry.cavity.triangles : 0;
            if (dmr_has_won(S, &entry)) gain = DMR_GAIN(added != 0, added);
        }
        const ulong sum = mu_sum_up_to(T, gain);
        if (i < extent) S.rank[i] = gain != 0 ? sum - gain : DMR_LOST;
        if (get_local_id(0) == MU_WORKGROUP - 1) S.won[base / MU_WORKGROUP] = sum;
    }
}

/* ---- Insertion --------------------------------------------------------------------------------------------------- */

/* The ids that an entry's insertion takes: that of its point, and the first of its new triangles. */
struct dmr_ids {
    uint point, triangle;
};

/* The place of the triangle that edge j of the polygon makes with the point. The places of the cavity's triangles are
 * used first, then new ones. */
static uint dmr_slot(struct mu_state S, const struct dmr_cavity *cavity, uint j, uint first_new)
{
    return j < cavity->triangles ? *dmr_cavity_triangle(S, cavity, j) : first_new + (j - cavity->triangles);
}

/* Up to APP_BATCH of a polygon's edges, with what they make and what comes behind them. */
struct dmr_fan {
    uint begin[APP_BATCH + 1], slot[APP_BATCH + 1], across[APP_BATCH];
    dmr_point at[APP_BATCH + 1];
    bool was_bad[APP_BATCH];
};

/* Edges first, first + 1, …; behind the last comes `end`. */
static void dmr_load_fan(struct mu_state S, const struct dmr_cavity *cavity, uint first, uint2 end, uint first_new,
                         struct dmr_fan *fan)
{
#pragma unroll
    for (uint k = 0; k <= APP_BATCH; k++) {
        const bool real = first + k < cavity->edges;
        fan->begin[k] = real ? *dmr_cavity_edge(S, cavity, first + k, 0) : end.x;
        fan->slot[k] = real ? dmr_slot(S, cavity, first + k, first_new) : end.y;
        if (k < APP_BATCH) fan->across[k] = real ? *dmr_cavity_edge(S, cavity, first + k, 1) : DMR_NONE;
    }
#pragma unroll
    for (uint k = 0; k <= APP_BATCH; k++) fan->at[k] = dmr_load_point(S, fan->begin[k] & ~DMR_SEGMENT);
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        const bool reused = first + k < cavity->edges && first + k < cavity->triangles;
        fan->was_bad[k] = reused && (mu_load_relaxed(S.bad + fan->slot[k] / 32) >> fan->slot[k] % 32 & 1u) != 0;
    }
}

/* The triangle of edge k of the fan and the point; `before` is its neighbour there. */
static void dmr_make_triangle(struct mu_state S, const struct dmr_entry *entry, const struct dmr_fan *fan, uint k,
                              uint before, uint point, dmr_point p)
{
    const uint a = fan->begin[k] & ~DMR_SEGMENT, b = fan->begin[k + 1] & ~DMR_SEGMENT, slot = fan->slot[k];
    const uint across = fan->across[k], first = entry->first, last = entry->last;
    const uint fixed = (b == first || b == last ? 1u : 0u) | (a == first || a == last ? 2u : 0u) |
                       ((fan->begin[k] & DMR_SEGMENT) != 0 ? 4u : 0u);
    ((__global uint4 *)S.triangle)[2 * slot] = (uint4)(a, b, point, fixed);
    ((__global uint4 *)S.triangle)[2 * slot + 1] =
        (uint4)(fan->slot[k + 1], before, across == DMR_NONE ? DMR_NONE : DMR_EDGE_TRIANGLE(across), 0);
    if (across != DMR_NONE)
        S.triangle[DMR_RECORD * DMR_EDGE_TRIANGLE(across) + DMR_NEIGHBOUR + DMR_EDGE_K(across)] = slot;
    const bool bad = mu_is_bad(fan->at[k], fan->at[k + 1], p, fixed, S.limit[DMR_COSINE]);
    if (bad != fan->was_bad[k]) dmr_turn_bit(S, slot, bad);
}

/* Inserts the entry's point: one triangle for each edge of its polygon. */
DMR_CALLED void dmr_insert(struct mu_state S, const struct dmr_entry *entry, dmr_point p, struct dmr_ids ids)
{
    const struct dmr_cavity *cavity = &entry->cavity;
    const uint edges = cavity->edges;
    const uint2 closing = (uint2)(*dmr_cavity_edge(S, cavity, 0, 0), dmr_slot(S, cavity, 0, ids.triangle));
    const uint2 end = entry->open ? (uint2)(entry->last, DMR_NONE) : closing;
    uint before = entry->open ? DMR_NONE : dmr_slot(S, cavity, edges - 1, ids.triangle);
    for (uint j = 0; j < edges; j += APP_BATCH) {
        struct dmr_fan fan;
        dmr_load_fan(S, cavity, j, end, ids.triangle, &fan);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (j + k < edges) {
                dmr_make_triangle(S, entry, &fan, k, before, ids.point, p);
                before = fan.slot[k];
            }
    }
    for (uint slot = ids.triangle; slot < ids.triangle + edges - cavity->triangles; slot++)
        S.claimed[2 * slot] = S.claimed[2 * slot + 1] = DMR_NONE;
    ((__global dmr_point *)S.point)[ids.point] = p;
}

/* Takes the entry's claims back. Other entries do so for the same triangles at the same time, and write the same value.
 */
DMR_CALLED void dmr_take_back_claims(struct mu_state S, const struct dmr_entry *entry)
{
    uint batch[APP_BATCH];
    for (uint j = 0; j < entry->cavity.triangles; j += APP_BATCH) {
        dmr_load_inside(S, &entry->cavity, j, batch);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (batch[k] != DMR_NONE) mu_store_relaxed(S.claimed + 2 * batch[k], DMR_NONE);
    }
    for (uint j = 0; j < entry->cavity.edges; j += APP_BATCH) {
        dmr_load_rim(S, &entry->cavity, j, batch);
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (batch[k] != DMR_NONE) mu_store_relaxed(S.claimed + 2 * batch[k] + 1, DMR_NONE);
    }
}

/* What blocks of the list before block `before`, and all `blocks`, add. Holds barrier(). */
static ulong2 dmr_gains(struct mu_state S, struct mu_team T, uint before, uint blocks)
{
    ulong2 gains = (ulong2)(0, 0);
    for (uint block = (uint)get_local_id(0); block < blocks; block += MU_WORKGROUP) {
        const ulong gain = S.won[block];
        gains.y += gain;
        if (block < before) gains.x += gain;
    }
    return mu_sums(T, gains);
}

/* The figures of a round whose winners have been inserted, or what there is no room for: by one work-item. */
DMR_CALLED void dmr_end_round(struct mu_state S, ulong gain, uint extent, uint round, bool room)
{
    const uint now = 2 * (round % 2), next = 2 * ((round + 1) % 2);
    if (!room) {
        S.wanted[DMR_WANT_ROOM] = 1;
        S.wanted[DMR_WANT_TRIANGLES] = S.size[now + DMR_TRIANGLES] + DMR_GAIN_TRIANGLES(gain);
        return;
    }
    S.size[next + DMR_POINTS] = S.size[now + DMR_POINTS] + DMR_GAIN_POINTS(gain);
    S.size[next + DMR_TRIANGLES] = S.size[now + DMR_TRIANGLES] + DMR_GAIN_TRIANGLES(gain);
    S.dropped[0] += DMR_GAIN_WINNERS(gain) - DMR_GAIN_POINTS(gain);
    if (round <= DMR_HISTORY) S.conflicts[round - 1] = extent - DMR_GAIN_WINNERS(gain);
    S.progress[0] = round + 1;
}

/* After this step: the mesh has the winners' points, or is as it was if there is no room for all of them. */
STEP_DEF(apply, round)
{
    const uint blocks = (extent + MU_WORKGROUP - 1) / MU_WORKGROUP;
    FOR_EACH_BLOCK (base) {
        const uint i = base + (uint)get_local_id(0), now = 2 * (round % 2);
        const ulong2 gains = dmr_gains(S, T, base / MU_WORKGROUP, blocks);
        const uint triangles = S.size[now + DMR_TRIANGLES], points = S.size[now + DMR_POINTS];
        const bool room = S.wanted[DMR_WANT_POOL] == 0 && DMR_GAIN_TRIANGLES(gains.y) <= S.triangle_room - triangles &&
                          DMR_GAIN_POINTS(gains.y) <= S.point_room - points;
        if (i < extent) {
            const struct dmr_entry entry = dmr_load_entry(S, i);
            const ulong rank = S.rank[i], ahead = gains.x + rank;
            if (room && rank != DMR_LOST) {
                const struct dmr_ids ids = {points + DMR_GAIN_POINTS(ahead), triangles + DMR_GAIN_TRIANGLES(ahead)};
                if (entry.cavity.edges != 0)
                    dmr_insert(S, &entry, ((__global const dmr_point *)S.aim)[i], ids);
                else
                    dmr_turn_bit(S, S.list[i], false);
            }
            dmr_take_back_claims(S, &entry);
            if (i == 0) dmr_end_round(S, gains.y, extent, round, room);
        }
    }
}
