/* Runs everything that allocates with the n-th allocation failing, for every n: each failure must come out as
 * MU_NO_MEMORY with a message, and nothing may leak (which the address sanitizer sees). */
#include "base/memory.h"
#include "inputs/graph/stats.h"
#include "inputs/mesh/check.h"
#include "tests/inputs/input_files.h"
#include "tests/tap.h"

#include <lzma.h>
#include <zlib.h>

enum { FAILURES_MAX = 200 };

/* One thing to do; 0 or a status. */
typedef int action(const void *subject, struct mu_error *err);

static void fail_everywhere(const char *title, action *act, const void *subject)
{
    unsigned long n = 1;
    for (; n < FAILURES_MAX; n++) {
        struct mu_error err = {0};
        mu_fail_allocation(n);
        int status = act(subject, &err);
        mu_fail_allocation(0);
        if (status == MU_OK) break;
        if (status != MU_NO_MEMORY || err.status != MU_NO_MEMORY || err.message[0] == '\0') {
            CHECK(false, "%s: failure %lu gives %d: %s", title, n, status, err.message);
            return;
        }
    }
    CHECK(n > 1 && n < FAILURES_MAX, "%s: each of %lu allocations may fail", title, n - 1);
}

static int load(const void *subject, struct mu_error *err)
{
    struct mu_graph *graph = NULL;
    int status = mu_graph_load(subject, 1, &graph, err);
    if (status != MU_OK && graph != NULL) return MU_WRONG;
    mu_graph_free(graph);
    return status;
}

static int load_in_parts(const void *subject, struct mu_error *err)
{
    mu_source_set_parts(1, PART_BYTES);
    const int status = load(subject, err);
    mu_source_set_parts(0, 0);
    return status;
}

static int load_mesh(const void *subject, struct mu_error *err)
{
    struct mu_mesh *mesh = NULL;
    int status = mu_mesh_load(subject, 1, &mesh, err);
    if (status != MU_OK && mesh != NULL) return MU_WRONG;
    mu_mesh_free(mesh);
    return status;
}

static int write_mesh(const void *subject, struct mu_error *err)
{
    return mu_mesh_write(subject, path_of("mesh"), err);
}

static int check_mesh(const void *subject, struct mu_error *err)
{
    return mu_mesh_check(subject, subject, 0, err);
}

static int transpose(const void *subject, struct mu_error *err)
{
    struct mu_graph *made = NULL;
    int status = mu_graph_transpose(subject, &made, err);
    mu_graph_free(made);
    return status;
}

static int symmetrise(const void *subject, struct mu_error *err)
{
    struct mu_graph *made = NULL;
    int status = mu_graph_symmetrise(subject, &made, err);
    mu_graph_free(made);
    return status;
}

static int is_symmetric(const void *subject, struct mu_error *err)
{
    bool symmetric;
    return mu_graph_is_symmetric(subject, &symmetric, err);
}

static int describe(const void *subject, struct mu_error *err)
{
    struct mu_graph_stats stats;
    return mu_graph_stats(subject, &stats, err);
}

static int give_weights(const void *subject, struct mu_error *err)
{
    struct mu_graph *graph = NULL;
    int status = mu_graph_transpose(subject, &graph, err);
    if (status == MU_OK) status = mu_graph_need_weights(graph, err);
    mu_graph_free(graph);
    return status;
}

static const struct mu_format *written_format;

static int write_file(const void *subject, struct mu_error *err)
{
    return mu_format_write(written_format, subject, path_of("written"), true, err);
}

static struct mu_graph *sample(const char *text)
{
    struct mu_graph *graph;
    struct mu_error err;
    if (read_bytes(text, strlen(text), &graph, &err) != MU_OK) abort();
    return graph;
}

static void test_generators(void)
{
    static const char *const specifications[] = {"grid2d:5x4", "road:5", "rmat:5", "uniform:5"};
    for (size_t i = 0; i < sizeof specifications / sizeof specifications[0]; i++)
        fail_everywhere(specifications[i], load, specifications[i]);
}

static void test_formats(void)
{
    static const char symmetric[] = "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 7\n3 1 9\n4 2 3\n";
    struct mu_graph *graph = sample(symmetric);
    char title[64];
    for (const struct mu_format *const *format = mu_formats; *format != NULL; format++) {
        if ((*format)->write == NULL) continue;
        written_format = *format;
        snprintf(title, sizeof title, "writing %s", (*format)->name);
        fail_everywhere(title, write_file, graph);
        snprintf(title, sizeof title, "reading %s", (*format)->name);
        fail_everywhere(title, load, path_of("written"));
        fail_everywhere(title, load_in_parts, path_of("written"));
    }
    mu_graph_free(graph);
    CHECK(count_files() == 1, "no temporary file is left behind");
}

static void test_special_files(void)
{
    static const char far[] = "# x\n1 99999999999\n7 1\n", directed[] = "p sp 3 2\na 1 2 3\na 2 3 4\n";
    struct mu_graph *graph = sample(directed);
    fail_everywhere("reading ids that are far apart", load, make_file("far", far, strlen(far)));
    written_format = &mu_format_wsg;
    fail_everywhere("writing a directed wsg", write_file, graph);
    fail_everywhere("reading a directed wsg", load, path_of("written"));
    written_format = &mu_format_snap;
    mu_free(graph->weight);
    graph->weight = NULL;
    fail_everywhere("writing an edge list", write_file, graph);
    mu_graph_free(graph);
}

static void test_packed(void)
{
    static const char text[] = "p sp 3 2\na 1 2 3\na 2 3 4\n";
    unsigned char packed[1024];
    size_t size = 0;
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const unsigned char *)text, strlen(text), packed, &size,
                                sizeof packed) != LZMA_OK)
        abort();
    fail_everywhere("reading xz", load, make_file("packed", packed, size));
    gzFile stream = gzopen(path_of("packed"), "wb");
    if (stream == NULL || gzputs(stream, text) < 0 || gzclose(stream) != Z_OK) abort();
    fail_everywhere("reading gzip", load, path_of("packed"));
    fail_everywhere("reading gzip in parts", load_in_parts, path_of("packed"));
}

static void test_graphs(void)
{
    static const char weighted[] = "p sp 3 3\na 1 2 3\na 2 3 4\na 2 2 1\n", light[] = "# ids\n10 20\n20 30\n5 10\n";
    struct mu_graph *graphs[] = {sample(weighted), sample(light)};
    for (size_t i = 0; i < 2; i++) {
        fail_everywhere("transpose", transpose, graphs[i]);
        fail_everywhere("symmetrise", symmetrise, graphs[i]);
        fail_everywhere("is symmetric", is_symmetric, graphs[i]);
        fail_everywhere("statistics", describe, graphs[i]);
        fail_everywhere("weights", give_weights, graphs[i]);
        mu_graph_free(graphs[i]);
    }
}

static void test_meshes(void)
{
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0};
    fail_everywhere("mesh:9", load_mesh, "mesh:9");
    fail_everywhere("meshgrid:3x3", load_mesh, "meshgrid:3x3");
    if (mu_mesh_load("mesh:9", 1, &mesh, &err) != MU_OK) abort();
    fail_everywhere("writing a mesh", write_mesh, mesh);
    fail_everywhere("reading a mesh", load_mesh, path_of("mesh.node"));
    fail_everywhere("reading a mesh by its base", load_mesh, path_of("mesh"));
    fail_everywhere("checking a mesh", check_mesh, mesh);
    mu_mesh_free(mesh);
}

int main(void)
{
    make_folder();
    test_generators();
    test_formats();
    test_special_files();
    test_packed();
    test_graphs();
    test_meshes();
    remove_folder();
    return tap_done();
}
