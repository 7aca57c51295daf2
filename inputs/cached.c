#include "inputs/cached.h"

#include "base/files/cache.h"
#include "base/memory.h"
#include "base/number.h"
#include "inputs/generators/generators.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the files: raised when what stands in them changes. */
#define FORMAT 1

#define KIND           MU_INPUT_CACHE_KIND
#define USUAL_LEAST_NS UINT64_C(100000000)
#define USUAL_MOST     (UINT64_C(8) << 30)

/* Numbers before the arrays: 1, which tells the order of bytes, then those of a graph or a mesh. */
enum { NUMBERS = 8 };

struct array {
    void **place;
    uint64_t count;
    size_t element_bytes;
};
enum { ARRAYS = 4 };

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

int mu_input_cache_usual(bool use, struct mu_input_cache *cache, struct mu_error *err)
{
    const char *text = getenv("MUSTER_INPUT_CACHE");
    uint64_t mebibytes = 0;
    *cache = (struct mu_input_cache){.use = use, .least_ns = USUAL_LEAST_NS, .most_bytes = USUAL_MOST};
    if (text == NULL || text[0] == '\0') return MU_OK;
    if (!mu_number_whole(text, 0, UINT64_MAX >> 20, &mebibytes))
        return mu_fail(err, MU_USAGE, "MUSTER_INPUT_CACHE=%.80s: not a whole number of MiB", text);
    cache->most_bytes = mebibytes << 20;
    return MU_OK;
}

/* Returns the input's key in the cache, which the caller frees. NULL if the cache is not to be used, and without
 * memory. */
static char *key_of(const char *specification, uint64_t seed, const struct mu_input_cache *cache)
{
    const char *parameters;
    if (!cache->use || cache->most_bytes == 0 || mu_generator_find(specification, &parameters) == NULL) return NULL;
    return mu_format(NULL, "format %d, generators %d\n%s\n%" PRIu64 "\n", FORMAT, MU_GENERATORS_VERSION, specification,
                     seed);
}

/* Fills in the arrays of a graph, and returns how many it has. */
static uint32_t arrays_of_graph(struct mu_graph *graph, bool weighted, struct array arrays[ARRAYS])
{
    arrays[0] = (struct array){(void **)&graph->row_start, (uint64_t)graph->vertices + 1, sizeof *graph->row_start};
    arrays[1] = (struct array){(void **)&graph->column, graph->edges, sizeof *graph->column};
    arrays[2] = (struct array){(void **)&graph->weight, graph->edges, sizeof *graph->weight};
    return weighted ? 3 : 2;
}

static uint32_t arrays_of_mesh(struct mu_mesh *mesh, struct array arrays[ARRAYS])
{
    const uint64_t corners = 3 * (uint64_t)mesh->triangles;
    arrays[0] = (struct array){(void **)&mesh->coordinate, 2 * (uint64_t)mesh->points, sizeof *mesh->coordinate};
    arrays[1] = (struct array){(void **)&mesh->corner, corners, sizeof *mesh->corner};
    arrays[2] = (struct array){(void **)&mesh->neighbour, corners, sizeof *mesh->neighbour};
    arrays[3] = (struct array){(void **)&mesh->fixed, mesh->triangles, sizeof *mesh->fixed};
    return 4;
}

static void put(const char *key, const struct mu_input_cache *cache, const uint64_t numbers[NUMBERS],
                const struct array *arrays, uint32_t count)
{
    struct mu_cache_part parts[1 + ARRAYS] = {{numbers, NUMBERS * sizeof *numbers}};
    uint64_t bytes = parts[0].count;
    for (uint32_t i = 0; i < count; i++) {
        parts[i + 1] = (struct mu_cache_part){*arrays[i].place, (size_t)arrays[i].count * arrays[i].element_bytes};
        bytes += parts[i + 1].count;
    }
    if (bytes <= cache->most_bytes && mu_cache_trim(KIND, cache->most_bytes - bytes, bytes))
        (void)mu_cache_put_parts(KIND, key, strlen(key), parts, count + 1);
}

/* Opens what is cached under the key, and reads its numbers; NULL where there is nothing. */
static struct mu_cache_reader *open_cached(const char *key, uint64_t numbers[NUMBERS], uint64_t *bytes)
{
    struct mu_cache_reader *reader = key != NULL ? mu_cache_open(KIND, key, strlen(key), bytes) : NULL;
    if (reader != NULL && mu_cache_read(reader, numbers, NUMBERS * sizeof *numbers) && numbers[0] == 1) return reader;
    mu_cache_close(reader);
    return NULL;
}

/* Reads the arrays and closes the file. The sizes must be those of the file before anything is allocated: nothing
 * that stands in it is believed until its hash is known. */
static bool read_arrays(struct mu_cache_reader *reader, uint64_t bytes, const struct array *arrays, uint32_t count)
{
    uint64_t expected = NUMBERS * sizeof(uint64_t);
    bool right = true;
    for (uint32_t i = 0; i < count && right; i++) {
        right = arrays[i].count <= bytes / arrays[i].element_bytes;
        expected += right ? arrays[i].count * arrays[i].element_bytes : 0;
    }
    right = right && expected == bytes;
    for (uint32_t i = 0; i < count && right; i++) {
        *arrays[i].place = mu_malloc(arrays[i].count, arrays[i].element_bytes, "a cached input", NULL);
        right = *arrays[i].place != NULL &&
                mu_cache_read(reader, *arrays[i].place, (size_t)arrays[i].count * arrays[i].element_bytes);
    }
    return mu_cache_close(reader) && right;
}

/* ---- Graphs ---------------------------------------------------------------------------------------------------------
 */

static bool graph_is_sound(const struct mu_graph *graph)
{
    uint32_t wrong = graph->row_start[0] != 0 || graph->row_start[graph->vertices] != graph->edges;
    for (uint32_t v = 0; v < graph->vertices; v++) wrong |= graph->row_start[v] > graph->row_start[v + 1];
    for (uint64_t e = 0; e < graph->edges; e++) wrong |= graph->column[e] >= graph->vertices;
    return wrong == 0;
}

static struct mu_graph *get_graph(const char *key, const char *specification)
{
    uint64_t numbers[NUMBERS], bytes = 0;
    const char *parameters;
    struct array arrays[ARRAYS];
    struct mu_cache_reader *reader = open_cached(key, numbers, &bytes);
    if (reader == NULL) return NULL;
    struct mu_graph *graph = mu_calloc(1, sizeof *graph, "a cached graph", NULL);
    bool right = graph != NULL && numbers[1] >= 1 && numbers[1] <= MU_MAX_VERTICES;
    if (right) {
        graph->vertices = (uint32_t)numbers[1];
        graph->edges = numbers[2];
        graph->undirected = numbers[3] != 0;
        graph->format = mu_generator_find(specification, &parameters)->name;
        graph->name = mu_strdup(specification, NULL);
        right = read_arrays(reader, bytes, arrays, arrays_of_graph(graph, numbers[4] != 0, arrays)) &&
                graph->name != NULL && graph_is_sound(graph);
    } else {
        mu_cache_close(reader);
    }
    if (right) return graph;
    mu_graph_free(graph);
    return NULL;
}

int mu_graph_load_cached(const char *specification, struct mu_reading *reading, struct mu_input_cache *cache,
                         struct mu_graph **graph, struct mu_error *err)
{
    char *key = key_of(specification, reading->seed, cache);
    struct mu_graph *made = reading->format == NULL ? get_graph(key, specification) : NULL;
    const uint64_t start = now_ns();
    cache->found = made != NULL;
    if (made != NULL) mu_graph_settle_weights(made, reading);
    if (made == NULL && mu_graph_load_as(specification, reading, &made, err) == MU_OK && key != NULL &&
        reading->weights == MU_WEIGHTS_AUTO && now_ns() - start >= cache->least_ns && made->outside_id == NULL) {
        const uint64_t numbers[NUMBERS] = {1, made->vertices, made->edges, made->undirected, made->weight != NULL};
        struct array arrays[ARRAYS];
        put(key, cache, numbers, arrays, arrays_of_graph(made, made->weight != NULL, arrays));
    }
    mu_free(key);
    if (made != NULL) *graph = made;
    return made != NULL ? MU_OK : err->status;
}

/* ---- Meshes ---------------------------------------------------------------------------------------------------------
 */

static bool mesh_is_sound(const struct mu_mesh *mesh)
{
    uint32_t wrong = mesh->segments > 3 * (uint64_t)mesh->triangles || mesh->first_id > 1;
    for (uint64_t i = 0; i < 3 * (uint64_t)mesh->triangles; i++) {
        wrong |= mesh->corner[i] >= mesh->points;
        wrong |= mesh->neighbour[i] >= mesh->triangles && mesh->neighbour[i] != MU_NO_TRIANGLE;
    }
    for (uint32_t t = 0; t < mesh->triangles; t++) wrong |= mesh->fixed[t] > 7;
    return wrong == 0;
}

static struct mu_mesh *get_mesh(const char *key, const char *specification)
{
    uint64_t numbers[NUMBERS], bytes = 0;
    const char *parameters;
    struct array arrays[ARRAYS];
    struct mu_cache_reader *reader = open_cached(key, numbers, &bytes);
    if (reader == NULL) return NULL;
    struct mu_mesh *mesh = mu_calloc(1, sizeof *mesh, "a cached mesh", NULL);
    bool right = mesh != NULL && numbers[1] <= UINT32_MAX && numbers[2] <= MU_MAX_TRIANGLES && numbers[3] <= UINT32_MAX;
    if (right) {
        mesh->points = (uint32_t)numbers[1];
        mesh->triangles = (uint32_t)numbers[2];
        mesh->segments = (uint32_t)numbers[3];
        mesh->first_id = (uint32_t)numbers[4];
        mesh->turned = (uint32_t)numbers[5];
        mesh->flipped = numbers[6];
        mesh->format = mu_generator_find(specification, &parameters)->name;
        mesh->name = mu_strdup(specification, NULL);
        right = read_arrays(reader, bytes, arrays, arrays_of_mesh(mesh, arrays)) && mesh->name != NULL &&
                mesh_is_sound(mesh);
    } else {
        mu_cache_close(reader);
    }
    if (right) return mesh;
    mu_mesh_free(mesh);
    return NULL;
}

int mu_mesh_load_cached(const char *specification, uint64_t seed, struct mu_input_cache *cache, struct mu_mesh **mesh,
                        struct mu_error *err)
{
    char *key = key_of(specification, seed, cache);
    struct mu_mesh *made = get_mesh(key, specification);
    const uint64_t start = now_ns();
    cache->found = made != NULL;
    if (made == NULL && mu_mesh_load(specification, seed, &made, err) == MU_OK && key != NULL &&
        now_ns() - start >= cache->least_ns) {
        const uint64_t numbers[NUMBERS] = {
            1, made->points, made->triangles, made->segments, made->first_id, made->turned, made->flipped};
        struct array arrays[ARRAYS];
        put(key, cache, numbers, arrays, arrays_of_mesh(made, arrays));
    }
    mu_free(key);
    if (made != NULL) *mesh = made;
    return made != NULL ? MU_OK : err->status;
}
