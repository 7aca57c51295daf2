/* muster with apps that take graphs of a thousand vertices for the largest, and deal their vertices in blocks, so that
 * these kernels run without graphs of millions. The linker takes this constant instead of that in apps/many_vertices.c.
 */
#include "apps/app.h"

const uint32_t mu_many_vertices = 1000;
