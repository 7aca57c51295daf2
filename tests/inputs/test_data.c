/* Real graphs, where they are at hand: in the folder that MUSTER_DATA names, or in ../shared/data beside the sources.
 */
#include "inputs/graph/stats.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *file, *format;
    uint32_t vertices;
    uint64_t edges;
    bool undirected, weighted;
    uint64_t components; /* counted by other means; 0: not known */
} files[] = {
    {"rome99.gr", "dimacs", 3353, 8870, false, true, 1},     {"1k_128k.gr.gz", "dimacs", 1024, 131072, false, true, 1},
    {"NY.gr.xz", "pace", 264346, 730100, true, false, 1},    {"BAY.gr.xz", "pace", 321270, 794830, true, false, 1},
    {"FLA.gr.xz", "pace", 1070376, 2687902, true, false, 1}, {"bcsstk13.mtx", "mtx", 2003, 83883, true, false, 0},
    {"jagmesh7.mtx", "mtx", 1138, 7450, true, false, 0},     {"karate.mtx", "mtx", 34, 156, true, false, 1},
    {"west0067.mtx", "mtx", 67, 294, false, false, 0},
};

static void test_file(const char *folder, size_t i)
{
    char path[2048];
    struct mu_graph *graph = NULL;
    struct mu_graph_stats stats;
    struct mu_error err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, files[i].file);
    if (access(path, R_OK) != 0) {
        tap_skip(files[i].file, "the file is not there");
        return;
    }
    int status = mu_graph_load(path, 1, &graph, &err);
    if (status == MU_OK) status = mu_graph_stats(graph, &stats, &err);
    bool right = status == MU_OK && strcmp(graph->format, files[i].format) == 0 &&
                 graph->vertices == files[i].vertices && graph->edges == files[i].edges &&
                 graph->undirected == files[i].undirected && (graph->weight != NULL) == files[i].weighted;
    if (right && graph->undirected) right = stats.symmetric;
    if (right && files[i].components != 0) right = stats.components == files[i].components;
    CHECK(right, "%s %s", files[i].file, err.message);
    if (status == MU_OK)
        printf("# %" PRIu32 " vertices, %" PRIu64 " arcs, %" PRIu64 " components\n", graph->vertices, graph->edges,
               stats.components);
    mu_graph_free(graph);
}

int main(void)
{
    char beside[1024];
    const char *folder = getenv("MUSTER_DATA"), *srcdir = getenv("srcdir");
    snprintf(beside, sizeof beside, "%s/../shared/data", srcdir != NULL ? srcdir : ".");
    if (folder == NULL || *folder == '\0') folder = beside;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) test_file(folder, i);
    return tap_done();
}
