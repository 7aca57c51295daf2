/* Where rows are long, round c gives out colour c, and `size` is the length of its frontier. Where they are short, a
 * round gives out any colours, and `size` is 0 when all vertices have theirs. Where they are long, in order of degree,
 * `size` is how many vertices have none. */
PLAN(color)
{
    uint round = 1;
    STEP(begin, S.vertices, round);
    uint size = COUNTED(pushed, round + 1);
    while (size != 0) {
        round++;
        STEP(pass_on, S.polls ? S.vertices : size, round);
        size = COUNTED(pushed, round + 1);
    }
}
