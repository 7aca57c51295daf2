/* sssp: shortest paths from one source by Bellman and Ford's algorithm, as products of the incoming-arc matrix with a
 * vector over (min, +), until a product changes nothing (the suite's original: Pannotia, Che et al. 2013).
 *
 * Round r computes x_r(v) = min(x_r-1(v), min over arcs u -> v of x_r-1(u) + weight) from one of two vectors into the
 * other: x_r lies in `other` when r is odd, in `distance` when it is even, and the last two are equal. Each row has one
 * writer, and nobody writes what is read, so there are no races and one barrier a round: it orders x_r, the changed
 * flag and the marks before they are read.
 *
 * Rows whose inputs have not changed are skipped, block by block. A row that changes in round r marks the blocks that
 * its own block has arcs to, and its own block, as due in round r + 1. In a block that is not due x_r = x_r-1, because
 * its inputs were the same a round ago. Its own rows did not change either, so the vector that x_r goes to, which holds
 * x_r-2, has the right values already. In round 1 every block is due.
 *
 * A mark for the next round may be stored while somebody checks the block for the present one; therefore the check
 * compares with >=. A block that is computed without need gets the same values again. Marks are relaxed stores of the
 * same value. Where blocks have arcs to so many others that marking would cost as much as computing, there are no
 * links, and every block is due in every round. */

/* After this step: x_0 is 0 for the source and unreached elsewhere, in both vectors. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        const uint distance = v == S.source ? 0 : SSSP_UNREACHED;
        S.distance[v] = distance;
        S.other[v] = distance;
        if (v % APP_BLOCK == 0) S.due[v / APP_BLOCK] = 1;
    }
    if (T.first == 0) S.overflow[0] = 0;
}

/* The least sum of a row, and whether any sum was too large for 32 bits. Such a sum does not count as a path. */
struct sssp_sum {
    uint least;
    bool beyond;
};

/* A work-item looks at APP_BATCH arcs together, so that their memory accesses overlap. A batch that is not full repeats
 * its last arc, which does no harm. */

/* The least sum over every stride-th arc of a row, from its arc `first` on. */
static struct sssp_sum sssp_row(struct mu_state S, __global const uint *x, uint v, uint first, uint stride)
{
    struct sssp_sum sum = {SSSP_UNREACHED, false};
    const offset begin = S.in_start[v], degree = S.in_start[v + 1] - begin;
    for (offset i = first; i < degree; i += APP_BATCH * stride) {
        ulong arc[APP_BATCH];
        uint from[APP_BATCH];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) arc[k] = S.in_arc[begin + min(i + k * stride, degree - 1)];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) from[k] = x[(uint)arc[k]];
#pragma unroll
        for (uint k = 0; k < APP_BATCH; k++) {
            const uint length = from[k] + (uint)(arc[k] >> 32);
            const bool beyond = length < from[k] || length == SSSP_UNREACHED;
            sum.beyond |= beyond && from[k] != SSSP_UNREACHED;
            if (!beyond && from[k] != SSSP_UNREACHED) sum.least = min(sum.least, length);
        }
    }
    return sum;
}

/* Writes x_r(v); true when it is not x_r-1(v). A sum too large matters only to a row that is unreached otherwise: the
 * flag says so, and the host's check looks whether that lasted. All who raise it store the same value. */
static bool sssp_settle(struct mu_state S, uint v, struct sssp_sum sum, uint round)
{
    const uint old = round % 2 ? S.distance[v] : S.other[v];
    const uint new_value = min(old, sum.least);
    __global uint *next = round % 2 ? S.other : S.distance;
    next[v] = new_value;
    if (sum.beyond && new_value == SSSP_UNREACHED) mu_store_relaxed(S.overflow, 1);
    if (new_value == old) return false;
    const uint block = v / APP_BLOCK;
    if (S.links != 0)
        for (uint i = S.link_start[block], end = S.link_start[block + 1]; i < end; i++)
            mu_store_relaxed(S.due + S.link[i], round + 1);
    return true;
}

static bool sssp_is_due(struct mu_state S, uint v, uint round)
{
    return S.links == 0 || mu_load_relaxed(S.due + v / APP_BLOCK) >= round;
}

/* One hub's row, by the whole workgroup; true in the first work-item where it has changed. Holds barrier(). */
static bool sssp_hub(struct mu_state S, struct mu_team T, uint v, uint round)
{
    __local uint *least = (__local uint *)T.scratch, *beyond = least + 1;
    if (get_local_id(0) == 0) {
        *least = SSSP_UNREACHED;
        *beyond = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const struct sssp_sum part = sssp_row(S, round % 2 ? S.distance : S.other, v, (uint)get_local_id(0), MU_WORKGROUP);
    atomic_min((volatile __local uint *)least, part.least);
    if (part.beyond) atomic_or((volatile __local uint *)beyond, 1u);
    bool changed = false;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        const struct sssp_sum sum = {*least, *beyond != 0};
        changed = sssp_settle(S, v, sum, round);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return changed;
}

/* After this step: x_r is there, and whether it differs from x_r-1. */
STEP_DEF(multiply, round)
{
    bool changed = false;
    FOR_EACH (v) {
        if (!sssp_is_due(S, v, round) || S.in_start[v + 1] - S.in_start[v] > APP_LONG_DEGREE) continue;
        changed |= sssp_settle(S, v, sssp_row(S, round % 2 ? S.distance : S.other, v, 0, 1), round);
    }
    for (uint i = T.rank; i < S.hubs; i += T.size) changed |= sssp_hub(S, T, S.hub[i], round);
    STAMP(changed, changed, round);
}
