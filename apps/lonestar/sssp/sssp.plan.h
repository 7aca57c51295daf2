/* A round expands the near list of that round; when that is empty, a round splits the far list instead, and the next
 * phase begins. Sizes have three slots that take turns: a step of round r has read what slot r % 3 held at the last
 * barrier, counts into slot (r + 1) % 3 and clears (r + 2) % 3, which nobody reads in this round; likewise the sizes of
 * the far list, by phase. The loops are nested, since PoCL 6.0 fails an assertion of its own on a loop that has one
 * step or the other in it. */
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
            near_size = READ(near_size, round % 3);
        }
        far_size = READ(far_size, phase % 3);
        if (far_size != 0) {
            STEP2(split, far_size, round, phase);
            phase++;
            round++;
            near_size = READ(near_size, round % 3);
        }
    } while (far_size != 0);
}
