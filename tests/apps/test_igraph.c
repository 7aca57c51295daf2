/* The checkers against igraph: for each app, on small random graphs, an answer that igraph computes (or confirms) must
 * pass the app's check, and the same answer with one value changed must not. */
#include "tests/tap.h"

#ifndef HAVE_IGRAPH

int main(void)
{
    tap_skip("the checkers against igraph", "igraph was not there when configure ran: Debian package libigraph-dev");
    return tap_done();
}

#else

#include "apps/app.h"
#include "apps/plan_run.h"

#include "apps/priority.clh"
#include "inputs/rng.h"

#include <igraph.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The graph that the app works on, as igraph has it: the instance's symmetrised graph, each edge once, or the graph
 * itself, every arc. */
struct subject {
    struct mu_instance *instance;
    const struct mu_graph *graph;
    bool undirected;
    igraph_t igraph;
    igraph_vector_t weight; /* by igraph's edge */
    uint64_t *arc;          /* by igraph's edge: the graph's arc */
};

static void *array_of(const struct subject *subject, const char *name)
{
    return *mu_instance_array(subject->instance, mu_app_buffer(subject->instance->app, name));
}

static void make_subject(struct subject *subject)
{
    const struct mu_graph *graph = subject->graph;
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 0);
    igraph_vector_init(&subject->weight, 0);
    subject->arc = calloc(graph->edges + 1, sizeof *subject->arc);
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            if (subject->undirected && graph->column[e] <= v) continue;
            subject->arc[igraph_vector_size(&subject->weight)] = e;
            igraph_vector_int_push_back(&ends, v);
            igraph_vector_int_push_back(&ends, graph->column[e]);
            igraph_vector_push_back(&subject->weight, graph->weight != NULL ? graph->weight[e] : 1);
        }
    igraph_create(&subject->igraph, &ends, graph->vertices, !subject->undirected);
    igraph_vector_int_destroy(&ends);
}

static void free_subject(struct subject *subject)
{
    igraph_destroy(&subject->igraph);
    igraph_vector_destroy(&subject->weight);
    free(subject->arc);
}

/* ---- Answers: each fills the app's results; false when igraph does not confirm them --------------------------------
 */

static bool answer_distances(struct subject *subject, const igraph_vector_t *weight)
{
    igraph_matrix_t rows;
    uint32_t *distance = array_of(subject, "distance");
    const igraph_integer_t source = (igraph_integer_t)mu_instance_value(subject->instance, "source").number;
    igraph_matrix_init(&rows, 0, 0);
    igraph_distances_dijkstra(&subject->igraph, &rows, igraph_vss_1(source), igraph_vss_all(), weight, IGRAPH_OUT);
    for (uint32_t v = 0; v < subject->graph->vertices; v++)
        distance[v] = isfinite(MATRIX(rows, 0, v)) ? (uint32_t)MATRIX(rows, 0, v) : UINT32_MAX;
    igraph_matrix_destroy(&rows);
    return true;
}

static bool answer_bfs(struct subject *subject)
{
    return answer_distances(subject, NULL);
}

static bool answer_sssp(struct subject *subject)
{
    *(uint32_t *)array_of(subject, "overflow") = 0;
    return answer_distances(subject, &subject->weight);
}

static bool answer_bc(struct subject *subject)
{
    igraph_vector_t value;
    double *centrality = array_of(subject, "centrality");
    *(uint32_t *)array_of(subject, "overflow") = UINT32_MAX;
    igraph_vector_init(&value, 0);
    igraph_betweenness(&subject->igraph, &value, igraph_vss_all(), IGRAPH_DIRECTED, NULL);
    for (uint32_t v = 0; v < subject->graph->vertices; v++) centrality[v] = VECTOR(value)[v];
    igraph_vector_destroy(&value);
    return true;
}

/* igraph breaks ties as it likes: the edges' numbers, in order of weight and arc, leave none. */
static bool answer_mst(struct subject *subject)
{
    igraph_vector_t strict;
    igraph_vector_int_t forest, member;
    uint32_t *joined_by = array_of(subject, "joined_by"), *component = array_of(subject, "component");
    const uint32_t vertices = subject->graph->vertices;
    igraph_vector_init_copy(&strict, &subject->weight);
    for (igraph_integer_t i = 0; i < igraph_vector_size(&strict); i++)
        VECTOR(strict)[i] += (double)subject->arc[i] / 1048576;
    igraph_vector_int_init(&forest, 0);
    igraph_vector_int_init(&member, 0);
    igraph_minimum_spanning_tree(&subject->igraph, &forest, &strict);
    igraph_connected_components(&subject->igraph, &member, NULL, NULL, IGRAPH_WEAK);
    for (uint32_t v = 0; v < vertices; v++) {
        const bool edge = v < igraph_vector_int_size(&forest);
        joined_by[v] = edge ? (uint32_t)subject->arc[VECTOR(forest)[v]] : UINT32_MAX;
        for (component[v] = 0; VECTOR(member)[component[v]] != VECTOR(member)[v];) component[v]++;
    }
    igraph_vector_destroy(&strict);
    igraph_vector_int_destroy(&forest);
    igraph_vector_int_destroy(&member);
    return true;
}

/* Whether vertex v comes before w in the order of mis: it has fewer binary digits in its degree, which igraph knows,
 * or as many and the lower priority. */
static bool mis_before(struct subject *subject, uint32_t v, uint32_t w)
{
    igraph_integer_t degree[2];
    igraph_degree_1(&subject->igraph, &degree[0], v, IGRAPH_ALL, IGRAPH_LOOPS);
    igraph_degree_1(&subject->igraph, &degree[1], w, IGRAPH_ALL, IGRAPH_LOOPS);
    while (degree[0] != 0 && degree[1] != 0) {
        degree[0] /= 2;
        degree[1] /= 2;
    }
    return degree[0] != degree[1] ? degree[0] < degree[1] : mu_priority(v) < mu_priority(w);
}

/* The set by its definition, in time that only small graphs allow; igraph says whether it is independent and maximal.
 */
static bool answer_mis(struct subject *subject)
{
    enum { IN = 1, OUT = 2 };
    uint32_t *status = array_of(subject, "status");
    const uint32_t vertices = subject->graph->vertices;
    bool confirmed = true;
    for (uint32_t turn = 0; turn < vertices; turn++) status[turn] = 0;
    for (uint32_t turn = 0; turn < vertices; turn++) {
        uint32_t first = UINT32_MAX;
        for (uint32_t v = 0; v < vertices; v++)
            if (status[v] == 0 && (first == UINT32_MAX || mis_before(subject, v, first))) first = v;
        if (first == UINT32_MAX) break;
        status[first] = IN;
        for (uint64_t e = subject->graph->row_start[first]; e < subject->graph->row_start[first + 1]; e++)
            status[subject->graph->column[e]] = OUT;
    }
    igraph_vector_int_t near;
    igraph_vector_int_init(&near, 0);
    for (uint32_t v = 0; v < vertices; v++) {
        uint32_t neighbours_in = 0;
        igraph_neighbors(&subject->igraph, &near, v, IGRAPH_ALL);
        for (igraph_integer_t i = 0; i < igraph_vector_int_size(&near); i++)
            neighbours_in += status[VECTOR(near)[i]] == IN;
        confirmed &= (status[v] == IN) == (neighbours_in == 0);
    }
    igraph_vector_int_destroy(&near);
    return confirmed;
}

/* The colours by their definition: in each round those that are above all uncoloured neighbours; igraph's edges say
 * whether they are proper. */
static bool answer_color(struct subject *subject)
{
    uint32_t *colour = array_of(subject, "colour");
    const struct mu_graph *graph = subject->graph;
    bool confirmed = true;
    for (uint32_t v = 0; v < graph->vertices; v++) colour[v] = UINT32_MAX;
    for (uint32_t round = 1; round <= graph->vertices; round++)
        for (uint32_t v = 0; v < graph->vertices; v++) {
            bool highest = colour[v] == UINT32_MAX;
            for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
                highest &= colour[graph->column[e]] < round || mu_priority(graph->column[e]) < mu_priority(v);
            if (highest) colour[v] = round;
        }
    for (igraph_integer_t i = 0; i < igraph_ecount(&subject->igraph); i++)
        confirmed &= colour[IGRAPH_FROM(&subject->igraph, i)] != colour[IGRAPH_TO(&subject->igraph, i)];
    return confirmed;
}

/* The colours in order of degree by their definition: the vertices are taken one by one, those of the highest degree
 * first, and each gets the smallest colour that none of its neighbours has. */
static bool answer_color_by_degree(struct subject *subject)
{
    uint32_t *colour = array_of(subject, "colour");
    const struct mu_graph *graph = subject->graph;
    bool confirmed = true;
    for (uint32_t v = 0; v < graph->vertices; v++) colour[v] = 0;
    for (uint32_t taken = 0; taken < graph->vertices; taken++) {
        uint32_t next = UINT32_MAX;
        uint64_t best = 0;
        for (uint32_t v = 0; v < graph->vertices; v++) {
            const uint64_t degree = graph->row_start[v + 1] - graph->row_start[v];
            if (colour[v] != 0 || (next != UINT32_MAX && degree < best)) continue;
            if (next != UINT32_MAX && degree == best && mu_priority(v) < mu_priority(next)) continue;
            next = v;
            best = degree;
        }
        bool free = false;
        while (!free) {
            colour[next]++;
            free = true;
            for (uint64_t e = graph->row_start[next]; e < graph->row_start[next + 1]; e++)
                free &= colour[graph->column[e]] != colour[next];
        }
    }
    for (igraph_integer_t i = 0; i < igraph_ecount(&subject->igraph); i++)
        confirmed &= colour[IGRAPH_FROM(&subject->igraph, i)] != colour[IGRAPH_TO(&subject->igraph, i)];
    return confirmed;
}

/* The smallest vertex of each component, arcs counting in both directions. */
static bool answer_cc(struct subject *subject)
{
    igraph_vector_int_t member;
    uint32_t *component = array_of(subject, "component");
    igraph_vector_int_init(&member, 0);
    igraph_connected_components(&subject->igraph, &member, NULL, NULL, IGRAPH_WEAK);
    for (uint32_t v = 0; v < subject->graph->vertices; v++)
        for (component[v] = 0; VECTOR(member)[component[v]] != VECTOR(member)[v];) component[v]++;
    igraph_vector_int_destroy(&member);
    return true;
}

/* The triangles by their smallest vertex. */
static bool answer_tri(struct subject *subject)
{
    igraph_vector_int_t corners;
    uint32_t *triangles = array_of(subject, "triangles");
    for (uint32_t v = 0; v < subject->graph->vertices; v++) triangles[v] = 0;
    igraph_vector_int_init(&corners, 0);
    igraph_list_triangles(&subject->igraph, &corners);
    for (igraph_integer_t i = 0; i + 2 < igraph_vector_int_size(&corners); i += 3) {
        const igraph_integer_t *corner = &VECTOR(corners)[i];
        const igraph_integer_t least = corner[0] < corner[1] ? corner[0] : corner[1];
        triangles[corner[2] < least ? corner[2] : least]++;
    }
    igraph_vector_int_destroy(&corners);
    return true;
}

static const struct {
    const char *app;
    bool (*answer)(struct subject *subject);
    bool undirected;
    const char *order; /* the value of option `order`, or NULL */
} cases[] = {
    {"irgl/cc", answer_cc, false, NULL},          {"irgl/tri", answer_tri, true, NULL},
    {"lonestar/bfs", answer_bfs, false, NULL},    {"lonestar/mst", answer_mst, true, NULL},
    {"lonestar/sssp", answer_sssp, false, NULL},  {"pannotia/bc", answer_bc, false, NULL},
    {"pannotia/color", answer_color, true, NULL}, {"pannotia/color", answer_color_by_degree, true, "degree"},
    {"pannotia/mis", answer_mis, true, NULL},     {"pannotia/sssp", answer_sssp, false, NULL},
};

/* ---- The test -------------------------------------------------------------------------------------------------------
 */

static int check(const struct subject *subject, struct mu_error *err)
{
    *err = (struct mu_error){0};
    return subject->instance->app->check(subject->instance, err);
}

/* Changes the value of one vertex and puts it back; the check must notice. */
static bool notices(const struct subject *subject, uint32_t v)
{
    struct mu_error err;
    const size_t buffer = mu_app_buffer(subject->instance->app, subject->instance->app->result);
    void *array = *mu_instance_array(subject->instance, buffer);
    uint32_t *word = (uint32_t *)array + v, before_word = 0;
    double *real = (double *)array + v, before_real = 0;
    const bool is_real = subject->instance->app->buffers[buffer].type == MU_TYPE_real;
    if (is_real) {
        before_real = *real;
        *real += 1e-6 * (fabs(*real) + 1);
    } else {
        before_word = *word;
        *word += 1;
    }
    const int status = check(subject, &err);
    if (is_real)
        *real = before_real;
    else
        *word = before_word;
    if (status != MU_WRONG) printf("# vertex %" PRIu32 " was changed, and the check says '%s'\n", v, err.message);
    return status == MU_WRONG;
}

static void test_app(size_t i, struct mu_graph *graph)
{
    struct mu_error err = {0};
    struct mu_app_setup setup = {.seed = 1};
    struct subject subject = {.undirected = cases[i].undirected};
    const struct mu_app *app = mu_app_find(cases[i].app, &err);
    if (app == NULL) {
        tap_skip(cases[i].app, "there is no such app");
        return;
    }
    if ((cases[i].order != NULL && mu_app_set(app, "order", cases[i].order, &setup, &err) != MU_OK) ||
        mu_instance_new(app, graph, &setup, &subject.instance, &err) != MU_OK ||
        mu_instance_need_results(subject.instance, &err) != MU_OK) {
        CHECK(false, "%s on %s: %s", cases[i].app, graph->name, err.message);
        mu_instance_free(subject.instance);
        return;
    }
    subject.graph = subject.undirected ? subject.instance->derived : graph;
    make_subject(&subject);
    const bool confirmed = cases[i].answer(&subject);
    CHECK(confirmed && check(&subject, &err) == MU_OK, "%s on %s: igraph's answer passes %s", cases[i].app, graph->name,
          err.message);
    bool all = true;
    for (uint32_t v = 0; v < graph->vertices; v++) all &= notices(&subject, v);
    CHECK(all, "%s on %s: a changed value does not", cases[i].app, graph->name);
    free_subject(&subject);
    mu_instance_free(subject.instance);
}

/* Directed, with loops, parallel arcs, zero weights and vertices of no arc; by way of a file. */
static struct mu_graph *draw_directed(uint32_t vertices, uint32_t arcs, uint64_t seed)
{
    char path[] = "/tmp/muster-igraph-XXXXXX";
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) {
        perror(path);
        exit(99);
    }
    fprintf(file, "p sp %" PRIu32 " %" PRIu32 "\n", vertices + 2, arcs);
    for (uint32_t i = 0; i < arcs; i++)
        fprintf(file, "a %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", 1 + mu_random_below(seed, UINT64_C(3) * i, vertices),
                1 + mu_random_below(seed, UINT64_C(3) * i + 1, vertices),
                mu_random_below(seed, UINT64_C(3) * i + 2, 12));
    if (fclose(file) != 0 || mu_graph_load(path, 1, &graph, &err) != MU_OK) printf("# %s\n", err.message);
    unlink(path);
    return graph;
}

static void test_graph(struct mu_graph *graph)
{
    struct mu_error err = {0};
    CHECK(graph != NULL && mu_graph_need_weights(graph, &err) == MU_OK, "a graph to test with");
    for (size_t i = 0; graph != NULL && err.status == MU_OK && i < sizeof cases / sizeof cases[0]; i++)
        test_app(i, graph);
    mu_graph_free(graph);
}

int main(void)
{
    static const char *const generated[] = {"uniform:6:1", "uniform:5:4", "rmat:6:4",
                                            "grid2d:7x5",  "road:8",      "grid2d:1x1"};
    for (size_t i = 0; i < sizeof generated / sizeof generated[0]; i++) {
        struct mu_graph *graph = NULL;
        struct mu_error err = {0};
        mu_graph_load(generated[i], 1, &graph, &err);
        test_graph(graph);
    }
    for (uint64_t seed = 1; seed <= 4; seed++)
        test_graph(draw_directed(40, (uint32_t)(40 * seed), mu_random_stream(seed, 1)));
    return tap_done();
}

#endif
