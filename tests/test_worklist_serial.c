/* tests/test_worklist.c where the host says that work-items run one after another: edges are shared out by another sum.
 */
#define MU_SERIAL
#include "tests/test_worklist.c"
