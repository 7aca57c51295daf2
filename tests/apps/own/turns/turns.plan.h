/* Loops of one form each: a do … while around steps, whose answers are counted. */
PLAN(turns)
{
    uint round = 0, odd = 0, by_two = 0, twice = 0, later = 0, again = 0, idle = 0, counted = 0, summed = 0;
    do {
        round++;
        STEP2(mark, S.vertices, round, 1);
        odd += STAMPED(flag, round) ? 1 : 0;
    } while (round < TURNS_ROUNDS);
    do {
        round += 2;
        STEP2(mark, S.vertices, round, 2);
        by_two += STAMPED(flag, round) ? 1 : 0;
    } while (round < 3 * TURNS_ROUNDS);
    round = 0;
    do {
        round++;
        STEP2(mark, S.vertices, round, 1);
        twice += STAMPED(flag, round) ? 1 : 0;
        STEP2(mark, S.vertices, round, 2);
        twice += STAMPED(flag, round) ? 1000 : 0;
    } while (round < TURNS_ROUNDS);
    round = 0;
    do {
        round++;
        STEP2(mark, S.vertices, round, 1);
        STEP(pass, S.vertices, round);
        STEP(mark_later, S.vertices, round);
        later += STAMPED(flag, round) ? 1 : 0;
        later += STAMPED(later, round) ? 1000 : 0;
    } while (round < TURNS_ROUNDS);
    uint times = 0;
    do {
        round = times % 3 + 1;
        times++;
        STEP2(mark, S.vertices, round, 1);
        again += STAMPED(flag, round) ? 1 : 0;
    } while (times < TURNS_ROUNDS);
    round = 3;
    do {
        round++;
        STEP(mark_always, round % 2 == 1 ? S.vertices : 0, round);
        idle += STAMPED(flag, round) ? 1 : 0;
    } while (round < TURNS_ROUNDS);
    round = 0;
    times = 0;
    do {
        times++;
        const uint odd_time = times % 2;
        STEP(count, odd_time != 0 ? S.vertices : 0, round);
        round += odd_time;
        counted += odd_time != 0 ? COUNTED(found, round) : 0;
        STEP(add, odd_time != 0 ? S.vertices : 0, 0);
        summed += TEAM_SUM(sum);
    } while (times < TURNS_ROUNDS);
    STEP2(tell, 1, TURNS_ODD, odd);
    STEP2(tell, 1, TURNS_BY_TWO, by_two);
    STEP2(tell, 1, TURNS_TWICE, twice);
    STEP2(tell, 1, TURNS_LATER, later);
    STEP2(tell, 1, TURNS_AGAIN, again);
    STEP2(tell, 1, TURNS_IDLE, idle);
    STEP2(tell, 1, TURNS_COUNTED, counted);
    STEP2(tell, 1, TURNS_SUMMED, summed);
}
