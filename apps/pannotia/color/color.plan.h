/* One round a colour. Round 1 cannot tell whether it left a vertex over, since it is what clears the flag: round 2
 * always follows. `uncoloured` is stamped with the last round that left one over; a fast workgroup may stamp the next
 * round before a slow one reads: hence >=. */
PLAN(color)
{
    uint round = 1;
    STEP(assign, S.vertices, round);
    do {
        round++;
        STEP(assign, S.vertices, round);
    } while (READ(uncoloured, 0) >= round);
}
