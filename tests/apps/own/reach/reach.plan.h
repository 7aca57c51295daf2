PLAN(reach)
{
    uint round = 1;
    uint stamped = 0;
    uint arcs = 0;
    uint widest = 0;
    real middle = 0;
    STEP(init, S.vertices, 0);
    uint size = COUNTED(found, round);
    while (size != 0) {
        STEP(expand, size, round);
        const uint seen = TEAM_MAX(widest);
        const real seen_middle = TEAM_MAX(middle);
        arcs += TEAM_SUM(arcs);
        widest = seen > widest ? seen : widest;
        middle = seen_middle > middle ? seen_middle : middle;
        stamped += STAMPED(fresh, round) ? 1 : 0;
        round++;
        size = COUNTED(found, round);
    }
    STEP2(tell, 1, REACH_ROUNDS, round - 1);
    STEP2(tell, 1, REACH_STAMPED, stamped);
    STEP2(tell, 1, REACH_ARCS, arcs);
    STEP2(tell, 1, REACH_WIDEST, widest);
    STEP2(tell, 1, REACH_HALVES, (uint)(2 * middle));
}
