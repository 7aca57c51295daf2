/* color: a proper colouring by rounds of independent sets in priority order (Luby 1986; Jones and Plassmann 1993; the
 * suite's original: Pannotia, Che et al. 2013).
 *
 * Round c gives colour c to every uncoloured vertex whose priority is above that of all its uncoloured neighbours. So a
 * vertex's colour is one more than the largest among its neighbours of higher priority, the answer is unique, and its
 * number of colours is the number of vertices on the longest path of ascending priority.
 *
 * A neighbour is an obstacle to v in round c if its priority is higher and it had no colour when the round began: its
 * colour is none or, if a work-item was faster, already c. Either value of that intended race (between relaxed atomic
 * accesses) means the same, so one barrier a round is enough and each round's outcome does not depend on timing. What
 * the barrier orders: colours below c, before round c reads them.
 *
 * What is not an obstacle never becomes one again, so each vertex remembers how far along its row it has come: over all
 * rounds an arc is passed once. `cursor` is written and read for one vertex by one workgroup only within a step. */

/* The rows that a group passes together, in local memory: their vertices, and how many arcs from the cursor on hold no
 * obstacle, as far as is known. */
struct color_queue {
    __local uint *count; /* may pass the capacity */
    __local uint *vertex;
    __local uint *obstacle;
};

static struct color_queue color_queue(struct mu_team T)
{
    struct color_queue queue;
    queue.count = (__local uint *)T.scratch;
    queue.vertex = queue.count + 1;
    queue.obstacle = queue.vertex + COLOR_QUEUE_CAPACITY;
    return queue;
}

/* True while `neighbour` must be coloured before a vertex of priority `own`. In round 1 no colour is read: there are
 * none. */
static bool color_is_obstacle(struct mu_state S, uint neighbour, uint own, uint round)
{
    if (mu_priority(neighbour) < own) return false;
    if (round == 1) return true;
    const uint colour = mu_load_relaxed(S.colour + neighbour);
    return colour == COLOR_NONE || colour >= round;
}

/* The first arc from e on that leads to an obstacle of v, or `end`. Looks at COLOR_ARCS arcs together, so that their
 * memory accesses overlap; clamped indices repeat an arc. In round 1 no colour is read: there are none. */
static offset color_advance(struct mu_state S, uint v, offset e, offset end, uint round)
{
    const uint own = mu_priority(v);
    for (; e < end; e += COLOR_ARCS) {
        uint neighbour[COLOR_ARCS], colour[COLOR_ARCS];
#pragma unroll
        for (uint a = 0; a < COLOR_ARCS; a++) neighbour[a] = S.column[min(e + a, end - 1)];
#pragma unroll
        for (uint a = 0; a < COLOR_ARCS; a++)
            colour[a] = round == 1 ? COLOR_NONE : mu_load_relaxed(S.colour + neighbour[a]);
#pragma unroll
        for (uint a = 0; a < COLOR_ARCS; a++)
            if (e + a < end && mu_priority(neighbour[a]) > own && (colour[a] == COLOR_NONE || colour[a] >= round))
                return e + a;
    }
    return end;
}

/* Colours v if its row has been passed, else remembers the obstacle. Returns whether v is left over. */
static bool color_settle(struct mu_state S, uint v, offset reached, uint round)
{
    const bool left_over = reached < S.row_start[v + 1];
    if (left_over) S.cursor[v] = reached;
    if (!left_over || round == 1) mu_store_relaxed(S.colour + v, left_over ? COLOR_NONE : round);
    return left_over;
}

/* One work-item's attempt at v: returns whether v is left over. A row with many arcs to pass goes into the group's
 * queue while that has room, and counts as not left over. */
static bool color_try(struct mu_state S, struct color_queue queue, uint v, uint round)
{
    const offset begin = round == 1 ? S.row_start[v] : S.cursor[v];
    const offset end = S.row_start[v + 1];
    const offset own_end = end - begin > COLOR_OWN_ARCS ? begin + COLOR_OWN_ARCS : end;
    offset reached = color_advance(S, v, begin, own_end, round);
    if (reached == own_end && own_end != end) {
        const uint slot = atomic_inc((volatile __local uint *)queue.count);
        if (slot < COLOR_QUEUE_CAPACITY) {
            queue.vertex[slot] = v;
            queue.obstacle[slot] = (uint)(end - reached);
            S.cursor[v] = reached;
            return false;
        }
        reached = color_advance(S, v, reached, end, round);
    }
    return color_settle(S, v, reached, round);
}

/* The group's attempt at the queued rows, the arcs of each dealt out in turn. The nearest obstacle so far stops those
 * who are beyond it. */
static void color_scan_queue(struct mu_state S, struct color_queue queue, uint queued, uint round)
{
    for (uint slot = 0; slot < queued; slot++) {
        volatile __local uint *obstacle = queue.obstacle + slot;
        const uint v = queue.vertex[slot], own = mu_priority(v);
        const offset begin = S.cursor[v];
        for (uint i = (uint)get_local_id(0); i < atomic_min(obstacle, 0xffffffffu); i += MU_WORKGROUP)
            if (color_is_obstacle(S, S.column[begin + i], own, round)) atomic_min(obstacle, i);
    }
}

/* After this step: colour `round` is given out, and every cursor of an uncoloured vertex is at an arc that led to an
 * obstacle in this round. Round 1 finds nothing initialised, and leaves the flag clear. The group's barriers are for
 * the queue and the cursors of what is in it. */
STEP_DEF(assign, round)
{
    const struct color_queue queue = color_queue(T);
    const uint lid = (uint)get_local_id(0);
    bool left_over = false;
    if (lid == 0) *queue.count = 0;
    if (T.first == 0 && round == 1) S.uncoloured[0] = 0;
    GROUP_BARRIER();
    FOR_EACH (v) {
        const bool open = round == 1 || mu_load_relaxed(S.colour + v) == COLOR_NONE;
        if (open && color_try(S, queue, v, round)) left_over = true;
    }
    GROUP_BARRIER();
    color_scan_queue(S, queue, min(*queue.count, (uint)COLOR_QUEUE_CAPACITY), round);
    GROUP_BARRIER();
    if (lid < *queue.count) {
        const uint v = queue.vertex[lid];
        if (color_settle(S, v, S.cursor[v] + queue.obstacle[lid], round)) left_over = true;
    }
    STAMP_ANY(uncoloured, left_over && round != 1, round);
}
