/* Recursive-matrix graphs (Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004),
 * with the probabilities of Graph500: A = .57, B = C = .19, D = .05. Each of D * 2^S edges picks, S times, a
 * quadrant of the adjacency matrix. Vertex ids are then permuted at random, so that degree says nothing about id.
 * The edges are made undirected, and loops and duplicates dropped: fewer edges are left than were drawn, and some
 * vertices have none. */
#include "inputs/generators/generators.h"
#include "inputs/graph/arcs.h"
#include "inputs/parallel.h"
#include "inputs/rng.h"

enum { DEFAULT_DEGREE = 16, PERMUTATION_ROUNDS = 4, LEVELS_MAX = 31 };
enum purpose { EDGES = 1, PERMUTATION = 2 };

/* The probabilities A, A + B and A + B + C in units of 2^-32, rounded down. */
static const uint32_t quadrant_end[] = {UINT32_C(2448131358), UINT32_C(3264175144), UINT32_C(4080218931)};

struct work {
    struct mu_scale scale;
    uint64_t stream;
    uint64_t multiplier[PERMUTATION_ROUNDS], addend[PERMUTATION_ROUNDS];
    struct mu_arcs arcs;
};

/* Permutes the vertices. Each round is a bijection of 0 .. 2^bits - 1: an odd multiple, a sum, and a right shift folded
 * in. */
static uint64_t permute(const struct work *work, uint64_t vertex)
{
    const unsigned bits = work->scale.bits, half = (bits + 1) / 2;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (unsigned round = 0; round < PERMUTATION_ROUNDS; round++) {
        vertex = (vertex * work->multiplier[round] + work->addend[round]) & mask;
        if (half > 0) vertex ^= vertex >> half;
    }
    return vertex;
}

static void choose_permutation(struct work *work, uint64_t seed)
{
    const uint64_t stream = mu_random_stream(seed, PERMUTATION);
    for (unsigned round = 0; round < PERMUTATION_ROUNDS; round++) {
        work->multiplier[round] = mu_random(stream, UINT64_C(2) * round) | 1;
        work->addend[round] = mu_random(stream, UINT64_C(2) * round + 1);
    }
}

/* Draws an edge. One random number serves two levels. */
static uint64_t draw_edge(const struct work *work, uint64_t edge)
{
    uint64_t tail = 0, head = 0, random = 0;
    for (unsigned level = 0; level < work->scale.bits; level++) {
        random = level % 2 == 0 ? mu_random(work->stream, edge * (LEVELS_MAX / 2 + 1) + level / 2) : random >> 32;
        uint32_t r = (uint32_t)random;
        unsigned quadrant = 0;
        for (unsigned i = 0; i < 3; i++) quadrant += r >= quadrant_end[i];
        tail = tail << 1 | quadrant >> 1;
        head = head << 1 | (quadrant & 1);
    }
    return permute(work, tail) << 32 | permute(work, head);
}

static void draw_slice(void *context, unsigned thread, unsigned threads)
{
    struct work *work = context;
    const uint64_t end = mu_slice(work->arcs.count, thread + 1, threads);
    for (uint64_t edge = mu_slice(work->arcs.count, thread, threads); edge < end; edge++)
        work->arcs.ends[edge] = draw_edge(work, edge);
}

static int check(const char *parameters, struct mu_error *err)
{
    struct mu_scale scale;
    return mu_parameter_scale(&mu_generator_rmat, parameters, DEFAULT_DEGREE, &scale, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    struct work work = {.stream = mu_random_stream(seed, EDGES)};
    int status = mu_parameter_scale(&mu_generator_rmat, parameters, DEFAULT_DEGREE, &work.scale, err);
    if (status == MU_OK) status = mu_arcs_reserve(&work.arcs, work.scale.edges, false, err);
    if (status != MU_OK) return status;
    choose_permutation(&work, seed);
    work.arcs.count = work.scale.edges;
    mu_parallel(mu_parallel_threads(), draw_slice, &work);
    status = mu_arcs_build(&work.arcs, work.scale.vertices, MU_ARCS_MIRROR | MU_ARCS_SIMPLE, graph, err);
    mu_arcs_release(&work.arcs);
    return status;
}

const struct mu_generator mu_generator_rmat = {
    .name = "rmat",
    .syntax = "rmat:S[:D]",
    .purpose = "power-law graph, 2^S vertices, D * 2^S edges drawn (D = 16)",
    .check = check,
    .generate = generate,
};
