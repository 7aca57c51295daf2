/* cc: connected components by hooking and pointer jumping (after Soman, Kishore and Narayanan, IPDPSW 2010). An arc
 * connects its ends whichever way it points.
 *
 * component[v] is a vertex of v's component, at most v: a tree whose root is its own. To hook is to hang the greater
 * root of an arc's ends below the smaller; atomic minima make the smallest offer win. Behind `jump` every vertex hangs
 * below its root, so that an arc whose ends name the same vertex has nothing left to do. At the end that vertex is the
 * smallest of the component: a root is none below it, and all agree on one. */
struct cc {
    uint vertex;
};

static struct mu_edges cc_open(struct mu_state S, uint v, uint unused, uint unused_too, struct cc *item)
{
    item->vertex = v;
    return mu_edges_between(S.row_start[v], S.row_start[v + 1]);
}

static bool cc_visit(struct mu_state S, struct cc item, offset edge, uint *entry)
{
    const uint mine = mu_load_relaxed(S.component + item.vertex);
    const uint other = mu_load_relaxed(S.component + S.column[edge]);
    if (mine == other) return false;
    atomic_min((volatile __global uint *)(S.component + max(mine, other)), min(mine, other));
    return true;
}
OPERATOR(cc_hook, struct cc, cc_open, cc_visit)

/* After this step: every vertex is a root. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.component[v] = v;
}

/* After this step: every root with an arc to a smaller one hangs below such a one; the flag tells whether any did. */
STEP_DEF(hook, round)
{
    cc_hook(S, T, extent, 0, 0, RAISE(changed, round));
}

/* After this step: every vertex hangs below a root. Roots do not change meanwhile, and the others only come closer to
 * theirs, so that walkers may meet. */
STEP_DEF(jump, unused)
{
    FOR_EACH (v) {
        uint root = mu_load_relaxed(S.component + v);
        for (uint above = mu_load_relaxed(S.component + root); above != root;
             above = mu_load_relaxed(S.component + root))
            root = above;
        mu_store_relaxed(S.component + v, root);
    }
}
