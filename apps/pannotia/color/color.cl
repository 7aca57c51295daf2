/* color: a proper colouring by rounds of independent sets in priority order (Luby 1986; Jones and Plassmann 1993; the
 * suite's original: Pannotia, Che et al. 2013).
 *
 * Round c gives colour c to every uncoloured vertex whose priority is above that of all its uncoloured neighbours. So a
 * vertex's colour is one more than the largest among its neighbours of higher priority, the answer is unique, and its
 * number of colours is the number of vertices on the longest path of ascending priority.
 *
 * A neighbour is an obstacle to v in round c if its priority is higher and it had no colour when the round began: now
 * it has none or, if a work-item was faster, c itself. Either value of that intended race (between relaxed atomic
 * accesses) means the same, so one barrier a round is enough and each round's outcome does not depend on timing. What
 * the barrier orders: colours below c, before round c reads them.
 *
 * A neighbour that is no obstacle never becomes one again. So a vertex that stays uncoloured waits for one obstacle,
 * which its entry names, and remembers how many arcs of its row lie behind it (`passed`): each arc is passed once over
 * all rounds. A group has the entries of its own vertices only, so that what it remembers needs no barrier of the team.
 */

/* What a group remembers of a vertex from round to round: the vertex, and above it the obstacle that it waits for. */
#define COLOR_ENTRY(v, obstacle) ((ulong)(obstacle) << 32 | (v))

/* The place of the group's entry i: that of its i-th vertex, so that entries need no space beyond that of vertices. */
#define COLOR_PLACE(T, S, i) mu_own_element(T, (S).vertices, i)

/* How many entries the group has, kept at the place of its first vertex. Only groups that have a vertex may ask: in a
 * small graph a rank may be beyond the number of vertices. */
#define COLOR_OPEN_COUNT(T, S) ((S).open_count[COLOR_PLACE(T, S, 0)])

/* What a group knows in a round beside the state. Made anew behind every barrier: PoCL 3.1 loses such a thing. */
struct color_step {
    uint round;
    __global const ulong *from;  /* the group's entries, by COLOR_PLACE */
    __global ulong *to;          /* those for the next round */
    __local uint *kept;          /* how many they are */
    __local uint *queued;        /* rows in the queue; may pass the capacity */
    __local uint *queue;         /* [COLOR_QUEUE_CAPACITY]: their vertices */
    __local uint *queue_passed;  /* arcs of the row that are passed */
    __local uint *queue_nearest; /* arcs from there on that hold no obstacle, as far as is known */
};

static struct color_step color_step(struct mu_state S, struct mu_team T, uint round)
{
    struct color_step step;
    step.round = round;
    step.from = S.open + (round % 2 ? S.vertices : 0);
    step.to = S.open + (round % 2 ? 0 : S.vertices);
    step.kept = (__local uint *)T.scratch;
    step.queued = step.kept + 1;
    step.queue = step.queued + 1;
    step.queue_passed = step.queue + COLOR_QUEUE_CAPACITY;
    step.queue_nearest = step.queue_passed + COLOR_QUEUE_CAPACITY;
    return step;
}

/* True while a vertex that waits for `neighbour` must go on waiting. */
static bool color_is_open(struct mu_state S, uint neighbour, uint round)
{
    return mu_load_relaxed(S.colour + neighbour) >= round; /* COLOR_OPEN is above every round */
}

/* The first arc from e on that leads to an obstacle of v, and the obstacle; or `end`. Looks at APP_BATCH arcs
 * together, so that their memory accesses overlap; clamped indices repeat an arc. In round 1 no colour is read: there
 * are none. */
static offset color_advance(struct mu_state S, uint v, offset e, offset end, uint round, uint *obstacle)
{
    const uint own = mu_priority(v);
    for (; e < end; e += APP_BATCH) {
        uint neighbour[APP_BATCH];
        bool open[APP_BATCH];
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++) neighbour[a] = S.column[min(e + a, end - 1)];
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++) open[a] = round == 1 || color_is_open(S, neighbour[a], round);
#pragma unroll
        for (uint a = 0; a < APP_BATCH; a++)
            if (e + a < end && open[a] && mu_priority(neighbour[a]) > own) {
                *obstacle = neighbour[a];
                return e + a;
            }
    }
    return end;
}

static void color_keep(struct mu_state S, struct mu_team T, struct color_step step, uint v, uint obstacle)
{
    const uint place = atomic_inc((volatile __local uint *)step.kept);
    step.to[COLOR_PLACE(T, S, place)] = COLOR_ENTRY(v, obstacle);
}

/* Colours v if its whole row has been passed. Otherwise v waits for the obstacle that follows `passed` arcs. */
static void color_settle(struct mu_state S, struct mu_team T, struct color_step step, uint v, offset passed,
                         uint obstacle)
{
    const offset degree = S.row_start[v + 1] - S.row_start[v];
    const bool open = passed < degree;
    if (open) color_keep(S, T, step, v, obstacle);
    mu_store_relaxed(S.colour + v, open ? COLOR_OPEN | (uint)min(passed, (offset)(COLOR_OPEN - 1)) : step.round);
}

/* One work-item tries to colour v, of whose row `passed` arcs are passed. A row with many arcs left is put into the
 * group's queue while that has space. */
static void color_try(struct mu_state S, struct mu_team T, struct color_step step, uint v, uint passed)
{
    const offset start = S.row_start[v], end = S.row_start[v + 1];
    const offset begin = start + passed;
    const offset own_end = end - begin > APP_OWN_DEGREE ? begin + APP_OWN_DEGREE : end;
    uint obstacle = 0;
    offset reached = color_advance(S, v, begin, own_end, step.round, &obstacle);
    if (reached == own_end && own_end != end) {
        const uint slot = atomic_inc((volatile __local uint *)step.queued);
        if (slot < COLOR_QUEUE_CAPACITY) {
            step.queue[slot] = v;
            step.queue_passed[slot] = (uint)(reached - start);
            step.queue_nearest[slot] = (uint)(end - reached);
            return;
        }
        reached = color_advance(S, v, reached, end, step.round, &obstacle);
    }
    color_settle(S, T, step, v, reached - start, obstacle);
}

/* Tries the group's own vertices in round 1, and its entries in later rounds. Most entries go on waiting, which can be
 * seen without reading their rows. */
static void color_try_all(struct mu_state S, struct mu_team T, struct color_step step, uint own)
{
    const uint count = step.round != 1 && own != 0 ? COLOR_OPEN_COUNT(T, S) : own;
    FOR_EACH_OWN (i, count) {
        const uint place = COLOR_PLACE(T, S, i);
        if (step.round == 1) {
            color_try(S, T, step, place, 0);
        } else {
            const ulong entry = step.from[place];
            const uint v = (uint)entry, obstacle = (uint)(entry >> 32);
            if (color_is_open(S, obstacle, step.round))
                color_keep(S, T, step, v, obstacle);
            else
                color_try(S, T, step, v, mu_load_relaxed(S.colour + v) - COLOR_OPEN + 1);
        }
    }
}

/* The group goes through the queued rows, one after another, with its work-items sharing the arcs of each. A work-item
 * stops once it is beyond the nearest obstacle that anyone has found. */
static void color_scan_queue(struct mu_state S, struct color_step step)
{
    const uint queued = min(*step.queued, (uint)COLOR_QUEUE_CAPACITY);
    for (uint slot = 0; slot < queued; slot++) {
        volatile __local uint *nearest = step.queue_nearest + slot;
        const uint v = step.queue[slot], own = mu_priority(v);
        const offset begin = S.row_start[v] + step.queue_passed[slot];
        for (uint i = (uint)get_local_id(0); i < atomic_min(nearest, 0xffffffffu); i += MU_WORKGROUP) {
            const uint neighbour = S.column[begin + i];
            if (mu_priority(neighbour) > own && (step.round == 1 || color_is_open(S, neighbour, step.round)))
                atomic_min(nearest, i);
        }
    }
}

static void color_settle_queue(struct mu_state S, struct mu_team T, struct color_step step)
{
    const uint slot = (uint)get_local_id(0);
    if (slot < *step.queued) {
        const uint v = step.queue[slot];
        const offset start = S.row_start[v], passed = (offset)step.queue_passed[slot] + step.queue_nearest[slot];
        color_settle(S, T, step, v, passed, start + passed < S.row_start[v + 1] ? S.column[start + passed] : 0);
    }
}

/* After this step: colour `round` is given out, and every vertex without a colour has an entry that names an obstacle
 * of this round. Round 1 finds nothing initialised, and leaves the flag clear. */
STEP_DEF(assign, round)
{
    const uint own = mu_own_count(T, extent);
    if (T.first == 0 && round == 1) S.uncoloured[0] = 0;
    if (get_local_id(0) == 0) *color_step(S, T, round).kept = *color_step(S, T, round).queued = 0;
    GROUP_BARRIER();
    color_try_all(S, T, color_step(S, T, round), own);
    GROUP_BARRIER();
    color_scan_queue(S, color_step(S, T, round));
    GROUP_BARRIER();
    color_settle_queue(S, T, color_step(S, T, round));
    GROUP_BARRIER();
    if (get_local_id(0) == 0 && own != 0) {
        const uint kept = *color_step(S, T, round).kept;
        COLOR_OPEN_COUNT(T, S) = kept;
        if (kept != 0 && round != 1) mu_store_relaxed(S.uncoloured, round);
    }
}
