/* Rounds of peeling; one in which nothing is peeled ends the level. */
PLAN(kcore)
{
    uint round = 0, level = 0, left = 0;
    STEP(init, S.vertices, 0);
    do {
        round++;
        STEP2(peel, S.vertices, level, round);
        left = TEAM_SUM(left);
        if (!STAMPED(peeled, round)) level++;
    } while (left != 0);
}
