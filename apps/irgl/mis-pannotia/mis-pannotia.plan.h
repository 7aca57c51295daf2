/* Rounds until nobody is undecided. */
PLAN(mis_pannotia)
{
    uint round = 1;
    STEP(init, S.vertices, 0);
    do {
        STEP(weigh, S.vertices, 0);
        STEP(choose, S.vertices, round);
        round++;
    } while (STAMPED(undecided, round - 1));
}
