/* Round c gives out colour c, until no vertex is left. */
PLAN(color)
{
    uint round = 1;
    STEP(begin, S.vertices, round);
    uint ranges = COUNTED(pushed, round + 1);
    while (ranges != 0) {
        round++;
        STEP(pass_on, ranges, round);
        ranges = COUNTED(pushed, round + 1);
    }
}
