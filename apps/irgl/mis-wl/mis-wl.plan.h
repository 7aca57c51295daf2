/* Rounds until nobody is undecided. */
PLAN(mis_wl)
{
    uint round = 1;
    uint size = S.vertices;
    STEP(init, S.vertices, 0);
    do {
        STEP2(enter, size, round, 0);
        STEP(drop, size, round);
        round++;
        size = size != 0 ? COUNTED(found, round) : 0;
    } while (size != 0);
}
