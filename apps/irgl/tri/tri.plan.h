/* Two steps. */
PLAN(tri)
{
    STEP(init, S.vertices, 0);
    STEP(count, S.vertices, 0);
}
