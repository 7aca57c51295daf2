#include "harness/campaign/suites.h"

#include "harness/campaign/campaign.h"
#include "harness/run/process.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Small enough for two cores and cold caches: one input of many rounds and one of few for each app, and one that
 * catches wrong kernels where there is one. Not tuned: to compile persistent kernels for one more workgroup size takes
 * a CPU's driver longer than this whole suite. */
static const struct mu_suite_row smoke[] = {
    {"lonestar/bfs", {"road:60", "rmat:12", "traps:1500"}},
    {"lonestar/dmr", {"mesh:1000"}},
    {"lonestar/mst", {"road:60", "rmat:12", "traps:1500"}},
    {"lonestar/sssp", {"road:60", "rmat:12", "traps:1500"}},
    {"pannotia/bc", {"road:20", "rmat:8"}},
    {"pannotia/color", {"road:60", "rmat:12"}},
    {"pannotia/mis", {"road:60", "rmat:12"}},
    {"pannotia/sssp", {"road:60", "rmat:12", "traps:1500"}},
    {0},
};

/* The matrix of the paper (sections 5.2 and 5.3, table 4), on graphs of its kind and, but for three, of its size. Its
 * usa (24 million vertices), rmat22 and 2e23 would spend the time on reading and checking. Here they have a million
 * vertices (Florida's road network, 2^20), and in `full` their own size. */
static const struct mu_suite_row paper[] = {
    {"lonestar/bfs", {"road:1034", "uniform:20:2", "rmat:20"}},
    {"lonestar/dmr", {"mesh:50000", "mesh:125000"}},
    {"lonestar/mst", {"road:1034", "uniform:20:2"}},
    {"lonestar/sssp", {"road:1034", "uniform:20:2", "rmat:20"}},
    {"pannotia/bc", {"uniform:10:64", "uniform:11:256"}},
    {"pannotia/color", {"grid2d:1000x1000", "road:1259"}},
    {"pannotia/mis", {"grid2d:1000x1000", "road:1259"}},
    {"pannotia/sssp", {"road:514"}},
    {0},
};

/* The same matrix, table 4 column by column, with graphs of the paper's own sizes. */
static const struct mu_suite_row matrix[] = {
    {"lonestar/bfs", {"uniform:23:2", "rmat:22"}},
    {"lonestar/mst", {"uniform:20:2", "road:4894"}},
    {"lonestar/sssp", {"uniform:23:2", "rmat:22"}},
    {"pannotia/bc", {"uniform:10:64", "uniform:11:256"}},
    {"pannotia/color", {"grid2d:1000x1000", "road:1259"}},
    {"pannotia/mis", {"grid2d:1000x1000", "road:1259"}},
    {"pannotia/sssp", {"road:4894"}},
    {0},
};

/* The paper's largest graphs at their own size, and every app on every kind of graph. */
static const struct mu_suite_row full[] = {
    {"lonestar/bfs", {"grid2d:1000x1000", "road:1034", "road:4894", "uniform:23:2", "rmat:20", "rmat:22"}},
    {"lonestar/dmr", {"mesh:50000", "mesh:125000", "mesh:500000"}},
    {"lonestar/mst", {"grid2d:1000x1000", "road:1034", "road:4894", "uniform:20:2", "rmat:20"}},
    {"lonestar/sssp", {"grid2d:1000x1000", "road:1034", "road:4894", "uniform:23:2", "rmat:20", "rmat:22"}},
    {"pannotia/bc", {"uniform:10:64", "uniform:11:256", "road:300", "rmat:18"}},
    {"pannotia/color", {"grid2d:1000x1000", "road:1259", "uniform:20:2", "rmat:18"}},
    {"pannotia/mis", {"grid2d:1000x1000", "road:1259", "uniform:20:2", "rmat:20"}},
    {"pannotia/sssp", {"road:514", "road:1034", "uniform:20:2", "rmat:18"}},
    {0},
};

/* One or two inputs of each app that show what portability costs, and what the global barrier gains. */
static const struct mu_suite_row goals[] = {
    {"lonestar/bfs", {"road:1034", "rmat:20"}},
    {"lonestar/dmr", {"mesh:50000"}},
    {"lonestar/mst", {"road:1034", "rmat:20"}},
    {"lonestar/sssp", {"road:1034", "rmat:20"}},
    {"pannotia/bc", {"uniform:10:64"}},
    {"pannotia/color", {"grid2d:1000x1000"}},
    {"pannotia/mis", {"grid2d:1000x1000"}},
    {"pannotia/sssp", {"road:514"}},
    {0},
};

/* Graphs and meshes that no constant, default or tuning was chosen on: no other suite has them, and none may take them
 * up. Small, so that what a roll call costs shows, on two cores as well as on a GPU. */
static const struct mu_suite_row unseen[] = {
    {"lonestar/bfs", {"road:330", "rmat:15:12", "uniform:16:6"}},
    {"lonestar/dmr", {"mesh:9000"}},
    {"lonestar/mst", {"road:330", "rmat:15:12", "uniform:16:6"}},
    {"lonestar/sssp", {"road:190", "rmat:15:12", "uniform:16:6"}},
    {"pannotia/bc", {"road:45", "rmat:9:12"}},
    {"pannotia/color", {"grid2d:270x430", "rmat:15:12", "uniform:16:6"}},
    {"pannotia/mis", {"grid2d:270x430", "rmat:15:12", "uniform:16:6"}},
    {"pannotia/sssp", {"road:130", "uniform:16:6"}},
    {0},
};

/* The graphs of the paper's two worst slowdowns, at their own size, for bfs: the thesis's table 4.10. */
static const struct mu_suite_row mutexes[] = {
    {"lonestar/bfs", {"uniform:23:2", "rmat:22"}},
    {0},
};

/* Plans that last long, since a load comes every 40 or 70 ms and a shorter plan does not meet it. Without dmr, since
 * the check of its meshes takes longer than all runs. */
static const struct mu_suite_row loaded[] = {
    {"lonestar/bfs", {"road:4894", "grid2d:3000x3000"}},
    {"lonestar/sssp", {"road:4894", "grid2d:3000x3000"}},
    {"pannotia/bc", {"road:300", "road:500"}},
    {"pannotia/sssp", {"road:1500", "road:2000"}},
    {0},
};

/* The same for two cores, whose plans meet a load that comes every 2 ms. */
static const struct mu_suite_row loaded_small[] = {
    {"lonestar/bfs", {"road:100"}}, {"lonestar/mst", {"road:100"}},   {"lonestar/sssp", {"road:60"}},
    {"pannotia/bc", {"road:20"}},   {"pannotia/color", {"road:100"}}, {"pannotia/mis", {"road:100"}},
    {"pannotia/sssp", {"road:60"}}, {"lonestar/dmr", {"mesh:2000"}},  {0},
};

/* Sweeps loads, the workgroups that they get, and both barriers (thesis, section 5.7.2). Combinations that make the
 * same test are left out (sweep.c). `more` is another sweep or NULL; bc takes as long as it has sources. */
#define LOADS(list, more)                                                                                              \
    .sweeps = {"load=idle," list, "load-groups=1,quarter,half,most", "resizing=query,plain", more},                    \
    .forms = "cooperative"

/* The programs of the optimisation study on graphs of the kinds that the thesis took (section 4.4.4), of the size of
 * New York's roads and of 2^20 vertices. */
#define THREE_GRAPHS                                                                                                   \
    {                                                                                                                  \
        "road:514", "uniform:20:2", "rmat:20"                                                                          \
    }
static const struct mu_suite_row irgl[] = {
    {"irgl/bfs-cx", THREE_GRAPHS},       {"irgl/bfs-hybrid", THREE_GRAPHS},  {"irgl/bfs-topo", THREE_GRAPHS},
    {"irgl/bfs-tp", THREE_GRAPHS},       {"irgl/bfs-wl", THREE_GRAPHS},      {"irgl/cc", THREE_GRAPHS},
    {"irgl/mis-pannotia", THREE_GRAPHS}, {"irgl/mis-wl", THREE_GRAPHS},      {"irgl/mst-boruvka", THREE_GRAPHS},
    {"irgl/mst-multi", THREE_GRAPHS},    {"irgl/pr-residual", THREE_GRAPHS}, {"irgl/pr-residual-wl", THREE_GRAPHS},
    {"irgl/pr-tp", THREE_GRAPHS},        {"irgl/sssp-nf", THREE_GRAPHS},     {"irgl/sssp-topo", THREE_GRAPHS},
    {"irgl/sssp-wl", THREE_GRAPHS},      {"irgl/tri", THREE_GRAPHS},         {0},
};

/* The three variants, alone and under the conditions that the paper measured and those that it did not. */
#define VARIANTS "multi-kernel,portable,specialised"
#define FORMS    "multi-kernel,multi-kernel-fixed,portable-cold,portable,specialised-bound,specialised"

/* Members that all suites share: their axes, and what a child does for their points. */
#define TESTS .families = mu_campaign_families, .serve = serve_tests

/* Serves the only test of a process by a response, and several by a part for each. */
static int serve_tests(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    const bool several = json_object_get(request, "tests") != NULL;
    return (several ? mu_tests_serve : mu_test_serve)(request, response, err);
}

const struct mu_suite mu_suites[] = {
    {.experiment = {TESTS, .name = "smoke", .purpose = "every app, small inputs: under three minutes on two cores",
                    .processes = 8, .tables = "summary"},
     .rows = smoke,
     .forms = VARIANTS,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.02,
     .max_time_s = 0.05,
     .tune_time_s = 1},
    {.experiment = {TESTS, .name = "paper", .purpose = "the matrix of the paper, for a GPU", .processes = 5,
                    .tables = "conditions summary"},
     .rows = paper,
     .forms = FORMS,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.02,
     .max_time_s = 1,
     .tuned = true,
     .tune_time_s = 2},
    {.experiment = {TESTS, .name = "matrix",
                    .purpose = "the same on graphs of the paper's own sizes, or on its own with --inputs (muster list "
                               "inputs)",
                    .processes = 5, .tables = "conditions summary"},
     .rows = matrix,
     .forms = FORMS,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.02,
     .max_time_s = 5,
     .tuned = true,
     .tune_time_s = 10},
    {.experiment = {TESTS, .name = "goals", .purpose = "one or two inputs for each app, for a GPU", .processes = 5,
                    .tables = "conditions summary"},
     .rows = goals,
     .forms = FORMS,
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.01,
     .max_time_s = 1,
     .tuned = true,
     .tune_time_s = 2},
    {.experiment = {TESTS, .name = "full", .purpose = "the paper's largest graphs too, and more kinds of them",
                    .processes = 5, .tables = "conditions summary"},
     .rows = full,
     .forms = FORMS,
     .min_samples = 20,
     .max_samples = 200,
     .target_width = 0.01,
     .max_time_s = 5,
     .tuned = true,
     .tune_time_s = 10},
    {.experiment = {TESTS, .name = "unseen",
                    .purpose = "inputs that nothing was chosen on, to judge what a probe chose (doc/profile.md)",
                    .processes = 4, .tables = "conditions summary"},
     .rows = unseen,
     .forms = "multi-kernel,portable-cold,portable,specialised-bound",
     .min_samples = 20,
     .max_samples = 50,
     .target_width = 0.02,
     .max_time_s = 0.2},
    {.experiment = {TESTS, .name = "mutexes",
                    .purpose = "what the mutex of a roll call costs bfs, by roll call, on the graphs of the thesis's "
                               "table 4.10; for a GPU",
                    .processes = 5, .tables = "rollcalls"},
     .rows = mutexes,
     .forms = "portable-cold,specialised-bound",
     .sweeps = {"rollcall=ticket,ticket-destruct,atomic"},
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.02,
     .max_time_s = 1},
    {.experiment = {TESTS, .name = "cooperative",
                    .purpose =
                        "what a team that can be resized costs where nobody resizes it, for a GPU (doc/cooperative.md)",
                    .processes = 5, .tables = "cooperative"},
     .rows = goals,
     .forms = "portable,cooperative",
     .min_samples = 20,
     .max_samples = 100,
     .target_width = 0.01,
     .max_time_s = 1,
     .tuned = true,
     .tune_time_s = 2},
    {.experiment = {TESTS, .name = "load",
                    .purpose =
                        "loads beside cooperative plans, on each share of the workgroups, for a GPU; with --suite="
                        "stealing those beside work-stealing apps (doc/cooperative.md)",
                    .processes = 3, .together = 32, .tables = "load"},
     .rows = loaded,
     LOADS("light,medium,heavy", "sources=400"),
     .min_samples = 3,
     .max_samples = 10,
     .target_width = 0.05,
     .max_time_s = 0.25},
    {.experiment = {TESTS, .name = "load-small", .purpose = "the same for two cores, with a load of its own",
                    .processes = 2, .together = 32, .tables = "load"},
     .rows = loaded_small,
     LOADS("brief", NULL),
     .min_samples = 4,
     .max_samples = 10,
     .target_width = 0.05,
     .max_time_s = 0.05},
    {.experiment = {TESTS, .name = "irgl",
                    .purpose = "the programs of the optimisation study, for a GPU; say which optimisations, as "
                               "doc/optimisations.md does",
                    .processes = 2, .together = 96,
                    .tables = "strategies ranking top necessary heatmap outlining plain"},
     .rows = irgl,
     .forms = "multi-kernel,portable",
     .min_samples = 10,
     .max_samples = 10,
     .target_width = 0.02,
     .max_time_s = 1,
     .tune_time_s = 1},
    {.rows = NULL},
};

const struct mu_suite *mu_suite_find(const char *name)
{
    for (const struct mu_suite *suite = mu_suites; suite->experiment.name != NULL; suite++)
        if (strcmp(suite->experiment.name, name) == 0) return suite;
    return NULL;
}

int mu_suite_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    const char *name = mu_json_text(request, "suite");
    const struct mu_suite *suite = mu_suite_find(name);
    if (suite == NULL) return mu_fail(err, MU_USAGE, "suite %s: there is none", name);
    return suite->experiment.serve(request, response, err);
}

#define LONESTAR "LonestarGPU, iss.oden.utexas.edu"
#define DIMACS   "ninth DIMACS challenge, www.diag.uniroma1.it/challenge9"
#define SPARSE   "SuiteSparse Matrix Collection, sparse.tamu.edu"
#define PANNOTIA "Pannotia, github.com/pannotia/pannotia"
const struct mu_suite_original mu_suite_originals[] = {
    {"grid2d:1000x1000", "ecology1", SPARSE},
    {"mesh:50000", "r100k", LONESTAR},
    {"mesh:125000", "r250k", LONESTAR},
    {"mesh:500000", "r1M", LONESTAR},
    {"rmat:20", "rmat20", LONESTAR},
    {"rmat:22", "rmat22", LONESTAR},
    {"road:514", "USA-road-d.NY", DIMACS},
    {"road:1034", "USA-road-d.FLA", DIMACS},
    {"road:1259", "G3_circuit", SPARSE},
    {"road:4894", "USA-road-d.USA", DIMACS},
    {"uniform:20:2", "r4-2e20", LONESTAR},
    {"uniform:23:2", "r4-2e23", LONESTAR},
    {"uniform:10:64", "1k_128k", PANNOTIA},
    {"uniform:11:256", "2k_1M", PANNOTIA},
    {0},
};

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

static const char *original_of(const char *input)
{
    for (const struct mu_suite_original *original = mu_suite_originals; original->input != NULL; original++)
        if (strcmp(original->input, input) == 0) return original->name;
    return NULL;
}

int mu_suite_original(const char *input, const char *folder, char *path, size_t bytes, struct mu_error *err)
{
    struct stat status;
    const char *original = original_of(input);
    path[0] = '\0';
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        return mu_fail(err, MU_IO, "--inputs=%s: not a folder", folder);
    if (original == NULL || find_file(folder, original, path, bytes, err) != MU_OK || path[0] != '\0')
        return err->status;
    const char *dot = strrchr(original, '.');
    return dot != NULL ? find_file(folder, dot + 1, path, bytes, err) : MU_OK;
}
