/* trusting: a result that its check does not look at. */

/* After this step: each vertex has its number. */
STEP_DEF(write, unused)
{
    FOR_EACH (v) S.number[v] = v;
}
