/* Uniform random graphs: the ends of D * 2^S undirected edges are drawn independently. Loops and duplicates are
 * dropped, so that fewer edges are left than were drawn, and some vertices have none. */
#include "inputs/generators/generators.h"
#include "inputs/graph/arcs.h"
#include "inputs/parallel.h"
#include "inputs/rng.h"

enum { DEFAULT_DEGREE = 4, EDGES = 3 };

struct work {
    struct mu_scale scale;
    uint64_t stream;
    struct mu_arcs arcs;
};

static void draw_slice(void *context, unsigned thread, unsigned threads)
{
    struct work *work = context;
    const uint64_t mask = work->scale.vertices - UINT64_C(1);
    const uint64_t end = mu_slice(work->arcs.count, thread + 1, threads);
    for (uint64_t edge = mu_slice(work->arcs.count, thread, threads); edge < end; edge++) {
        uint64_t random = mu_random(work->stream, edge);
        work->arcs.ends[edge] = (random >> 32 & mask) << 32 | (random & mask);
    }
}

static int check(const char *parameters, struct mu_error *err)
{
    struct mu_scale scale;
    return mu_parameter_scale(&mu_generator_uniform, parameters, DEFAULT_DEGREE, &scale, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    struct work work = {.stream = mu_random_stream(seed, EDGES)};
    int status = mu_parameter_scale(&mu_generator_uniform, parameters, DEFAULT_DEGREE, &work.scale, err);
    if (status == MU_OK) status = mu_arcs_reserve(&work.arcs, work.scale.edges, false, err);
    if (status != MU_OK) return status;
    work.arcs.count = work.scale.edges;
    mu_parallel(mu_parallel_threads(), draw_slice, &work);
    status = mu_arcs_build(&work.arcs, work.scale.vertices, MU_ARCS_MIRROR | MU_ARCS_SIMPLE, graph, err);
    mu_arcs_release(&work.arcs);
    return status;
}

const struct mu_generator mu_generator_uniform = {
    .name = "uniform",
    .syntax = "uniform:S[:D]",
    .purpose = "random graph, 2^S vertices, D * 2^S edges drawn (D = 4)",
    .check = check,
    .generate = generate,
};
