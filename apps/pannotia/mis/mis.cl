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

/* What a group shares in a round. Made anew behind every barrier: PoCL 3.1 loses such a thing. */
struct mis_queue {
    __local uint *rows;    /* in the queue; may pass the capacity */
    __local uint *vertex;  /* [MIS_QUEUE_CAPACITY]: of each row */
    __local uint *blocked; /* [MIS_QUEUE_CAPACITY]: whether somebody has found an obstacle in it */
    __local uint *next;    /* the first vertex of the group's next block */
};

static struct mis_queue mis_queue(struct mu_team T)
{
    struct mis_queue queue;
    queue.rows = (__local uint *)T.scratch;
    queue.vertex = queue.rows + 1;
    queue.blocked = queue.vertex + MIS_QUEUE_CAPACITY;
    queue.next = queue.blocked + MIS_QUEUE_CAPACITY;
    return queue;
}

/* One work-item tries to decide v. Of a row in which APP_SERIAL_DEGREE arcs have shown no obstacle the rest is put into
 * the group's queue while that has space. Returns whether v is to be tried again. A vertex that has a neighbour in need
 * not be: that neighbour puts it out in the step in which it joins. */
static bool mis_try(struct mu_state S, struct mis_queue queue, uint v)
{
    const uint own = mu_load_relaxed(S.status + v);
    if (own <= MIS_OUT) return false;
    const offset begin = S.row_start[v], end = S.row_start[v + 1];
    const offset own_end = end - begin > APP_SERIAL_DEGREE ? begin + APP_SERIAL_DEGREE : end;
    struct mis_batch batch;
    uint verdict = mis_judge(S, &batch, v, own, begin, own_end, 1);
    if (verdict == MIS_IN && own_end != end) {
        const uint slot = atomic_inc((volatile __local uint *)queue.rows);
        if (slot < MIS_QUEUE_CAPACITY) {
            queue.vertex[slot] = v;
            queue.blocked[slot] = 0;
            return false;
        }
        verdict = mis_judge(S, &batch, v, own, own_end, end, 1);
    }
    if (verdict == MIS_IN) {
        mu_store_relaxed(S.status + v, MIS_IN);
        if (own_end == end && end - begin <= APP_BATCH)
            mis_put_out_batch(S, &batch); /* the whole row, seen just now */
        else
            mis_put_out(S, begin, end, 1);
    }
    return verdict == own;
}

#if !defined(MIS_DEALS) || defined(MU_ONE_BLOCK)
/* A work-item tries its own vertices, and again those that had to wait: meanwhile others decide theirs, and to see that
 * is quicker than to cross a barrier. Returns whether one is left. */
static bool mis_try_all(struct mu_state S, struct mu_team T, uint extent, struct mis_queue queue, uint round)
{
    (void)round;
    const uint own = mu_own_count(T, extent), turns = OWN_TURNS(own);
    bool left = false;
    for (uint first = 0; first < turns; first += MU_WINDOW) {
        uint open = mu_window(turns - first);
        for (uint sweep = 0; sweep < MU_WINDOW_SWEEPS(turns) && open != 0; sweep++)
            for (uint k = 0; k < MU_WINDOW && open >> k != 0; k++)
                if ((open >> k & 1) != 0 && !mis_try(S, queue, mu_own_element(T, extent, OWN_TURN(own, first + k))))
                    open &= ~(1u << k);
        left |= open != 0;
    }
    return left;
}
#else
/* As mis_try_all above, where a work-item has too many vertices to try them all again and again: a group takes block
 * after block, each the next one that nobody has. So neighbours have their turn at about the same time, and few wait.
 * Where rows are long, those of one block may be much more work than those of another. */
static bool mis_try_all(struct mu_state S, struct mu_team T, uint extent, struct mis_queue queue, uint round)
{
    const uint block = MIS_DEALT * MU_WORKGROUP;
    bool left = false;
    if (T.first == 0) S.taken[MIS_TAKEN(round + 1)] = 0;
    for (uint base = T.rank * block; base < extent; base = *queue.next) {
        const uint count = min(block, extent - base);
        uint after = extent, open = mu_window(OWN_TURNS(count));
        if (get_local_id(0) == 0 && T.size * block < extent)
            after = T.size * block + atomic_add((volatile __global uint *)(S.taken + MIS_TAKEN(round)), block);
        for (uint sweep = 0; sweep < MU_SWEEPS && open != 0; sweep++)
            for (uint k = 0; open >> k != 0; k++)
                if ((open >> k & 1) != 0 && !mis_try(S, queue, base + OWN_TURN(count, k))) open &= ~(1u << k);
        left |= open != 0;
        GROUP_BARRIER();
        if (get_local_id(0) == 0) *queue.next = after;
        GROUP_BARRIER();
    }
    return left;
}
#endif

/* The group goes through the queued rows, one after another, with its work-items sharing the arcs of each. */
static void mis_scan_queue(struct mu_state S, struct mis_queue queue)
{
    const uint rows = min(*queue.rows, (uint)MIS_QUEUE_CAPACITY);
    for (uint slot = 0; slot < rows; slot++) {
        const uint v = queue.vertex[slot];
        const offset begin = S.row_start[v], end = S.row_start[v + 1];
        const offset e = begin + APP_SERIAL_DEGREE + get_local_id(0);
        struct mis_batch batch;
        const uint verdict = mis_judge(S, &batch, v, mis_undecided(end - begin), e, end, MU_WORKGROUP);
        if (verdict != MIS_IN) atomic_or((volatile __local uint *)(queue.blocked + slot), 1u);
    }
}

/* The vertices of queued rows without an obstacle join. Returns whether another is this work-item's, one of each. */
static bool mis_settle_queue(struct mu_state S, struct mis_queue queue)
{
    const uint rows = min(*queue.rows, (uint)MIS_QUEUE_CAPACITY);
    const uint lid = (uint)get_local_id(0);
    for (uint slot = 0; slot < rows; slot++)
        if (!queue.blocked[slot])
            mis_put_out(S, S.row_start[queue.vertex[slot]] + lid, S.row_start[queue.vertex[slot] + 1], MU_WORKGROUP);
    if (lid >= rows) return false;
    if (!queue.blocked[lid]) mu_store_relaxed(S.status + queue.vertex[lid], MIS_IN);
    return queue.blocked[lid] != 0;
}

/* After this step: a vertex without neighbours is in, and every other is undecided. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        const offset degree = S.row_start[v + 1] - S.row_start[v];
        S.status[v] = degree == 0 ? MIS_IN : mis_undecided(degree);
    }
#if defined(MIS_DEALS) && !defined(MU_ONE_BLOCK)
    if (T.first == 0) S.taken[MIS_TAKEN(1)] = 0;
#endif
}

/* After this step: every vertex whose obstacles were decided before it is decided. */
STEP_DEF(decide, round)
{
    if (get_local_id(0) == 0) *mis_queue(T).rows = 0;
    GROUP_BARRIER();
    const bool waiting = mis_try_all(S, T, extent, mis_queue(T), round);
    GROUP_BARRIER();
    mis_scan_queue(S, mis_queue(T));
    GROUP_BARRIER();
    const bool blocked = mis_settle_queue(S, mis_queue(T));
    STAMP(undecided, waiting || blocked, round);
}
