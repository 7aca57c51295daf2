/* Kernel sources inside the program: every .cl, .clh, .state.h and .plan.h of apps/, inputs/, variants/ and harness/,
 * under its path from the root of the sources. The table is generated at build time by build-aux/embed. */
#ifndef MU_VARIANTS_EMBEDDED_H
#define MU_VARIANTS_EMBEDDED_H

#include <stddef.h>

struct mu_embedded {
    const char *path; /* "apps/lonestar/bfs/bfs.cl" */
    const char *text; /* ends in a NUL that length does not count */
    size_t length;    /* bytes */
};

/* Ends in an element whose path is NULL. */
extern const struct mu_embedded mu_embedded_files[];

/* The file of that very path, or NULL. */
const struct mu_embedded *mu_embedded_find(const char *path);

#endif
