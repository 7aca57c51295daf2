/* dmr's plan: rounds over the bad triangles. A plan that ended for want of room (old_room is then not 0) goes on at the
 * beginning of the round that it could not finish. Steps that have nothing to do have no elements, and the first turn
 * of the loop only packs: PoCL copies what follows a barrier that not every path crosses, and needs minutes for it. */
PLAN(dmr)
{
    uint round, todo = 0;
    STEP(begin, S.old_room == 0 ? S.triangle_room : 0, 0);
    STEP(mark, S.old_room == 0 ? S.input_triangles : 0, 0);
    STEP(resume, S.old_room != 0 ? S.triangle_room : 0, 0);
    round = READ(progress, 0);
    do {
        STEP(claim, todo, round);
        STEP(check, todo, round);
        STEP(apply, todo, round);
        round += todo != 0;
        STEP(pack, S.triangle_room / 32, round);
        todo = READ(todo, round % 2);
    } while (todo != 0 && round <= DMR_MAX_ROUNDS);
}
