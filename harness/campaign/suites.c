#include "harness/campaign/suites.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Small enough for two cores and cold caches: one input of many rounds and one of few for each app, and one that
 * catches wrong kernels for those that it can. Not tuned: a CPU's driver takes longer to compile a persistent kernel
 * for one more workgroup size than to run all of this. */
static const struct mu_suite_row smoke[] = {
    {"lonestar/bfs", "road:60", NULL},     {"lonestar/bfs", "rmat:12", NULL},
    {"lonestar/bfs", "traps:1500", NULL},  {"lonestar/dmr", "mesh:1000", NULL},
    {"lonestar/mst", "road:60", NULL},     {"lonestar/mst", "rmat:12", NULL},
    {"lonestar/mst", "traps:1500", NULL},  {"lonestar/sssp", "road:60", NULL},
    {"lonestar/sssp", "rmat:12", NULL},    {"lonestar/sssp", "traps:1500", NULL},
    {"pannotia/bc", "road:20", NULL},      {"pannotia/bc", "rmat:8", NULL},
    {"pannotia/color", "road:60", NULL},   {"pannotia/color", "rmat:12", NULL},
    {"pannotia/mis", "road:60", NULL},     {"pannotia/mis", "rmat:12", NULL},
    {"pannotia/sssp", "road:60", NULL},    {"pannotia/sssp", "rmat:12", NULL},
    {"pannotia/sssp", "traps:1500", NULL}, {0},
};

/* The matrix of the paper (sections 5.2 and 5.3, table 4), on graphs of its kind. Of its size, too, but for three: its
 * usa (24 million vertices), rmat22 and 2e23 would spend the time on reading and checking, not on running; here they
 * have a million vertices (Florida's road network, 2^20), and their size in `full`. */
static const struct mu_suite_row paper[] = {
    {"lonestar/bfs", "road:1034", "USA-road-d.FLA"},
    {"lonestar/bfs", "uniform:20:2", "r4-2e20"},
    {"lonestar/bfs", "rmat:20", "rmat20"},
    {"lonestar/dmr", "mesh:50000", "r100k"},
    {"lonestar/dmr", "mesh:125000", "r250k"},
    {"lonestar/mst", "road:1034", "USA-road-d.FLA"},
    {"lonestar/mst", "uniform:20:2", "r4-2e20"},
    {"lonestar/sssp", "road:1034", "USA-road-d.FLA"},
    {"lonestar/sssp", "uniform:20:2", "r4-2e20"},
    {"lonestar/sssp", "rmat:20", "rmat20"},
    {"pannotia/bc", "uniform:10:64", "1k_128k"},
    {"pannotia/bc", "uniform:11:256", "2k_1M"},
    {"pannotia/color", "grid2d:1000x1000", "ecology1"},
    {"pannotia/color", "road:1259", "G3_circuit"},
    {"pannotia/mis", "grid2d:1000x1000", "ecology1"},
    {"pannotia/mis", "road:1259", "G3_circuit"},
    {"pannotia/sssp", "road:514", "USA-road-d.NY"},
    {0},
};

/* The paper's largest graphs at their own size, and every app on every kind of graph. */
static const struct mu_suite_row full[] = {
    {"lonestar/bfs", "grid2d:1000x1000", "ecology1"},
    {"lonestar/bfs", "road:1034", "USA-road-d.FLA"},
    {"lonestar/bfs", "road:4894", "USA-road-d.USA"},
    {"lonestar/bfs", "uniform:23:2", "r4-2e23"},
    {"lonestar/bfs", "rmat:20", "rmat20"},
    {"lonestar/bfs", "rmat:22", "rmat22"},
    {"lonestar/dmr", "mesh:50000", "r100k"},
    {"lonestar/dmr", "mesh:125000", "r250k"},
    {"lonestar/dmr", "mesh:500000", "r1M"},
    {"lonestar/mst", "grid2d:1000x1000", "ecology1"},
    {"lonestar/mst", "road:1034", "USA-road-d.FLA"},
    {"lonestar/mst", "road:4894", "USA-road-d.USA"},
    {"lonestar/mst", "uniform:20:2", "r4-2e20"},
    {"lonestar/mst", "rmat:20", "rmat20"},
    {"lonestar/sssp", "grid2d:1000x1000", "ecology1"},
    {"lonestar/sssp", "road:1034", "USA-road-d.FLA"},
    {"lonestar/sssp", "road:4894", "USA-road-d.USA"},
    {"lonestar/sssp", "uniform:23:2", "r4-2e23"},
    {"lonestar/sssp", "rmat:20", "rmat20"},
    {"lonestar/sssp", "rmat:22", "rmat22"},
    {"pannotia/bc", "uniform:10:64", "1k_128k"},
    {"pannotia/bc", "uniform:11:256", "2k_1M"},
    {"pannotia/bc", "road:300", NULL},
    {"pannotia/bc", "rmat:18", NULL},
    {"pannotia/color", "grid2d:1000x1000", "ecology1"},
    {"pannotia/color", "road:1259", "G3_circuit"},
    {"pannotia/color", "uniform:20:2", "r4-2e20"},
    {"pannotia/color", "rmat:18", NULL},
    {"pannotia/mis", "grid2d:1000x1000", "ecology1"},
    {"pannotia/mis", "road:1259", "G3_circuit"},
    {"pannotia/mis", "uniform:20:2", "r4-2e20"},
    {"pannotia/mis", "rmat:20", "rmat20"},
    {"pannotia/sssp", "road:514", "USA-road-d.NY"},
    {"pannotia/sssp", "road:1034", "USA-road-d.FLA"},
    {"pannotia/sssp", "uniform:20:2", "r4-2e20"},
    {"pannotia/sssp", "rmat:18", NULL},
    {0},
};

/* One input a kernel of each app that shows what portability costs, and what the global barrier gains. */
static const struct mu_suite_row goals[] = {
    {"lonestar/bfs", "road:1034", "USA-road-d.FLA"},
    {"lonestar/bfs", "rmat:20", "rmat20"},
    {"lonestar/dmr", "mesh:50000", "r100k"},
    {"lonestar/mst", "road:1034", "USA-road-d.FLA"},
    {"lonestar/mst", "rmat:20", "rmat20"},
    {"lonestar/sssp", "road:1034", "USA-road-d.FLA"},
    {"lonestar/sssp", "rmat:20", "rmat20"},
    {"pannotia/bc", "uniform:10:64", "1k_128k"},
    {"pannotia/color", "grid2d:1000x1000", "ecology1"},
    {"pannotia/mis", "grid2d:1000x1000", "ecology1"},
    {"pannotia/sssp", "road:514", "USA-road-d.NY"},
    {0},
};

/* The optimisation study's programs on graphs of the kinds that the thesis took (section 4.4.4); of the size of New
 * York's roads and of 2^20 vertices. */
#define ON_THREE_GRAPHS(app)                                                                                           \
    {app, "road:514", "USA-road-d.NY"}, {app, "uniform:20:2", "r4-2e20"}, {app, "rmat:20", "rmat20"},
static const struct mu_suite_row irgl[] = {
    ON_THREE_GRAPHS("irgl/bfs-cx") ON_THREE_GRAPHS("irgl/bfs-hybrid") ON_THREE_GRAPHS("irgl/bfs-topo")
        ON_THREE_GRAPHS("irgl/bfs-tp") ON_THREE_GRAPHS("irgl/bfs-wl") ON_THREE_GRAPHS("irgl/cc")
            ON_THREE_GRAPHS("irgl/mis-pannotia") ON_THREE_GRAPHS("irgl/mis-wl") ON_THREE_GRAPHS("irgl/mst-boruvka")
                ON_THREE_GRAPHS("irgl/mst-multi") ON_THREE_GRAPHS("irgl/pr-residual")
                    ON_THREE_GRAPHS("irgl/pr-residual-wl") ON_THREE_GRAPHS("irgl/pr-tp") ON_THREE_GRAPHS("irgl/sssp-nf")
                        ON_THREE_GRAPHS("irgl/sssp-topo") ON_THREE_GRAPHS("irgl/sssp-wl")
                            ON_THREE_GRAPHS("irgl/tri"){0},
};

/* The three variants; and them under the conditions that the paper measured and those that it did not. */
#define VARIANTS "multi-kernel,portable,specialised"
#define FORMS    "multi-kernel,multi-kernel-fixed,portable-cold,portable,specialised-bound,specialised"

const struct mu_suite mu_suites[] = {
    {.name = "smoke",
     .forms = VARIANTS,
     .purpose = "every app, small inputs: under three minutes on two cores",
     .rows = smoke,
     .repeats = 5,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.02,
     .max_time_s = 0.05,
     .tune_time_s = 1},
    {.name = "paper",
     .forms = FORMS,
     .purpose = "the matrix of the paper, for a GPU",
     .rows = paper,
     .repeats = 5,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.02,
     .max_time_s = 1,
     .tuned = true,
     .tune_time_s = 2},
    {.name = "goals",
     .purpose = "one or two inputs for each app, for a GPU",
     .rows = goals,
     .forms = FORMS,
     .repeats = 5,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.01,
     .max_time_s = 1,
     .tuned = true,
     .tune_time_s = 2},
    {.name = "full",
     .forms = FORMS,
     .purpose = "the paper's largest graphs too, and more kinds of them",
     .rows = full,
     .repeats = 5,
     .min_samples = 20,
     .max_samples = 200,
     .target_width = 0.01,
     .max_time_s = 5,
     .tuned = true,
     .tune_time_s = 10},
    {.name = "cooperative",
     .forms = "portable,cooperative",
     .purpose = "what a team that can be resized costs where nobody resizes it, for a GPU (doc/cooperative.md)",
     .rows = goals,
     .repeats = 5,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.01,
     .max_time_s = 1,
     .tuned = true,
     .tune_time_s = 2},
    {.name = "irgl",
     .forms = "multi-kernel,portable",
     .purpose =
         "the programs of the optimisation study, for a GPU; say which optimisations, as doc/optimisations.md does",
     .rows = irgl,
     .repeats = 2,
     .together = 96,
     .min_samples = 10,
     .max_samples = 10,
     .target_width = 0.02,
     .max_time_s = 1,
     .tune_time_s = 1},
    {0},
};

const struct mu_suite *mu_suite_find(const char *name)
{
    for (const struct mu_suite *suite = mu_suites; suite->name != NULL; suite++)
        if (strcmp(suite->name, name) == 0) return suite;
    return NULL;
}

/* Looks for folder/name with any suffix; path is empty when there is none. */
static int find_file(const char *folder, const char *name, char *path, size_t bytes, struct mu_error *err)
{
    static const char *const suffixes[] = {".gr", ".mtx", ".graph", ".sg", ".wsg", ".egr", ".txt", ".node"};
    static const char *const packings[] = {"", ".gz", ".xz"};
    struct stat status;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        for (size_t j = 0; j < sizeof packings / sizeof packings[0]; j++) {
            const int length = snprintf(path, bytes, "%s/%s%s%s", folder, name, suffixes[i], packings[j]);
            if (length < 0 || (size_t)length >= bytes)
                return mu_fail(err, MU_LIMIT, "--inputs=%s: the path is too long", folder);
            if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) return MU_OK;
        }
    path[0] = '\0';
    return MU_OK;
}

int mu_suite_original(const struct mu_suite_row *row, const char *folder, char *path, size_t bytes,
                      struct mu_error *err)
{
    struct stat status;
    path[0] = '\0';
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        return mu_fail(err, MU_IO, "--inputs=%s: not a folder", folder);
    if (row->original == NULL || find_file(folder, row->original, path, bytes, err) != MU_OK || path[0] != '\0')
        return err->status;
    const char *dot = strrchr(row->original, '.');
    return dot != NULL ? find_file(folder, dot + 1, path, bytes, err) : MU_OK;
}
