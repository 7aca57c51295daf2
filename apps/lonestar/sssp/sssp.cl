/* sssp: shortest paths from one source by worklists and atomic minima (Lonestar's form of Bellman-Ford), with the
 * near-far strategy of Davidson, Baxter, Garland and Owens, "Work-efficient parallel GPU methods for single-source
 * shortest paths", IPDPS 2014. With delta 2^32 - 1 every distance is near: the plain worklist.
 *
 * Phase p has a threshold. A vertex whose distance falls is put into the near list of the next round when the distance
 * is below the threshold, into the far list of the phase otherwise. When a near list is empty, all distances below the
 * threshold are final; a split then raises the threshold by delta and moves what has come below it from the far list to
 * the near list. Where that is nothing, the next split starts from the lowest distance left, so that each two splits
 * bring at least one vertex.
 *
 * Where a group shares edges and the mean degree is large, a round may expand a part of its near list alone: vertices
 * from the bound on go into the next one. While many distances fall, most of which will fall again, the bound lies near
 * the lowest distance of the list; while few fall, it moves away until it is the threshold. So few edges are followed
 * twice, wherever the distances of most vertices lie, and rounds with little to do are not cut into more. ADDS changes
 * its width of phases for the same reason (Wang, Fussell and Lin, "A fast work-efficient SSSP algorithm for GPUs",
 * PPoPP 2021).
 *
 * Where the first work-item of a group serves alone, it is the phase that changes its width: a barrier must not take
 * longer than what is done between two.
 *
 * A list never overflows: a vertex enters the near list of round r once, by exchanging its near stamp for r, and the
 * far list of phase p once, by exchanging its far stamp for p.
 *
 * The vertices of the near list are dealt out to the workgroups, and a group shares the edges of its own; but a hub, a
 * vertex of more than APP_CHUNK edges, would keep its group busy for long. So each round also looks at all chunks of
 * all hubs, a fixed table: a chunk is relaxed when its hub bears this round's near stamp. A hub whose distance falls
 * meanwhile bears that of the next round, and the chunks that come later wait for it.
 *
 * Lists of round r lie in half r % 2, far lists of phase p in half p % 2. What the barrier orders: the lists, their
 * sizes, thresholds and stamps of this round before they are read in the next. Distances are only accessed atomically
 * between init and the end; whoever reads one that is just falling uses an old value, and the vertex will be expanded
 * again in the next round, since whoever lowers it puts it into a list.
 *
 * queues.clh has the queues of a group, sssp.clh how its vertices are relaxed. */
/* After this step: the source is the near list of round 1, and the far list of phase 1 is empty. */
STEP_DEF(init, unused)
{
    FOR_EACH (v) {
        S.distance[v] = v == S.source ? 0 : SSSP_UNREACHED;
        S.expanded[v] = SSSP_UNREACHED;
        S.near_stamp[v] = v == S.source ? 1 : 0;
        if (MU_SHARES) S.far_stamp[v] = 0;
    }
    for (uint chunk = T.first; chunk < S.chunks; chunk += T.stride) S.chunk_expanded[chunk] = SSSP_UNREACHED;
    if (T.first != 0) return;
    SSSP_NEAR_LIST(1)[0] = S.source;
    for (uint slot = 0; slot < 3; slot++) {
        S.sizes[SSSP_NEAR_SIZE(slot)] = slot == 1;
        S.sizes[SSSP_FAR_SIZE(slot)] = 0;
        S.lowest[slot] = slot == 2 ? SSSP_UNREACHED : 0;
        S.nearest[slot] = slot == 1 ? 0 : SSSP_UNREACHED;
        S.fallen[slot] = 0;
    }
    S.sizes[SSSP_TAKEN(1)] = 0;
    S.width[0] = S.narrow;
    S.threshold[1] = S.delta;
    S.overflow[0] = 0;
}

/* After this step: all edges of the round's near list are relaxed, and each vertex that came nearer is in a list. */
STEP_DEF2(relax, round, phase)
{
    struct sssp_step step;
    sssp_open(T, &step);
    step.round = round;
    step.phase = phase;
    step.threshold = S.threshold[phase % 2];
    sssp_bound(S, T, &step);
    if (T.first == 0) {
        S.sizes[SSSP_NEAR_SIZE(round + 2)] = 0;
        S.lowest[phase % 3] = 0; /* the far list may get nearer vertices than the last split left: no bound */
    }
    sssp_expand(S, T, step, extent);
}

/* After this step: the threshold of the next phase is set, what the far list held below it is the near list of the next
 * round, and the rest is the far list of the next phase. */
STEP_DEF2(split, round, phase)
{
    const uint old_threshold = S.threshold[phase % 2];
    const uint from = max(old_threshold, S.lowest[phase % 3]);
    const ulong sum = (ulong)from + sssp_width(S, T, phase);
    const uint threshold = sum >> 32 == 0 ? (uint)sum : SSSP_UNREACHED;
    struct sssp_step step;
    sssp_open(T, &step);
    step.round = round;
    step.phase = phase;
    step.threshold = threshold;
    if (T.first == 0) {
        S.sizes[SSSP_NEAR_SIZE(round + 2)] = 0;
        S.sizes[SSSP_FAR_SIZE(phase + 2)] = 0;
        S.lowest[(phase + 2) % 3] = SSSP_UNREACHED;
        S.threshold[(phase + 1) % 2] = threshold;
        if (SSSP_PACED) {
            S.nearest[(round + 2) % 3] = SSSP_UNREACHED;
            S.fallen[(round + 1) % 3] = 0;
            S.width[round % 2] = S.width[(round + 1) % 2];
        }
    }
    sssp_sort_all(S, T, step, extent, old_threshold);
}
