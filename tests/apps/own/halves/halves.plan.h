PLAN(halves)
{
    uint last = 0;
    STEP(init, S.vertices, 0);
    for (uint round = 1; round < HALVES_ROUNDS; round++) {
        STEP_SPLIT(take, S.vertices, round, dwell, S.vertices, round);
        last = TEAM_SUM(sum);
    }
    STEP2(tell, 1, 0, last);
    STEP(gather, S.vertices, 0);
}
