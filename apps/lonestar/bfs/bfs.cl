/* bfs: level-synchronous breadth-first search with two worklists (Lonestar's worklist form; the sharing of a group's
 * edges is Merrill, Garland and Grimshaw's, PPoPP 2012), by direction (Beamer, Asanović and Patterson, SC 2012).
 *
 * The frontier of level l, the vertices at distance l, is a list of ranges of edges in half l % 2 of `worklist`, or
 * none but those distances while levels are pulled. Its ranges are found[l % 3]; its work, where it has been weighed or
 * pulled, is found[BFS_WORK + l % 3]. A vertex enters the next frontier exactly once: pushed, by the compare-exchange
 * that sets its distance; pulled, by the work-item that looks for its parent, or again by a compare-exchange where
 * several do. The barrier orders entries and counts before they are read. Distances are only accessed atomically
 * between init and the end. */

/* After this step: the frontier is the source, and nothing else is reached. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.distance[v] = v == S.source ? 0 : BFS_UNREACHED;
    if (T.first != 0) return;
    uint entries = 0;
    for (offset e = S.row_start[S.source], end = S.row_start[S.source + 1]; e < end; e += BFS_RANGE) {
        const ulong count = min((ulong)(end - e), (ulong)BFS_RANGE);
        S.worklist[entries++] = ((ulong)e << BFS_RANGE_SHIFT) | count;
    }
    for (uint word = 0; word < BFS_FOUND_WORDS; word++) S.found[word] = 0;
    S.found[0] = entries;
}

/* Nobody has found anything of level + 2 yet. */
static void bfs_clear(struct mu_state S, struct mu_team T, uint level)
{
    if (T.first == 0) S.found[(level + 2) % 3] = S.found[BFS_WORK + (level + 2) % 3] = 0;
}

/* The same for what subteams spill, in steps that are none of theirs: at least one is between two of theirs. */
static void bfs_clear_spilled(struct mu_state S, struct mu_team T)
{
    if (T.first == 0) S.found[BFS_SPILLED] = S.found[BFS_SPILLED + 1] = S.found[BFS_SPILLED + 2] = 0;
}

/* ---- Pushing ---- */

/* A work-item visits APP_BATCH edges at once, so that their memory accesses overlap. A batch that is not full repeats
 * its last edge, which costs less than a branch for each access.
 *
 * A frontier of at most APP_SPARSE ranges (`sparse`) is bound by latency. There the compare-exchange is made at once: a
 * load before it, which would show that the vertex is reached already, costs more than it saves. Where work-items run
 * one after another it never does: a compare-exchange makes all loads behind it wait. */
#ifdef MU_SERIAL
#define BFS_AT_ONCE(ranges) 0
#else
#define BFS_AT_ONCE(ranges) ((ranges) <= APP_SPARSE)
#endif

/* Puts the ranges of edges from `begin` to before `end` into reserved places of a list of level `level`, from the i-th
 * place on. Returns how many. */
static uint bfs_put(struct mu_state S, struct mu_worklist list, struct mu_places places, uint i, uint level,
                    offset begin, offset end)
{
    uint ranges = 0;
    for (offset e = begin; e < end; e += BFS_RANGE) {
        const ulong count = min((ulong)(end - e), (ulong)BFS_RANGE);
        mu_place(list, bfs_half(S, level), places, i + ranges++, ((ulong)e << BFS_RANGE_SHIFT) | count);
    }
    return ranges;
}

/* Pushes the ranges of edges that the vertices of a batch have, which are at distance `level`: begin[k] to before
 * end[k]. */
static void bfs_push(struct mu_state S, struct mu_worklist list, uint level, const offset *begin, const offset *end)
{
    uint ranges = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) ranges += (uint)BFS_RANGES(end[k] - begin[k]);
    if (ranges == 0) return;
    const struct mu_places places = mu_reserve(list, S.found + level % 3, ranges);
    uint i = 0;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) i += bfs_put(S, list, places, i, level, begin[k], end[k]);
}

/* Visits a batch of edges: gives their heads the distance level + 1, and pushes those that had none yet. */
static void bfs_visit(struct mu_state S, struct mu_worklist list, const offset *edges, uint level, const bool sparse)
{
    uint head[APP_BATCH];
    offset begin[APP_BATCH], end[APP_BATCH];
    bool fresh[APP_BATCH];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) head[k] = S.column[edges[k]];
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) fresh[k] = sparse || mu_load_relaxed(S.distance + head[k]) == BFS_UNREACHED;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++) {
        begin[k] = end[k] = 0;
        if (!fresh[k]) continue;
        begin[k] = S.row_start[head[k]];
        end[k] = S.row_start[head[k] + 1];
    }
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        if (fresh[k])
            fresh[k] = atomic_cmpxchg((volatile __global uint *)(S.distance + head[k]), BFS_UNREACHED, level + 1) ==
                       BFS_UNREACHED;
#pragma unroll
    for (uint k = 0; k < APP_BATCH; k++)
        if (!fresh[k]) end[k] = begin[k];
    bfs_push(S, list, level + 1, begin, end);
}

/* Visits the edges of this work-item's own range, which is short. `sparse` is a constant at each call, so that each
 * form is compiled without the other one's branches. */
static void bfs_visit_own(struct mu_state S, struct mu_worklist list, offset begin, uint degree, uint level,
                          const bool sparse)
{
    for (uint i = 0; i < degree; i += APP_BATCH) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = begin + min(i + k, degree - 1);
        bfs_visit(S, list, edges, level, sparse);
    }
}

/* Visits this work-item's part of the edges that the group shares. */
static void bfs_visit_shared(struct mu_state S, struct mu_worklist list, offset shared, uint level, const bool sparse)
{
    for (offset i = get_local_id(0); i < shared; i += APP_BATCH * MU_WORKGROUP) {
        offset edges[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) edges[k] = mu_shared_edge(list, min(i + k * MU_WORKGROUP, shared - 1));
        bfs_visit(S, list, edges, level, sparse);
    }
}

/* After this step: the vertices of distance level + 1 are the next frontier. The present one is so many `ranges`; how
 * many elements there are only says how many workgroups are launched. */
STEP_DEF2(expand, level, ranges)
{
    const uint wanted = extent != 0 ? ranges : 0, count = BFS_FEW(S, wanted) ? 0 : wanted;
    bfs_clear(S, T, level);
    if (count != 0) bfs_clear_spilled(S, T);
    MU_SUBTEAM_IF(wanted != count) bfs_subteam_expand(S, T, level, wanted - count);
#if MU_SHARES
    struct mu_worklist list = mu_worklist_open(T);
    for (uint start = 0; start < count; start += T.stride) {
        const uint item = DEALT(start);
        const ulong entry = item < count ? bfs_half(S, level)[item] : 0;
        const offset begin = (offset)(entry >> BFS_RANGE_SHIFT);
        const uint degree = (uint)(entry & BFS_RANGE_MASK);
        const bool any = mu_group_shares(T, degree);
        if (MU_SHARES && any)
            bfs_visit_shared(S, list, mu_share(list, begin, degree), level, false);
        else if (BFS_AT_ONCE(count))
            bfs_visit_own(S, list, begin, degree, level, true);
        else
            bfs_visit_own(S, list, begin, degree, level, false);
        mu_flush(list, bfs_half(S, level + 1), S.found + (level + 1) % 3);
    }
#else
    if (get_local_id(0) == 0 && count != 0) bfs_expand_alone(S, T, level, count);
#endif
}

/* ---- Counting ---- */

/* What a step keeps in local memory. */
struct bfs_group {
    struct mu_worklist list;
    __local uint *ranges, *work; /* of the vertices that the group has found */
    __local uint *vertex;        /* [MU_WORKGROUP]: whose edges are being shared */
};

/* The group has found nothing. Holds no barrier: one must follow. */
static struct bfs_group bfs_open(struct mu_team T)
{
    struct bfs_group group;
    group.list = mu_worklist_open(T);
    group.ranges = (__local uint *)(group.list.queued + MU_QUEUE_CAPACITY);
    group.work = group.ranges + 1;
    group.vertex = group.ranges + 2;
    if (get_local_id(0) == 0) *group.ranges = *group.work = 0;
    return group;
}

/* Adds what this work-item has found to what the group has. */
static void bfs_count(struct bfs_group group, uint ranges, uint work)
{
    if (ranges != 0) atomic_add((volatile __local uint *)group.ranges, ranges);
    if (work != 0) atomic_add((volatile __local uint *)group.work, work);
}

/* Adds what the group has found to what the level has. A barrier must be before it, and another one before the next
 * count. */
static void bfs_tell(struct mu_state S, struct bfs_group group, uint level)
{
    if (get_local_id(0) != 0) return;
    if (*group.ranges != 0) atomic_add((volatile __global uint *)S.found + level % 3, *group.ranges);
    if (*group.work != 0) atomic_add((volatile __global uint *)S.found + BFS_WORK + level % 3, *group.work);
    *group.ranges = *group.work = 0;
}

/* After this step: the work of the frontier, which is a list, is known. */
STEP_DEF(weigh, level)
{
    struct bfs_group group = bfs_open(T);
    uint work = 0;
    GROUP_BARRIER();
    FOR_EACH (i) work += (uint)BFS_WORK_OF(bfs_half(S, level)[i] & BFS_RANGE_MASK);
    bfs_count(group, 0, work);
    barrier(CLK_LOCAL_MEM_FENCE);
    bfs_tell(S, group, level);
#if !MU_SHARES
    if (BFS_MAY_PULL(S, extent)) bfs_mark(S, T, level);
#endif
}

/* ---- Pulling ---- */

/* Whether one of the edges from `begin` to before `end` comes from the frontier. A work-item looks at APP_BATCH edges
 * at once, as above, and at no more behind a hit. */
static bool bfs_has_parent(struct mu_state S, __global const uint *column, offset begin, offset end, uint level)
{
    bool found = false;
    for (offset e = begin; e < end && !found; e += APP_BATCH) {
        uint tail[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) tail[k] = column[min(e + k, end - 1)];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) found |= mu_load_relaxed(S.distance + tail[k]) == level;
    }
    return found;
}

/* Lists so many last incoming edges of a vertex as ranges: an entry is the vertex, times 2^32, plus how many ranges are
 * before it. */
static void bfs_leave(struct mu_state S, struct bfs_group group, uint level, uint vertex, offset edges)
{
    const uint ranges = (uint)BFS_RANGES(edges);
    const struct mu_places places = mu_reserve(group.list, S.found + BFS_LEFT + level % 2, ranges);
    for (uint i = 0; i < ranges; i++) mu_place(group.list, S.worklist, places, i, ((ulong)vertex << 32) | i);
}

#if !MU_SHARES
/* What a pull has found: bits of a word, and what its vertices have. */
struct bfs_pulled {
    uint bits, ranges, work;
};

/* Looks for a parent of each of the vertices from `first` on whose bits are set in `open`. An isolated vertex is no
 * one's neighbour: its bit is set, and it is not looked at again. */
static void bfs_pull_word(struct mu_state S, struct bfs_group group, uint level, uint first, uint open,
                          struct bfs_pulled *pulled)
{
    const struct bfs_rows rows = bfs_incoming(S);
    __global const uint *reached = bfs_reached(S, level);
    for (; open != 0; open &= open - 1) {
        const uint bit = open & -open, v = first + 31 - clz(bit);
        const offset begin = rows.start[v], end = rows.start[v + 1];
        const offset own = end - begin <= APP_PULL_DEGREE ? end : begin + APP_PULL_DEGREE;
        if (bfs_has_reached(reached, rows.column, begin, own)) {
            const offset degree = S.row_start[v + 1] - S.row_start[v];
            mu_store_relaxed(S.distance + v, level + 1);
            pulled->bits |= bit;
            pulled->ranges += (uint)BFS_RANGES(degree);
            pulled->work += (uint)BFS_WORK_OF(degree);
        } else if (begin == end && S.directed == 0) {
            pulled->bits |= bit;
        } else if (own != end) {
            bfs_leave(S, group, level, v, end - own);
        }
    }
}
#endif

/* After this step: every vertex that has a neighbour in the frontier among its first APP_PULL_DEGREE incoming edges is
 * at distance level + 1. What others have beyond those is listed, for nobody shall wait for a work-item with a row of
 * a million edges. */
STEP_DEF(pull, level)
{
    struct bfs_group group = bfs_open(T);
    const struct bfs_rows rows = bfs_incoming(S);
    uint ranges = 0, work = 0;
    bfs_clear(S, T, level);
    bfs_clear_spilled(S, T);
    if (T.first == 0) S.found[BFS_LEFT + (level + 1) % 2] = S.found[BFS_LISTED] = 0;
    GROUP_BARRIER();
#if MU_SHARES
    FOR_EACH (v) {
        if (mu_load_relaxed(S.distance + v) != BFS_UNREACHED) continue;
        const offset begin = rows.start[v], end = rows.start[v + 1];
        const offset own = end - begin <= APP_PULL_DEGREE ? end : begin + APP_PULL_DEGREE;
        if (bfs_has_parent(S, rows.column, begin, own, level)) {
            const offset degree = S.row_start[v + 1] - S.row_start[v];
            mu_store_relaxed(S.distance + v, level + 1);
            ranges += (uint)BFS_RANGES(degree);
            work += (uint)BFS_WORK_OF(degree);
        } else if (own != end) {
            bfs_leave(S, group, level, v, end - own);
        }
    }
#else
    FOR_EACH (w) {
        const uint before = bfs_reached(S, level)[w], rest = S.vertices - 32 * w;
        struct bfs_pulled pulled = {before, ranges, work};
        bfs_pull_word(S, group, level, 32 * w, ~before & (rest < 32 ? (1u << rest) - 1 : ~0u), &pulled);
        bfs_reached(S, level + 1)[w] = pulled.bits;
        ranges = pulled.ranges;
        work = pulled.work;
    }
#endif
    bfs_count(group, ranges, work);
    mu_flush(group.list, S.worklist, S.found + BFS_LEFT + level % 2);
    bfs_tell(S, group, level + 1);
}

/* Gives a vertex whose neighbour is in the frontier its distance, unless somebody else has. */
static void bfs_pull_vertex(struct mu_state S, struct bfs_group group, uint v, uint level)
{
    if (atomic_cmpxchg((volatile __global uint *)(S.distance + v), BFS_UNREACHED, level + 1) != BFS_UNREACHED) return;
    const offset degree = S.row_start[v + 1] - S.row_start[v];
    bfs_count(group, (uint)BFS_RANGES(degree), (uint)BFS_WORK_OF(degree));
}

/* A work-item's part of the edges that a group shares of what a pull has left. */
static void bfs_pull_shared(struct mu_state S, struct bfs_group group, offset shared, uint level)
{
    for (offset i = get_local_id(0); i < shared; i += MU_WORKGROUP) {
        const uint entry = mu_shared_entry(group.list, i), v = group.vertex[entry];
        const uint tail = bfs_incoming(S).column[group.list.bases[entry] + i];
        if (mu_load_relaxed(S.distance + tail) == level) bfs_pull_vertex(S, group, v, level);
    }
}

/* After this step: all vertices that have a neighbour in the frontier are at distance level + 1. */
STEP_DEF(pull_left, level)
{
    struct bfs_group group = bfs_open(T);
    const uint count = extent != 0 ? S.found[BFS_LEFT + level % 2] : 0;
    for (uint start = 0; start < count; start += T.stride) {
        const uint item = DEALT(start);
        offset begin = 0, edges = 0;
        uint v = 0;
        if (item < count) {
            const ulong entry = S.worklist[item];
            v = (uint)(entry >> 32);
            const offset end = bfs_incoming(S).start[v + 1];
            begin = bfs_incoming(S).start[v] + APP_PULL_DEGREE + (offset)(uint)entry * BFS_RANGE;
            edges = min(end - begin, (offset)BFS_RANGE);
        }
#if MU_SHARES
        group.vertex[get_local_id(0)] = v;
        bfs_pull_shared(S, group, mu_share(group.list, begin, edges), level);
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        barrier(CLK_LOCAL_MEM_FENCE); /* the group is open */
        const bool open = edges != 0 && mu_load_relaxed(S.distance + v) == BFS_UNREACHED;
        if (open && bfs_has_reached(bfs_reached(S, level), bfs_incoming(S).column, begin, begin + edges)) {
            bfs_pull_vertex(S, group, v, level);
            mu_or_relaxed(bfs_reached(S, level + 1) + v / 32, 1u << v % 32);
        }
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    bfs_tell(S, group, level + 1);
}

/* After this step: the frontier of this level, which has been pulled, is a list. */
STEP_DEF(gather, level)
{
    struct bfs_group group = bfs_open(T);
    if (T.first == 0) S.found[BFS_LEFT] = S.found[BFS_LEFT + 1] = 0;
    GROUP_BARRIER();
#if MU_SHARES
    FOR_EACH (v) {
        if (mu_load_relaxed(S.distance + v) != level) continue;
        const offset begin = S.row_start[v], end = S.row_start[v + 1];
        const uint ranges = (uint)BFS_RANGES(end - begin);
        bfs_put(S, group.list, mu_reserve(group.list, S.found + BFS_LISTED, ranges), 0, level, begin, end);
    }
#else
    FOR_EACH (w)
        for (uint open = bfs_reached(S, level)[w] & ~bfs_reached(S, level + 1)[w]; open != 0; open &= open - 1) {
            const uint v = 32 * w + 31 - clz(open & -open);
            const offset begin = S.row_start[v], end = S.row_start[v + 1];
            const uint ranges = (uint)BFS_RANGES(end - begin);
            bfs_put(S, group.list, mu_reserve(group.list, S.found + BFS_LISTED, ranges), 0, level, begin, end);
        }
#endif
    mu_flush(group.list, bfs_half(S, level), S.found + BFS_LISTED);
}
