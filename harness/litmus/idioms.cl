/* Idioms in use (thesis, section 6.6), each as a program whose result is checked: by groups that wait for each other,
 * and by several launches, in which nobody waits. The host is harness/litmus/idioms.c.
 *
 * A group works on the part whose number is its rank. Each program has up to three phases with a group's barrier
 * between them: every work-item brings something, the first one speaks to other groups, every work-item ends the work.
 * What step 0 does in one launch is done by steps 1, 2 and so on in launches of their own. */
struct idiom {
    __global const uint *in, *first;
    __global uint *state, *out;
    uint step, parts;
    __local uint *words;
};

#define IDIOM_PARAMETERS                                                                                               \
    __global const uint *in, __global const uint *first, __global uint *state, __global uint *out, const uint step,    \
        const uint parts, MU_TEAM_PARAMETERS
#define IDIOM idiom_of(T, in, first, state, out, step, parts)

static struct idiom idiom_of(struct mu_team T, __global const uint *in, __global const uint *first,
                             __global uint *state, __global uint *out, uint step, uint parts)
{
    struct idiom I;
    I.in = in;
    I.first = first;
    I.state = state;
    I.out = out;
    I.step = step;
    I.parts = parts;
    I.words = (__local uint *)T.scratch;
    return I;
}

/* A wait that ran out: the group does nothing more. */
static void idiom_give_up(struct mu_team T)
{
    T.words[MU_LOCAL_VERDICT] = 0;
}

/* What the work-items before the `count`-th have brought. */
static uint idiom_sum(struct idiom I, uint count)
{
    uint sum = 0;
    for (uint i = 0; i < count; i++) sum += I.words[i];
    return sum;
}

static uint idiom_item(struct mu_team T)
{
    return (T.rank * MU_WORKGROUP + (uint)get_local_id(0)) * MU_IDIOM_EACH;
}

static uint idiom_elements(struct idiom I, struct mu_team T)
{
    uint sum = 0;
    for (uint i = 0; i < MU_IDIOM_EACH; i++) sum += I.in[idiom_item(T) + i];
    return sum;
}

/* A work-item's share of the parts, in launches of one group. */
static uint idiom_share(struct idiom I, uint lid)
{
    return (uint)((ulong)I.parts * lid / MU_WORKGROUP);
}

static uint idiom_parts(struct idiom I, uint lid)
{
    uint sum = 0;
    for (uint i = idiom_share(I, lid); i < idiom_share(I, lid + 1); i++) sum += mu_load_relaxed(I.state + i);
    return sum;
}

/* ---- Scan with decoupled look-back ---- */

/* The state of a part: bit 0, its sum is known; bit 1, that of all parts up to it; above them the sum. A part looks
 * back from the one before it, adding what it finds, until it finds a sum of all. The word is all that a part says, so
 * that its release, and the acquire of those who look back, order nothing that they need
 * (tests/variants/test_axioms.c). They stay since a scan in use lets others read what stood before its sum, too. */
static void scan_bring(struct idiom I, struct mu_team T)
{
    const uint lid = (uint)get_local_id(0);
    I.words[lid] = I.step == 2 ? idiom_parts(I, lid) : idiom_elements(I, T);
}

static bool scan_look_back(struct idiom I, struct mu_team T, uint *before)
{
    *before = 0;
    for (uint part = T.rank; part > 0; part--) {
        uint seen;
        if (!progress_await_bits(T, I.state + part - 1, 1u, 1u, &seen)) return false;
        *before += seen >> 2;
        if ((seen & 2u) != 0) break;
    }
    return true;
}

static void scan_speak(struct idiom I, struct mu_team T)
{
    const uint sum = idiom_sum(I, MU_WORKGROUP);
    uint before = 0;
    if (I.step == 1) mu_store_relaxed(I.state + T.rank, sum);
    if (I.step == 3) before = mu_load_relaxed(I.state + T.rank);
    if (I.step == 0) {
        if (T.rank != 0) mu_store_release(I.state + T.rank, sum << 2 | 1u);
        if (scan_look_back(I, T, &before))
            mu_store_release(I.state + T.rank, (before + sum) << 2 | 3u);
        else
            idiom_give_up(T);
    }
    I.words[MU_IDIOM_TOLD] = before;
}

static void scan_end(struct idiom I, struct mu_team T)
{
    const uint lid = (uint)get_local_id(0);
    uint sum = idiom_sum(I, lid);
    if (I.step == 2) {
        for (uint i = idiom_share(I, lid); i < idiom_share(I, lid + 1); i++) {
            const uint part = mu_load_relaxed(I.state + i);
            mu_store_relaxed(I.state + i, sum);
            sum += part;
        }
    } else if (I.step != 1 && MU_CROSSED(T)) {
        sum += I.words[MU_IDIOM_TOLD];
        for (uint i = 0; i < MU_IDIOM_EACH; i++) {
            sum += I.in[idiom_item(T) + i];
            I.out[idiom_item(T) + i] = sum;
        }
    }
}

MU_KERNEL void idiom_scan(IDIOM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    scan_bring(IDIOM, T);
    GROUP_BARRIER();
    if (get_local_id(0) == 0) scan_speak(IDIOM, T);
    GROUP_BARRIER();
    scan_end(IDIOM, T);
    MU_TEAM_END;
}

/* ---- Matrix times vector, with rows that several groups share ---- */

/* first[part]: the first part of its row, which scales what stood in the result before anybody adds to it; behind that
 * the vector. */
static void spmv_bring(struct idiom I, struct mu_team T)
{
    uint sum = 0;
    for (uint i = 0; i < MU_IDIOM_EACH; i++) {
        const uint element = I.in[idiom_item(T) + i];
        sum += (element >> MU_IDIOM_SHIFT) * I.first[I.parts + (element & MU_IDIOM_PLACE)];
    }
    I.words[get_local_id(0)] = sum;
}

static void spmv_speak(struct idiom I, struct mu_team T)
{
    const uint row = I.first[T.rank], sum = idiom_sum(I, MU_WORKGROUP);
    if (row == T.rank && I.step != 2) {
        mu_store_relaxed(I.out + row, 3 * mu_load_relaxed(I.out + row));
        mu_store_release(I.state + row, 1u);
    }
    if (I.step == 0 && row != T.rank && !progress_await(T, I.state + row)) return;
    if (I.step != 1) mu_add_relaxed(I.out + row, sum);
}

MU_KERNEL void idiom_spmv(IDIOM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    spmv_bring(IDIOM, T);
    GROUP_BARRIER();
    if (get_local_id(0) == 0) spmv_speak(IDIOM, T);
    MU_TEAM_END;
}

/* ---- Sparse triangular solve ---- */

/* A part is a row of the result, and the column of the matrix by which it acts on later ones: from first[part] on, one
 * on the diagonal left out. The state of a row is how many it waits for. In launches each has the rows whose turn it
 * is, listed behind `first`, from place step - 1 on. */
static void triangular_speak(struct idiom I, struct mu_team T)
{
    const uint row = I.step == 0 ? T.rank : I.first[I.parts + I.step + T.rank];
    uint seen;
    if (I.step == 0 && !progress_await_bits(T, I.state + row, 0xffffffffu, 0u, &seen)) idiom_give_up(T);
    I.words[MU_IDIOM_ROW] = row;
    I.words[MU_IDIOM_TOLD] = mu_load_relaxed(I.out + row);
}

static void triangular_end(struct idiom I, struct mu_team T)
{
    const uint row = I.words[MU_IDIOM_ROW], solved = I.words[MU_IDIOM_TOLD];
    const uint begin = I.first[row], end = MU_CROSSED(T) ? I.first[row + 1] : begin;
    for (uint i = begin + (uint)get_local_id(0); i < end; i += MU_WORKGROUP) {
        const uint element = I.in[i], later = element & MU_IDIOM_PLACE;
        mu_add_relaxed(I.out + later, 0u - (element >> MU_IDIOM_SHIFT) * solved);
        mu_add_release(I.state + later, 0xffffffffu);
    }
}

MU_KERNEL void idiom_triangular(IDIOM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    if (get_local_id(0) == 0) triangular_speak(IDIOM, T);
    GROUP_BARRIER();
    triangular_end(IDIOM, T);
    MU_TEAM_END;
}

/* ---- Reduction by the last group ---- */

/* The parts' sums are the state, and the word behind them counts the groups that have come. */
static void last_bring(struct idiom I, struct mu_team T)
{
    I.words[get_local_id(0)] = I.step == 2 ? 0 : idiom_elements(I, T);
}

static void last_speak(struct idiom I, struct mu_team T)
{
    uint last = I.step == 2;
    if (I.step != 2) mu_store_relaxed(I.state + T.rank, idiom_sum(I, MU_WORKGROUP));
    if (I.step == 0) last = mu_add_acq_rel(I.state + I.parts, 1u) == I.parts - 1;
    I.words[MU_IDIOM_TOLD] = last;
}

static void last_parts(struct idiom I)
{
    const uint lid = (uint)get_local_id(0);
    I.words[lid] = I.words[MU_IDIOM_TOLD] != 0 ? idiom_parts(I, lid) : 0;
}

static void last_end(struct idiom I)
{
    if (I.words[MU_IDIOM_TOLD] != 0) I.out[0] = idiom_sum(I, MU_WORKGROUP);
}

MU_KERNEL void idiom_last(IDIOM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    last_bring(IDIOM, T);
    GROUP_BARRIER();
    if (get_local_id(0) == 0) last_speak(IDIOM, T);
    GROUP_BARRIER();
    last_parts(IDIOM);
    GROUP_BARRIER();
    if (get_local_id(0) == 0) last_end(IDIOM);
    MU_TEAM_END;
}

/* ---- A mutex, and one way ---- */

/* The program of section 6.7 that neither HSA nor OBE allows: all take a mutex, and each waits for the one before. What
 * the mutex protects is ordered by the mutex; the flags say nothing but that they are set, so that their orders, which
 * any program that hands something on would need, are not needed here (tests/variants/test_axioms.c). */
static void both_speak(struct idiom I, struct mu_team T)
{
    if (!progress_turn(T, T.sync + MU_SYNC_COUNTER, I.out)) return;
    if (T.rank != 0 && !progress_await(T, I.state + T.rank - 1)) return;
    mu_store_release(I.state + T.rank, 1u);
}

MU_KERNEL void idiom_both(IDIOM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    if (get_local_id(0) == 0) both_speak(IDIOM, T);
    MU_TEAM_END;
}

/* ---- Neighbours ---- */

/* Example 6.5: groups with neighbouring numbers read the same, so that caches may serve them together, unless numbers
 * were given in another order than the device's own. Nobody waits. */
static void neighbours_bring(struct idiom I, struct mu_team T)
{
    const uint lid = (uint)get_local_id(0);
    uint sum = 0;
    for (uint near = 0; near < MU_IDIOM_NEAR; near++) {
        const uint part = (T.rank + near) % I.parts;
        for (uint i = 0; i < MU_IDIOM_EACH; i++) sum += I.in[(part * MU_IDIOM_EACH + i) * MU_WORKGROUP + lid];
    }
    I.words[lid] = sum;
}

MU_KERNEL void idiom_neighbours(IDIOM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    neighbours_bring(IDIOM, T);
    GROUP_BARRIER();
    if (get_local_id(0) == 0) out[T.rank] = idiom_sum(IDIOM, MU_WORKGROUP);
    MU_TEAM_END;
}

/* ---- Within a group ---- */

/* Work-items, or the first ones of subgroups, of one group: those whose local id is a multiple of `unit`. Counted from
 * the other end where `down` is 1. Flags say nothing but that they are set, and the count of those that have ended is
 * for the host: no test could tell whether these stores and adds release, and whether the awaits acquire
 * (tests/variants/test_axioms.c). They do since programs that use the idioms hand something on. */
struct within {
    __global uint *words;
    uint number, count;
};

static struct within within_of(struct mu_team T, __global uint *words, uint unit, uint down)
{
    struct within W;
    W.count = MU_WORKGROUP / unit;
    W.number = (uint)get_local_id(0) / unit;
    if (down != 0) W.number = W.count - 1 - W.number;
    W.words = words + T.rank * (MU_WITHIN_FLAGS + MU_WORKGROUP);
    return W;
}

static bool within_mutex(struct mu_team T, struct within W)
{
    return progress_turn(T, W.words + MU_WITHIN_LOCK, W.words + MU_WITHIN_GUARDED);
}

static bool within_one_way(struct mu_team T, struct within W)
{
    __global uint *mine = W.words + MU_WITHIN_FLAGS + W.number;
    if (W.number != 0 && !progress_await(T, mine - 1)) return false;
    mu_store_release(mine, 1u);
    return true;
}

static bool within_two_way(struct mu_team T, struct within W)
{
    mu_store_release(W.words + MU_WITHIN_FLAGS + W.number, 1u);
    return progress_await(T, W.words + MU_WITHIN_FLAGS + (W.count - 1 - W.number));
}

#define WITHIN_KERNEL(idiom)                                                                                           \
    MU_KERNEL void idiom_##idiom(__global uint *words, const uint unit, const uint down, MU_TEAM_PARAMETERS)           \
    {                                                                                                                  \
        MU_TEAM_BEGIN;                                                                                                 \
        if (get_local_id(0) % unit == 0 && idiom(T, within_of(T, words, unit, down)))                                  \
            mu_add_release(within_of(T, words, unit, down).words + MU_WITHIN_ENDED, 1u);                               \
        MU_TEAM_END;                                                                                                   \
    }

WITHIN_KERNEL(within_mutex)
WITHIN_KERNEL(within_one_way)
WITHIN_KERNEL(within_two_way)
