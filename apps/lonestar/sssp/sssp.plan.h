/* A round expands its near list. When that is empty, the round splits the far list instead, and the next phase begins.
 *
 * Sizes of near lists are three words that take turns, so that one barrier a round is enough: a step of round r reads
 * word r % 3, counts into word (r + 1) % 3, and clears word (r + 2) % 3, which nobody reads in this round. Sizes of far
 * lists do the same by phase. Both are in one buffer, so that a host that has read the one has the other, too.
 *
 * The loops are nested because PoCL 6.0 fails an assertion of its own on a loop that holds one step or the other. */
PLAN(sssp)
{
    uint round = 1;
    uint phase = 1;
    uint near_size = 1;
    uint far_size = 0;
    STEP(init, S.vertices, 0);
    do {
        while (near_size != 0) {
            STEP2(relax, near_size + S.chunks, round, phase);
            round++;
            near_size = READ(sizes, SSSP_NEAR_SIZE(round));
        }
        far_size = READ(sizes, SSSP_FAR_SIZE(phase));
        if (far_size != 0) {
            STEP2(split, far_size, round, phase);
            phase++;
            round++;
            near_size = READ(sizes, SSSP_NEAR_SIZE(round));
        }
    } while (far_size != 0);
}
