/* plans: buffers (name, element type, length, role), scalars, local memory, and constants. */
#define APP_BUFFERS(X)                                                                                                 \
    X(step, uint, steps, INPUT)                                                                                        \
    X(told, uint, steps, INPUT)                                                                                        \
    X(behind, uint, steps + 1, INPUT)                                                                                  \
    X(question, uint, questions + 1, INPUT)                                                                            \
    X(asked, uint, questions + 1, INPUT)                                                                               \
    X(own, uint, PLANS_SLOTS, RESULT)                                                                                  \
    X(read, uint, 1, RESULT)                                                                                           \
    X(first, uint, 1, FLAG)                                                                                            \
    X(second, uint, 1, FLAG)                                                                                           \
    X(found, uint, 1, COUNTER)                                                                                         \
    X(sum, uint, 1, SUM)

#define APP_SCALARS(X) X(steps, uint) X(questions, uint)

#define APP_SCRATCH_WORDS MU_REDUCTION_WORDS

/* A step or a question, of one round, in a word: its kind (enum plan_kind of tests/host/plans.h), which flag, whether
 * it is on, whether only where what has been read is odd, whether a plan begins with it, and the elements that do it.
 */
#define PLANS_KIND(word)        ((word)&7u)
#define PLANS_FLAG(word)        ((word) >> 3 & 1u)
#define PLANS_ON(word)          ((word) >> 4 & 1u)
#define PLANS_IF_ODD(word)      ((word) >> 5 & 1u)
#define PLANS_BEGINS(word)      ((word) >> 6 & 1u)
#define PLANS_ELEMENTS(word)    ((word) >> 8 & 15u)
#define PLANS_EXTENT(word)      ((word) >> 12)
#define PLANS_IS_ON(word, read) (PLANS_ON(word) != 0 && (PLANS_IF_ODD(word) == 0 || (read) % 2 == 1))

#define PLANS_STAMP   0
#define PLANS_COUNT   1
#define PLANS_ADD     2
#define PLANS_STAMPED 4
#define PLANS_COUNTED 5

#define PLANS_SLOTS 3 /* elements of what stands beside the steps */

/* The argument of a step: its place and the round that counts, below 2^16 each. */
#define PLANS_ARGUMENT(at, counts) ((at) | (counts) << 16)

#define PLANS_TAKE(read, value) (5 * (read) + (value) + 1)
