/* What the programs of suite irgl share on the host: rows of options, references and checks.
 *
 * The programs are those of Pai and Pingali (A compiler for throughput optimization of graph algorithms on GPUs, OOPSLA
 * 2016), which Sorensen's thesis (2018, chapter 4) took to study which optimisations are portable. Each is written
 * plainly, with the operators of variants/operators/; the optimisations are the options below. */
#ifndef MU_APPS_IRGL_IRGL_H
#define MU_APPS_IRGL_IRGL_H

#include "apps/app.h"

#include <stdint.h>

/* For the descriptor: what the program's reference is (irgl_check_...). Those of vertices have an element of each. */
#define IRGL_LEVELS     .reference_name = "levels", .reference_bytes = irgl_word_for_each
#define IRGL_DISTANCES  .reference_name = "distances", .reference_bytes = irgl_long_for_each
#define IRGL_COMPONENTS .reference_name = "components", .reference_bytes = irgl_word_for_each
#define IRGL_TRIANGLES  .reference_name = "triangles", .reference_bytes = irgl_word_for_each
#define IRGL_RANKS      .reference_name = "ranks", .reference_bytes = irgl_long_for_each
#define IRGL_FOREST     .reference_name = "forest", .reference_bytes = irgl_forest_bytes
size_t irgl_word_for_each(const struct mu_instance *instance);
size_t irgl_long_for_each(const struct mu_instance *instance);
size_t irgl_forest_bytes(const struct mu_instance *instance);

/* Rows for APP_OPTIONS. coop-cv is for programs that push, the others are for programs that have a loop over edges in
 * an operator. */
#define IRGL_SCHEDULE (MU_OPTION_BUILD | MU_OPTION_SCHEDULE)
#define IRGL_SWITCH   .is = IRGL_SCHEDULE, .argument = "WORD", .choices = irgl_switches, .otherwise = "off"
#define IRGL_PUSHES(X)                                                                                                 \
    X(coop_cv, uint, IRGL_SWITCH, .help = "Pushes of a subgroup, and of a workgroup, become one atomic")
#define IRGL_NESTS(X)                                                                                                  \
    X(wg, uint, IRGL_SWITCH, .help = "A workgroup serves the edges of a vertex of high degree")                        \
    X(sg, uint, IRGL_SWITCH, .help = "A subgroup serves the edges of a vertex of medium degree")                       \
    X(fg, uint, .is = IRGL_SCHEDULE, .argument = "WORD", .choices = irgl_grains, .otherwise = "off",                   \
      .help = "The other edges are numbered by a scan, and a work-item takes so many at once")
#define IRGL_WIDTH(X)                                                                                                  \
    X(width, uint, .argument = "DISTANCE", .min = 1, .max = UINT32_MAX - 1, .words = {{"auto", 0}},                    \
      .otherwise = "auto", .usual = "auto: 32 mean weights over the mean degree",                                      \
      .help = "How far a phase of irgl/sssp-nf reaches")
extern const struct mu_choice irgl_switches[], irgl_grains[];

/* The level of a vertex that no path leads to. */
#define IRGL_UNREACHED UINT32_MAX

/* Where prepare wants the arrays of a graph, which are then the instance's: IRGL_ROWS(S) of every program, and those
 * that it says beside them. */
struct irgl_arrays {
    struct mu_rows rows;
    uint32_t **weight; /* NULL: not wanted */
    uint32_t **tail,
        **twin; /* the same: of every arc its tail, and its opposite arc; of a symmetric graph, both or none */
};
#define IRGL_ROWS(S) .rows = *MU_ROWS(S)

/* Take the graph, for prepare: as it is; and as a simple undirected one, which becomes the derived graph. MU_LIMIT if
 * arcs are wanted by numbers that 32 bits do not hold. */
int irgl_take_graph(struct mu_instance *instance, const struct irgl_arrays *arrays, struct mu_error *err);
int irgl_take_symmetric(struct mu_instance *instance, const struct irgl_arrays *arrays, struct mu_error *err);

/* Computes, for prepare, how long a list of vertices gets that begins with the source, and to which each vertex that
 * expands once adds all its neighbours. MU_LIMIT. */
int irgl_list_room(const struct mu_graph *graph, uint32_t *room, struct mu_error *err);

/* Compares levels with those of a sequential search from the option `source`: bit-exact. */
int irgl_check_levels(struct mu_instance *instance, const uint32_t *level, struct mu_error *err);

/* Checks that the root that component[v] names is the smallest vertex that v is connected with: bit-exact. */
int irgl_check_components(struct mu_instance *instance, const uint32_t *component, struct mu_error *err);

/* Checks that every vertex is in or out, no two that are in are neighbours, and each that is out has a neighbour in. */
int irgl_check_independent(struct mu_instance *instance, const uint32_t *status, uint32_t in, uint32_t out,
                           struct mu_error *err);

/* Checks the numbers of triangles of the derived graph whose smallest vertex is v: bit-exact. */
int irgl_check_triangles(struct mu_instance *instance, const uint32_t *triangles, struct mu_error *err);

/* Ranks within a relative distance of those in double precision, which apps/irgl/ranks.c derives. */
int irgl_check_ranks(struct mu_instance *instance, const float *rank, struct mu_error *err);

/* Checks a forest. joined_by[v] is an arc of the derived graph, or UINT32_MAX: together they are a forest of the least
 * weight, whose trees `component` names. The weight is bit-exact. The summary is that of the reference, which the
 * result has equalled. */
int irgl_check_forest(struct mu_instance *instance, const uint32_t *joined_by, const uint32_t *component,
                      struct mu_error *err);
size_t irgl_summarise_forest(const struct mu_instance *instance, struct mu_figure *figures);

/* Finds the tail of every arc of a symmetric graph, and its opposite arc; of fewer than 2^32 arcs. */
int irgl_pair_arcs(const struct mu_graph *graph, uint32_t *tail, uint32_t *twin, struct mu_error *err);

/* Returns the width of a phase near and far: `asked`, or if that is 0 the rule of Davidson and others (IPDPS 2014), 32
 * times the mean weight over the mean degree. */
uint32_t irgl_width(const struct mu_graph *graph, uint32_t asked);

#endif
