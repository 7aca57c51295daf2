/* One round decides every vertex that can be decided. Round 1 cannot tell whether it left one over, since it is what
 * clears the flag: round 2 always follows. `undecided` is stamped with the last round that left one over; a fast
 * workgroup may stamp the next round before a slow one reads: hence >=. */
PLAN(mis)
{
    uint round = 1;
    STEP(decide, S.vertices, round);
    do {
        round++;
        STEP(decide, S.vertices, round);
    } while (READ(undecided, 0) >= round);
}
