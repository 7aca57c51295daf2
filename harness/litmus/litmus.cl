/* Litmus tests of what synchronisation relies on; the host is harness/litmus/.
 *
 * litmus_shapes: an instance of a shape has two to four roles, each a few accesses to the instance's own words x, y and
 * z, which are 0 before. There are as many instances as work-items that test, and each of these plays every role, of
 * another instance each time, so that all instances run at once and disturb each other (after Levine and others, "MC
 * Mutants", ASPLOS 2023). What a role reads goes to `results`, and litmus_count counts each combination. */
struct litmus {
    __global uint *x, *y, *z, *results;
};

static uint litmus_random(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* The instance whose role this work-item plays: for each role another rearrangement of them. All counts are powers of
 * two, so that an odd factor rearranges. */
static uint litmus_instance(uint role, uint groups, uint seed, uint place)
{
    const uint random = litmus_random(seed + role);
    const uint lid = ((uint)get_local_id(0) * (2 * random + 1) + (random >> 16)) & (MU_WORKGROUP - 1);
    const uint moved = (place & MU_LITMUS_NEAR) != 0 ? 0 : role * (1 + (random & (groups / MU_LITMUS_ROLES)));
    const uint group = ((uint)get_group_id(0) + moved) & (groups - 1);
    return (role == 0 ? (uint)get_local_id(0) : lid) + group * MU_WORKGROUP;
}

static struct litmus litmus_words(__global uint *words, __global uint *results, uint i, uint items, uint place)
{
    struct litmus L;
    const bool line = (place & MU_LITMUS_LINE) != 0;
    L.x = words + (line ? MU_LITMUS_ROLES * i : i);
    L.y = line ? L.x + 1 : words + items + ((i * 9973u + 4099u) & (items - 1));
    L.z = line ? L.x + 2 : words + 2 * items + ((i * 7919u + 2053u) & (items - 1));
    L.results = results + MU_LITMUS_ROLES * i;
    return L;
}

#define LITMUS(shape, role) ((shape)*MU_LITMUS_ROLES + (role))

/* The roles, which shapes.clh lists. Accesses have the order that relaxed.clh leaves them. */
#define STORE(order, word)       mu_store_##order(L.word, 1u);
#define LOAD(read, order, word)  read = mu_load_##order(L.word);
#define SEE(result, order, word) L.results[result] = mu_load_##order(L.word);
#define TELL(result, read)       L.results[result] = read;
#define TELL_BOTH(result, next)  TELL(result, first) TELL(next, second)
#define ROLE(shape, role, does)                                                                                        \
    case LITMUS(MU_LITMUS_##shape, role):                                                                              \
        does break;

static void litmus_play(struct litmus L, uint what)
{
    uint first = 0, second = 0;
    switch (what) {
        MU_LITMUS_PLAYS
    default:
        break;
    }
}

/* Loads and stores all over an array, a few hundred of each work-item. */
static void litmus_stress(__global uint *scratch, uint items, uint seed)
{
    const uint random = litmus_random(seed ^ (uint)get_global_id(0));
    for (uint i = 0; i < 256; i++) {
        __global uint *word = scratch + ((random + i * (random | 1u)) & (items - 1));
        if (((random >> 8) + i) % 4 == 0)
            mu_store_relaxed(word, i);
        else
            (void)mu_load_relaxed(word);
    }
}

/* Two accesses to one word, again and again (after Sorensen and Donaldson, PLDI 2016). */
static void litmus_press(__global uint *word, uint pattern, uint turns)
{
    for (uint i = 0; i < turns; i++) {
        if ((pattern & MU_LITMUS_FIRST_STORES) != 0)
            mu_store_relaxed(word, i);
        else
            (void)mu_load_relaxed(word);
        if ((pattern & MU_LITMUS_SECOND_STORES) != 0)
            mu_store_relaxed(word, i);
        else
            (void)mu_load_relaxed(word);
    }
}

/* Groups from `groups` on stress: all over the array, or each one of `spread` words that lie `stride` words apart. Half
 * of the others play the roles the other way round; before that they press a word themselves, `before` times. */
MU_KERNEL void litmus_shapes(__global uint *words, __global uint *results, __global uint *scratch, const uint shape,
                             const uint roles, const uint groups, const uint place, const uint seed, const uint pattern,
                             const uint spread, const uint stride, const uint before)
{
    const uint group = (uint)get_group_id(0), items = groups * MU_WORKGROUP;
    __global uint *pressed = scratch + ((group % spread) * stride & (items - 1));
    if (group >= groups) {
        if (pattern == MU_LITMUS_ALL_OVER)
            litmus_stress(scratch, items, seed);
        else
            litmus_press(pressed, pattern, 128);
    } else {
        if (before != 0) litmus_press(pressed, pattern, before);
        for (uint turn = 0; turn < roles; turn++) {
            const uint role = (litmus_random(seed ^ group) & 1u) != 0 ? roles - 1 - turn : turn;
            const uint i = litmus_instance(role, groups, seed, place);
            litmus_play(litmus_words(words, results, i, items, place), LITMUS(shape, role));
        }
    }
}

MU_KERNEL void litmus_count(__global const uint *results, __global uint *counts)
{
    __global const uint *of = results + MU_LITMUS_ROLES * get_global_id(0);
    const uint code = (of[0] & 1u) | (of[1] & 1u) << 1 | (of[2] & 1u) << 2 | (of[3] & 1u) << 3;
    mu_add_relaxed(counts + code, 1u);
}

/* Every work-item of a team writes a word plainly, crosses the barrier, and reads that of another. The next round has
 * other words. What was read wrong is counted in memory at once. Both halves are functions, as the steps of an app are:
 * PoCL 3.1 loses private variables that live across barriers. */
static void litmus_write(struct mu_team T, __global uint *cells, uint round)
{
    if (MU_CROSSED(T)) cells[(round & 1u) * T.stride + T.first] = round;
}

static void litmus_look(struct mu_team T, __global const uint *cells, __global uint *wrong, uint round)
{
    const uint other = (T.first + litmus_random(round)) % T.stride;
    if (MU_CROSSED(T) && cells[(round & 1u) * T.stride + other] != round) mu_add_relaxed(wrong, 1u);
}

MU_KERNEL void litmus_barrier(__global uint *cells, __global uint *wrong, const uint rounds, MU_TEAM_PARAMETERS)
{
    MU_TEAM_BEGIN;
    for (uint round = 1; round <= rounds; round++) {
        litmus_write(T, cells, round);
        mu_barrier(T);
        litmus_look(T, cells, wrong, round);
    }
    MU_TEAM_END;
}
