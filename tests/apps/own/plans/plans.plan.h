/* Plans one behind the other: each step with the questions behind it. */
PLAN(plans)
{
    uint read = 0, all = 0, at = 0, counts = 0;
    STEP(init, PLANS_SLOTS, 0);
    do {
        const uint word = S.step[at];
        if (PLANS_BEGINS(word) != 0) {
            all = PLANS_TAKE(all, read);
            read = 0;
        }
        const bool on = PLANS_IS_ON(word, read);
        STEP_SPLIT(act, on ? PLANS_EXTENT(word) : 0, PLANS_ARGUMENT(at, counts), dwell, PLANS_SLOTS, at);
        counts += on && PLANS_KIND(word) == PLANS_COUNT ? 1 : 0;
        for (uint i = S.behind[at]; i < S.behind[at + 1]; i++) {
            const uint question = S.question[i], kind = PLANS_KIND(question), round = S.asked[i];
            if (!PLANS_IS_ON(question, read)) continue;
            uint value;
            if (kind == PLANS_STAMPED && PLANS_FLAG(question) == 0)
                value = STAMPED(first, round) ? 1 : 0;
            else if (kind == PLANS_STAMPED)
                value = STAMPED(second, round) ? 1 : 0;
            else if (kind == PLANS_COUNTED)
                value = COUNTED(found, counts);
            else
                value = TEAM_SUM(sum);
            read = PLANS_TAKE(read, value);
        }
        at++;
    } while (at < S.steps);
    STEP(tell, 1, PLANS_TAKE(all, read));
}
