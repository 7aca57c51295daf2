/* mis: the lexicographically first maximal independent set in priority order, by rounds (Luby 1986, with fixed
 * priorities: Blelloch, Fineman and Shun 2012; the suite's original: Pannotia, Che et al. 2013).
 *
 * A vertex joins once every neighbour of lower priority is out, and is out once a neighbour is in. Both are final, and
 * what decides a vertex is final too, so a step may see a neighbour's status of this round or of an earlier one: an old
 * value can only delay a decision by a round, never change it. That intended race is between relaxed atomic accesses.
 *
 * The vertex of lowest priority among the undecided is decided in every round, so rounds end; with random priorities
 * there are O(log n) of them. */

/* The status that an undecided v gets from its neighbours; MIS_UNDECIDED when one of lower priority is undecided
 * itself. APP_BATCH arcs are looked at together, so that their memory accesses overlap. A batch that is not full
 * repeats an arc, which does no harm. In round 1 no status is read, since nobody is decided. */
static uint mis_judge(struct mu_state S, uint v, uint round)
{
    const uint own = mu_priority(v);
    const offset end = S.row_start[v + 1];
    uint verdict = MIS_IN;
    for (offset e = S.row_start[v]; e < end; e += APP_BATCH) {
        uint neighbour[APP_BATCH], status[APP_BATCH];
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++) neighbour[a] = S.column[min(e + a, end - 1)];
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++)
            status[a] = round == 1 ? MIS_UNDECIDED : mu_load_relaxed(S.status + neighbour[a]);
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++) {
            if (status[a] == MIS_IN) return MIS_OUT;
            if (status[a] == MIS_UNDECIDED && mu_priority(neighbour[a]) < own) verdict = MIS_UNDECIDED;
        }
        if (round == 1 && verdict == MIS_UNDECIDED) break; /* nobody can be out yet */
    }
    return verdict;
}

/* Whether a group lists the vertices that it leaves undecided, so that no work-item looks at decided ones again. That
 * saves nothing unless a group has more vertices than work-items. Where it has, the team has fewer workgroups than the
 * graph has vertices, so that every rank is the number of a vertex. */
#define MIS_LISTS(T, extent) (mu_own_count(T, extent) > MU_WORKGROUP)

/* Where the lists that round `round` reads begin in `open`, and their lengths in `open_count`, each at its group's
 * rank; the next round's halves are those that this one writes. */
#define MIS_HALF(S, round) ((round) % 2 ? (S).vertices : 0)

/* One work-item tries to decide its share of the group's vertices: all of them in round 1, those left undecided in
 * later rounds. Returns whether any stays undecided. */
static bool mis_decide_own(struct mu_state S, struct mu_team T, uint extent, uint round, __local uint *kept)
{
    const bool lists = MIS_LISTS(T, extent);
    const uint count = lists && round != 1 ? S.open_count[MIS_HALF(S, round) + T.rank] : mu_own_count(T, extent);
    __global const uint *from = S.open + MIS_HALF(S, round);
    __global uint *to = S.open + MIS_HALF(S, round + 1);
    bool left_over = false;
    FOR_EACH_OWN (i, count) {
        const uint place = mu_own_element(T, extent, i);
        const uint v = lists && round != 1 ? from[place] : place;
        if (!lists && round != 1 && mu_load_relaxed(S.status + v) != MIS_UNDECIDED) continue;
        const uint verdict = mis_judge(S, v, round);
        if (verdict != MIS_UNDECIDED || round == 1) mu_store_relaxed(S.status + v, verdict);
        if (verdict != MIS_UNDECIDED) continue;
        left_over = true;
        if (lists) to[mu_own_element(T, extent, atomic_inc((volatile __local uint *)kept))] = v;
    }
    return left_over;
}

/* After this step: every vertex whose lower neighbours were decided before it is decided. Round 1 finds nothing
 * initialised, and leaves the flag clear. */
STEP_DEF(decide, round)
{
    if (T.first == 0 && round == 1) S.undecided[0] = 0;
    if (get_local_id(0) == 0) *(__local uint *)T.scratch = 0;
    GROUP_BARRIER();
    const bool left_over = mis_decide_own(S, T, extent, round, (__local uint *)T.scratch);
    STAMP_ANY(undecided, left_over && round != 1, round);
    if (get_local_id(0) == 0 && MIS_LISTS(T, extent))
        S.open_count[MIS_HALF(S, round + 1) + T.rank] = *(__local uint *)T.scratch;
}
