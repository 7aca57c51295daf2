/* labels: connected components by label propagation. A label only falls, to the smallest vertex of the component in the
 * end: so a work-item that reads an old label of a neighbour takes the new one a round later. */

/* After this step: each vertex is its own label. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) S.label[v] = v;
}

/* After this step: each vertex has the least label that it has seen in its neighbourhood; the flag tells whether any
 * has changed. */
STEP_DEF(spread, round)
{
    bool changed = false;
    FOR_EACH (v) {
        const uint old = mu_load_relaxed(S.label + v);
        uint least = old;
        for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++)
            least = min(least, mu_load_relaxed(S.label + S.column[e]));
        if (least == old) continue;
        mu_store_relaxed(S.label + v, least);
        changed = true;
    }
    STAMP(changed, changed, round);
}
