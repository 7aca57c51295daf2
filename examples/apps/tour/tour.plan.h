/* Each step once. Without arcs there is nothing to average: then that step has no elements. */
PLAN(tour)
{
    STEP(init, S.vertices, 0);
    STEP(blocks, S.vertices, 0);
    STEP(even, S.vertices, 0);
    STEP(collect, S.vertices, 1);
    STEP(mark, COUNTED(found, 2), 0);
    STEP(own, S.vertices, 0);
    STEP(turns, S.vertices, 0);
    STEP(average, READ(total, TOUR_BLOCKS) != 0 ? S.vertices : 0, 0);
}
