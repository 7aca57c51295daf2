/* sssp: the host's part. Arcs are followed in their direction. */
#include "sssp.state.h"

#include "apps/distances.h"

/* No suite sets block and long_degree. They stay, since the keys of records hold them and a new chip may want others.
 */
#define APP_OPTIONS(X)                                                                                                 \
    X(source, uint, MU_ROW_SOURCE)                                                                                     \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(block, uint, .argument = "ROWS", .is = MU_OPTION_BUILD, .min = 1, .max = 4096, .otherwise = "32",                \
      .help = "Rows that are computed or left alone together")                                                         \
    X(long_degree, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 1, .max = 1u << 20, .otherwise = "512",    \
      .help = "A row that is longer belongs to a hub: a whole workgroup computes it")
#include "apps/host.h"
#include "sssp.plan.h"

#include "base/memory.h"

#include <stdlib.h>

_Static_assert(SSSP_UNREACHED == MU_UNREACHED, "the checker's mark for an unreached vertex is the app's");

/* Blocks are marked (sssp.cl) only where a block has at most one link for so many of its arcs: otherwise marking costs
 * as much as computing. */
#define ARCS_PER_LINK 4

/* Writes the links of all blocks, or only counts them: each block has one to itself, then one to every other block that
 * it has an arc to. `linked` is working memory, a word for each block. */
static uint64_t write_links(const struct app_state *S, const struct mu_graph *graph, uint32_t *linked, bool count_only)
{
    const uint32_t blocks = S->blocks, rows = S->option.block;
    uint32_t *const link_start = count_only ? NULL : S->link_start, *const link = count_only ? NULL : S->link;
    uint64_t links = 0;
    for (uint32_t block = 0; block < blocks; block++) linked[block] = UINT32_MAX;
    for (uint32_t block = 0; block < blocks; block++) {
        const uint64_t first = (uint64_t)block * rows;
        const uint64_t end = first + rows < graph->vertices ? first + rows : graph->vertices;
        if (link != NULL) link_start[block] = (uint32_t)links;
        if (link != NULL) link[links] = block;
        links++;
        linked[block] = block;
        for (uint64_t e = graph->row_start[first]; e < graph->row_start[end]; e++) {
            const uint32_t to = graph->column[e] / rows;
            if (linked[to] == block) continue;
            linked[to] = block;
            if (link != NULL) link[links] = to;
            links++;
        }
    }
    if (link != NULL) link_start[blocks] = (uint32_t)links;
    return links;
}

static int make_links(struct app_state *S, const struct mu_graph *graph, struct mu_error *err)
{
    uint32_t *linked = mu_malloc(S->blocks, sizeof *linked, "blocks", err);
    if (linked == NULL) return err->status;
    uint64_t links = write_links(S, graph, linked, true);
    if (links > graph->edges / ARCS_PER_LINK + S->blocks || links > UINT32_MAX) links = 0;
    S->links = (uint32_t)links;
    S->link_start = mu_calloc((size_t)S->blocks + 1, sizeof *S->link_start, "blocks", err);
    S->link = mu_malloc(links, sizeof *S->link, "links of blocks", err);
    if (err->status == MU_OK && links != 0) write_links(S, graph, linked, false);
    mu_free(linked);
    return err->status;
}

static int make_hubs(struct app_state *S, const struct mu_graph *incoming, struct mu_error *err)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) S->hub = mu_malloc(S->hubs, sizeof *S->hub, "hubs", err);
        if (err->status != MU_OK) return err->status;
        S->hubs = 0;
        for (uint32_t v = 0; v < incoming->vertices; v++) {
            if (incoming->row_start[v + 1] - incoming->row_start[v] <= S->option.long_degree) continue;
            if (pass == 1) S->hub[S->hubs] = v;
            S->hubs++;
        }
    }
    return MU_OK;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    if (mu_graph_transpose(graph, &instance->derived, err) != MU_OK) return err->status;
    S->vertices = graph->vertices;
    S->source = S->option.source;
    S->blocks = (uint32_t)(((uint64_t)graph->vertices + S->option.block - 1) / S->option.block);
    S->in_start = mu_copy_rows(instance, instance->derived, err);
    S->in_arc = mu_pack_arcs(instance->derived, err);
    if (make_links(S, graph, err) != MU_OK) return err->status;
    return make_hubs(S, instance->derived, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return mu_check_distances(instance, S->distance, S->overflow[0] != 0, err);
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts the reached vertices by their distances, each below its distance in one number. Returns how many there are. */
static uint32_t sort_reached(const struct app_state *S, uint64_t *sorted)
{
    uint32_t reached = 0;
    for (uint32_t v = 0; v < S->vertices; v++)
        if (S->distance[v] != SSSP_UNREACHED) sorted[reached++] = (uint64_t)S->distance[v] << 32 | v;
    qsort(sorted, reached, sizeof *sorted, compare_keys);
    return reached;
}

/* Returns the fewest arcs that a shortest path to v has: one more than to the best of those before it, whose own are
 * known. */
static uint32_t fewest_arcs(const struct mu_graph *incoming, const struct app_state *S, const uint32_t *arcs,
                            uint32_t v)
{
    uint32_t fewest = UINT32_MAX - 1;
    if (v == S->source) return 0;
    for (uint64_t e = incoming->row_start[v]; e < incoming->row_start[v + 1]; e++) {
        const uint32_t from = incoming->column[e];
        if (S->distance[from] == SSSP_UNREACHED || incoming->weight[e] == 0) continue;
        if ((uint64_t)S->distance[from] + incoming->weight[e] == S->distance[v] && arcs[from] < fewest)
            fewest = arcs[from];
    }
    return fewest + 1;
}

static bool has_weight_of_zero(const struct mu_graph *graph)
{
    for (uint64_t e = 0; e < graph->edges; e++)
        if (graph->weight[e] == 0) return true;
    return false;
}

/* Returns how many steps the plan takes: init, and one product more than changes something. After r products a vertex
 * has the least distance over paths of at most r arcs. So the last change is in the round of the vertex whose shortest
 * paths have the most arcs. Not known where arcs of weight 0 leave open which of two vertices comes first. */
static uint64_t steps(const struct mu_instance *instance)
{
    const struct app_state *S = instance->state;
    const struct mu_graph *incoming = instance->derived;
    struct mu_error none = {0};
    uint32_t most = 0;
    if (has_weight_of_zero(incoming)) return 0;
    uint64_t *sorted = mu_malloc(S->vertices, sizeof *sorted, "vertices by distance", &none);
    uint32_t *arcs = mu_malloc(S->vertices, sizeof *arcs, "arcs of shortest paths", &none);
    const uint32_t reached = sorted != NULL && arcs != NULL ? sort_reached(S, sorted) : 0;
    for (uint32_t i = 0; i < reached; i++) {
        const uint32_t v = (uint32_t)sorted[i];
        arcs[v] = fewest_arcs(incoming, S, arcs, v);
        if (arcs[v] > most) most = arcs[v];
    }
    mu_free(sorted);
    mu_free(arcs);
    return reached != 0 ? 2 + (uint64_t)most : 0;
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->graph->vertices * sizeof(uint64_t);
}

const struct mu_app mu_app_pannotia_sssp = {
    .suite = "pannotia",
    .name = "sssp",
    .purpose = "shortest paths from --source by (min, +) products until nothing changes",
    .needs = MU_NEEDS_WEIGHTS,
    .result = "distance",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    .steps = steps,
    MU_APP_TABLES,
};
