/* Use case 2, load balancing: items that have children, each served by a whole workgroup. The host is
 * harness/persistent/forest.c.
 *
 * forest_level is one level, a launch of as many blocks as the level may have items. Blocks beyond the number of items,
 * which the level before has counted, have nothing to do. forest_grow is all levels: the groups of the team take items
 * from a work queue until all are done.
 *
 * The tally tells the host how many items were done and what their sum is, in several pairs of words, so that groups do
 * not queue for one; its last word counts work-items whose multiply-adds came to something else. */
#define FOREST_PAIRS 64u

/* Whether an item has two children; *first gets the first of them, behind which is the other. */
static bool forest_breeds(struct mu_forest F, uint item, uint *first)
{
    const uint level = MU_FOREST_LEVEL(item), place = MU_FOREST_PLACE(item), width = mu_forest_width(F, level);
    const uint childless = F.shape == MU_FOREST_COMPLETE ? 0u : width - width / 2;
    const bool breeds = level + 1 < F.depth && place >= childless;
    *first = breeds ? MU_FOREST_ITEM(level + 1, 2 * (place - childless)) : 0u;
    return breeds;
}

/* Of no item, no work: then the loop stands in no condition, which PoCL's vectors need (work.clh). */
static void forest_work(__global uint *tally, uint item, uint group, uint fmas, float one)
{
    __global uint *pair = tally + group % FOREST_PAIRS * 32u;
    const uint wanted = item != MU_NO_ITEM ? fmas : 0u, start = item & 255u;
    if (pt_work(start, wanted, one) != start + wanted) mu_add_relaxed(tally + FOREST_PAIRS * 32u, 1u);
    if (get_local_id(0) != 0 || item == MU_NO_ITEM) return;
    mu_add_relaxed(pair, 1u);
    mu_add_relaxed(pair + 1, item);
}

/* One work-item reads the block's item for all, as in forest_grow: then PoCL treats both kernels alike (work.clh).
 * A block knows its item's children before it works on it, and takes the places for them early, as in the study. */
MU_KERNEL void forest_level(__global const uint *items, __global uint *next, __global uint *counts, const uint level,
                            const uint shape, const uint depth, const uint inputs, const uint fmas, const float one,
                            __global uint *tally)
{
    __local uint taken;
    struct mu_forest F;
    const uint block = (uint)get_group_id(0);
    uint first = 0, place = 0;
    bool breeds = false;
    F.shape = shape;
    F.depth = depth;
    F.inputs = inputs;
    if (get_local_id(0) == 0) taken = block < counts[level] ? items[block] : MU_NO_ITEM;
    GROUP_BARRIER();
    const uint item = taken;
    if (item != MU_NO_ITEM && get_local_id(0) == 0) breeds = forest_breeds(F, item, &first);
    if (breeds) place = mu_add_relaxed(counts + level + 1, 2u);
    forest_work(tally, item, block, fmas, one);
    if (breeds) {
        next[place] = first;
        next[place + 1] = first + 1;
    }
}

static void forest_breed(struct mu_queue Q, struct mu_forest F, uint item)
{
    uint first;
    const bool breeds = forest_breeds(F, item, &first);
    mu_queue_done(Q, breeds ? 2u : 0u);
    if (breeds && mu_queue_push(Q, first)) mu_queue_push(Q, first + 1);
}

/* A group breeds the item of its last turn when it begins the next one, so that nothing stands behind the loop's last
 * barrier: PoCL 6.0's default work-group method, loopvec, lost what stood there, and with it what stands before the
 * first barrier, so that a group did the same item for ever. */
MU_KERNEL void forest_grow(__global uint *queue, const uint rings, const uint slots, const uint shape, const uint depth,
                           const uint inputs, const uint fmas, const float one, __global uint *tally,
                           MU_TEAM_PARAMETERS)
{
    __local uint taken;
    MU_TEAM_BEGIN;
    struct mu_queue Q;
    struct mu_forest F;
    uint item = MU_NO_ITEM;
    Q.words = queue;
    Q.sync = T.sync;
    Q.rank = T.rank;
    Q.rings = rings;
    Q.slots = slots;
    F.shape = shape;
    F.depth = depth;
    F.inputs = inputs;
    do {
        if (get_local_id(0) == 0) {
            if (item != MU_NO_ITEM) forest_breed(Q, F, item);
            taken = mu_queue_take(Q);
        }
        GROUP_BARRIER();
        item = taken;
        forest_work(tally, item, T.rank, fmas, one);
        GROUP_BARRIER(); /* all have read `taken`, and done their part, before the item is done */
    } while (item != MU_NO_ITEM);
    MU_TEAM_END;
}
