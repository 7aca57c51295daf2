/* tour: a step for each loop that shares out elements, a worklist, and real numbers. It shows how they are written, and
 * computes nothing that anybody needs. */

/* After this step: the degree of each vertex is known, nothing is listed, and means and totals are 0. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.degree[v] = (uint)(S.row_start[v + 1] - S.row_start[v]);
        S.listed[v] = 0;
        S.mean[v] = 0;
    }
    if (T.first == 0)
        for (uint i = 0; i < TOUR_TOTALS; i++) S.total[i] = 0;
}

/* After this step: each workgroup has added up its blocks in local memory. */
STEP_DEF(blocks, unused)
{
    FOR_EACH_BLOCK (base) {
        const uint lid = (uint)get_local_id(0), v = base + lid;
        T.scratch[lid] = v < extent ? S.degree[v] : 0;
        GROUP_BARRIER();
        uint sum = 0;
        for (uint i = 0; i < MU_WORKGROUP; i++) sum += T.scratch[i];
        if (lid == 0) atomic_add((volatile __global uint *)(S.total + TOUR_BLOCKS), sum);
        GROUP_BARRIER();
    }
}

/* After this step: the same by blocks of even length. */
STEP_DEF(even, unused)
{
    FOR_EACH_EVEN (base, end) {
        const uint v = base + (uint)get_local_id(0);
        if (v < end) atomic_add((volatile __global uint *)(S.total + TOUR_EVEN), S.degree[v]);
    }
}

/* After this step: vertices of odd degree are in the list. The queue of a workgroup is moved to it with one atomic. */
STEP_DEF(collect, round)
{
    __global uint *count = COUNT_INTO(found, round);
    const struct mu_worklist list = mu_worklist_open(T);
    GROUP_BARRIER();
    FOR_EACH_DEAL (start) {
        const uint v = DEALT(start);
        if (v < extent && S.degree[v] % 2 != 0) mu_push(list, S.list, count, v);
        mu_flush(list, S.list, count);
        GROUP_BARRIER();
    }
}

/* After this step: what is in the list is marked. */
STEP_DEF(mark, unused)
{
    FOR_EACH (i) S.listed[S.list[i]] = 1;
}

/* After this step: each workgroup has added up the elements that are its own in every step over as many. */
STEP_DEF(own, unused)
{
    const uint count = mu_own_count(T, extent);
    FOR_EACH_OWN (i, count) {
        const uint v = mu_own_element(T, extent, i);
        atomic_add((volatile __global uint *)(S.total + TOUR_OWN), S.degree[v]);
    }
}

/* After this step: the same, turn by turn. */
STEP_DEF(turns, unused)
{
    const uint count = mu_own_count(T, extent);
    for (uint turn = 0; turn < OWN_TURNS(count); turn++) {
        const uint v = mu_own_element(T, extent, OWN_TURN(count, turn));
        atomic_add((volatile __global uint *)(S.total + TOUR_TURNS), S.degree[v]);
    }
}

/* Up to APP_BATCH arcs from e on, which an option of the build says: their loads do not wait for each other. */
static real tour_sum(struct mu_state S, offset e, offset end)
{
    real sum = 0;
    for (uint i = 0; i < APP_BATCH; i++)
        if (e + i < end) sum += S.weight[e + i];
    return sum;
}

/* After this step: a share of the mean weight of a vertex's arcs is known. */
STEP_DEF(average, unused)
{
    FOR_EACH (v) {
        real sum = 0;
        for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e += APP_BATCH)
            sum += tour_sum(S, e, S.row_start[v + 1]);
        S.mean[v] = S.degree[v] != 0 ? S.share * sum / S.degree[v] : 0;
    }
}
