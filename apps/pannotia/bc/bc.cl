/* bc: betweenness centrality by Brandes' algorithm ("A faster algorithm for betweenness centrality", Journal of
 * Mathematical Sociology 2001; the suite's original: Pannotia, Che et al. 2013).
 *
 * From each source a breadth-first search counts shortest paths. Then, from the farthest level back, the dependency of
 * each vertex is computed: the share of the source's shortest paths that pass through it. Parallel arcs count as paths
 * of their own, and loops are on no path.
 *
 * A batch of sources is served at a time, so that a barrier is shared by all of them. Elements are (source, vertex)
 * pairs; `order` lists a batch's reached elements level by level, level l from `level_start`[l]. An element enters it
 * exactly once, by the compare-exchange that sets its distance. Everything else is pulled: an element's paths are the
 * sum over its incoming edges, its dependency the sum over its outgoing edges, both written by the one work-item (or
 * group) that has the element, from values that the last barrier made final. So sums need no atomics, have one order,
 * and give the same bits in every run with the same workgroup size.
 *
 * On the way back `paths` changes its meaning from s, the number of paths, to (1 + dependency) / s, which the level
 * before needs: dependency(v) = s(v) * sum of (1 + dependency(w)) / s(w) over the arcs v -> w to the next level.
 *
 * In an undirected graph the edges that lead to the next level are those that come from the level before: one look at a
 * neighbour's distance says whether it counts or is to be reached, so that a row is read once on the way forward.
 *
 * What the barriers order: the next level's entries, size and distances, and this level's paths, before the next level
 * reads them; one level's quotients before the level before it reads them. A distance read while somebody sets it is
 * unreached or of the next level, and neither is what the reader looks for: that intended race is between atomics. */

/* After this step: the dependencies of the batch before are added up, and of this batch nothing is reached but the
 * sources, which are level 0. `levels` is how many levels the batch before had: slot levels % 3 of `pushed` is the one
 * that a plan may still be reading, and it is 0. Batch 0 has none before it, batch S.batches is none itself. */
STEP_DEF2(turn, batch, levels)
{
    const uint first = batch * S.batch;
    const uint count = batch < S.batches ? min(S.sources - first, S.batch) : 0;
    if (T.first == 0) {
        S.taken[0] = S.taken[1] = 0;
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

#if MU_SHARES

/* ---- How a level is served where work-items share rows; bc.clh has the other way ---- */

/* Rows up to MU_SERIAL_DEGREE edges are a work-item's own; BC_LANES work-items share one up to APP_LONG_DEGREE, the
 * whole group a longer one. */
#define BC_LANES (MU_WORKGROUP < 8 ? MU_WORKGROUP : 8)

/* The rows of a group's elements that are not a work-item's own. Neighbours in a group read neighbours in a row. Who
 * serves a row, and so the order of its sum, depends on its length only. */
struct bc_rows {
    __local uint *shared_count, *long_count;
    __local uint *element; /* [MU_WORKGROUP]: the shared rows' from the front, the long ones' from the back */
};

static struct bc_rows bc_rows(__local uint *words)
{
    struct bc_rows rows;
    rows.shared_count = words;
    rows.long_count = words + 1;
    rows.element = words + 2;
    return rows;
}

/* Assigns a row to those who serve it. Returns its element if that is this work-item alone, else BC_NONE. A barrier
 * must follow. */
static uint bc_deal(struct bc_rows rows, uint element, offset degree)
{
    if (element == BC_NONE || degree <= MU_SERIAL_DEGREE) return element;
    if (degree <= APP_LONG_DEGREE)
        rows.element[atomic_inc((volatile __local uint *)rows.shared_count)] = element;
    else
        rows.element[MU_WORKGROUP - 1 - atomic_inc((volatile __local uint *)rows.long_count)] = element;
    return BC_NONE;
}

/* Rows are served in turns: in turn 0 their own by each work-item, then the shared ones, then the long ones. */
static uint bc_shared_turns(struct bc_rows rows)
{
    return (*rows.shared_count * BC_LANES + MU_WORKGROUP - 1) / MU_WORKGROUP;
}

static uint bc_turns(struct bc_rows rows)
{
    return 1 + bc_shared_turns(rows) + *rows.long_count;
}

/* What a work-item serves in a turn: every servers-th edge from the lane-th of an element's row. */
struct bc_service {
    uint element; /* BC_NONE for none */
    uint lane, servers;
};

static struct bc_service bc_serve(struct bc_rows rows, uint turn, uint own)
{
    const uint lid = (uint)get_local_id(0), shared_turns = bc_shared_turns(rows);
    struct bc_service service = {own, 0, 1};
    if (turn != 0) {
        const bool is_shared = turn <= shared_turns;
        const uint row = (turn - 1) * (MU_WORKGROUP / BC_LANES) + lid / BC_LANES;
        service.servers = is_shared ? BC_LANES : MU_WORKGROUP;
        service.lane = lid % service.servers;
        if (!is_shared)
            service.element = rows.element[MU_WORKGROUP - (turn - shared_turns)];
        else
            service.element = row < *rows.shared_count ? rows.element[row] : BC_NONE;
    }
    return service;
}

/* What a step of the sweeps knows beside the state. */
struct bc_step {
    struct mu_worklist list;
    struct bc_rows sum_rows, visit_rows;
    __local real *partial;     /* [MU_WORKGROUP], in the words of list.ends and list.bases */
    __local uint *block_ahead; /* the block that the group takes next */
    __global uint *next;       /* where the next level is listed */
    uint level;
    bool forward;
};

static void bc_open(struct mu_team T, struct bc_step *step)
{
    step->list = mu_worklist_open(T);
    step->sum_rows = bc_rows((__local uint *)(step->list.queued + MU_QUEUE_CAPACITY));
    step->visit_rows = bc_rows(step->sum_rows.element + MU_WORKGROUP);
    step->block_ahead = step->visit_rows.element + MU_WORKGROUP;
    step->partial = (__local real *)step->list.ends;
}

/* How a level is shared out: in blocks of elements, of which a group has one at a time, first that of its rank.
 *
 * Since the work-items of a group serve long rows together, blocks take different times. So a group that is done
 * with one takes the next that nobody has. `taken` counts those; it has two words that take turns, and each step of a
 * sweep clears the one that the step behind it needs. A block has an element for a quarter of a group's work-items at
 * most, so that a step's last blocks are short (doc/speed.md). A launch with a work-item for each element has a
 * block for each group. */
#ifndef MU_ONE_BLOCK
#define BC_TAKES_BLOCKS 1
#define BC_MOST_BLOCK   ((MU_WORKGROUP + 3) / 4)
#else
#define BC_TAKES_BLOCKS 0
#define BC_MOST_BLOCK   MU_WORKGROUP
#endif

static uint bc_block_length(struct mu_team T, uint extent)
{
    return min(mu_even_block(T, extent), (uint)BC_MOST_BLOCK);
}

/* The group begins with a block, whose first element is `base` of `extent`: empties the lists of rows, and returns the
 * first element of the block that it has next. Holds barrier(). */
static uint bc_begin_block(struct mu_team T, struct bc_step step, __global uint *taken, uint base, uint extent)
{
    const uint length = bc_block_length(T, extent);
    if (get_local_id(0) == 0) {
        *step.sum_rows.shared_count = *step.sum_rows.long_count = 0;
        *step.visit_rows.shared_count = *step.visit_rows.long_count = 0;
        if (BC_TAKES_BLOCKS) *step.block_ahead = T.size + (T.size * length < extent ? mu_add_relaxed(taken, 1u) : 0);
    }
    GROUP_BARRIER();
    return BC_TAKES_BLOCKS ? *step.block_ahead * length : base + T.size * length;
}

/* Reaches an element that was not reached when it was looked at, and lists it if nobody else has. */
static void bc_reach(struct mu_state S, struct bc_step step, uint element)
{
    if (atomic_cmpxchg((volatile __global uint *)(S.distance + element), BC_UNREACHED, step.level + 1) == BC_UNREACHED)
        mu_push(step.list, step.next, S.pushed + (step.level + 1) % 3, element);
}

/* A work-item looks at APP_BATCH edges together, so that their memory accesses overlap. */

/* The sum of `paths` over the neighbours on the wanted level: every stride-th edge from begin + first. */
static real bc_sum(struct mu_state S, struct bc_step step, struct bc_row row, uint first, uint stride)
{
    real sum = 0;
    const offset degree = row.end - row.begin;
    for (offset i = first; i < degree; i += APP_BATCH * stride) {
        uint element[APP_BATCH], distance[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            element[k] = row.origin + row.column[row.begin + min(i + k * stride, degree - 1)];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            distance[k] = i + k * stride < degree ? mu_load_relaxed(S.distance + element[k]) : BC_NO_LEVEL - 1;
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (distance[k] == row.wanted) sum += S.paths[element[k]];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (row.reaches && distance[k] == BC_UNREACHED) bc_reach(S, step, element[k]);
    }
    return sum;
}

/* Reaches the heads of an element's edges, where the rows of incoming edges are others. The load before the
 * compare-exchange only saves some that would fail. */
static void bc_visit(struct mu_state S, struct bc_step step, struct bc_service service)
{
    const uint v = service.element % S.vertices, origin = service.element - v;
    const offset begin = S.row_start[v], degree = S.row_start[v + 1] - begin;
    for (offset i = service.lane; i < degree; i += APP_BATCH * service.servers) {
        uint head[APP_BATCH];
        bool fresh[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            head[k] = origin + S.column[begin + min(i + k * service.servers, degree - 1)];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) fresh[k] = mu_load_relaxed(S.distance + head[k]) == BC_UNREACHED;
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++)
            if (fresh[k]) bc_reach(S, step, head[k]);
    }
}

/* Sums up and settles the rows that have been dealt out, and this work-item's `own`, if any. Holds barrier(). */
static void bc_settle_group(struct mu_state S, struct bc_step step, uint own)
{
    const uint lid = (uint)get_local_id(0);
    const uint turns = bc_turns(step.sum_rows);
    for (uint turn = 0; turn < turns; turn++) {
        const struct bc_service service = bc_serve(step.sum_rows, turn, own);
        if (service.element != BC_NONE) {
            struct bc_row row;
            bc_find_row(S, step.level, step.forward, service.element, &row);
            step.partial[lid] = bc_sum(S, step, row, service.lane, service.servers);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (service.element != BC_NONE && service.lane == 0) {
            real sum = step.partial[lid];
            for (uint other = 1; other < service.servers; other++) sum += step.partial[lid + other];
            bc_settle(S, step.level, step.forward, service.element, sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Reaches the next level from the rows that have been dealt out, and from this work-item's `own`, if any. */
static void bc_visit_group(struct mu_state S, struct bc_step step, uint own)
{
    const uint turns = bc_turns(step.visit_rows);
    for (uint turn = 0; turn < turns; turn++) {
        const struct bc_service service = bc_serve(step.visit_rows, turn, own);
        if (service.element != BC_NONE) bc_visit(S, step, service);
    }
}

/* The length of the row that is summed over. */
static offset bc_sum_degree(struct mu_state S, struct bc_step step, uint element)
{
    struct bc_row row;
    if (element == BC_NONE) return 0;
    bc_find_row(S, step.level, step.forward, element, &row);
    return row.end - row.begin;
}

static offset bc_out_degree(struct mu_state S, uint element)
{
    if (element == BC_NONE) return 0;
    const uint v = element % S.vertices;
    return S.row_start[v + 1] - S.row_start[v];
}

/* The elements of one level on the way forward, `extent` of them from `begin` in the order. */
static void bc_forward_level(struct mu_state S, struct mu_team T, struct bc_step step, uint begin, uint extent)
{
    const uint length = bc_block_length(T, extent);
    for (uint base = T.rank * length, next; base < extent; base = next) {
        const uint item = base + (uint)get_local_id(0);
        const uint element = item < min(base + length, extent) ? S.order[begin + item] : BC_NONE;
        next = bc_begin_block(T, step, S.taken + step.level % 2, base, extent);
        const uint sums = bc_deal(step.sum_rows, element, bc_sum_degree(S, step, element));
        const uint visitor = S.directed != 0 ? element : BC_NONE;
        const uint visits = bc_deal(step.visit_rows, visitor, bc_out_degree(S, visitor));
        barrier(CLK_LOCAL_MEM_FENCE);
        bc_settle_group(S, step, sums);
        bc_visit_group(S, step, visits);
        mu_flush(step.list, step.next, S.pushed + (step.level + 1) % 3);
    }
}

/* The same on the way back. */
static void bc_settle_level(struct mu_state S, struct mu_team T, struct bc_step step, uint begin, uint extent)
{
    const uint length = bc_block_length(T, extent);
    for (uint base = T.rank * length, next; base < extent; base = next) {
        const uint item = base + (uint)get_local_id(0);
        const uint element = item < min(base + length, extent) ? S.order[begin + item] : BC_NONE;
        next = bc_begin_block(T, step, S.taken + (step.level + 1) % 2, base, extent);
        const uint sums = bc_deal(step.sum_rows, element, bc_sum_degree(S, step, element));
        barrier(CLK_LOCAL_MEM_FENCE);
        bc_settle_group(S, step, sums);
    }
}

#endif

/* After this step: the paths of this level are counted, and the elements of level + 1 are listed behind it. The level
 * is `extent` elements from `begin` in the order. */
STEP_SHARING_DEF2(forward, level, begin)
{
    struct bc_step step;
    bc_open(T, &step);
    step.level = level;
    step.forward = true;
    step.next = S.order + begin + extent;
    if (T.first == 0) {
        S.pushed[(level + 2) % 3] = 0;
        S.taken[(level + 1) % 2] = 0;
        S.level_start[level + 1] = begin + extent;
    }
    bc_forward_level(S, T, step, begin, extent);
}

/* After this step: the dependencies of this level, which has at most `extent` elements, are known. */
STEP_SHARING_DEF(backward, level)
{
    struct bc_step step;
    bc_open(T, &step);
    step.level = level;
    step.forward = false;
    step.next = 0;
    const uint begin = S.level_start[level];
    if (T.first == 0) S.taken[level % 2] = 0;
    bc_settle_level(S, T, step, begin, min(S.level_start[level + 1] - begin, extent));
}
