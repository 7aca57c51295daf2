/* kcore: the largest k for which a vertex is in a subgraph of minimum degree k, by peeling (Seidman 1983; Matula and
 * Beck 1983).
 *
 * `degree` counts the neighbours that are not peeled. At level k whatever has at most k of them is peeled, until
 * nothing more is; then the next level begins. A degree only falls, so a work-item that reads an old one peels the
 * vertex a round later, and the result is the same. */

/* After this step: nothing is peeled. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.degree[v] = (uint)(S.row_start[v + 1] - S.row_start[v]);
        S.core[v] = KCORE_NONE;
    }
}

/* After this step: vertices of degree `level` at most are peeled; the flag tells whether there were any, and the sum
 * how many vertices are left. */
STEP_DEF2(peel, level, round)
{
    bool peeled = false;
    uint left = 0;
    FOR_EACH (v) {
        if (S.core[v] != KCORE_NONE) continue;
        left++;
        if (mu_load_relaxed(S.degree + v) > level) continue;
        left--;
        S.core[v] = level;
        peeled = true;
        for (offset e = S.row_start[v]; e < S.row_start[v + 1]; e++)
            atomic_dec((volatile __global uint *)(S.degree + S.column[e]));
    }
    STAMP(peeled, peeled, round);
    CONTRIBUTE(left, left);
}
