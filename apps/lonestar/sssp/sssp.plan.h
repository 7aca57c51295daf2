/* A round expands the near list of that round; when it is empty, a round splits the far list and the next phase begins.
 * Sizes have three slots that take turns: a step of round r reads what slot r % 3 held at the last barrier, counts into
 * slot (r + 1) % 3 and clears (r + 2) % 3, which nobody reads in this round; likewise the far list's, by phase. */
PLAN(sssp)
{
    uint round = 1;
    uint phase = 1;
    uint size = 1;
    STEP(init, S.vertices, 0);
    while (true) {
        if (size != 0) {
            STEP2(relax, size + S.chunks, round, phase);
        } else {
            size = READ(far_size, phase % 3);
            if (size == 0) return;
            STEP2(split, size, round, phase);
            phase++;
        }
        round++;
        size = READ(near_size, round % 3);
    }
}
