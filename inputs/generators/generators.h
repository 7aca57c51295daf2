/* The generators: graphs and meshes made from a few parameters and a seed, the same on every machine, bit for bit. */
#ifndef MU_INPUTS_GENERATORS_GENERATORS_H
#define MU_INPUTS_GENERATORS_GENERATORS_H

#include "inputs/graph/graph.h"
#include "inputs/mesh/mesh.h"

#include <stddef.h>

/* Of all generators together. Whoever changes what one makes raises it, so that graphs and meshes in the cache that
 * were made before are not taken for it; tests/inputs/test_generators.c knows hashes of what they make. */
#define MU_GENERATORS_VERSION 1

struct mu_generator {
    const char *name;    /* what stands before the colon */
    const char *syntax;  /* name and parameters, such as "rmat:S[:D]" */
    const char *purpose; /* one line */
    /* Whether these are parameters of it, which follow the colon: MU_USAGE, which says what is wrong. */
    int (*check)(const char *parameters, struct mu_error *err);
    /* parameters: what follows the colon. On success *graph is the caller's; its name and format are not set yet. NULL
     * where the generator makes meshes. */
    int (*generate)(const char *parameters, uint64_t seed, struct mu_graph **graph, struct mu_error *err);
    /* The same for a mesh; NULL where the generator makes graphs. */
    int (*generate_mesh)(const char *parameters, uint64_t seed, struct mu_mesh **mesh, struct mu_error *err);
};

/* In the order in which they are listed, NULL at the end. */
extern const struct mu_generator *const mu_generators[];

/* Returns the generator whose name the specification begins with, up to a colon; *parameters is then what follows it.
 * NULL if there is none. */
const struct mu_generator *mu_generator_find(const char *specification, const char **parameters);

/* What a generator makes; kinds of inputs are such bits, too. */
enum { MU_OF_GRAPHS = 1, MU_OF_MESHES = 2, MU_OF_EITHER = MU_OF_GRAPHS | MU_OF_MESHES };

/* Fails with MU_USAGE for what is neither a file nor a generator: names the generator of these kinds that may have been
 * meant, and lists all of them. */
int mu_generator_refuse(const char *specification, unsigned kinds, struct mu_error *err);

/* For generators: reads a decimal number from *text and steps over it. False, without a step, when there is none or it
 * exceeds max. */
bool mu_parameter_number(const char **text, uint64_t max, uint64_t *value);

/* Fails with MU_USAGE, for generators: the message quotes the parameters, gives the syntax and says why. */
int mu_parameter_fail(const struct mu_generator *generator, const char *parameters, const char *why,
                      struct mu_error *err);

/* For generators with the syntax name:S[:D]: 2^S vertices and D * 2^S edges drawn. */
struct mu_scale {
    unsigned bits;
    uint32_t vertices;
    uint64_t edges;
};
int mu_parameter_scale(const struct mu_generator *generator, const char *parameters, uint64_t default_degree,
                       struct mu_scale *scale, struct mu_error *err);

extern const struct mu_generator mu_generator_grid2d;
extern const struct mu_generator mu_generator_road;
extern const struct mu_generator mu_generator_mesh;
extern const struct mu_generator mu_generator_meshgrid;
extern const struct mu_generator mu_generator_rmat;
extern const struct mu_generator mu_generator_traps;
extern const struct mu_generator mu_generator_uniform;

#endif
