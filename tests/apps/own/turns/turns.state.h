/* turns: buffers (name, element type, length, role), scalars, and what the plan tells. */
#define APP_BUFFERS(X)                                                                                                 \
    X(flag, uint, 1, FLAG)                                                                                             \
    X(later, uint, 1, FLAG)                                                                                            \
    X(found, uint, 1, COUNTER)                                                                                         \
    X(sum, uint, 1, SUM)                                                                                               \
    X(list, uint, vertices, STATE)                                                                                     \
    X(told, uint, TURNS_TOLD, RESULT)

#define APP_SCALARS(X) X(vertices, uint)

#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

#define TURNS_ROUNDS 300

/* `told`: how many questions of each kind were answered by true. */
#define TURNS_ODD     0 /* every other round is stamped */
#define TURNS_BY_TWO  1 /* rounds rise by two */
#define TURNS_TWICE   2 /* two steps stamp in a round, and the plan asks behind each */
#define TURNS_LATER   3 /* another step and other questions stand between the stamp and its question */
#define TURNS_AGAIN   4 /* rounds start again */
#define TURNS_IDLE    5 /* a step without elements stamps whatever its condition is */
#define TURNS_COUNTED 6 /* counts of odd rounds, in a plan that leaves out the steps of even ones */
#define TURNS_SUMMED  7 /* sums, of steps that have elements in odd rounds only */
#define TURNS_TOLD    8
