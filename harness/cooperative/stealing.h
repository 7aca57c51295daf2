/* The work-stealing apps of the cooperative-kernels study (thesis, table 5.2) as experiments: kernels whose workgroups
 * take items from queues of their own and of others until all are done, in the original form, and in the cooperative
 * one, in which the team may shrink and grow between items (variants/cooperative/offers.clh).
 *
 * An app opens the bench, makes its buffers, and says what its kernels' own arguments are, how a run begins and how it
 * is checked. All items are numbers, and a run begins with item 0 in a queue. */
#ifndef MU_HARNESS_COOPERATIVE_STEALING_H
#define MU_HARNESS_COOPERATIVE_STEALING_H

#include "base/error.h"
#include "harness/engine/survey_suite.h"
#include "harness/engine/workbench.h"

#include <stddef.h>
#include <stdint.h>

/* As a survey. Ends in a row without a name. */
extern const struct mu_survey_suite mu_stealing_suites[];

/* Serves the kind "stealing" of request. */
int mu_stealing_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* Measure an experiment at a point: the child's side. */
int mu_stealing_octree(struct mu_trial *trial, struct mu_error *err);
int mu_stealing_game(struct mu_trial *trial, struct mu_error *err);

#define MU_STEALING_ARGUMENTS 6

struct mu_stealing {
    struct mu_workbench bench;
    cl_kernel original, cooperative;
    cl_mem queue, offers;
    size_t queue_words; /* that the buffer has room for */
    const char *source; /* borrowed */

    /* The app's. */
    struct mu_workbench_argument own[MU_STEALING_ARGUMENTS]; /* behind STEAL_PARAMETERS */
    cl_uint own_count;
    uint32_t leaves;                                    /* items of a run of which no others come */
    int (*prepare)(const void *app, struct mu_error *); /* enqueues what a run begins with */
    int (*check)(const void *app, struct mu_error *);   /* MU_WRONG */
    const void *app;
};

/* Builds the kernels. Close also after a failure; zeros have nothing to release. The errors of mu_workbench_open. */
int mu_stealing_open(struct mu_stealing *stealing, struct mu_trial *trial, const char *source, struct mu_error *err);
void mu_stealing_close(struct mu_stealing *stealing);

/* Times both forms, and then runs the cooperative one once for each of the point's "seeds", from "first_seed" on, while
 * the team gets one random size after another; every result is checked. A point with a "load" has that in their place
 * (mu_stealing_load). MU_WRONG, MU_DEADLOCK, MU_DEVICE, MU_LIMIT. */
int mu_stealing_measure(struct mu_stealing *stealing, struct mu_trial *trial, struct mu_error *err);

/* Times the cooperative form in the kernel of a load without any request, and beside the load of that name, whose
 * requests are for one workgroup, a quarter of them, half, and all but one; the tasks' results are checked, too.
 * MU_UNSUPPORTED where kernels have no clock, or the team is of less than three. */
int mu_stealing_load(struct mu_stealing *stealing, struct mu_trial *trial, struct mu_error *err);

/* For both. A run of one of the kernels, of so many groups that steal, and one more where its bench has a load. */
struct mu_stealing_run {
    struct mu_workbench *bench;
    struct mu_team_kernel kernel;
    uint32_t groups, seed; /* the seed of a random schedule; 0: none */
};
struct mu_team_kernel mu_stealing_kernel(const struct mu_stealing *stealing, cl_kernel kernel, const char *name);
int mu_stealing_run(struct mu_stealing *stealing, const struct mu_stealing_run *run, double *ns, struct mu_error *err);

/* Builds the kernels, with a load or without. Release the bench also after a failure. */
int mu_stealing_build(const struct mu_stealing *stealing, struct mu_trial *trial, bool load, struct mu_workbench *bench,
                      struct mu_error *err);

/* ---- The apps' answers, which the host finds by other algorithms ---- */

/* An octree (octree.clh): the nodes of a depth stand before those of the next, children of one node together. */
struct mu_octree {
    uint32_t points, count;
    const uint32_t *point; /* borrowed */
    uint32_t *codes;       /* of the points, sorted: the path from the root, three bits a depth */
    uint32_t *nodes;       /* count times OCTREE_NODE_WORDS */
    uint32_t inner, last;  /* nodes that have children, and those among them whose children have none */
};

/* Builds it on the host. Release it, also after a failure. MU_NO_MEMORY. */
int mu_octree_make(const uint32_t *point, uint32_t points, struct mu_octree *octree, struct mu_error *err);
void mu_octree_free(struct mu_octree *octree);

/* Checks that nodes and numbers of points are this octree. Nodes may lie in any order but that of children, and points
 * of a leaf in any order. `ids` are those of nodes of even and of odd depth; `used` is the number of nodes. MU_WRONG.
 */
int mu_octree_check(const struct mu_octree *octree, const uint32_t *nodes, uint32_t used, const uint32_t *const ids[2],
                    struct mu_error *err);

/* A game tree (game.clh) of so many turns: its number of nodes and of leaves, the root's value, and a sum over the
 * nodes of their positions and values. */
struct mu_game {
    uint32_t depth, count, leaves, value;
    uint64_t sum;
};
void mu_game_solve(uint32_t depth, struct mu_game *game);

/* Checks that nodes are those of the tree, the root first and the others in any order. MU_WRONG. */
int mu_game_check(const struct mu_game *game, const uint32_t *nodes, uint32_t used, struct mu_error *err);

#endif
