/* bc: betweenness centrality by Brandes' algorithm ("A faster algorithm for betweenness centrality", Journal of
 * Mathematical Sociology 2001; the suite's original: Pannotia, Che et al. 2013): from each source a breadth-first
 * search that counts shortest paths, then, from the farthest level back, each vertex's dependency: the share of the
 * source's shortest paths that pass through it. Parallel arcs are paths of their own; loops are on none.
 *
 * A batch of sources is served at a time, so that a barrier is shared by all of them. Elements are (source, vertex)
 * pairs; `order` lists a batch's reached elements level by level, level l from `level_start`[l]. An element enters it
 * exactly once, by the compare-exchange that sets its distance. Everything else is pulled: an element's paths are the
 * sum over its incoming edges, its dependency the sum over its outgoing edges, both written by the one work-item (or
 * group) that has the element, from values that the last barrier made final. So sums need no atomics, have one order,
 * and give the same bits in every run with the same workgroup size.
 *
 * On the way back `paths` turns from s, the number of paths, to (1 + dependency) / s, which is what the level before
 * needs: dependency(v) = s(v) * sum over v -> w one level on of (1 + dependency(w)) / s(w).
 *
 * What the barriers order: the next level's entries, size and distances, and this level's paths, before the next level
 * reads them; one level's quotients before the level before it reads them. A distance read while somebody sets it is
 * unreached or of the next level, and neither is what the reader looks for: that intended race is between atomics. */
#ifdef MU_HAS_DOUBLE
#define BC_MOST_PATHS BC_MOST_PATHS_DOUBLE
#else
#define BC_MOST_PATHS BC_MOST_PATHS_SINGLE
#endif

/* After this step: the dependencies of the batch before are added up, and of this batch nothing is reached but the
 * sources, which are level 0. `levels` is how many levels the batch before had: slot levels % 3 of `pushed` is the one
 * that a plan may still be reading, and it is 0. Batch 0 has none before it, batch S.batches is none itself. */
STEP_DEF2(turn, batch, levels)
{
    const uint first = batch * S.batch;
    const uint count = batch < S.batches ? min(S.sources - first, S.batch) : 0;
    if (T.first == 0) {
        S.first_source[0] = first;
        S.level_start[0] = 0;
        if (batch == 0) S.overflow[0] = BC_NONE;
        if (batch == 0 || levels % 3 != 1) S.pushed[1] = 0;
    }
    FOR_EACH (v) {
        real sum = batch == 0 ? 0 : S.centrality[v];
        for (uint b = 0; b < S.batch; b++) {
            const uint element = b * S.vertices + v;
            const uint distance = batch == 0 ? 0 : S.distance[element];
            if (distance != 0 && distance != BC_UNREACHED) sum += S.dependency[element];
            const bool is_source = b < count && S.source[first + b] == v;
            S.distance[element] = is_source ? 0 : BC_UNREACHED;
            if (is_source) S.order[b] = element;
        }
        S.centrality[v] = sum;
    }
}

/* What a step of the sweeps knows beside the state. */
struct bc_step {
    struct mu_worklist list;
    __local uint *origin;    /* [MU_WORKGROUP]: the first element of the source of each entry */
    __local uint *long_rows; /* [MU_WORKGROUP]: elements whose rows the whole group sums up */
    __local uint *long_count;
    __local real *partial; /* [MU_WORKGROUP], in the words of list.ends and list.bases */
    uint level;
    bool forward;
};

static void bc_open(struct mu_team T, struct bc_step *step)
{
    step->list = mu_worklist_open(T);
    step->origin = (__local uint *)(step->list.queued + MU_QUEUE_CAPACITY);
    step->long_rows = step->origin + MU_WORKGROUP;
    step->long_count = step->long_rows + MU_WORKGROUP;
    step->partial = (__local real *)step->list.ends;
    if (get_local_id(0) == 0) *step->long_count = 0;
}

/* The row that an element is summed over: forward the incoming edges, whose tails lie one level before; backward the
 * outgoing edges, whose heads lie one level on. */
struct bc_row {
    __global const uint *column;
    offset begin, end;
    uint origin; /* the first element of the source */
    uint wanted; /* the level of the neighbours that count */
};

static void bc_find_row(struct mu_state S, struct bc_step step, uint element, struct bc_row *row)
{
    const uint v = element % S.vertices;
    __global const offset *start = step.forward ? S.in_start : S.row_start;
    row->column = step.forward ? S.in_column : S.column;
    row->begin = start[v];
    row->end = step.forward && step.level == 0 ? row->begin : start[v + 1]; /* before a source there is nothing */
    row->origin = element - v;
    row->wanted = step.forward ? step.level - 1 : step.level + 1;
}

/* Edges looked at together, so that their memory accesses overlap. */
#define BC_BATCH 4

/* The sum of `paths` over the neighbours on the wanted level: every stride-th edge from begin + first. */
static real bc_sum(struct mu_state S, struct bc_row row, uint first, uint stride)
{
    real sum = 0;
    const offset degree = row.end - row.begin;
    for (offset i = first; i < degree; i += BC_BATCH * stride) {
        uint element[BC_BATCH];
        bool counts[BC_BATCH];
#pragma unroll
        for (uint k = 0; k < BC_BATCH; k++)
            element[k] = row.origin + row.column[row.begin + min(i + k * stride, degree - 1)];
#pragma unroll
        for (uint k = 0; k < BC_BATCH; k++)
            counts[k] = i + k * stride < degree && mu_load_relaxed(S.distance + element[k]) == row.wanted;
#pragma unroll
        for (uint k = 0; k < BC_BATCH; k++)
            if (counts[k]) sum += S.paths[element[k]];
    }
    return sum;
}

/* What becomes of an element's sum. */
static void bc_settle(struct mu_state S, struct bc_step step, uint element, real sum)
{
    if (!step.forward) {
        const real paths = S.paths[element];
        S.dependency[element] = paths * sum;
        S.paths[element] = (1 + paths * sum) / paths;
        return;
    }
    const real paths = step.level == 0 ? 1 : sum;
    S.paths[element] = paths;
    if (!(paths <= BC_MOST_PATHS))
        atomic_min((volatile __global uint *)S.overflow, S.source[S.first_source[0] + element / S.vertices]);
}

/* Rows longer than this are summed up by the whole group. */
#define BC_LONG 512

/* Sums up the rows of the group's elements, one for each work-item (BC_NONE for none): first the short rows, each by
 * its work-item, then one long row after another, by all of them and then the first. Holds barrier(). */
static void bc_settle_group(struct mu_state S, struct bc_step step, uint own)
{
    const uint lid = (uint)get_local_id(0);
    if (own != BC_NONE) {
        struct bc_row row;
        bc_find_row(S, step, own, &row);
        if (row.end - row.begin > BC_LONG) {
            step.long_rows[atomic_inc((volatile __local uint *)step.long_count)] = own;
            own = BC_NONE;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint rows = *step.long_count;
    for (uint i = 0; i <= rows; i++) {
        const bool together = i != 0;
        const uint element = together ? step.long_rows[i - 1] : own;
        if (element != BC_NONE) {
            struct bc_row row;
            bc_find_row(S, step, element, &row);
            step.partial[lid] = bc_sum(S, row, together ? lid : 0, together ? (uint)MU_WORKGROUP : 1u);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (element != BC_NONE && (lid == 0 || !together)) {
            for (uint other = 1; together && other < MU_WORKGROUP; other++) step.partial[0] += step.partial[other];
            bc_settle(S, step, element, step.partial[lid]);
        }
        if (lid == 0) *step.long_count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Reaches the heads of a batch of edges from elements of this level. The load only saves compare-exchanges that must
 * fail. */
static void bc_visit(struct mu_state S, struct bc_step step, __global uint *next, const uint *origin,
                     const offset *edges)
{
    uint element[BC_BATCH];
    bool fresh[BC_BATCH];
#pragma unroll
    for (uint k = 0; k < BC_BATCH; k++) element[k] = origin[k] + S.column[edges[k]];
#pragma unroll
    for (uint k = 0; k < BC_BATCH; k++) fresh[k] = mu_load_relaxed(S.distance + element[k]) == BC_UNREACHED;
#pragma unroll
    for (uint k = 0; k < BC_BATCH; k++)
        if (fresh[k] && atomic_cmpxchg((volatile __global uint *)(S.distance + element[k]), BC_UNREACHED,
                                       step.level + 1) == BC_UNREACHED)
            mu_push(step.list, next, S.pushed + (step.level + 1) % 3, element[k]);
}

/* Reaches the next level from the group's elements, whose edges the group shares. Holds barrier(). */
static void bc_visit_group(struct mu_state S, struct bc_step step, __global uint *next, uint element)
{
    offset begin = 0, degree = 0;
    if (element != BC_NONE) {
        const uint v = element % S.vertices;
        begin = S.row_start[v];
        degree = S.row_start[v + 1] - begin;
        step.origin[get_local_id(0)] = element - v;
    }
    const offset shared = mu_share(step.list, begin, degree);
    for (offset i = get_local_id(0); i < shared; i += BC_BATCH * MU_WORKGROUP) {
        uint origin[BC_BATCH];
        offset edges[BC_BATCH];
#pragma unroll
        for (uint k = 0; k < BC_BATCH; k++) {
            const offset at = min(i + k * MU_WORKGROUP, shared - 1);
            const uint entry = mu_shared_entry(step.list, at);
            edges[k] = step.list.bases[entry] + at;
            origin[k] = step.origin[entry];
        }
        bc_visit(S, step, next, origin, edges);
    }
    mu_flush(step.list, next, S.pushed + (step.level + 1) % 3);
}

/* After this step: the paths of this level are counted, and the elements of level + 1 are listed behind it. The level
 * is `extent` elements from `begin` in the order. */
STEP_DEF2(forward, level, begin)
{
    struct bc_step step;
    bc_open(T, &step);
    step.level = level;
    step.forward = true;
    if (T.first == 0) {
        S.pushed[(level + 2) % 3] = 0;
        S.level_start[level + 1] = begin + extent;
    }
    GROUP_BARRIER();
    FOR_EACH_BLOCK (base) {
        const uint item = base + (uint)get_local_id(0);
        const uint element = item < extent ? S.order[begin + item] : BC_NONE;
        bc_settle_group(S, step, element);
        bc_visit_group(S, step, S.order + begin + extent, element);
    }
}

/* The elements of one level, `extent` of them from `begin` in the order. */
static void bc_settle_level(struct mu_state S, struct mu_team T, struct bc_step step, uint begin, uint extent)
{
    FOR_EACH_BLOCK (base) {
        const uint item = base + (uint)get_local_id(0);
        bc_settle_group(S, step, item < extent ? S.order[begin + item] : BC_NONE);
    }
}

/* After this step: the dependencies of this level, which has at most `extent` elements, are known. */
STEP_DEF(backward, level)
{
    struct bc_step step;
    bc_open(T, &step);
    step.level = level;
    step.forward = false;
    const uint begin = S.level_start[level];
    GROUP_BARRIER();
    bc_settle_level(S, T, step, begin, min(S.level_start[level + 1] - begin, extent));
}
