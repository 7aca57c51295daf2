/* sssp: shortest paths from one source by worklists and atomic minima (Lonestar's form of Bellman-Ford), with the
 * near-far strategy of Davidson, Baxter, Garland and Owens, "Work-efficient parallel GPU methods for single-source
 * shortest paths", IPDPS 2014. With delta 2^32 - 1 every distance is near: the plain worklist.
 *
 * Phase p has a threshold. A vertex whose distance falls is put into the near list of the next round when the distance
 * is below the threshold, into the far list of the phase otherwise. When a near list is empty, all distances below the
 * threshold are final; a split then raises the threshold by delta and moves what has come below it from the far list to
 * the near list. Where that is nothing, the next split starts from the lowest distance left, so that each two splits
 * bring at least one vertex.
 *
 * Where a group shares edges and the mean degree is large, a round may expand a part of its near list alone: vertices
 * from the bound on go into the next one. While many distances fall, most of which will fall again, the bound lies near
 * the lowest distance of the list; while few fall, it moves away until it is the threshold. So few edges are followed
 * twice, wherever the distances of most vertices lie, and rounds with little to do are not cut into more. ADDS changes
 * its width of phases for the same reason (Wang, Fussell and Lin, "A fast work-efficient SSSP algorithm for GPUs",
 * PPoPP 2021).
 *
 * A list never overflows: a vertex enters the near list of round r once, by exchanging its near stamp for r, and the
 * far list of phase p once, by exchanging its far stamp for p. The stamps of odd and even rounds lie apart, so that
 * those of the present round stand still while those of the next are written.
 *
 * The vertices of the near list are dealt out to the workgroups, and a group shares the edges of its own; but a hub, a
 * vertex of more than APP_CHUNK edges, would keep its group busy for long. So each round also looks at all chunks of
 * all hubs, a fixed table: a chunk is relaxed when its hub bears this round's near stamp.
 *
 * Lists of round r lie in half r % 2, far lists of phase p in half p % 2. What the barrier orders: the lists, their
 * sizes, thresholds and stamps of this round before they are read in the next. Distances are only accessed atomically
 * between init and the end; whoever reads one that is just falling uses an old value, and the vertex will be expanded
 * again in the next round, since whoever lowers it puts it into a list. */
/* After this step: the source is the near list of round 1, and the far list of phase 1 is empty. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.distance[v] = v == S.source ? 0 : SSSP_UNREACHED;
        S.expanded[v] = SSSP_UNREACHED;
        SSSP_NEAR_STAMP(0)[v] = 0;
        SSSP_NEAR_STAMP(1)[v] = v == S.source ? 1 : 0;
        S.far_stamp[v] = 0;
    }
    for (uint chunk = T.first; chunk < S.chunks; chunk += T.stride) S.chunk_expanded[chunk] = SSSP_UNREACHED;
    if (T.first != 0) return;
    SSSP_NEAR_LIST(1)[0] = S.source;
    for (uint slot = 0; slot < 3; slot++) {
        S.sizes[SSSP_NEAR_SIZE(slot)] = slot == 1;
        S.sizes[SSSP_FAR_SIZE(slot)] = 0;
        S.lowest[slot] = slot == 2 ? SSSP_UNREACHED : 0;
        S.nearest[slot] = slot == 1 ? 0 : SSSP_UNREACHED;
        S.fallen[slot] = 0;
    }
    S.width[0] = S.narrow;
    S.threshold[1] = S.delta;
    S.overflow[0] = 0;
}

/* A work-item relaxes SSSP_BATCH edges at once: their memory accesses overlap, where one edge after another would wait
 * for each. A batch that is not full repeats its last edge, which does no harm. A work-item that serves alone is on a
 * CPU, which looks ahead by itself: a batch of one edge is quicker there by a tenth, since nothing is repeated. */
#if MU_SHARES
#define SSSP_BATCH APP_BATCH
#else
#define SSSP_BATCH 1
#endif

/* Relaxes a batch of edges, whose tails have the distances given. The minimum's old value is not waited for: a vertex
 * that somebody else has lowered further since `seen` was read is in the list anyway.
 *
 * A sum that 32 bits do not hold is no path. It matters only to a head that no path has reached so far: the flag says
 * so, and the host's check looks whether that lasted. All who raise it store the same value.
 *
 * Returns how many distances fell. */
static uint sssp_relax(struct mu_state S, struct sssp_step step, const uint *from, const offset *edges)
{
    uint head[SSSP_BATCH], sum[SSSP_BATCH], seen[SSSP_BATCH];
    bool beyond = false;
    uint fallen = 0;
#pragma unroll
    for (uint k = 0; k < SSSP_BATCH; k++) {
        const ulong arc = S.arc[edges[k]];
        head[k] = (uint)arc;
        sum[k] = from[k] + (uint)(arc >> 32);
    }
#pragma unroll
    for (uint k = 0; k < SSSP_BATCH; k++) seen[k] = mu_load_relaxed(S.distance + head[k]);
#pragma unroll
    for (uint k = 0; k < SSSP_BATCH; k++)
        if (sum[k] < from[k] || sum[k] == SSSP_UNREACHED) {
            beyond |= seen[k] == SSSP_UNREACHED;
            sum[k] = SSSP_UNREACHED;
        }
#pragma unroll
    for (uint k = 0; k < SSSP_BATCH; k++)
#if MU_SHARES
        if (sum[k] < seen[k]) atomic_min((volatile __global uint *)(S.distance + head[k]), sum[k]);
#else
        if (sum[k] < seen[k]) seen[k] = atomic_min((volatile __global uint *)(S.distance + head[k]), sum[k]);
#endif
#pragma unroll
    for (uint k = 0; k < SSSP_BATCH; k++)
        if (sum[k] < seen[k]) {
            sssp_push(S, step, head[k], sum[k]);
            fallen++;
        }
    if (beyond) mu_store_relaxed(S.overflow, 1);
    return fallen;
}

/* Relaxes the edges of this work-item's own entry, which are few. Returns how many distances fell. */
static uint sssp_relax_own(struct mu_state S, struct sssp_step step, offset begin, uint degree, uint distance)
{
    uint fallen = 0;
    for (uint i = 0; i < degree; i += SSSP_BATCH) {
        offset edges[SSSP_BATCH];
        uint from[SSSP_BATCH];
#pragma unroll
        for (uint k = 0; k < SSSP_BATCH; k++) {
            edges[k] = begin + min(i + k, degree - 1);
            from[k] = distance;
        }
        fallen += sssp_relax(S, step, from, edges);
    }
    return fallen;
}

/* What there is to relax for one entry. */
struct sssp_work {
    offset begin;
    uint degree, distance;
};

/* A chunk of a hub's edges: there is something to do when the hub is in this round's near list, unless the chunk was
 * relaxed with the same distance already, in the round in which that was found, or that is for a later round. */
static void sssp_chunk(struct mu_state S, struct sssp_step step, uint chunk, struct sssp_work *work)
{
    const uint v = S.chunk_tail[chunk];
    work->begin = S.chunk_begin[chunk];
    work->distance = mu_load_relaxed(S.distance + v);
    const bool needed = SSSP_NEAR_STAMP(step.round)[v] == step.round && work->distance < step.bound &&
                        S.chunk_expanded[chunk] != work->distance;
    if (needed) S.chunk_expanded[chunk] = work->distance;
    work->degree = needed ? (uint)min(S.row_start[v + 1] - work->begin, (offset)APP_CHUNK) : 0;
}

#if MU_SHARES
/* ---- A group that shares edges ---- */

/* Relaxes this work-item's part of the edges that the group shares. Returns how many distances fell. */
static uint sssp_relax_shared(struct mu_state S, struct sssp_step step, offset shared)
{
    uint fallen = 0;
    for (offset i = get_local_id(0); i < shared; i += SSSP_BATCH * MU_WORKGROUP) {
        offset edges[SSSP_BATCH];
        uint from[SSSP_BATCH];
#pragma unroll
        for (uint k = 0; k < SSSP_BATCH; k++) {
            const offset at = min(i + k * MU_WORKGROUP, shared - 1);
            const uint entry = mu_shared_entry(step.near, at);
            edges[k] = step.near.bases[entry] + at;
            from[k] = step.tail_distance[entry];
        }
        fallen += sssp_relax(S, step, from, edges);
    }
    return fallen;
}

/* A vertex of the near list. A hub has chunks instead. A vertex that was lowered in the last round before it was
 * expanded there is in the list for nothing. Returns whether it is for a later round. */
static bool sssp_vertex(struct mu_state S, struct sssp_step step, uint v, struct sssp_work *work)
{
    const uint last = S.expanded[v];
    work->begin = S.row_start[v];
    work->distance = mu_load_relaxed(S.distance + v);
    const offset degree = S.row_start[v + 1] - work->begin;
    const bool later = work->distance >= step.bound;
    const bool needed = !later && degree <= APP_CHUNK && last != work->distance;
    work->degree = needed ? (uint)degree : 0;
    if (needed) S.expanded[v] = work->distance;
    return later;
}

/* Relaxes all edges of the near list and of hubs: `extent` vertices and chunks. */
static void sssp_expand(struct mu_state S, struct mu_team T, struct sssp_step step, uint extent)
{
    const uint entries = extent - S.chunks;
    FOR_EACH_DEAL (start) {
        const uint item = DEALT(start);
        const uint v = item < entries ? SSSP_NEAR_LIST(step.round)[item] : 0;
        struct sssp_work work = {0, 0, 0};
        bool later = false;
        uint fallen = 0;
        if (item < entries)
            later = sssp_vertex(S, step, v, &work);
        else if (item < extent)
            sssp_chunk(S, step, item - entries, &work);
        /* No branch for the others: PoCL 5.0 does not compile one beside the barriers of mu_share. */
        const bool any = mu_group_shares(T, work.degree);
        if (later) sssp_push(S, step, v, work.distance);
        if (MU_SHARES && any) {
            step.tail_distance[get_local_id(0)] = work.distance;
            fallen = sssp_relax_shared(S, step, mu_share(step.near, work.begin, work.degree));
        }
        fallen += sssp_relax_own(S, step, work.begin, any ? 0 : work.degree, work.distance);
        if (sssp_is_paced(S) && fallen != 0) atomic_add((volatile __local uint *)step.fallen, fallen);
        sssp_flush(S, step, step.phase);
    }
}

/* Sets the bound of this round. */
static void sssp_bound(struct mu_state S, struct mu_team T, struct sssp_step *step)
{
    step->bound = step->threshold;
    if (!sssp_is_paced(S)) return;
    const uint round = step->round, nearest = S.nearest[round % 3], fell = S.fallen[(round + 2) % 3];
    uint width = S.width[(round + 1) % 2];
    if (fell > S.busy)
        width = S.narrow;
    else if (fell < S.busy / 8)
        width = width > S.delta / 2 ? S.delta : 2 * width;
    if (step->threshold - nearest > width) step->bound = nearest + width;
    if (T.first != 0) return;
    S.width[round % 2] = width;
    S.nearest[(round + 2) % 3] = SSSP_UNREACHED;
    S.fallen[(round + 1) % 3] = 0;
}

/* Where a vertex of the far list goes: nowhere, when its distance came below the old threshold, as it was expanded
 * then; else to the near list, or on to the next far list. */
static void sssp_sort(struct mu_state S, struct sssp_step step, uint v, uint old_threshold)
{
    const uint distance = mu_load_relaxed(S.distance + v);
    const uint next = step.round + 1;
    if (distance < old_threshold) return;
    if (distance < step.threshold) {
        SSSP_NEAR_STAMP(next)[v] = next;
        sssp_near(S, step, distance);
        mu_push(step.near, SSSP_NEAR_LIST(next), S.sizes + SSSP_NEAR_SIZE(next), v);
    } else {
        S.far_stamp[v] = step.phase + 1;
        mu_push(step.far, SSSP_FAR_LIST(step.phase + 1), S.sizes + SSSP_FAR_SIZE(step.phase + 1), v);
        atomic_min((volatile __local uint *)step.lowest, distance);
    }
}

/* Sorts the far list of the phase, which has `extent` vertices. */
static void sssp_sort_all(struct mu_state S, struct mu_team T, struct sssp_step step, uint extent, uint old_threshold)
{
    FOR_EACH_DEAL (start) {
        const uint item = DEALT(start);
        GROUP_BARRIER(); /* the queues are open, and what the round before has flushed is copied and forgotten */
        if (item < extent) sssp_sort(S, step, SSSP_FAR_LIST(step.phase)[item], old_threshold);
        sssp_flush(S, step, step.phase + 1);
    }
    if (get_local_id(0) == 0 && *step.lowest != SSSP_UNREACHED)
        atomic_min((volatile __global uint *)(S.lowest + (step.phase + 1) % 3), *step.lowest);
}

#else
/* ---- A group whose first work-item serves alone ---- */

/* What there is to relax of a vertex that has come below the threshold. Groups may find the same vertex in one round,
 * and one of them may store an old distance as the one expanded. Then the vertex is expanded once more where it is
 * found again; but no distance is stored here that nobody expands. A hub, whose chunks are dealt out in the next round,
 * is put into its list, if this is not that round. */
static struct sssp_work sssp_take(struct mu_state S, struct sssp_step step, uint v, bool hop)
{
    struct sssp_work work;
    work.begin = S.row_start[v];
    work.distance = mu_load_relaxed(S.distance + v);
    const offset degree = S.row_start[v + 1] - work.begin;
    const bool needed = degree <= APP_CHUNK && mu_load_relaxed(S.expanded + v) != work.distance;
    work.degree = needed ? (uint)degree : 0;
    if (needed) mu_store_relaxed(S.expanded + v, work.distance);
    const uint next = step.round + 1;
    if (hop && degree > APP_CHUNK && atomic_xchg((volatile __global uint *)(SSSP_NEAR_STAMP(next) + v), next) != next)
        SSSP_NEAR_LIST(next)[atomic_inc((volatile __global uint *)(S.sizes + SSSP_NEAR_SIZE(next)))] = v;
    return work;
}

/* Relaxes the edges of some vertices, at most SSSP_AHEAD. The first edge of each is read before any is relaxed: these
 * reads, most of which miss the caches, overlap, while between two vertices lie branches that are hard to predict. So
 * do those of sssp_take, hence the list of vertices. The sum of what was read is stored, or a compiler would leave the
 * reads out. */
static void sssp_relax_some(struct mu_state S, struct sssp_step step, const struct sssp_work *work, uint count)
{
    uint sum = 0;
    for (uint k = 0; k < count; k++)
        if (work[k].degree != 0) sum += (uint)S.arc[work[k].begin];
    step.own->warm = sum;
    for (uint k = 0; k < count; k++) sssp_relax_own(S, step, work[k].begin, work[k].degree, work[k].distance);
}

/* Serves what has come into the ring, hop by hop, and hands on what is left. */
static void sssp_hop(struct mu_state S, struct sssp_step step)
{
    __local struct sssp_alone *own = step.own;
    struct sssp_work work[SSSP_AHEAD];
    while (own->begin != own->end && own->full == 0) {
        const uint count = min(own->end - own->begin, (uint)SSSP_AHEAD);
        for (uint k = 0; k < count; k++) work[k] = sssp_take(S, step, own->near[own->begin++ % SSSP_RING], true);
        sssp_relax_some(S, step, work, count);
    }
    sssp_spill_near(S, step);
    sssp_spill_far(S, step);
}

/* A group's part of `count` entries begins at this one. Lists are cut into parts of neighbours, which one group has
 * found: what two groups find at a time they lower twice. */
static uint sssp_part(struct mu_team T, uint count, uint ahead)
{
    return (uint)((ulong)count * (T.rank + ahead) / T.size);
}

SSSP_CALLED void sssp_expand_alone(struct mu_state S, struct mu_team T, struct sssp_step step, uint extent)
{
    struct sssp_work work[SSSP_AHEAD];
    const uint entries = extent - S.chunks, end = sssp_part(T, entries, 1);
    sssp_begin(step);
    for (uint i = sssp_part(T, entries, 0); i < end; i += SSSP_AHEAD) {
        const uint count = min(end - i, (uint)SSSP_AHEAD);
        for (uint k = 0; k < count; k++) work[k] = sssp_take(S, step, SSSP_NEAR_LIST(step.round)[i + k], false);
        sssp_relax_some(S, step, work, count);
    }
    for (uint chunk = T.rank; chunk < S.chunks; chunk += T.size) {
        sssp_chunk(S, step, chunk, work);
        sssp_relax_own(S, step, work->begin, work->degree, work->distance);
    }
    sssp_hop(S, step);
}

/* What has come below the threshold is served at once. */
SSSP_CALLED void sssp_sort_alone(struct mu_state S, struct mu_team T, struct sssp_step step, uint extent,
                                 uint old_threshold)
{
    const uint end = sssp_part(T, extent, 1);
    __global const uint *far = SSSP_FAR_LIST(step.phase);
    step.phase++;
    sssp_begin(step);
    for (uint i = sssp_part(T, extent, 0); i < end; i++) {
        const uint distance = mu_load_relaxed(S.distance + far[i]);
        if (distance >= old_threshold) sssp_push(S, step, far[i], distance);
    }
    sssp_hop(S, step);
    if (step.own->lowest != SSSP_UNREACHED)
        atomic_min((volatile __global uint *)(S.lowest + step.phase % 3), step.own->lowest);
}

static void sssp_expand(struct mu_state S, struct mu_team T, struct sssp_step step, uint extent)
{
    if (get_local_id(0) == 0 && extent != 0) sssp_expand_alone(S, T, step, extent);
}

static void sssp_sort_all(struct mu_state S, struct mu_team T, struct sssp_step step, uint extent, uint old_threshold)
{
    if (get_local_id(0) == 0 && extent != 0) sssp_sort_alone(S, T, step, extent, old_threshold);
}

/* All that is near is expanded. */
static void sssp_bound(struct mu_state S, struct mu_team T, struct sssp_step *step)
{
    (void)S;
    (void)T;
    step->bound = step->threshold;
}

#endif

/* ---- Steps ---- */

/* After this step: all edges of the round's near list are relaxed, and each vertex that came nearer is in a list. */
STEP_DEF2(relax, round, phase)
{
    struct sssp_step step;
    sssp_open(T, &step);
    step.round = round;
    step.phase = phase;
    step.threshold = S.threshold[phase % 2];
    sssp_bound(S, T, &step);
    if (T.first == 0) {
        S.sizes[SSSP_NEAR_SIZE(round + 2)] = 0;
        S.lowest[phase % 3] = 0; /* the far list may get nearer vertices than the last split left: no bound */
    }
    sssp_expand(S, T, step, extent);
}

/* After this step: the threshold of the next phase is set, what the far list held below it is the near list of the next
 * round, and the rest is the far list of the next phase. */
STEP_DEF2(split, round, phase)
{
    const uint old_threshold = S.threshold[phase % 2];
    const uint from = max(old_threshold, S.lowest[phase % 3]);
    const ulong sum = (ulong)from + S.delta;
    const uint threshold = sum >> 32 == 0 ? (uint)sum : SSSP_UNREACHED;
    struct sssp_step step;
    sssp_open(T, &step);
    step.round = round;
    step.phase = phase;
    step.threshold = threshold;
    if (T.first == 0) {
        S.sizes[SSSP_NEAR_SIZE(round + 2)] = 0;
        S.sizes[SSSP_FAR_SIZE(phase + 2)] = 0;
        S.lowest[(phase + 2) % 3] = SSSP_UNREACHED;
        S.threshold[(phase + 1) % 2] = threshold;
        S.nearest[(round + 2) % 3] = SSSP_UNREACHED;
        S.fallen[(round + 1) % 3] = 0;
        S.width[round % 2] = S.width[(round + 1) % 2];
    }
    sssp_sort_all(S, T, step, extent, old_threshold);
}
