/* One step. */
PLAN(trusting)
{
    STEP(write, S.vertices, 0);
}
