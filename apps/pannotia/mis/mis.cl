/* mis: the lexicographically first maximal independent set in the order of degree class and priority, by rounds (Luby
 * 1986, with a fixed order: Blelloch, Fineman and Shun 2012; low degrees first, and those that join putting their
 * neighbours out: Burtscher, Devale, Azimi, Jaiganesh and Powers 2018; the suite's original: Pannotia, Che et al.
 * 2013).
 *
 * A vertex of a lower class, the number of binary digits of its degree, comes before one of a higher class, and within
 * a class the lower priority comes first. So vertices of high degree are put out by neighbours of low degree, before
 * anybody reads their long rows, and there are half as many rounds as with priorities alone.
 *
 * A neighbour of v is an obstacle if it is in, or if it is undecided and comes before v. A vertex without an obstacle
 * joins, and puts all its neighbours out at once. What has been decided never changes, and only what is final decides:
 * who reads a neighbour's status of an earlier round, or of this one, may decide a round later, but never otherwise.
 * That intended race is between relaxed atomic accesses. Two may store into the same word only to put it out both: a
 * vertex that joins has no neighbour that ever does.
 *
 * Of the undecided vertices the first in order is decided in every round, so rounds end. */

/* The class of a vertex, as its status while it is undecided. */
static uint mis_undecided(offset degree)
{
    return MIS_OUT + 32 - clz((uint)degree);
}

/* Arcs that are looked at together, so that their memory accesses overlap: the neighbours that they lead to, and what
 * their status was. A batch that is not full repeats an arc, which does no harm. */
struct mis_batch {
    uint neighbour[APP_BATCH], status[APP_BATCH];
};

/* Looks at the arcs e, e + stride, … of a row that ends at `end`. */
static void mis_look(struct mu_state S, struct mis_batch *batch, offset e, offset end, uint stride)
{
#pragma unroll
    for (uint a = 0; a < APP_BATCH; a++) batch->neighbour[a] = S.column[min(e + a * stride, end - 1)];
#pragma unroll
    for (uint a = 0; a < APP_BATCH; a++) batch->status[a] = mu_load_relaxed(S.status + batch->neighbour[a]);
}

/* What v may become when of its row the arcs e, e + stride, … are looked at: MIS_OUT when one leads to a vertex that is
 * in, its own status `own` when one leads to another obstacle, else MIS_IN. Of the last batch, which is left in
 * `batch`, all arcs are judged, since it costs nothing more to see a vertex that is in behind an obstacle. */
static uint mis_judge(struct mu_state S, struct mis_batch *batch, uint v, uint own, offset e, offset end, uint stride)
{
    const uint priority = mu_priority(v);
    uint verdict = MIS_IN;
    for (; e < end && verdict == MIS_IN; e += APP_BATCH * stride) {
        mis_look(S, batch, e, end, stride);
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++) {
            const uint status = batch->status[a];
            if (status == MIS_IN)
                verdict = MIS_OUT;
            else if (status != MIS_OUT && verdict == MIS_IN &&
                     (status < own || (status == own && mu_priority(batch->neighbour[a]) < priority)))
                verdict = own;
        }
    }
    return verdict;
}

/* Puts those neighbours out that are not yet. A store to the others would do no harm, but the many that lead to a
 * vertex of high degree wait for each other. */
static void mis_put_out_batch(struct mu_state S, struct mis_batch *batch)
{
#pragma unroll
    for (uint a = 0; a < APP_BATCH; a++)
        if (batch->status[a] != MIS_OUT) mu_store_relaxed(S.status + batch->neighbour[a], MIS_OUT);
}

/* Puts the neighbours out to which the arcs e, e + stride, … lead. */
static void mis_put_out(struct mu_state S, offset e, offset end, uint stride)
{
    for (; e < end; e += APP_BATCH * stride) {
        struct mis_batch batch;
        mis_look(S, &batch, e, end, stride);
        mis_put_out_batch(S, &batch);
    }
}

/* Whether a group lists the vertices that it leaves undecided, so that no work-item looks at decided ones again. That
 * saves nothing unless a group has more vertices than work-items. Where it has, the team has fewer workgroups than the
 * graph has vertices, so that every rank is the number of a vertex. */
#define MIS_LISTS(T, extent) (mu_own_count(T, extent) > MU_WORKGROUP)

/* Where the lists that round `round` reads begin in `open`, and their lengths in `open_count`, each at its group's
 * rank; the next round's halves are those that this one writes. */
#define MIS_HALF(S, round) ((round) % 2 ? (S).vertices : 0)

/* What a group knows in a round beside the state. Made anew behind every barrier: PoCL 3.1 loses such a thing. */
struct mis_step {
    uint round, extent;
    __local uint *kept;    /* vertices that stay undecided */
    __local uint *queued;  /* rows in the queue; may pass the capacity */
    __local uint *queue;   /* [MIS_QUEUE_CAPACITY]: their vertices */
    __local uint *blocked; /* [MIS_QUEUE_CAPACITY]: whether somebody has found an obstacle in the row */
};

static struct mis_step mis_step(struct mu_team T, uint extent, uint round)
{
    struct mis_step step;
    step.round = round;
    step.extent = extent;
    step.kept = (__local uint *)T.scratch;
    step.queued = step.kept + 1;
    step.queue = step.queued + 1;
    step.blocked = step.queue + MIS_QUEUE_CAPACITY;
    return step;
}

/* Keeps a vertex for the next round. */
static void mis_keep(struct mu_state S, struct mu_team T, struct mis_step step, uint v)
{
    if (!MIS_LISTS(T, step.extent)) return;
    const uint place = mu_own_element(T, step.extent, atomic_inc((volatile __local uint *)step.kept));
    S.open[MIS_HALF(S, step.round + 1) + place] = v;
}

/* One work-item tries to decide v. Of a row in which APP_OWN_DEGREE arcs have shown no obstacle the rest is put into
 * the group's queue while that has space. Returns whether v is to be tried again. A vertex that has a neighbour in need
 * not be: that neighbour puts it out in the step in which it joins. */
static bool mis_try(struct mu_state S, struct mis_step step, uint v)
{
    const uint own = mu_load_relaxed(S.status + v);
    if (own <= MIS_OUT) return false;
    const offset begin = S.row_start[v], end = S.row_start[v + 1];
    const offset own_end = end - begin > APP_OWN_DEGREE ? begin + APP_OWN_DEGREE : end;
    struct mis_batch batch;
    uint verdict = mis_judge(S, &batch, v, own, begin, own_end, 1);
    if (verdict == MIS_IN && own_end != end) {
        const uint slot = atomic_inc((volatile __local uint *)step.queued);
        if (slot < MIS_QUEUE_CAPACITY) {
            step.queue[slot] = v;
            step.blocked[slot] = 0;
            return false;
        }
        verdict = mis_judge(S, &batch, v, own, own_end, end, 1);
    }
    if (verdict == MIS_IN) {
        mu_store_relaxed(S.status + v, MIS_IN);
        if (end - begin <= APP_BATCH)
            mis_put_out_batch(S, &batch); /* the whole row, seen just now */
        else
            mis_put_out(S, begin, end, 1);
    }
    return verdict == own;
}

/* One work-item tries its share of the group's vertices: all of them in round 1, those left undecided in later rounds.
 * Returns whether any stays undecided. */
static bool mis_try_all(struct mu_state S, struct mu_team T, struct mis_step step)
{
    const bool listed = MIS_LISTS(T, step.extent) && step.round != 1;
    const uint own = mu_own_count(T, step.extent);
    const uint count = listed ? S.open_count[MIS_HALF(S, step.round) + T.rank] : own;
    bool left_over = false;
    FOR_EACH_OWN (i, count) {
        const uint place = mu_own_element(T, step.extent, i);
        const uint v = listed ? S.open[MIS_HALF(S, step.round) + place] : place;
        if (!mis_try(S, step, v)) continue;
        left_over = true;
        mis_keep(S, T, step, v);
    }
    return left_over;
}

/* The group goes through the queued rows, one after another, with its work-items sharing the arcs of each. */
static void mis_scan_queue(struct mu_state S, struct mis_step step)
{
    const uint queued = min(*step.queued, (uint)MIS_QUEUE_CAPACITY);
    for (uint slot = 0; slot < queued; slot++) {
        const uint v = step.queue[slot];
        const offset begin = S.row_start[v], end = S.row_start[v + 1];
        const offset e = begin + APP_OWN_DEGREE + get_local_id(0);
        struct mis_batch batch;
        const uint verdict = mis_judge(S, &batch, v, mis_undecided(end - begin), e, end, MU_WORKGROUP);
        if (verdict != MIS_IN) atomic_or((volatile __local uint *)(step.blocked + slot), 1u);
    }
}

/* The vertices of queued rows without an obstacle join. Of the others each has a work-item that keeps it; whether any
 * has is returned. */
static bool mis_settle_queue(struct mu_state S, struct mu_team T, struct mis_step step)
{
    const uint queued = min(*step.queued, (uint)MIS_QUEUE_CAPACITY);
    const uint lid = (uint)get_local_id(0);
    for (uint slot = 0; slot < queued; slot++)
        if (!step.blocked[slot])
            mis_put_out(S, S.row_start[step.queue[slot]] + lid, S.row_start[step.queue[slot] + 1], MU_WORKGROUP);
    if (lid >= queued) return false;
    if (step.blocked[lid])
        mis_keep(S, T, step, step.queue[lid]);
    else
        mu_store_relaxed(S.status + step.queue[lid], MIS_IN);
    return step.blocked[lid] != 0;
}

/* After this step: a vertex without neighbours is in, and every other is undecided. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        const offset degree = S.row_start[v + 1] - S.row_start[v];
        S.status[v] = degree == 0 ? MIS_IN : mis_undecided(degree);
    }
}

/* After this step: every vertex whose obstacles were decided before it is decided. */
STEP_DEF(decide, round)
{
    if (get_local_id(0) == 0) *mis_step(T, extent, round).kept = *mis_step(T, extent, round).queued = 0;
    GROUP_BARRIER();
    const bool tried = mis_try_all(S, T, mis_step(T, extent, round));
    GROUP_BARRIER();
    mis_scan_queue(S, mis_step(T, extent, round));
    GROUP_BARRIER();
    const bool settled = mis_settle_queue(S, T, mis_step(T, extent, round));
    STAMP(undecided, tried || settled, round);
    if (get_local_id(0) == 0 && MIS_LISTS(T, extent))
        S.open_count[MIS_HALF(S, round + 1) + T.rank] = *mis_step(T, extent, round).kept;
}
